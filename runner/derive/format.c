#include "format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../base/utf8.h"

enum { DECIMAL_MAX = 352 }; /* sign, 309 digits before the point, point, 17 after it */

static const struct {
	const char *name;
	enum format_kind kind;
	int digits_min; /* -1: takes no number */
} formats[] = {
	{"text", FORMAT_TEXT, -1},       {"integer", FORMAT_INTEGER, -1}, {"fixed", FORMAT_FIXED, 0},
	{"general", FORMAT_GENERAL, 1},  {"repr", FORMAT_REPR, -1},
};

static const char *parse_digits(const char *at, int min, int *digits)
{
	if (at[0] != ' ' || at[1] < '0' || at[1] > '9')
		return NULL;
	char *end;
	long n = strtol(at + 1, &end, 10);

	if (n < min || n > FORMAT_DIGITS_MAX)
		return NULL;
	*digits = (int)n;
	return end;
}

const char *format_parse(const char *text, struct format *format)
{
	for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
		size_t len = strlen(formats[i].name);

		if (strncmp(text, formats[i].name, len) != 0)
			continue;
		const char *end = text + len;

		*format = (struct format){.kind = formats[i].kind};
		if (formats[i].digits_min >= 0)
			end = parse_digits(end, formats[i].digits_min, &format->digits);
		return end != NULL && (*end == '\0' || *end == ' ') ? end : NULL;
	}
	return NULL;
}

void format_name(const struct format *format, struct bytes *out)
{
	bytes_text(out, formats[format->kind].name);
	if (formats[format->kind].digits_min >= 0)
		bytes_format(out, " %d", format->digits);
}

/* What ECMAScript writes, in Python's layout: repr(float), CPython's float_repr_style 'short' (Python/pystrtod.c, format code 'r'). */
static void python_repr(double value, struct bytes *out)
{
	char shortest[JCS_NUMBER_MAX];
	char digits[JCS_NUMBER_MAX];
	size_t count = 0;
	int point = 0; /* the value is 0.DIGITS * 10^point */
	bool seen_point = false;
	const char *at = shortest;

	jcs_number(value, shortest);
	if (*at == '-')
		bytes_char(out, *at++);
	for (; *at != '\0' && *at != 'e'; at++) {
		if (*at == '.') {
			seen_point = true;
			continue;
		}
		if (count == 0 && *at == '0') {
			point -= seen_point ? 1 : 0;
			continue;
		}
		digits[count++] = *at;
		point += seen_point ? 0 : 1;
	}
	if (*at == 'e')
		point += (int)strtol(at + 1, NULL, 10);
	if (count == 0) {
		bytes_text(out, "0.0");
		return;
	}
	while (count > 1 && digits[count - 1] == '0')
		count--;
	int exponent = point - 1;

	if (exponent < -4 || exponent >= 16) {
		bytes_char(out, digits[0]);
		if (count > 1) {
			bytes_char(out, '.');
			bytes_add(out, digits + 1, count - 1);
		}
		bytes_format(out, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
		return;
	}
	if (point <= 0)
		bytes_text(out, "0.");
	for (int zeros = point; zeros < 0; zeros++)
		bytes_char(out, '0');
	for (int i = 0; i < (int)count || i <= point; i++) {
		if (i == point && point > 0)
			bytes_char(out, '.');
		bytes_char(out, i < (int)count ? digits[i] : '0');
	}
}

/* A printed number without the minus sign of a zero. */
static const char *without_negative_zero(const char *text)
{
	return text[0] == '-' && strpbrk(text, "123456789") == NULL ? text + 1 : text;
}

static const char *format_text(const struct value *value, struct bytes *out)
{
	if (value->type != VALUE_TEXT)
		return "is a number where the format is text";
	if (memchr(value->text, '\0', value->len) != NULL)
		return "holds a NUL";
	if (utf8_check(value->text, value->len) < value->len)
		return "is not UTF-8";
	bytes_add(out, value->text, value->len);
	return NULL;
}

const char *format_value(const struct format *format, const struct value *value, struct bytes *out)
{
	char text[DECIMAL_MAX];
	double real = value->type == VALUE_INTEGER ? (double)value->integer : value->real;

	if (format->kind == FORMAT_TEXT)
		return format_text(value, out);
	if (value->type == VALUE_TEXT)
		return "is text where the format is a number";
	if (format->kind == FORMAT_INTEGER) {
		if (value->type != VALUE_INTEGER)
			return "is REAL where the format is integer";
		bytes_format(out, "%" PRId64, value->integer);
		return NULL;
	}
	if (!isfinite(real))
		return "is not finite";
	if (value->type == VALUE_INTEGER && (value->integer > (1LL << 53) || value->integer < -(1LL << 53)))
		return "is an integer that no double holds";
	if (format->kind == FORMAT_REPR) {
		python_repr(real == 0 ? 0.0 : real, out);
		return NULL;
	}
	snprintf(text, sizeof text, format->kind == FORMAT_FIXED ? "%.*f" : "%.*g", format->digits, real);
	bytes_text(out, without_negative_zero(text));
	return NULL;
}
