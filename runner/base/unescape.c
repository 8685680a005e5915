#include "unescape.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Four digits. */
static bool unit_of(const char *text, size_t len, uint32_t *unit)
{
	*unit = 0;
	for (size_t i = 0; i < 4; i++) {
		if (i >= len || digit(text[i]) < 0)
			return false;
		*unit = *unit * 16 + (uint32_t)digit(text[i]);
	}
	return true;
}

/* UTF-8 of a code below 0x10000: three bytes at most, where six stood. */
static size_t put(char *out, uint32_t unit)
{
	if (unit < 0x80) {
		out[0] = (char)unit;
		return 1;
	}
	if (unit < 0x800) {
		out[0] = (char)(0xc0 | unit >> 6);
		out[1] = (char)(0x80 | (unit & 0x3f));
		return 2;
	}
	out[0] = (char)(0xe0 | unit >> 12);
	out[1] = (char)(0x80 | (unit >> 6 & 0x3f));
	out[2] = (char)(0x80 | (unit & 0x3f));
	return 3;
}

size_t unescape(char *text, size_t len)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	size_t out = 0, at = 0;

	while (at < len) {
		const char *short_form = text[at] == '\\' && at + 1 < len && text[at + 1] != '\0' ? strchr(from, text[at + 1]) : NULL;
		uint32_t unit;

		if (short_form != NULL) {
			text[out++] = to[short_form - from];
			at += 2;
		} else if (text[at] == '\\' && at + 1 < len && text[at + 1] == 'u' && unit_of(text + at + 2, len - at - 2, &unit)) {
			out += put(text + out, unit);
			at += 6;
		} else {
			text[out++] = text[at++];
		}
	}
	return out;
}

bool unescape_within(char *text, size_t len, bool (*holds)(void *context, const char *text, size_t len), void *context, int *level)
{
	bool found = holds(context, text, len);

	for (*level = 0; !found && *level < UNESCAPE_LEVELS && len > 0 && memchr(text, '\\', len) != NULL; ++*level) {
		len = unescape(text, len);
		found = holds(context, text, len);
	}
	return found;
}

bool unescape_any(const char *text, size_t len, bool (*holds)(void *context, const char *text, size_t len), void *context, int *level)
{
	char *copy = mem_textn(text, len);
	const bool found = unescape_within(copy, len, holds, context, level);

	explicit_bzero(copy, len);
	free(copy);
	return found;
}
