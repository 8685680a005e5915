#include "finding.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/utf8.h"

static void append(struct findings *findings, const char *file, const char *field, const struct error *err)
{
	if (findings->count == findings->room) {
		findings->room = findings->room == 0 ? 16 : findings->room * 2;
		findings->at = mem_array(findings->at, findings->room, sizeof *findings->at);
	}
	findings->at[findings->count++] = (struct finding){
		.rule = err->rule,
		.file = mem_text(file),
		.line = err->line,
		.field = field != NULL ? mem_text(field) : NULL,
		.what = err->has_offset ? mem_format("byte %" PRIu64 ": %s", err->offset, err->what)
	                                : mem_text(err->what),
	};
}

static void add(struct findings *findings, enum rule rule, const char *file, const char *field, const char *fmt, va_list args)
{
	struct error err;
	char *what = NULL;

	/* Through a struct error, which makes the text printable. */
	if (vasprintf(&what, fmt, args) < 0)
		what = mem_text(fmt);
	error_set(&err, rule, file, "%s", what);
	append(findings, file, field, &err);
	free(what);
}

void findings_add(struct findings *findings, enum rule rule, const char *file, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add(findings, rule, file, NULL, fmt, args);
	va_end(args);
}

void findings_add_field(struct findings *findings, enum rule rule, const char *file, const char *field, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	add(findings, rule, file, field, fmt, args);
	va_end(args);
}

void findings_error(struct findings *findings, const char *file, const struct error *err)
{
	append(findings, file != NULL ? file : err->file, NULL, err);
}

void findings_severities(const struct findings *findings, size_t count[SEVERITY_COUNT])
{
	memset(count, 0, SEVERITY_COUNT * sizeof *count);
	for (size_t i = 0; i < findings->count; i++)
		count[rule_info(findings->at[i].rule)->severity]++;
}

void findings_text(const struct findings *findings, struct bytes *out)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->at[i];
		const struct rule_info *rule = rule_info(finding->rule);
		char file[ERROR_FILE_MAX];

		utf8_printable(finding->file, strlen(finding->file), file, sizeof file);
		if (rule->severity != SEVERITY_ERROR)
			bytes_format(out, "%s: ", severity_name(rule->severity));
		if (file[0] != '\0')
			bytes_format(out, "%s: ", file);
		if (finding->line != 0)
			bytes_format(out, "line %" PRIu64 ": ", finding->line);
		if (finding->field != NULL)
			bytes_format(out, "%s: ", finding->field);
		bytes_format(out, "%s (%s: %s); %s\n", finding->what, rule->id, rule->text, rule->remedy);
	}
}

cJSON *findings_json(const struct findings *findings)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->at[i];
		const struct rule_info *rule = rule_info(finding->rule);
		size_t len = strlen(finding->file);
		char printable[ERROR_FILE_MAX];
		cJSON *item = cJSON_CreateObject();

		utf8_printable(finding->file, len, printable, sizeof printable);
		cJSON_AddStringToObject(item, "file", utf8_check(finding->file, len) == len ? finding->file : printable);
		if (finding->field != NULL)
			cJSON_AddStringToObject(item, "field", finding->field);
		if (finding->line != 0)
			cJSON_AddNumberToObject(item, "line", (double)finding->line);
		cJSON_AddStringToObject(item, "remedy", rule->remedy);
		cJSON_AddStringToObject(item, "rule", rule->id);
		if (rule->severity != SEVERITY_ERROR)
			cJSON_AddStringToObject(item, "severity", severity_name(rule->severity));
		cJSON_AddStringToObject(item, "what", finding->what);
		cJSON_AddItemToArray(list, item);
	}
	return list;
}

cJSON *findings_counts(const struct findings *findings)
{
	cJSON *counts = cJSON_CreateObject();
	uint64_t count[RULE_COUNT] = {0};

	for (size_t i = 0; i < findings->count; i++)
		count[findings->at[i].rule]++;
	for (size_t rule = 0; rule < RULE_COUNT; rule++)
		if (count[rule] > 0)
			cJSON_AddNumberToObject(counts, rule_info((enum rule)rule)->id, (double)count[rule]);
	return counts;
}

static int by_file(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;
	int order = strcmp(x->file, y->file);

	if (order == 0)
		order = strcmp(rule_info(x->rule)->id, rule_info(y->rule)->id);
	if (order == 0)
		order = (x->line > y->line) - (x->line < y->line);
	if (order == 0)
		order = strcmp(x->field != NULL ? x->field : "", y->field != NULL ? y->field : "");
	return order != 0 ? order : strcmp(x->what, y->what);
}

void findings_sort(struct findings *findings)
{
	if (findings->count > 1)
		qsort(findings->at, findings->count, sizeof *findings->at, by_file);
}

enum status findings_status(const struct findings *findings)
{
	enum status status = findings->count > 0 ? FAILS : OK;

	for (size_t i = 0; i < findings->count && status != UNAVAILABLE; i++) {
		enum status one = rule_info(findings->at[i].rule)->status;

		if (one == UNAVAILABLE || one == MALFORMED)
			status = one;
	}
	return status;
}

void findings_move(struct findings *findings, struct findings *from)
{
	if (from->count > 0) {
		findings->at = mem_array(findings->at, findings->count + from->count, sizeof *findings->at);
		memcpy(findings->at + findings->count, from->at, from->count * sizeof *from->at);
		findings->count += from->count;
		findings->room = findings->count;
		from->count = 0;
	}
	findings_free(from);
}

static void free_one(const struct finding *finding)
{
	free(finding->file);
	free(finding->field);
	free(finding->what);
}

void findings_drop(struct findings *findings, bool (*drop)(void *context, const struct finding *finding), void *context)
{
	size_t kept = 0;

	for (size_t i = 0; i < findings->count; i++) {
		if (drop(context, &findings->at[i]))
			free_one(&findings->at[i]);
		else
			findings->at[kept++] = findings->at[i];
	}
	findings->count = kept;
}

void findings_free(struct findings *findings)
{
	for (size_t i = 0; i < findings->count; i++)
		free_one(&findings->at[i]);
	free(findings->at);
	*findings = (struct findings){0};
}
