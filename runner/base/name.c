#include "name.h"

#include <string.h>

#include "character.h"
#include "utf8.h"

/* Unicode's White_Space but U+0020 itself; the controls among them are hidden characters. */
static bool is_other_space(uint32_t point)
{
	return point == 0xA0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x202F || point == 0x205F || point == 0x3000;
}

/* What Excel and its kin take for a formula. Model names of some hosts begin with @, so that counts only where a call could follow. */
static bool is_formula(const char *text)
{
	return strchr("=+-", text[0]) != NULL || (text[0] == '@' && strpbrk(text, "(|!") != NULL);
}

bool name_breaks(const char *text, enum rule *rule, struct bytes *what)
{
	const size_t len = strlen(text);
	uint32_t point = 0, before = ' ';
	size_t marks = 0; /* in a row */

	for (size_t at = 0; at < len; before = point) {
		const size_t step = utf8_next(text + at, len - at, &point);

		bool breaks = true;

		marks = step != 0 && character_width(point) == 0 ? marks + 1 : 0;
		if (step == 0 || point < 0x20 || (point >= 0x7F && point < 0xA0))
			*rule = R_NAME_CONTROL;
		else if (character_hidden(point))
			*rule = R_NAME_HIDDEN;
		else if (is_other_space(point) || (point == ' ' && (before == ' ' || at + 1 == len)))
			*rule = R_NAME_SPACE;
		else if (at == 0 && (character_width(point) == 0 || is_formula(text)))
			*rule = R_NAME_START;
		else if (marks > NAME_MARKS_MAX)
			*rule = R_NAME_MARKS;
		else
			breaks = false;
		if (breaks) {
			if (step == 0)
				bytes_format(what, "byte %zu is not UTF-8", at);
			else
				bytes_format(what, "U+%04X stands at byte %zu", (unsigned)point, at);
			return true;
		}
		at += step;
	}
	return false;
}

enum status name_check(const char *text, const char *field, const char *file, struct error *err)
{
	struct bytes what = {0};
	enum rule rule;
	enum status status = OK;

	if (name_breaks(text, &rule, &what))
		status = error_set(err, rule, file, "field '%s' is '%s': %s", field, text, what.data);
	bytes_free(&what);
	return status;
}

static bool is_dash(uint32_t point)
{
	static const struct {
		uint32_t first, last;
	} dashes[] = {{0x2D, 0x2D},     {0x2D7, 0x2D7},   {0x58A, 0x58A},   {0x5BE, 0x5BE},   {0x1400, 0x1400}, {0x1806, 0x1806}, {0x2010, 0x2015}, {0x2043, 0x2043}, {0x2053, 0x2053},
	              {0x207B, 0x207B}, {0x208B, 0x208B}, {0x2212, 0x2212}, {0x2E17, 0x2E17}, {0x2E1A, 0x2E1A}, {0x2E3A, 0x2E3B}, {0x2E40, 0x2E40}, {0x2E5D, 0x2E5D}, {0x301C, 0x301C},
	              {0x3030, 0x3030}, {0x30A0, 0x30A0}, {0xFE31, 0xFE32}, {0xFE58, 0xFE58}, {0xFE63, 0xFE63}, {0xFF0D, 0xFF0D}, {0x10EAD, 0x10EAD}};

	for (size_t i = 0; i < sizeof dashes / sizeof dashes[0]; i++)
		if (point >= dashes[i].first && point <= dashes[i].last)
			return true;
	return false;
}

void name_fold(const char *text, struct bytes *out)
{
	const size_t len = strlen(text);
	size_t step;

	for (size_t at = 0; at < len; at += step) {
		uint32_t point = 0;

		step = utf8_next(text + at, len - at, &point);
		if (step == 0)
			bytes_char(out, text[at++]);
		else if (is_dash(point))
			bytes_char(out, '-');
		else if (step == 1 && text[at] >= 'A' && text[at] <= 'Z')
			bytes_char(out, (char)(text[at] - 'A' + 'a'));
		else
			bytes_add(out, text + at, step);
	}
}
