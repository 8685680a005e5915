#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "utf8.h"

enum {
	KEYS_LINEAR = 24,      /* objects up to this size compare each key with those before it */
	KEYS_INLINE = 64,      /* keys of all open objects that need no allocation */
	SCRATCH_INLINE = 1024, /* documents up to this size need none for escaped strings */
};

struct key {
	const char *text; /* decoded; in the document or in scratch */
	uint32_t len;
	uint32_t at; /* of its opening quote */
};

struct frame {
	size_t first_key; /* index of the object's first key in keys */
	bool object;
};

struct scan {
	const char *text;
	size_t len;
	size_t at;
	const char *file;
	uint64_t base;
	struct error *err;
	json_visit *visit;
	void *context;

	unsigned depth; /* open objects and arrays */
	struct frame frames[JSON_DEPTH_MAX];

	struct key *keys; /* of all open objects, innermost last */
	size_t key_count;
	size_t key_room;

	/* Where escaped strings are decoded. Decoding never lengthens a string, so the document's length is
	 * always room enough. Keys stay (scratch_used counts them), a value gives way to the next. */
	char *scratch;
	size_t scratch_used;

	struct key keys_inline[KEYS_INLINE];
	char scratch_inline[SCRATCH_INLINE];
};

static int peek(const struct scan *s)
{
	return s->at < s->len ? (unsigned char)s->text[s->at] : -1;
}

static void skip_space(struct scan *s)
{
	while (s->at < s->len) {
		char c = s->text[s->at];

		if (c != ' ' && c != '\n' && c != '\r' && c != '\t')
			return;
		s->at++;
	}
}

static enum status unexpected(const struct scan *s, const char *wanted)
{
	uint64_t offset = s->base + s->at;
	int c = peek(s);

	if (c < 0)
		return error_at(s->err, R_JSON_SYNTAX, s->file, offset, "the text ends where %s is expected",
				wanted);
	if (c >= 0x80 && utf8_next(s->text + s->at, s->len - s->at, NULL) == 0)
		return error_at(s->err, R_JSON_UTF8, s->file, offset, "byte 0x%02X is not UTF-8",
				(unsigned)c);
	if (c > 0x20 && c < 0x7F)
		return error_at(s->err, R_JSON_SYNTAX, s->file, offset, "'%c' stands where %s is expected", c,
				wanted);
	return error_at(s->err, R_JSON_SYNTAX, s->file, offset, "byte 0x%02X stands where %s is expected",
			(unsigned)c, wanted);
}

/* Strings */

#define EVERY_BYTE(value) (UINT64_MAX / 255 * (value))

/* The first byte from at on that is not plain: a quote, a backslash, a control character, beyond ASCII, or
 * the end. */
static size_t plain_end(const char *text, size_t len, size_t at)
{
	while (len - at >= 8) {
		uint64_t word;

		memcpy(&word, text + at, 8);
		uint64_t quote = word ^ EVERY_BYTE('"');
		uint64_t slash = word ^ EVERY_BYTE('\\');
		/* A byte below n borrows from its top bit when n is taken off; nothing else sets a bit
		 * that was clear, unless a byte below it did so, which stops us too. */
		uint64_t special = ((word - EVERY_BYTE(0x20)) & ~word) | ((quote - EVERY_BYTE(1)) & ~quote) |
				   ((slash - EVERY_BYTE(1)) & ~slash) | word;

		if ((special & EVERY_BYTE(0x80)) != 0)
			break;
		at += 8;
	}
	while (at < len) {
		unsigned char c = (unsigned char)text[at];

		if (c < 0x20 || c >= 0x80 || c == '"' || c == '\\')
			break;
		at++;
	}
	return at;
}

/* The value of the four hex digits at text, or -1. */
static int32_t hex4(const char *text, size_t len)
{
	int32_t value = 0;

	if (len < 4)
		return -1;
	for (size_t i = 0; i < 4; i++) {
		char c = text[i];

		if (c >= '0' && c <= '9')
			value = value * 16 + (c - '0');
		else if (c >= 'a' && c <= 'f')
			value = value * 16 + (c - 'a' + 10);
		else if (c >= 'A' && c <= 'F')
			value = value * 16 + (c - 'A' + 10);
		else
			return -1;
	}
	return value;
}

static size_t utf8_put(uint32_t point, char *out)
{
	if (point < 0x80) {
		out[0] = (char)point;
		return 1;
	}
	if (point < 0x800) {
		out[0] = (char)(0xC0 | point >> 6);
		out[1] = (char)(0x80 | (point & 0x3F));
		return 2;
	}
	if (point < 0x10000) {
		out[0] = (char)(0xE0 | point >> 12);
		out[1] = (char)(0x80 | (point >> 6 & 0x3F));
		out[2] = (char)(0x80 | (point & 0x3F));
		return 3;
	}
	out[0] = (char)(0xF0 | point >> 18);
	out[1] = (char)(0x80 | (point >> 12 & 0x3F));
	out[2] = (char)(0x80 | (point >> 6 & 0x3F));
	out[3] = (char)(0x80 | (point & 0x3F));
	return 4;
}

/* A \u escape at *at, or two that form a surrogate pair. */
static enum status unicode_escape(const struct scan *s, size_t *at, char *out, size_t *used)
{
	const char *text = s->text + *at;
	size_t left = s->len - *at;
	uint64_t offset = s->base + *at;
	int32_t unit = hex4(text + 2, left - 2);
	uint32_t point = (uint32_t)unit;

	if (unit < 0)
		return error_at(s->err, R_JSON_SYNTAX, s->file, offset, "\\u lacks four hex digits");
	if (unit == 0)
		return error_at(s->err, R_JSON_NUL, s->file, offset, "\\u0000 stands in a string");
	*at += 6;
	if (unit >= 0xD800 && unit <= 0xDFFF) {
		int32_t low = left >= 12 && text[6] == '\\' && text[7] == 'u' ? hex4(text + 8, 4) : -1;

		if (unit >= 0xDC00 || low < 0xDC00 || low > 0xDFFF)
			return error_at(s->err, R_JSON_SURROGATE, s->file, offset, "%.6s is a lone surrogate",
					text);
		point = 0x10000 + ((point - 0xD800) << 10) + ((uint32_t)low - 0xDC00);
		*at += 6;
	}
	*used += utf8_put(point, out + *used);
	return OK;
}

/* The escape whose backslash is at *at. */
static enum status escape(const struct scan *s, size_t *at, char *out, size_t *used)
{
	static const char letters[] = "\"\\/bfnrt";
	static const char meant[] = "\"\\/\b\f\n\r\t";
	char c = s->len - *at >= 2 ? s->text[*at + 1] : '\0';

	if (c == 'u')
		return unicode_escape(s, at, out, used);
	const char *letter = c == '\0' ? NULL : strchr(letters, c);

	if (letter == NULL)
		return error_at(s->err, R_JSON_SYNTAX, s->file, s->base + *at,
				"the backslash begins no escape of JSON");
	out[(*used)++] = meant[letter - letters];
	*at += 2;
	return OK;
}

static enum status bad_string_byte(const struct scan *s, size_t open, size_t at)
{
	uint64_t offset = s->base + at;

	if (at == s->len)
		return error_at(s->err, R_JSON_SYNTAX, s->file, offset,
				"the string that begins at byte %llu is not closed",
				(unsigned long long)(s->base + open));
	unsigned byte = (unsigned char)s->text[at];

	if (byte == 0)
		return error_at(s->err, R_JSON_NUL, s->file, offset, "a NUL byte stands in a string");
	if (byte < 0x20)
		return error_at(s->err, R_JSON_CONTROL, s->file, offset, "byte 0x%02X stands in a string",
				byte);
	return error_at(s->err, R_JSON_UTF8, s->file, offset, "byte 0x%02X is not UTF-8", byte);
}

/* From its first byte that is not plain to behind its closing quote. */
static enum status string_rest(struct scan *s, size_t at, const char **text, size_t *len)
{
	size_t start = s->at + 1;
	size_t run = start; /* decoded up to here */
	size_t used = 0;
	char *out = NULL;

	for (;; at = plain_end(s->text, s->len, at)) {
		unsigned char c = at < s->len ? (unsigned char)s->text[at] : 0;

		if (c == '"')
			break;
		if (c >= 0x80) {
			size_t step = utf8_next(s->text + at, s->len - at, NULL);

			if (step == 0)
				return bad_string_byte(s, s->at, at);
			at += step;
			continue;
		}
		if (c != '\\')
			return bad_string_byte(s, s->at, at);
		if (s->scratch == NULL)
			s->scratch =
			    s->len <= SCRATCH_INLINE ? s->scratch_inline : mem_array(NULL, s->len, 1);
		out = s->scratch + s->scratch_used;
		memcpy(out + used, s->text + run, at - run);
		used += at - run;
		enum status status = escape(s, &at, out, &used);

		if (status != OK)
			return status;
		run = at;
	}
	if (out != NULL) {
		memcpy(out + used, s->text + run, at - run);
		used += at - run;
	}
	*text = out != NULL ? out : s->text + start;
	*len = out != NULL ? used : at - start;
	s->at = at + 1;
	return OK;
}

static enum status scan_string(struct scan *s, const char **text, size_t *len)
{
	size_t start = s->at + 1;
	size_t at = plain_end(s->text, s->len, start);

	if (at == s->len || s->text[at] != '"')
		return string_rest(s, at, text, len);
	*text = s->text + start;
	*len = at - start;
	s->at = at + 1;
	return OK;
}

/* Keys */

static bool key_same(const struct key *a, const struct key *b)
{
	return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

/* By length, bytes, place in the document. */
static int key_order(const void *left, const void *right)
{
	const struct key *a = left;
	const struct key *b = right;

	if (a->len != b->len)
		return a->len < b->len ? -1 : 1;
	int order = memcmp(a->text, b->text, a->len);

	if (order != 0)
		return order;
	return a->at < b->at ? -1 : 1;
}

static enum status duplicate(const struct scan *s, const struct key *key)
{
	return error_at(s->err, R_JSON_DUPLICATE, s->file, s->base + key->at,
			"the key \"%.*s\" stands here again", key->len > 100 ? 100 : (int)key->len,
			key->text);
}

static void key_room(struct scan *s)
{
	if (s->key_count < s->key_room)
		return;
	struct key *old = s->keys == s->keys_inline ? NULL : s->keys;
	struct key *keys = mem_array(old, s->key_room * 2, sizeof *keys);

	if (old == NULL)
		memcpy(keys, s->keys_inline, sizeof s->keys_inline);
	s->keys = keys;
	s->key_room *= 2;
}

/* A key and its colon, up to the value. */
static enum status scan_key(struct scan *s)
{
	size_t first = s->frames[s->depth - 1].first_key;
	size_t at = s->at;
	const char *text;
	size_t len;

	if (peek(s) != '"')
		return unexpected(s, "a key in quotes");
	enum status status = scan_string(s, &text, &len);

	if (status != OK)
		return status;
	if (s->scratch != NULL && text == s->scratch + s->scratch_used)
		s->scratch_used += len;
	key_room(s);
	struct key *key = &s->keys[s->key_count];

	*key = (struct key){.text = text, .len = (uint32_t)len, .at = (uint32_t)at};
	if (s->key_count - first < KEYS_LINEAR)
		for (size_t i = first; i < s->key_count; i++)
			if (key_same(&s->keys[i], key))
				return duplicate(s, key);
	s->key_count++;

	skip_space(s);
	if (peek(s) != ':')
		return unexpected(s, "':'");
	s->at++;
	skip_space(s);
	return OK;
}

/* The keys of a closed object are forgotten, after the look for duplicates that was put off for a large one.
 */
static enum status close_object(struct scan *s, size_t first)
{
	struct key *keys = s->keys + first;
	size_t count = s->key_count - first;
	const struct key *second = NULL;

	if (count > KEYS_LINEAR) {
		qsort(keys, count, sizeof *keys, key_order);
		for (size_t i = 1; i < count; i++)
			if (key_same(&keys[i - 1], &keys[i]) && (second == NULL || keys[i].at < second->at))
				second = &keys[i];
		if (second != NULL)
			return duplicate(s, second);
	}
	s->key_count = first;
	return OK;
}

/* Values */

static enum status emit(struct scan *s, struct json_event *event)
{
	if (s->visit == NULL)
		return OK;
	event->depth = s->depth;
	if (s->depth > 0 && s->frames[s->depth - 1].object) {
		event->key = s->keys[s->key_count - 1].text;
		event->key_len = s->keys[s->key_count - 1].len;
	}
	return s->visit(s->context, event, s->err);
}

static size_t digits_end(const struct scan *s, size_t at)
{
	while (at < s->len && s->text[at] >= '0' && s->text[at] <= '9')
		at++;
	return at;
}

static bool in_range(const char *text, size_t len, bool whole)
{
	char copy[JSON_NUMBER_BYTES_MAX + 1];

	memcpy(copy, text, len);
	copy[len] = '\0';
	if (!whole)
		return isfinite(strtod(copy, NULL)) != 0;
	const char *digits = copy[0] == '-' ? copy + 1 : copy;

	return strlen(digits) <= 16 && strtoll(digits, NULL, 10) <= JSON_INTEGER_MAX;
}

static enum status bad_number(const struct scan *s, size_t at, const char *why)
{
	return error_at(s->err, R_JSON_NUMBER, s->file, s->base + at, "%s", why);
}

static enum status scan_number(struct scan *s, struct json_event *event)
{
	const char *text = s->text;
	size_t start = s->at;
	size_t whole = start + (text[start] == '-');
	size_t at = digits_end(s, whole);
	bool fraction = at < s->len && text[at] == '.';
	bool exponent = false;

	if (at == whole)
		return bad_number(s, at, "a digit is missing");
	if (text[whole] == '0' && at > whole + 1)
		return bad_number(s, whole, "the number begins with a needless 0");
	if (fraction) {
		size_t first = at + 1;

		at = digits_end(s, first);
		if (at == first)
			return bad_number(s, at, "a digit is missing after the point");
	}
	if (at < s->len && (text[at] == 'e' || text[at] == 'E')) {
		size_t first = at + 1;

		exponent = true;
		if (first < s->len && (text[first] == '+' || text[first] == '-'))
			first++;
		at = digits_end(s, first);
		if (at == first)
			return bad_number(s, at, "a digit is missing in the exponent");
	}
	/* 0x10, 1.2.3, 5f: not two values side by side but one bad number. */
	if (at < s->len && (text[at] == '.' || text[at] == '+' || text[at] == '-' || text[at] == '_' ||
			    (text[at] >= 'A' && text[at] <= 'Z') || (text[at] >= 'a' && text[at] <= 'z')))
		return bad_number(s, at, "the number goes on with what is no part of a number");
	if (at - start > JSON_NUMBER_BYTES_MAX)
		return bad_number(s, start, "the number has too many digits");
	/* 15 digits are within 2^53, and no 63 digits reach infinity without an exponent. */
	if ((exponent || (!fraction && at - whole > 15)) &&
	    !in_range(text + start, at - start, !fraction && !exponent))
		return error_at(s->err, R_JSON_RANGE, s->file, s->base + start,
				"%.*s cannot be carried exactly", (int)(at - start), text + start);
	event->type = JSON_NUMBER;
	event->text = text + start;
	event->text_len = at - start;
	s->at = at;
	return OK;
}

static enum status scan_literal(struct scan *s, struct json_event *event)
{
	static const struct {
		const char *text;
		size_t len;
		enum json_type type;
	} literals[] = {{"null", 4, JSON_NULL}, {"false", 5, JSON_FALSE}, {"true", 4, JSON_TRUE}};

	for (size_t i = 0; i < sizeof literals / sizeof *literals; i++)
		if (s->len - s->at >= literals[i].len &&
		    memcmp(s->text + s->at, literals[i].text, literals[i].len) == 0) {
			s->at += literals[i].len;
			event->type = literals[i].type;
			return OK;
		}
	return unexpected(s, "a value");
}

/* Opens an object or array. *empty: it was closed at once. */
static enum status scan_open(struct scan *s, struct json_event *event, bool *empty)
{
	bool object = s->text[s->at] == '{';

	if (s->depth == JSON_DEPTH_MAX)
		return error_at(s->err, R_JSON_DEPTH, s->file, s->base + s->at,
				"more than %d objects and arrays are open", JSON_DEPTH_MAX);
	event->type = object ? JSON_OBJECT : JSON_ARRAY;
	enum status status = emit(s, event);

	if (status != OK)
		return status;
	s->at++;
	skip_space(s);
	*empty = peek(s) == (object ? '}' : ']');
	if (*empty) {
		s->at++;
		return OK;
	}
	s->frames[s->depth++] = (struct frame){.first_key = s->key_count, .object = object};
	return object ? scan_key(s) : OK;
}

/* One scalar, or the start of an object or array. *complete: no further value is due before a comma or
 * bracket. */
static enum status scan_value(struct scan *s, bool *complete)
{
	struct json_event event = {.offset = s->base + s->at};
	int c = peek(s);
	enum status status;

	*complete = true;
	if (c == '{' || c == '[')
		return scan_open(s, &event, complete);
	if (c == '"') {
		event.type = JSON_STRING;
		status = scan_string(s, &event.text, &event.text_len);
	} else if (c == '-' || (c >= '0' && c <= '9')) {
		status = scan_number(s, &event);
	} else if (c == '+' || c == '.' || c == 'N' || c == 'I') {
		return bad_number(s, s->at, "no number of JSON begins so");
	} else {
		status = scan_literal(s, &event);
	}
	return status == OK ? emit(s, &event) : status;
}

/* What follows a complete value: closing brackets, then a comma (and the next key) or the end. */
static enum status scan_after(struct scan *s)
{
	while (s->depth > 0) {
		struct frame frame = s->frames[s->depth - 1];

		skip_space(s);
		int c = peek(s);

		if (c == ',') {
			s->at++;
			skip_space(s);
			return frame.object ? scan_key(s) : OK;
		}
		if (c != (frame.object ? '}' : ']'))
			return unexpected(s, frame.object ? "',' or '}'" : "',' or ']'");
		enum status status = frame.object ? close_object(s, frame.first_key) : OK;

		if (status != OK)
			return status;
		s->at++;
		s->depth--;
	}
	skip_space(s);
	return s->at == s->len ? OK : unexpected(s, "the end of the text");
}

static enum status scan_document(struct scan *s)
{
	enum status status;
	bool complete;

	skip_space(s);
	do {
		status = scan_value(s, &complete);
		if (status == OK && complete)
			status = scan_after(s);
	} while (status == OK && s->depth > 0);
	return status;
}

enum status json_scan(const char *text, size_t len, const char *file, uint64_t base_offset, json_visit *visit,
		      void *context, struct error *err)
{
	struct scan s; /* not cleared: the inline arrays cost more than a short line's scan */

	if (len > JSON_SIZE_MAX)
		return error_at(err, R_JSON_SIZE, file, base_offset + JSON_SIZE_MAX,
				"the document goes on behind byte %d", JSON_SIZE_MAX);
	if (len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
		return error_at(err, R_JSON_UTF8, file, base_offset,
				"the text begins with a byte order mark");
	s.text = text;
	s.len = len;
	s.at = 0;
	s.file = file;
	s.base = base_offset;
	s.err = err;
	s.visit = visit;
	s.context = context;
	s.depth = 0;
	s.keys = s.keys_inline;
	s.key_count = 0;
	s.key_room = KEYS_INLINE;
	s.scratch = NULL;
	s.scratch_used = 0;
	enum status status = scan_document(&s);

	if (s.keys != s.keys_inline)
		free(s.keys);
	if (s.scratch != s.scratch_inline)
		free(s.scratch);
	return status;
}

struct counting {
	const char *file;
	size_t count;
};

static enum status count_value(void *context, const struct json_event *event, struct error *err)
{
	struct counting *counting = context;

	return ++counting->count <= JSON_VALUES_MAX ? OK : error_at(err, R_JSON_VALUES, counting->file, event->offset, "more than %d values", JSON_VALUES_MAX);
}

enum status json_parse(const char *text, size_t len, const char *file, cJSON **tree, struct error *err)
{
	struct counting counting = {.file = file};

	*tree = NULL;
	enum status status = json_scan(text, len, file, 0, count_value, &counting, err);

	if (status != OK)
		return status;
	/* What has passed the scan is one value that cJSON takes too; it can only lack memory. */
	*tree = cJSON_ParseWithLengthOpts(text, len, NULL, false);
	if (*tree == NULL)
		mem_lacking();
	return OK;
}

/* Fields */

static const char *type_name(enum json_type type)
{
	switch (type) {
	case JSON_NULL:
		return "null";
	case JSON_FALSE:
	case JSON_TRUE:
		return "true or false";
	case JSON_NUMBER:
		return "a number";
	case JSON_STRING:
		return "a string";
	case JSON_OBJECT:
		return "an object";
	case JSON_ARRAY:
		break;
	}
	return "an array";
}

static bool is_type(const cJSON *item, enum json_type type)
{
	switch (type) {
	case JSON_NULL:
		return cJSON_IsNull(item);
	case JSON_FALSE:
	case JSON_TRUE:
		return cJSON_IsBool(item);
	case JSON_NUMBER:
		return cJSON_IsNumber(item);
	case JSON_STRING:
		return cJSON_IsString(item);
	case JSON_OBJECT:
		return cJSON_IsObject(item);
	case JSON_ARRAY:
		break;
	}
	return cJSON_IsArray(item);
}

enum status json_child(const cJSON *object, const char *key, enum json_type type, const char *file,
		       const cJSON **out, struct error *err)
{
	const cJSON *item = cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;

	*out = NULL;
	if (item == NULL)
		return error_set(err, R_JSON_FIELD, file, "the field \"%s\" (%s) is missing", key,
				 type_name(type));
	if (!is_type(item, type))
		return error_set(err, R_JSON_FIELD, file, "the field \"%s\" is not %s", key, type_name(type));
	*out = item;
	return OK;
}

enum status json_text(const cJSON *object, const char *key, const char *file, const char **out,
		      struct error *err)
{
	const cJSON *item;
	enum status status = json_child(object, key, JSON_STRING, file, &item, err);

	if (status == OK)
		*out = item->valuestring;
	return status;
}

enum status json_integer(const cJSON *object, const char *key, int64_t min, int64_t max, const char *file,
			 int64_t *out, struct error *err)
{
	const cJSON *item;
	enum status status = json_child(object, key, JSON_NUMBER, file, &item, err);

	if (status != OK)
		return status;
	double value = item->valuedouble;
	/* In this order: the conversion is defined only for a value that the first part lets through. */
	bool held = fabs(value) <= (double)JSON_INTEGER_MAX && floor(value) == value &&
		    (int64_t)value >= min && (int64_t)value <= max;

	if (!held)
		return error_set(err, R_JSON_FIELD, file,
				 "the field \"%s\" is not an integer from %lld to %lld", key, (long long)min,
				 (long long)max);
	*out = (int64_t)value;
	return OK;
}

enum status json_only(const cJSON *object, const char *const *names, const char *file, struct error *err)
{
	const cJSON *item;

	if (!cJSON_IsObject(object))
		return error_set(err, R_JSON_FIELD, file, "an object is expected");
	cJSON_ArrayForEach(item, object)
	{
		size_t i = 0;

		while (names[i] != NULL && strcmp(names[i], item->string) != 0)
			i++;
		if (names[i] == NULL)
			return error_set(err, R_JSON_FIELD, file,
					 "there is no field \"%s\" in this kind of record", item->string);
	}
	return OK;
}
