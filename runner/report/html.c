#include "html.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../base/character.h"
#include "../base/utf8.h"

struct range {
	uint32_t first;
	uint32_t last;
};

static bool among(uint32_t point, const struct range *ranges, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (point >= ranges[i].first && point <= ranges[i].last)
			return true;
	return false;
}

/* What cannot be seen, or acts on what is around it: the signs that stand around numbers (Cf) and the joiners of Egyptian hieroglyphs do. */
static bool is_odd(uint32_t point)
{
	static const struct range around[] = {{0x600, 0x605}, {0x6DD, 0x6DD},     {0x70F, 0x70F},     {0x890, 0x891},
	                                      {0x8E2, 0x8E2}, {0x110BD, 0x110BD}, {0x110CD, 0x110CD}, {0x13439, 0x1343F}};

	return character_hidden(point) || among(point, around, sizeof around / sizeof around[0]);
}

static bool is_mark(uint32_t point)
{
	static const struct range marks[] = {{0x300, 0x36F}, {0x483, 0x489}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0xFE20, 0xFE2F}};

	return point >= 0x300 && among(point, marks, sizeof marks / sizeof marks[0]);
}

/* The blocks of scripts that run from right to left. */
static bool runs_left(uint32_t point)
{
	static const struct range left[] = {{0x590, 0x8FF}, {0xFB1D, 0xFDFF}, {0xFE70, 0xFEFE}, {0x10800, 0x10FFF}, {0x1E800, 0x1EFFF}};

	return point >= 0x590 && among(point, left, sizeof left / sizeof left[0]);
}

static bool has_left(const char *text, size_t len)
{
	for (size_t at = 0; at < len;) {
		uint32_t point = 0;
		size_t step = 1; /* of ASCII, which most is */

		if ((unsigned char)text[at] >= 0x80)
			step = utf8_next(text + at, len - at, &point);
		if (runs_left(point))
			return true;
		at += step == 0 ? 1 : step;
	}
	return false;
}

static void name_odd(const char *name, enum html_place place, struct bytes *out)
{
	bytes_text(out, place == HTML_ATTRIBUTE ? "‹" : "<span class=odd>");
	bytes_text(out, name);
	bytes_text(out, place == HTML_ATTRIBUTE ? "›" : "</span>");
}

static void put_odd(uint32_t point, enum html_place place, struct bytes *out)
{
	char name[16];

	if (point < 0x20) /* U+2400 and on: SYMBOL FOR NULL ... */
		snprintf(name, sizeof name, "\xE2\x90%c", (char)(0x80 + point));
	else if (point == 0x7F)
		strcpy(name, "␡");
	else
		snprintf(name, sizeof name, "U+%04" PRIX32, point);
	name_odd(name, place, out);
}

static void put_invalid(unsigned char byte, enum html_place place, struct bytes *out)
{
	char name[8];

	snprintf(name, sizeof name, "\\x%02X", byte);
	name_odd(name, place, out);
}

/* A character of ASCII; false if it is an odd one. */
static bool put_ascii(char c, enum html_place place, struct bytes *out)
{
	switch (c) {
	case '&': bytes_text(out, "&amp;"); return true;
	case '<': bytes_text(out, "&lt;"); return true;
	case '>': bytes_text(out, "&gt;"); return true;
	case '"':
		bytes_text(out, place == HTML_ATTRIBUTE ? "&quot;" : "\"");
		return true;
	case '\n': case '\t':
		if (place == HTML_LINES)
			bytes_char(out, c);
		return place == HTML_LINES;
	default:
		if (c < 0x20 || c == 0x7F)
			return false;
		bytes_char(out, c);
		return true;
	}
}

/* How many bytes there are up to the next that is not plain. Most of all text is. */
static size_t plain(const char *text, size_t len)
{
	size_t at = 0;

	while (at < len && text[at] >= ' ' && text[at] < 0x7F && text[at] != '&' && text[at] != '<' && text[at] != '>' && text[at] != '"')
		at++;
	return at;
}

static void put_characters(const char *text, size_t len, enum html_place place, struct bytes *out)
{
	size_t marks = 0;

	for (size_t at = 0; at < len;) {
		size_t span = plain(text + at, len - at);

		if (span > 0) {
			bytes_add(out, text + at, span);
			at += span;
			marks = 0;
			continue;
		}
		uint32_t point = 0;
		size_t step = utf8_next(text + at, len - at, &point);

		marks = is_mark(point) ? marks + 1 : 0;
		if (step == 0)
			put_invalid((unsigned char)text[at], place, out);
		else if (point < 0x80 ? !put_ascii((char)point, place, out) : is_odd(point) || marks > HTML_MARKS_MAX)
			put_odd(point, place, out);
		else if (point >= 0x80)
			bytes_add(out, text + at, step);
		at += step == 0 ? 1 : step;
	}
}

/* The length of text up to max, not cutting a character in two. */
static size_t cut(const char *text, size_t len, size_t max)
{
	if (len <= max)
		return len;
	size_t at = max;

	while (at > 0 && max - at < 4 && ((unsigned char)text[at] & 0xC0u) == 0x80)
		at--;
	return ((unsigned char)text[at] & 0xC0u) == 0x80 ? max : at;
}

void html_text(const char *text, size_t len, size_t max, enum html_place place, struct bytes *out)
{
	size_t shown = cut(text, len, max);
	bool isolate = place != HTML_ATTRIBUTE && has_left(text, shown);
	char more[64];

	bytes_text(out, isolate ? "<bdi>" : "");
	put_characters(text, shown, place, out);
	bytes_text(out, isolate ? "</bdi>" : "");
	if (shown < len) {
		snprintf(more, sizeof more, "… %zu bytes more", len - shown);
		name_odd(more, place, out);
	}
}

void html_lines(const char *text, size_t len, struct bytes *out)
{
	for (size_t at = 0; at < len;) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t line = end == NULL ? len - at : (size_t)(end - text) - at;

		html_text(text + at, line, HTML_LINE_MAX, HTML_LINES, out);
		at += line;
		if (at < len) {
			bytes_char(out, '\n');
			at++;
		}
	}
}

/* Is the end of this markup inside a tag? It was so before if inside. */
static bool inside_tag(const char *markup, size_t len, bool inside)
{
	for (size_t i = 0; i < len; i++)
		inside = markup[i] == '<' || (inside && markup[i] != '>');
	return inside;
}

/* Takes the argument of the conversion at format, which stands behind its %, and returns where it ends. */
static const char *put_argument(struct bytes *out, const char *format, bool inside, va_list *args)
{
	bool size = *format == 'z';
	int longs = 0;

	format += size ? 1 : 0;
	for (; *format == 'l'; format++)
		longs++;
	switch (*format) {
	case '%':
		bytes_char(out, '%');
		break;
	case 's': {
		const char *text = va_arg(*args, const char *);

		text = text == NULL ? "" : text;
		html_text(text, strlen(text), HTML_TEXT_MAX, inside ? HTML_ATTRIBUTE : HTML_ELEMENT, out);
		break;
	}
	case 'd':
		bytes_format(out, "%lld", longs == 0 ? va_arg(*args, int) : longs == 1 ? va_arg(*args, long) : va_arg(*args, long long));
		break;
	default: /* u */
		bytes_format(out, "%llu",
		             size         ? (unsigned long long)va_arg(*args, size_t)
		             : longs == 0 ? (unsigned long long)va_arg(*args, unsigned)
		             : longs == 1 ? (unsigned long long)va_arg(*args, unsigned long)
		                          : va_arg(*args, unsigned long long));
	}
	return format + 1;
}

void html_put(struct bytes *out, const char *markup, ...)
{
	bool inside = false;
	va_list args;

	va_start(args, markup);
	while (*markup != '\0') {
		size_t span = strcspn(markup, "%");

		bytes_add(out, markup, span);
		inside = inside_tag(markup, span, inside);
		markup += span;
		if (*markup == '%')
			markup = put_argument(out, markup + 1, inside, &args);
	}
	va_end(args);
}
