#include "repairs.h"

#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "../base/jcs.h"
#include "../base/json.h"
#include "../bundle/layout.h"
#include "../bundle/ledger.h"
#include "../bundle/objects.h"
#include "../bundle/training_set.h"

enum { FACTS_MAX = 1 << 20 };

struct making {
	const struct root *bundle;
	struct repairs *repairs;
	cJSON *known;    /* array of names: the bundle's tasks */
	cJSON *held_out; /* the same */
	bool by_facts;   /* facts.json says what is held out */
	cJSON *tasks;    /* pairs by task */
	cJSON *seen;     /* hashes of lines' texts, so that none stands there twice */
	char *task, *run;
	struct turn before; /* the turn before, of the same trajectory */
	bool has_before;
};

void repairs_free(struct repairs *repairs)
{
	bytes_free(&repairs->lines);
	bytes_free(&repairs->manifest);
	*repairs = (struct repairs){0};
}

static bool names(const cJSON *array, const char *name)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, array)
		if (strcmp(item->valuestring, name) == 0)
			return true;
	return false;
}

static enum status text_of(const struct making *making, const char *hex, cJSON **text, struct error *err)
{
	struct sha256 id;
	struct bytes bytes = {0};
	enum status status = sha256_parse(hex, &id) ? object_get(making->bundle, &id, &bytes, err) : error_set(err, R_OBJ_CONTENT, hex, "it is no SHA-256");

	/* It would be cut there, and not be the text that its hash is of. */
	if (status == OK && bytes.len > 0 && memchr(bytes.data, '\0', bytes.len) != NULL) {
		char *path = object_path(&id);

		status = error_set(err, R_JSON_NUL, path, "a text that holds it cannot be a message");
		free(path);
	}
	*text = status == OK ? cJSON_CreateString(bytes.data != NULL ? bytes.data : "") : NULL;
	bytes_free(&bytes);
	return status;
}

static void add_message(cJSON *messages, const char *role, const char *content)
{
	cJSON *message = cJSON_CreateObject();

	cJSON_AddStringToObject(message, "role", role);
	cJSON_AddStringToObject(message, "content", content);
	cJSON_AddItemToArray(messages, message);
}

/* The line, from three objects. */
static enum status add_pair(struct making *making, const struct turn *fixed, struct error *err)
{
	const struct turn *failed = &making->before;
	cJSON *line = cJSON_CreateObject(), *texts[3] = {NULL}, *messages = cJSON_AddArrayToObject(line, "messages");
	enum status status = text_of(making, failed->response, &texts[0], err);

	if (status == OK)
		status = text_of(making, failed->feedback, &texts[1], err);
	if (status == OK)
		status = text_of(making, fixed->response, &texts[2], err);
	if (status == OK) {
		char *asked = mem_format("%s\n\n%s", texts[0]->valuestring, texts[1]->valuestring);

		add_message(messages, "user", asked);
		add_message(messages, "assistant", texts[2]->valuestring);
		free(asked);
		cJSON_AddStringToObject(line, "failed_sha256", failed->response);
		cJSON_AddStringToObject(line, "failed_outcome", outcome_name(failed->outcome));
		cJSON_AddStringToObject(line, "feedback_sha256", failed->feedback);
		cJSON_AddStringToObject(line, "fixed_sha256", fixed->response);
		cJSON_AddStringToObject(line, "run", making->run);
		cJSON_AddStringToObject(line, "task", making->task);
		cJSON_AddNumberToObject(line, "trajectory", fixed->trajectory);
		cJSON_AddNumberToObject(line, "turn", fixed->turn);
		status = jcs_write(line, &making->repairs->lines, err);
		bytes_char(&making->repairs->lines, '\n');
	}
	for (size_t i = 0; i < 3; i++)
		cJSON_Delete(texts[i]);
	cJSON_Delete(line);
	return status;
}

static enum status take_fix(struct making *making, const struct turn *fixed, struct error *err)
{
	const struct turn *failed = &making->before;

	if (making->by_facts && !names(making->known, making->task))
		return error_set(err, R_REP_TASK, "", "the run '%s' is of '%s', of which nothing says whether it is to be held out", making->run, making->task);
	if (names(making->held_out, making->task)) {
		making->repairs->held_out++;
		return OK;
	}
	if (failed->response[0] == '\0' || fixed->response[0] == '\0') {
		making->repairs->without_texts++;
		return OK;
	}
	char *key = mem_format("%s%s%s", failed->response, failed->feedback, fixed->response);
	const bool twice = cJSON_GetObjectItemCaseSensitive(making->seen, key) != NULL;
	enum status status = OK;

	if (twice) {
		making->repairs->twice++;
	} else {
		cJSON *count = cJSON_GetObjectItemCaseSensitive(making->tasks, making->task);

		cJSON_AddTrueToObject(making->seen, key);
		status = add_pair(making, fixed, err);
		making->repairs->pairs++;
		if (count != NULL)
			cJSON_SetNumberValue(count, count->valuedouble + 1);
		else
			cJSON_AddNumberToObject(making->tasks, making->task, 1);
	}
	free(key);
	return status;
}

/* What was before the next run or trajectory, or before a turn that did not fix it. */
static void close_turn(struct making *making)
{
	making->repairs->unfixed += making->has_before && !outcome_is_correct(making->before.outcome);
	making->has_before = false;
}

static enum status on_run(void *context, const struct run *run, struct error *err)
{
	struct making *making = context;

	(void)err;
	close_turn(making);
	free(making->task);
	free(making->run);
	making->task = mem_text(run->task);
	making->run = mem_text(run->run);
	return OK;
}

static enum status on_turn(void *context, const struct run *run, const struct turn *turn, uint64_t line, struct error *err)
{
	struct making *making = context;
	enum status status = OK;

	(void)run, (void)line;
	if (making->has_before && making->before.trajectory == turn->trajectory && !outcome_is_correct(making->before.outcome) && outcome_is_correct(turn->outcome))
		status = take_fix(making, turn, err);
	else
		close_turn(making);
	making->before = *turn;
	making->has_before = true;
	return status;
}

/* By tasks/TASK/facts.json. What cannot be read is no reason to take its answers for training. */
static enum status read_core(const struct root *bundle, const char *directory, bool *core, struct error *err)
{
	char *path = mem_format("%s/facts.json", directory);
	struct bytes text = {0};
	cJSON *facts = NULL;
	const char *set = "";
	enum status status = root_read(bundle, path, FACTS_MAX, &text, err);

	if (status == OK)
		status = json_parse(text.data != NULL ? text.data : "", text.len, path, &facts, err);
	if (status == OK)
		status = json_text(facts, "paper_set", path, &set, err);
	*core = status == OK && strcmp(set, "core") == 0;
	cJSON_Delete(facts);
	bytes_free(&text);
	free(path);
	return status;
}

/* tasks/ holds templates, too. */
static bool is_task(const struct root *bundle, const char *directory)
{
	char *path = mem_format("%s/task.json", directory);
	const bool is = root_has(bundle, path);

	free(path);
	return is;
}

static enum status hold_out(struct making *making, const char *const *held_out, struct error *err)
{
	struct file_list list = {0};
	enum status status = root_list(making->bundle, "tasks", &list, err);

	for (size_t i = 0; status == OK && i < list.count; i++) {
		const char *name;
		size_t len;

		bool core = false;

		if (!layout_stem(list.at[i].path, LAYOUT_TASKS, "", &name, &len) || list.at[i].kind != FILE_DIRECTORY || !is_task(making->bundle, list.at[i].path))
			continue;
		cJSON_AddItemToArray(making->known, cJSON_CreateString(name));
		if (held_out == NULL)
			status = read_core(making->bundle, list.at[i].path, &core, err);
		if (core)
			cJSON_AddItemToArray(making->held_out, cJSON_CreateString(name));
	}
	for (; status == OK && held_out != NULL && *held_out != NULL; held_out++) {
		if (!names(making->known, *held_out))
			status = error_set(err, R_REP_TASK, "", "there is no task '%s'", *held_out);
		else
			cJSON_AddItemToArray(making->held_out, cJSON_CreateString(*held_out));
	}
	file_list_free(&list);
	return status;
}

static enum status write_manifest(struct making *making, struct error *err)
{
	struct repairs *repairs = making->repairs;
	const struct sha256 hash = sha256_of(repairs->lines.data, repairs->lines.len);
	cJSON *tree = cJSON_CreateObject(), *left = cJSON_AddObjectToObject(tree, "left_out");
	char hex[SHA256_HEX + 1];

	sha256_hex(&hash, hex);
	cJSON_AddStringToObject(tree, "schema", TRAINING_SET_SCHEMA);
	cJSON_AddStringToObject(tree, "program", "ptxseal " PTXSEAL_VERSION);
	cJSON_AddStringToObject(tree, "sha256", hex);
	cJSON_AddNumberToObject(tree, "bytes", (double)repairs->lines.len);
	cJSON_AddNumberToObject(tree, "pairs", (double)repairs->pairs);
	cJSON_AddNumberToObject(tree, "fixes", (double)(repairs->pairs + repairs->held_out + repairs->without_texts + repairs->twice));
	cJSON_AddNumberToObject(tree, "failed_without_fix", (double)repairs->unfixed);
	cJSON_AddNumberToObject(left, "task held out", (double)repairs->held_out);
	cJSON_AddNumberToObject(left, "texts not in the bundle", (double)repairs->without_texts);
	cJSON_AddNumberToObject(left, "the same pair again", (double)repairs->twice);
	cJSON_AddItemToObject(tree, "held_out", cJSON_Duplicate(making->held_out, true));
	cJSON_AddItemToObject(tree, "tasks", cJSON_Duplicate(making->tasks, true));
	struct training_set set = {0};
	enum status status = jcs_write(tree, &repairs->manifest, err);

	bytes_char(&repairs->manifest, '\n');
	/* What would be refused wherever it is named is not made. */
	if (status == OK)
		status = training_set_parse(repairs->manifest.data, repairs->manifest.len, "", &set, err);
	training_set_free(&set);
	cJSON_Delete(tree);
	return status;
}

enum status repairs_make(const struct root *bundle, const char *const *held_out, struct repairs *repairs, struct error *err)
{
	struct making making = {.bundle = bundle, .repairs = repairs, .known = cJSON_CreateArray(), .held_out = cJSON_CreateArray(), .by_facts = held_out == NULL, .tasks = cJSON_CreateObject(), .seen = cJSON_CreateObject()};
	const struct ledger_visitor visitor = {on_run, on_turn, &making};

	*repairs = (struct repairs){0};
	enum status status = hold_out(&making, held_out, err);

	if (status == OK)
		status = ledger_read(bundle, &visitor, err);
	close_turn(&making);
	if (status == OK && repairs->pairs == 0)
		status = error_set(err, R_REP_NONE, "", "%llu failed turns have no correct one next, %llu fixes are of held-out tasks, of %llu the bundle has no texts", (unsigned long long)repairs->unfixed,
		                   (unsigned long long)repairs->held_out, (unsigned long long)repairs->without_texts);
	if (status == OK)
		status = write_manifest(&making, err);
	free(making.task);
	free(making.run);
	cJSON_Delete(making.known);
	cJSON_Delete(making.held_out);
	cJSON_Delete(making.tasks);
	cJSON_Delete(making.seen);
	return status;
}
