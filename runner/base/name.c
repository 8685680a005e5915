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
