#include "training_set.h"

#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../base/json.h"
#include "layout.h"
#include "ledger.h"

void training_set_free(struct training_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		free(set->at[i].task);
	free(set->at);
	*set = (struct training_set){0};
}

static int by_task(const void *a, const void *b)
{
	const struct training_task *x = a, *y = b;

	return strcmp(x->task, y->task);
}

uint64_t training_set_pairs(const struct training_set *set, const char *task)
{
	const struct training_task key = {.task = (char *)(uintptr_t)task};
	const struct training_task *found = set->count > 0 ? bsearch(&key, set->at, set->count, sizeof *set->at, by_task) : NULL;

	return found != NULL ? found->pairs : 0;
}

static bool is_count(const cJSON *item)
{
	return cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= (double)JSON_INTEGER_MAX && item->valuedouble == (double)(uint64_t)item->valuedouble;
}

static uint64_t count_of(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	return is_count(item) ? (uint64_t)item->valuedouble : 0;
}

static const char *take_tasks(const cJSON *tree, struct training_set *set)
{
	const cJSON *tasks = cJSON_GetObjectItemCaseSensitive(tree, "tasks"), *held_out = cJSON_GetObjectItemCaseSensitive(tree, "held_out"), *item;
	uint64_t pairs = 0;

	if (!cJSON_IsObject(tasks) || !cJSON_IsArray(held_out))
		return "tasks is no object, or held_out no array";
	set->at = mem_array(NULL, (size_t)cJSON_GetArraySize(tasks) + 1, sizeof *set->at);
	cJSON_ArrayForEach(item, tasks)
	{
		if (!is_count(item) || item->valuedouble < 1 || !ledger_name_valid(item->string, strlen(item->string)))
			return "a member of tasks is no task with a count of pairs";
		set->at[set->count++] = (struct training_task){mem_text(item->string), (uint64_t)item->valuedouble};
		pairs += (uint64_t)item->valuedouble;
	}
	if (set->count > 1)
		qsort(set->at, set->count, sizeof *set->at, by_task);
	cJSON_ArrayForEach(item, held_out)
	{
		if (!cJSON_IsString(item) || !ledger_name_valid(item->valuestring, strlen(item->valuestring)))
			return "a member of held_out is no task";
		if (training_set_pairs(set, item->valuestring) > 0)
			return "a task is held out and has pairs";
	}
	return pairs == set->pairs ? NULL : "the pairs of its tasks do not add up to its pairs";
}

static const char *take(const cJSON *tree, struct training_set *set)
{
	static const char *const names[] = {"bytes", "failed_without_fix", "fixes", "held_out", "left_out", "pairs", "program", "schema", "sha256", "tasks", NULL};
	static const char *const counts[] = {"bytes", "failed_without_fix", "fixes", "pairs"};
	const cJSON *left = cJSON_GetObjectItemCaseSensitive(tree, "left_out"), *item;
	const char *schema = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(tree, "schema")), *hex = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(tree, "sha256"));
	struct sha256 hash;
	uint64_t sum = 0;

	if (!cJSON_IsObject(tree) || schema == NULL || strcmp(schema, TRAINING_SET_SCHEMA) != 0)
		return "its schema is not " TRAINING_SET_SCHEMA;
	if (json_only(tree, names, "", NULL) != OK || cJSON_GetArraySize(tree) != (int)(sizeof names / sizeof names[0]) - 1)
		return "it has other members than `export repairs` writes";
	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
		if (!is_count(cJSON_GetObjectItemCaseSensitive(tree, counts[i])))
			return "bytes, failed_without_fix, fixes or pairs is no count";
	if (hex == NULL || !sha256_parse(hex, &hash) || !cJSON_IsString(cJSON_GetObjectItemCaseSensitive(tree, "program")) || !cJSON_IsObject(left))
		return "sha256, program or left_out is none";
	cJSON_ArrayForEach(item, left)
	{
		if (!is_count(item))
			return "a member of left_out is no count";
		sum += (uint64_t)item->valuedouble;
	}
	memcpy(set->sha256, hex, sizeof set->sha256);
	set->pairs = count_of(tree, "pairs");
	if (count_of(tree, "fixes") != set->pairs + sum)
		return "its fixes are not its pairs and what is left out";
	return take_tasks(tree, set);
}

/* Held against what each run names and kept in tables by run, so a set of very many names would be slow for ever after. */
static size_t names_in(const cJSON *tree)
{
	return (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(tree, "tasks")) + (size_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(tree, "held_out"));
}

enum status training_set_parse(const char *text, size_t len, const char *file, struct training_set *set, struct error *err)
{
	struct bytes again = {0};
	cJSON *tree = NULL;
	enum status status = json_parse(text, len, file, &tree, err);
	const char *fault = NULL;

	*set = (struct training_set){0};
	if (status == OK)
		status = jcs_write(tree, &again, err);
	bytes_char(&again, '\n');
	if (status == OK && (again.len != len || memcmp(again.data, text, len) != 0))
		fault = "it is not canonical JSON and a newline";
	else if (status == OK && names_in(tree) > TRAINING_SET_TASKS_MAX)
		status = error_set(err, R_TRN_MANY, file, "it names %zu", names_in(tree));
	else if (status == OK)
		fault = take(tree, set);
	if (fault != NULL)
		status = error_set(err, R_TRN_FORM, file, "%s", fault);
	if (status != OK)
		training_set_free(set);
	bytes_free(&again);
	cJSON_Delete(tree);
	return status;
}

enum status training_set_load(const char *name, struct bytes *text, struct error *err)
{
	struct training_set set;
	enum status status = file_read(name, TRAINING_SET_MAX, text, err);

	if (status == OK)
		status = training_set_parse(text->data != NULL ? text->data : "", text->len, name, &set, err);
	if (status == OK)
		training_set_free(&set);
	return status;
}

static char *path_of(const char *run)
{
	return mem_format(LAYOUT_RUNS "%s/" LAYOUT_TRAINING_SET, run);
}

enum status training_set_of_run(const struct root *bundle, const char *run, struct training_set *set, bool *found, struct error *err)
{
	char *path = path_of(run);
	struct bytes text = {0};
	enum status status = OK;

	*set = (struct training_set){0};
	*found = root_has(bundle, path);
	if (*found)
		status = root_read(bundle, path, TRAINING_SET_MAX, &text, err);
	if (*found && status == OK)
		status = training_set_parse(text.data != NULL ? text.data : "", text.len, path, set, err);
	bytes_free(&text);
	free(path);
	return status;
}

enum status training_set_keep(const struct root *bundle, const char *run, const struct bytes *text, struct error *err)
{
	char *path = path_of(run);
	struct bytes there = {0};
	enum status status = OK;

	if (text->data == NULL)
		; /* nothing is said */
	else if (!root_has(bundle, path))
		status = root_write(bundle, path, text->data, text->len, err);
	else if ((status = root_read(bundle, path, TRAINING_SET_MAX, &there, err)) == OK && (there.len != text->len || memcmp(there.data, text->data, text->len) != 0))
		status = error_set(err, R_TRN_OTHER, path, "it is another one");
	bytes_free(&there);
	free(path);
	return status;
}
