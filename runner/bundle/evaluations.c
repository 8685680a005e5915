#include "evaluations.h"

#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../base/json.h"

void evaluation_free(struct evaluation *evaluation)
{
	for (size_t i = 0; i < evaluation->files; i++)
		free(evaluation->file[i].path);
	free(evaluation->why_none);
	free(evaluation->candidate);
	free(evaluation->rule);
	free(evaluation->text);
	cJSON_Delete(evaluation->facts);
	*evaluation = (struct evaluation){0};
}

static void add_files(cJSON *object, const struct evaluation *evaluation)
{
	cJSON *files = cJSON_AddArrayToObject(object, "files");

	for (size_t i = 0; i < evaluation->files; i++) {
		cJSON *file = cJSON_CreateObject();
		char hex[SHA256_HEX + 1];

		sha256_hex(&evaluation->file[i].id, hex);
		cJSON_AddStringToObject(file, "path", evaluation->file[i].path);
		cJSON_AddStringToObject(file, "sha256", hex);
		cJSON_AddItemToArray(files, file);
	}
}

enum status evaluation_write(const struct evaluation *evaluation, struct bytes *out, struct error *err)
{
	cJSON *object = cJSON_CreateObject();

	cJSON_AddStringToObject(object, "arch_tag", evaluation->arch_tag);
	jcs_add_text(object, "candidate", evaluation->candidate);
	cJSON_AddStringToObject(object, "evidence", evidence_name(evaluation->evidence));
	cJSON_AddItemToObject(object, "facts", cJSON_Duplicate(evaluation->facts, true));
	add_files(object, evaluation);
	cJSON_AddStringToObject(object, "outcome", outcome_name(evaluation->outcome));
	cJSON_AddStringToObject(object, "rule", evaluation->rule);
	cJSON_AddStringToObject(object, "speedup", evaluation->speedup);
	cJSON_AddStringToObject(object, "text", evaluation->text);
	cJSON_AddNumberToObject(object, "trajectory", evaluation->trajectory);
	cJSON_AddNumberToObject(object, "turn", evaluation->turn);
	jcs_add_text(object, "why_none", evaluation->why_none);
	const enum status status = jcs_write(object, out, err);

	if (status == OK)
		bytes_char(out, '\n');
	cJSON_Delete(object);
	return status;
}

/* ---- reading ---- */

struct reading {
	const char *file;
	uint64_t line;
	struct evaluation evaluation;
};

static enum status refuse(const struct reading *reading, const char *what, struct error *err)
{
	return error_line(err, R_EVL_FIELD, reading->file, reading->line, "%s", what);
}

/* A text of at most EVALUATION_TEXT_MAX bytes; null only where it may be. */
static enum status take_text(const struct reading *reading, const cJSON *object, const char *key, bool or_null, char **out, struct error *err)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	if (or_null && cJSON_IsNull(item))
		return OK;
	if (!cJSON_IsString(item) || strlen(item->valuestring) > EVALUATION_TEXT_MAX)
		return error_line(err, R_EVL_FIELD, reading->file, reading->line, "'%s' is no text%s, or too long", key, or_null ? " or null" : "");
	*out = mem_text(item->valuestring);
	return OK;
}

static enum status take_number(const struct reading *reading, const cJSON *object, const char *key, int64_t most, uint32_t *out, struct error *err)
{
	int64_t value = 0;

	if (json_integer(object, key, 0, most, reading->file, &value, NULL) != OK)
		return error_line(err, R_EVL_FIELD, reading->file, reading->line, "'%s' is no integer of its range", key);
	*out = (uint32_t)value;
	return OK;
}

static enum status take_files(struct reading *reading, const cJSON *object, struct error *err)
{
	static const char *const names[] = {"path", "sha256", NULL};
	const cJSON *files = cJSON_GetObjectItemCaseSensitive(object, "files");
	struct evaluation *evaluation = &reading->evaluation;

	if (!cJSON_IsArray(files) || cJSON_GetArraySize(files) > EVALUATION_FILES_MAX)
		return refuse(reading, "'files' is no list, or too long", err);
	for (const cJSON *file = files->child; file != NULL; file = file->next) {
		const char *path = NULL, *hex = NULL;

		if (!cJSON_IsObject(file) || json_only(file, names, reading->file, NULL) != OK || json_text(file, "path", reading->file, &path, NULL) != OK ||
		    json_text(file, "sha256", reading->file, &hex, NULL) != OK || !path_valid(path, strlen(path)) || strchr(path, '/') != NULL ||
		    !sha256_parse(hex, &evaluation->file[evaluation->files].id))
			return refuse(reading, "one of 'files' is not a path and a SHA-256", err);
		evaluation->file[evaluation->files++].path = mem_text(path);
	}
	return OK;
}

static enum status take_words(struct reading *reading, const cJSON *object, struct error *err)
{
	struct evaluation *evaluation = &reading->evaluation;
	const char *outcome = "", *evidence = "", *tag = "G ", *speedup = "";
	double value;

	json_text(object, "outcome", reading->file, &outcome, NULL);
	json_text(object, "evidence", reading->file, &evidence, NULL);
	json_text(object, "arch_tag", reading->file, &tag, NULL);
	json_text(object, "speedup", reading->file, &speedup, NULL);
	if (!outcome_parse(outcome, strlen(outcome), &evaluation->outcome) || !outcome_is_measured(evaluation->outcome))
		return refuse(reading, "'outcome' is none of the measured ones", err);
	if (!evidence_parse(evidence, strlen(evidence), &evaluation->evidence) || evaluation->evidence == EVIDENCE_REPORTED)
		return refuse(reading, "'evidence' is no grade of what was measured", err);
	if (!arch_tag_valid(tag, strlen(tag)))
		return refuse(reading, "'arch_tag' is none", err);
	if (!decimal_parse(speedup, strlen(speedup), &value) || (value > 0 && evaluation->outcome != OUTCOME_MEASURED_CORRECT))
		return refuse(reading, "'speedup' is no decimal, or of what is not correct", err);
	memcpy(evaluation->arch_tag, tag, strlen(tag) + 1);
	memcpy(evaluation->speedup, speedup, strlen(speedup) + 1);
	return OK;
}

/* No kernel, and what that means. */
static enum status check(const struct reading *reading, struct error *err)
{
	const struct evaluation *evaluation = &reading->evaluation;

	if ((evaluation->why_none != NULL) != (evaluation->files == 0) || (evaluation->why_none != NULL) != (evaluation->outcome == OUTCOME_MEASURED_EXTRACTION))
		return refuse(reading, "only some of 'why_none', 'files' and 'outcome' say that there is no kernel", err);
	if (evaluation->why_none != NULL && strcmp(evaluation->rule, rule_info(R_EXT_NONE)->id) != 0)
		return refuse(reading, "'rule' is not the one that an answer without a kernel breaks", err);
	if (evaluation->outcome == OUTCOME_MEASURED_CORRECT && evaluation->rule[0] != '\0')
		return refuse(reading, "'rule' is one that was broken, of what is correct", err);
	if (evaluation->candidate != NULL && (evaluation->files == 0 || !path_valid(evaluation->candidate, strlen(evaluation->candidate))))
		return refuse(reading, "'candidate' is no path, or there is no kernel", err);
	return OK;
}

static enum status take_record(struct reading *reading, const cJSON *object, struct error *err)
{
	static const char *const names[] = {"arch_tag", "candidate", "evidence", "facts", "files", "outcome", "rule", "speedup", "text", "trajectory", "turn", "why_none", NULL};
	struct evaluation *evaluation = &reading->evaluation;
	const cJSON *facts = cJSON_GetObjectItemCaseSensitive(object, "facts");
	enum status status = OK;

	if (!cJSON_IsObject(object) || json_only(object, names, reading->file, NULL) != OK)
		return refuse(reading, "it is no object, or has an unknown field", err);
	if (!cJSON_IsObject(facts))
		return refuse(reading, "'facts' is no object", err);
	status = take_number(reading, object, "trajectory", LEDGER_TRAJECTORIES_MAX - 1, &evaluation->trajectory, err);
	if (status == OK)
		status = take_number(reading, object, "turn", LEDGER_TURNS_MAX - 1, &evaluation->turn, err);
	if (status == OK)
		status = take_text(reading, object, "why_none", true, &evaluation->why_none, err);
	if (status == OK)
		status = take_text(reading, object, "candidate", true, &evaluation->candidate, err);
	if (status == OK)
		status = take_text(reading, object, "rule", false, &evaluation->rule, err);
	if (status == OK)
		status = take_text(reading, object, "text", false, &evaluation->text, err);
	if (status == OK)
		status = take_files(reading, object, err);
	if (status == OK)
		status = take_words(reading, object, err);
	if (status == OK)
		evaluation->facts = cJSON_Duplicate(facts, true);
	return status == OK ? check(reading, err) : status;
}

/* The line is what evaluation_write makes of it. */
static enum status check_canonical(const struct reading *reading, const char *text, size_t len, struct error *err)
{
	struct bytes again = {0};
	enum status status = evaluation_write(&reading->evaluation, &again, err);

	if (status == OK && (again.len != len + 1 || memcmp(again.data, text, len) != 0))
		status = error_line(err, R_EVL_LINE, reading->file, reading->line, "it is not canonical JSON");
	bytes_free(&again);
	return status;
}

static enum status read_line(struct reading *reading, const char *text, size_t len, uint64_t offset, struct error *err)
{
	cJSON *object = NULL;
	enum status status = json_scan(text, len, reading->file, offset, NULL, NULL, err);

	if (status == OK)
		status = json_parse(text, len, reading->file, &object, err);
	if (status == OK)
		status = take_record(reading, object, err);
	if (status == OK)
		status = check_canonical(reading, text, len, err);
	cJSON_Delete(object);
	return status;
}

enum status evaluations_parse(const char *text, size_t len, const char *file, evaluation_visit *visit, void *context, struct error *err)
{
	struct reading reading = {.file = file};
	enum status status = OK;

	for (size_t at = 0; at < len && status == OK;) {
		const char *end = memchr(text + at, '\n', len - at);

		reading.line++;
		if (end == NULL)
			return error_line(err, R_EVL_LINE, file, reading.line, "the last line has no newline");
		const size_t length = (size_t)(end - (text + at));

		if (length > EVALUATION_LINE_MAX)
			return error_line(err, R_EVL_LINE, file, reading.line, "it has %zu bytes; the limit is %d", length, EVALUATION_LINE_MAX);
		status = read_line(&reading, text + at, length, at, err);
		if (status == OK)
			status = visit(context, &reading.evaluation, reading.line, err);
		evaluation_free(&reading.evaluation);
		at += length + 1;
	}
	return status;
}
