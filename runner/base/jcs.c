#include "jcs.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "utf8.h"

/* Numbers */

/* Decimal digits without point, and the power of ten behind the first of them: d.ddd * 10^power. */
struct decimal {
	char digits[18];
	int count;
	int power;
};

/* value > 0 correctly rounded to count digits (glibc's printf is exact, ties to even). */
static struct decimal rounded(double value, int count)
{
	struct decimal d = {.count = count};
	char text[40];

	snprintf(text, sizeof text, "%.*e", count - 1, value); /* d.ddde-xxx; no point if count is 1 */
	d.digits[0] = text[0];
	if (count > 1)
		memcpy(d.digits + 1, text + 2, (size_t)count - 1);
	d.power = atoi(strchr(text, 'e') + 1);
	return d;
}

static bool reads_back(const struct decimal *d, double value)
{
	char text[40];

	snprintf(text, sizeof text, "%.*se%d", d->count, d->digits, d->power - (d->count - 1));
	return strtod(text, NULL) == value;
}

/* One unit more in the last digit. */
static void next_up(struct decimal *d)
{
	int i = d->count - 1;

	while (i >= 0 && d->digits[i] == '9')
		d->digits[i--] = '0';
	if (i >= 0) {
		d->digits[i]++;
	} else { /* 99.9 -> 100, one digit fewer and one power more */
		d->digits[0] = '1';
		d->power++;
	}
}

/*
 * The fewest digits that read back to value, and of those the ones nearest to it (ECMA-262 Number::toString,
 * step 5 and note 2). A normal double keeps DBL_DIG = 15 decimal digits, so where 15 or fewer do, rounding to
 * 15 finds them, followed by zeros. Where 16 do, the correctly rounded ones do, but for one case: just above
 * a power of two doubles lie twice as far apart as below it, so the 16 digits nearest to the power of two may
 * lie below it and read back as its neighbour while the next ones up, farther away, read back to it.
 * Subnormals keep fewer digits.
 */
static struct decimal shortest(double value)
{
	for (int count = value < DBL_MIN ? 1 : DBL_DIG; count < 17; count++) {
		struct decimal d = rounded(value, count);

		if (reads_back(&d, value))
			return d;
		next_up(&d);
		if (count == 16 && reads_back(&d, value))
			return d;
	}
	return rounded(value, 17);
}

static char *put(char *out, const char *digits, int count)
{
	memcpy(out, digits, (size_t)count);
	return out + count;
}

bool jcs_number(double value, char out[JCS_NUMBER_MAX])
{
	if (!isfinite(value))
		return false;
	if (fabs(value) <= (double)JSON_INTEGER_MAX && floor(value) == value) {
		snprintf(out, JCS_NUMBER_MAX, "%lld", (long long)value); /* -0.0 becomes 0 */
		return true;
	}
	struct decimal d = shortest(fabs(value));
	char *at = out;

	while (d.count > 1 && d.digits[d.count - 1] == '0')
		d.count--;
	if (value < 0)
		*at++ = '-';
	if (d.power >= d.count - 1 && d.power < 21) { /* steps 6 to 9: n = power + 1 */
		at = put(at, d.digits, d.count);
		memset(at, '0', (size_t)(d.power - (d.count - 1)));
		at += d.power - (d.count - 1);
	} else if (d.power >= 0 && d.power < 21) {
		at = put(at, d.digits, d.power + 1);
		*at++ = '.';
		at = put(at, d.digits + d.power + 1, d.count - (d.power + 1));
	} else if (d.power < 0 && d.power >= -6) {
		at = put(at, "0.00000", 1 - d.power);
		at = put(at, d.digits, d.count);
	} else {
		*at++ = d.digits[0];
		if (d.count > 1) {
			*at++ = '.';
			at = put(at, d.digits + 1, d.count - 1);
		}
		at += sprintf(at, "e%+d", d.power);
	}
	*at = '\0';
	return true;
}

/* Strings */

/* Whether none of 8 bytes is a control character, '"' or '\\': a borrow from a byte can only call its neighbour so that is not, and then they are looked at one by one (Warren, "Hacker's Delight", 6-1). */
static bool are_plain(const char *text)
{
	const uint64_t ones = 0x0101010101010101u, high = 0x80 * ones;
	uint64_t eight;

	memcpy(&eight, text, sizeof eight);
	const uint64_t quote = eight ^ '"' * ones, back = eight ^ '\\' * ones;

	return ((((eight - 0x20 * ones) & ~eight) | ((quote - ones) & ~quote) | ((back - ones) & ~back)) & high) == 0;
}

void jcs_string(const char *text, size_t len, struct bytes *out)
{
	size_t run = 0;

	bytes_char(out, '"');
	for (size_t i = 0; i < len; i++) {
		static const char letters[] = "btn\0fr"; /* from U+0008 on; U+000B has none */

		while (len - i > 8 && are_plain(text + i))
			i += 8;
		const unsigned char c = (unsigned char)text[i];

		if (c >= 0x20 && c != '"' && c != '\\')
			continue;
		bytes_add(out, text + run, i - run);
		run = i + 1;
		bytes_char(out, '\\');
		if (c >= 0x20)
			bytes_char(out, (char)c);
		else if (c >= '\b' && c <= '\r' && c != '\v')
			bytes_char(out, letters[c - '\b']);
		else
			bytes_format(out, "u%04x", c);
	}
	bytes_add(out, text + run, len - run);
	bytes_char(out, '"');
}

/* Trees */

struct writer {
	struct bytes *out;
	struct error *err;
	unsigned depth;
};

static enum status write_value(struct writer *w, const cJSON *item);

/* U+E000 to U+FFFF begin with EE or EF in UTF-8 and stand behind the surrogates, by which UTF-16 writes what
 * is beyond U+FFFF and UTF-8 begins with F0 to F4. That apart, the order of UTF-16 code units is that of
 * UTF-8 bytes. */
static int utf16_rank(unsigned char byte)
{
	return byte == 0xEE || byte == 0xEF ? byte + 0x10 : byte;
}

static int by_key(const void *left, const void *right)
{
	const unsigned char *a = (const unsigned char *)(*(const cJSON *const *)left)->string;
	const unsigned char *b = (const unsigned char *)(*(const cJSON *const *)right)->string;

	while (*a != '\0' && *a == *b) {
		a++;
		b++;
	}
	return utf16_rank(*a) - utf16_rank(*b);
}

static enum status write_string(struct writer *w, const char *text)
{
	size_t len = strlen(text);

	if (utf8_check(text, len) != len)
		return error_set(w->err, R_JSON_UTF8, NULL, "a string of the record is not UTF-8: %.100s",
				 text);
	jcs_string(text, len, w->out);
	return OK;
}

static enum status write_members(struct writer *w, const cJSON **members, size_t count)
{
	qsort(members, count, sizeof(*members), by_key);
	for (size_t i = 0; i < count; i++) {
		if (i > 0 && strcmp(members[i - 1]->string, members[i]->string) == 0)
			return error_set(w->err, R_JSON_DUPLICATE, NULL,
					 "the key \"%.100s\" stands twice in a record", members[i]->string);
		if (i > 0)
			bytes_char(w->out, ',');
		enum status status = write_string(w, members[i]->string);

		if (status != OK)
			return status;
		bytes_char(w->out, ':');
		status = write_value(w, members[i]);
		if (status != OK)
			return status;
	}
	return OK;
}

static enum status write_object(struct writer *w, const cJSON *object)
{
	size_t count = (size_t)cJSON_GetArraySize(object);
	const cJSON **members = mem_array(NULL, count, sizeof(*members));
	const cJSON *item;
	size_t i = 0;

	cJSON_ArrayForEach(item, object) members[i++] = item;
	bytes_char(w->out, '{');
	enum status status = write_members(w, members, count);

	bytes_char(w->out, '}');
	free(members);
	return status;
}

static enum status write_array(struct writer *w, const cJSON *array)
{
	enum status status = OK;
	const cJSON *item;

	bytes_char(w->out, '[');
	cJSON_ArrayForEach(item, array)
	{
		if (item != array->child)
			bytes_char(w->out, ',');
		status = write_value(w, item);
		if (status != OK)
			break;
	}
	bytes_char(w->out, ']');
	return status;
}

static enum status write_number(struct writer *w, double value)
{
	char text[JCS_NUMBER_MAX];

	if (!jcs_number(value, text))
		return error_set(w->err, R_JSON_RANGE, NULL, "a number of the record is not finite");
	bytes_text(w->out, text);
	return OK;
}

static enum status write_value(struct writer *w, const cJSON *item)
{
	enum status status;

	if (cJSON_IsString(item))
		return write_string(w, item->valuestring);
	if (cJSON_IsNumber(item))
		return write_number(w, item->valuedouble);
	if (cJSON_IsRaw(item)) {
		bytes_text(w->out, item->valuestring);
		return OK;
	}
	if (!cJSON_IsObject(item) && !cJSON_IsArray(item)) {
		bytes_text(w->out, cJSON_IsTrue(item) ? "true" : cJSON_IsFalse(item) ? "false" : "null");
		return OK;
	}
	if (w->depth == JSON_DEPTH_MAX)
		return error_set(w->err, R_JSON_DEPTH, NULL, "a record nests deeper than %d", JSON_DEPTH_MAX);
	w->depth++;
	status = cJSON_IsObject(item) ? write_object(w, item) : write_array(w, item);
	w->depth--;
	return status;
}

enum status jcs_write(const cJSON *tree, struct bytes *out, struct error *err)
{
	struct writer w = {.out = out, .err = err};
	size_t before = out->len;
	enum status status = write_value(&w, tree);

	if (status != OK && out->data != NULL) {
		out->len = before;
		out->data[before] = '\0';
	}
	return status;
}

void jcs_add_text(cJSON *object, const char *key, const char *text)
{
	cJSON_AddItemToObject(object, key, text != NULL ? cJSON_CreateString(text) : cJSON_CreateNull());
}

void jcs_add_hash(cJSON *object, const char *key, const struct sha256 *hash)
{
	char hex[SHA256_HEX + 1];

	sha256_hex(hash, hex);
	cJSON_AddStringToObject(object, key, hex);
}
