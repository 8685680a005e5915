#include "error.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "utf8.h"

static enum status fill(struct error *err, enum rule rule, const char *file, const char *fmt,
                        va_list args)
{
	enum status status = rule_info(rule)->status;

	if (err == NULL)
		return status;

	/* Formatting may read strings that live inside *err (a caller adding to a message), so
	 * the new text is made beside it first. */
	char raw[ERROR_WHAT_MAX];
	struct error fresh = {.status = status, .rule = rule};

	if (vsnprintf(raw, sizeof raw, fmt, args) < 0)
		raw[0] = '\0';
	utf8_printable(raw, strlen(raw), fresh.what, sizeof fresh.what);
	if (file != NULL)
		utf8_printable(file, strlen(file), fresh.file, sizeof fresh.file);
	*err = fresh;
	return status;
}

enum status error_set(struct error *err, enum rule rule, const char *file, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	enum status status = fill(err, rule, file, fmt, args);
	va_end(args);
	return status;
}

enum status error_at(struct error *err, enum rule rule, const char *file, uint64_t offset,
                     const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	enum status status = fill(err, rule, file, fmt, args);
	va_end(args);
	if (err != NULL) {
		err->has_offset = true;
		err->offset = offset;
	}
	return status;
}

enum status error_line(struct error *err, enum rule rule, const char *file, uint64_t line,
                       const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	enum status status = fill(err, rule, file, fmt, args);
	va_end(args);
	if (err != NULL)
		err->line = line;
	return status;
}

enum status error_errno(struct error *err, enum rule rule, const char *file, const char *tried)
{
	/* strerrordesc_np: the C locale's text, whatever the locale is. */
	const char *why = strerrordesc_np(errno);

	return error_set(err, rule, file, "%s: %s", tried, why != NULL ? why : "unknown error");
}

void error_print(const struct error *err)
{
	const struct rule_info *rule = rule_info(err->rule);

	fputs("ptxseal: ", stderr);
	if (err->file[0] != '\0')
		fprintf(stderr, "%s: ", err->file);
	if (err->line != 0)
		fprintf(stderr, "line %" PRIu64 ": ", err->line);
	if (err->has_offset)
		fprintf(stderr, "byte %" PRIu64 ": ", err->offset);
	fprintf(stderr, "%s (%s: %s); %s\n", err->what, rule->id, rule->text, rule->remedy);
}
