#include "utf8.h"

#include <stdio.h>
#include <string.h>

#include "character.h"

size_t utf8_next(const char *text, size_t len, uint32_t *point)
{
	const unsigned char *b = (const unsigned char *)text;
	uint32_t value;
	size_t need;

	if (len == 0)
		return 0;
	if (b[0] < 0x80) {
		if (point != NULL)
			*point = b[0];
		return 1;
	}
	if (b[0] >= 0xC2 && b[0] <= 0xDF) {
		need = 2;
		value = b[0] & 0x1Fu;
	} else if (b[0] >= 0xE0 && b[0] <= 0xEF) {
		need = 3;
		value = b[0] & 0x0Fu;
	} else if (b[0] >= 0xF0 && b[0] <= 0xF4) {
		need = 4;
		value = b[0] & 0x07u;
	} else {
		return 0;
	}
	if (len < need)
		return 0;
	for (size_t i = 1; i < need; i++) {
		if ((b[i] & 0xC0u) != 0x80)
			return 0;
		value = value << 6 | (b[i] & 0x3Fu);
	}
	/* RFC 3629: overlong three- and four-byte forms, surrogates, beyond Unicode. */
	if ((need == 3 && value < 0x800) || (need == 4 && value < 0x10000) || value > 0x10FFFF ||
	    (value >= 0xD800 && value <= 0xDFFF))
		return 0;
	if (point != NULL)
		*point = value;
	return need;
}

size_t utf8_check(const char *text, size_t len)
{
	size_t at = 0;

	while (at < len) {
		uint64_t word;

		/* Most text is ASCII: eight bytes at a time. */
		if (len - at >= 8 &&
		    (memcpy(&word, text + at, 8), (word & UINT64_C(0x8080808080808080)) == 0)) {
			at += 8;
			continue;
		}
		size_t step = utf8_next(text + at, len - at, NULL);

		if (step == 0)
			break;
		at += step;
	}
	return at;
}

void utf8_printable(const char *text, size_t len, char *out, size_t size)
{
	size_t used = 0;

	if (size == 0)
		return;
	for (size_t at = 0; at < len;) {
		char piece[16];
		uint32_t point = 0;
		size_t step = utf8_next(text + at, len - at, &point);

		if (step == 0) {
			snprintf(piece, sizeof piece, "\\x%02X", (unsigned char)text[at]);
			step = 1;
		} else if (point == '\n') {
			strcpy(piece, "\\n");
		} else if (character_hidden(point)) {
			snprintf(piece, sizeof piece, point < 0x100 ? "\\x%02X" : "\\u{%X}", (unsigned)point);
		} else {
			memcpy(piece, text + at, step);
			piece[step] = '\0';
		}
		size_t n = strlen(piece);

		if (used + n >= size)
			break;
		memcpy(out + used, piece, n);
		used += n;
		at += step;
	}
	out[used] = '\0';
}
