#include "evidence.h"

#include <stdlib.h>
#include <string.h>

#include "../base/json.h"

static const char file[] = "(counts)";

static const char *const state_names[COUNTS_STATES] = {
	[COUNTS_EXECUTED] = "executed", [COUNTS_NOT_EXECUTED] = "not_executed", [COUNTS_REFUSED] = "refused",
	[COUNTS_FAILED] = "failed",     [COUNTS_UNKNOWN] = "unknown",
};

const char *counts_state_name(enum counts_state state)
{
	return state_names[state];
}

static bool read_number(const cJSON *item, uint64_t *value)
{
	if (!cJSON_IsString(item) || item->valuestring[0] == '\0')
		return false;
	*value = 0;
	for (const char *at = item->valuestring; *at != '\0'; at++)
		if (*at < '0' || *at > '9' || __builtin_mul_overflow(*value, UINT64_C(10), value) ||
		    __builtin_add_overflow(*value, (uint64_t)(*at - '0'), value))
			return false;
	return true;
}

/* [offset, "executed", "threads true"]: offsets ascend. */
static bool read_record(const cJSON *record, struct counts *counts)
{
	const cJSON *offset = cJSON_IsArray(record) && cJSON_GetArraySize(record) == 3 ? record->child : NULL;
	struct instruction_count *count = &counts->at[counts->count];

	if (!cJSON_IsNumber(offset) || offset->valuedouble < 0 || offset->valuedouble > (double)UINT32_MAX ||
	    offset->valuedouble != (double)(uint64_t)offset->valuedouble)
		return false;
	count->offset = (uint64_t)offset->valuedouble;
	if (counts->count > 0 && count->offset <= count[-1].offset)
		return false;
	counts->count++;
	return read_number(offset->next, &count->executed) && read_number(offset->next->next, &count->threads_true);
}

static enum status read_state(const cJSON *message, struct counts *counts, struct error *err)
{
	const char *state = NULL;
	enum status status = json_text(message, "state", file, &state, err);

	if (status != OK)
		return status;
	for (unsigned i = 0; i < COUNTS_STATES; i++) {
		if (strcmp(state_names[i], state) == 0) {
			counts->state = (enum counts_state)i;
			return OK;
		}
	}
	return error_set(err, R_JSON_FIELD, file, "'%s' is no state of evidence", state);
}

enum status counts_read(const cJSON *message, struct counts *counts, struct error *err)
{
	static const char *const fields[] = {"function", "records", "state", "text", NULL};
	const char *function = NULL, *text = NULL;
	const cJSON *records = NULL;

	*counts = (struct counts){0};
	enum status status = json_only(message, fields, file, err);

	if (status == OK)
		status = read_state(message, counts, err);
	if (status == OK)
		status = json_text(message, "function", file, &function, err);
	if (status == OK)
		status = json_text(message, "text", file, &text, err);
	if (status == OK)
		status = json_child(message, "records", JSON_ARRAY, file, &records, err);
	if (status != OK)
		return status;
	strncpy(counts->text, text, sizeof counts->text - 1);
	counts->function = mem_text(function);
	counts->at = mem_array(NULL, (size_t)cJSON_GetArraySize(records) + 1, sizeof *counts->at);
	for (const cJSON *record = records->child; record != NULL; record = record->next)
		if (!read_record(record, counts))
			return error_set(err, R_JSON_FIELD, file, "record %zu is no offset and two counts, or not in order", counts->count);
	return OK;
}

void counts_free(struct counts *counts)
{
	free(counts->function);
	free(counts->at);
	*counts = (struct counts){0};
}
