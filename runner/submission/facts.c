#include "facts.h"

#include <stdlib.h>
#include <string.h>

#include "../base/date.h"
#include "../base/json.h"
#include "../base/name.h"
#include "../base/utf8.h"
#include "../bundle/ledger.h"

const char facts_template[] =
	"{\n"
	"  \"source\": \"a-name-for-your-source\",\n"
	"  \"submitter\": \"who submits\",\n"
	"  \"contact\": \"where to ask\",\n"
	"  \"model\": \"the model, as its makers write it\",\n"
	"  \"statement\": \"what a reader should know; may be empty\",\n"
	"  \"sampling\": {\n"
	"    \"temperature\": \"unknown\",\n"
	"    \"top_p\": \"unknown\",\n"
	"    \"max_tokens\": \"unknown\",\n"
	"    \"seed\": \"unknown\",\n"
	"    \"other\": \"unknown\"\n"
	"  },\n"
	"  \"environment\": {\n"
	"    \"endpoint\": \"unknown\",\n"
	"    \"harness\": \"unknown\",\n"
	"    \"tools\": \"unknown\",\n"
	"    \"other\": \"unknown\"\n"
	"  },\n"
	"  \"conflicts\": [\n"
	"    {\"task\": \"gemm_n7168_k5120\", \"trained\": \"unknown\", \"statement\": \"was the task in the training set?\"}\n"
	"  ]\n"
	"}\n";

static const char *const sampling_fields[] = {"max_tokens", "other", "seed", "temperature", "top_p", NULL};
static const char *const environment_fields[] = {"endpoint", "harness", "other", "tools", NULL};
static const char *const conflict_fields[] = {"statement", "task", "trained", NULL};
/* What the submitter says; the others are the program's. */
static const char *const said[] = {"conflicts", "contact", "environment", "model", "sampling", "source", "statement", "submitter", NULL};
static const char *const whole[] = {"conflicts", "contact", "date", "environment", "model", "program", "runs", "sampling", "schema", "source", "statement",
                                    "submitter", NULL};

bool facts_text_plain(const char *text)
{
	const size_t len = strlen(text);
	char *shown = mem_alloc(len + 16); /* an escape is longer than what it stands for: then the two differ, cut off or not */

	utf8_printable(text, len, shown, len + 16);
	const bool plain = strcmp(shown, text) == 0;

	free(shown);
	return plain;
}

bool facts_check_name(const char *text, const char *path, const char *field, const char *file, struct findings *findings)
{
	char *name = path[0] != '\0' ? mem_format("%s.%s", path, field) : mem_text(field);
	struct bytes what = {0};
	enum rule rule;
	const bool breaks = name_breaks(text, &rule, &what);

	if (breaks)
		findings_add_field(findings, rule, file, name, "it is '%s': %s", text, what.data);
	bytes_free(&what);
	free(name);
	return breaks;
}

struct checking {
	const char *file;
	struct findings *findings;
};

static void fault(const struct checking *checking, const char *path, const char *field, const char *what)
{
	char *name = path[0] != '\0' ? mem_format("%s.%s", path, field) : mem_text(field);

	findings_add_field(checking->findings, R_SUB_FACTS, checking->file, name, "%s", what);
	free(name);
}

static bool is_among(const char *name, const char *const *names)
{
	for (size_t i = 0; names[i] != NULL; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* Exactly these fields. */
static void check_fields(const struct checking *checking, const cJSON *object, const char *path, const char *const *names)
{
	for (size_t i = 0; names[i] != NULL; i++)
		if (cJSON_GetObjectItemCaseSensitive(object, names[i]) == NULL)
			fault(checking, path, names[i], "it is missing");
	for (const cJSON *item = object->child; item != NULL; item = item->next)
		if (!is_among(item->string, names))
			fault(checking, path, facts_text_plain(item->string) ? item->string : "(a field)", "there is no such field");
}

static void check_text(const struct checking *checking, const cJSON *object, const char *path, const char *field, bool may_be_empty)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, field);
	char *name = path[0] != '\0' ? mem_format("%s.%s", path, field) : mem_text(field);

	if (item == NULL)
		; /* told */
	else if (!cJSON_IsString(item))
		fault(checking, path, field, "it is not a text");
	else if (!may_be_empty && item->valuestring[0] == '\0')
		fault(checking, path, field, "it is empty; write unknown where it is not known");
	else if (strlen(item->valuestring) > FACTS_TEXT_MAX)
		fault(checking, path, field, "it is longer than 4096 bytes");
	else if (!facts_text_plain(item->valuestring))
		findings_add_field(checking->findings, R_SUB_TEXT, checking->file, name, "it is '%s'", item->valuestring);
	free(name);
}

static void check_name(const struct checking *checking, const cJSON *object, const char *path, const char *field)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, field);

	if (!cJSON_IsString(item) || !facts_check_name(item->valuestring, path, field, checking->file, checking->findings))
		check_text(checking, object, path, field, false);
}

static void check_texts(const struct checking *checking, const cJSON *tree, const char *field, const char *const *names)
{
	const cJSON *object = cJSON_GetObjectItemCaseSensitive(tree, field);

	if (object == NULL)
		return;
	if (!cJSON_IsObject(object)) {
		fault(checking, "", field, "it is not an object");
		return;
	}
	check_fields(checking, object, field, names);
	for (size_t i = 0; names[i] != NULL; i++)
		check_text(checking, object, field, names[i], false);
}

static void check_conflict(const struct checking *checking, const cJSON *item, const char *path, const cJSON *before)
{
	static const char *const answers[] = {"no", "unknown", "yes", NULL};

	if (!cJSON_IsObject(item)) {
		fault(checking, "", path, "it is not an object");
		return;
	}
	check_fields(checking, item, path, conflict_fields);
	check_text(checking, item, path, "statement", true);
	check_name(checking, item, path, "task");
	const cJSON *trained = cJSON_GetObjectItemCaseSensitive(item, "trained"), *task = cJSON_GetObjectItemCaseSensitive(item, "task");

	if (trained != NULL && (!cJSON_IsString(trained) || !is_among(trained->valuestring, answers)))
		fault(checking, path, "trained", "it is none of yes, no, unknown");
	for (; before != item && cJSON_IsString(task); before = before->next) {
		const cJSON *other = cJSON_GetObjectItemCaseSensitive(before, "task");

		if (cJSON_IsString(other) && strcmp(other->valuestring, task->valuestring) == 0)
			fault(checking, path, "task", "it is told of twice");
	}
}

static void check_conflicts(const struct checking *checking, const cJSON *tree)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(tree, "conflicts");
	size_t number = 0;

	if (list == NULL)
		return;
	if (!cJSON_IsArray(list)) {
		fault(checking, "", "conflicts", "it is not an array");
		return;
	}
	for (const cJSON *item = list->child; item != NULL; item = item->next, number++) {
		char *path = mem_format("conflicts[%zu]", number);

		check_conflict(checking, item, path, list->child);
		free(path);
	}
}

static void check_said(const struct checking *checking, const cJSON *tree)
{
	const cJSON *source = cJSON_GetObjectItemCaseSensitive(tree, "source"), *model = cJSON_GetObjectItemCaseSensitive(tree, "model");

	check_name(checking, tree, "", "contact");
	check_name(checking, tree, "", "model");
	check_text(checking, tree, "", "statement", true);
	check_name(checking, tree, "", "submitter");
	if (source != NULL && (!cJSON_IsString(source) || !ledger_name_valid(source->valuestring, strlen(source->valuestring)) ||
	                       strcmp(source->valuestring, "root") == 0))
		fault(checking, "", "source", "it is no name of letters, digits, '.', '_' and '-' that starts with a letter or digit, or it is root");
	if (cJSON_IsString(model) && strlen(model->valuestring) > LEDGER_TEXT_MAX)
		fault(checking, "", "model", "it is longer than 256 bytes");
	check_texts(checking, tree, "sampling", sampling_fields);
	check_texts(checking, tree, "environment", environment_fields);
	check_conflicts(checking, tree);
}

static void check_runs(const struct checking *checking, const cJSON *tree)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(tree, "runs");
	const char *last = NULL;

	if (list == NULL)
		return;
	if (!cJSON_IsArray(list)) {
		fault(checking, "", "runs", "it is not an array");
		return;
	}
	for (const cJSON *item = list->child; item != NULL; item = item->next) {
		if (!cJSON_IsString(item) || !ledger_name_valid(item->valuestring, strlen(item->valuestring))) {
			fault(checking, "", "runs", "one is no name of a run");
			return;
		}
		if (last != NULL && strcmp(last, item->valuestring) >= 0)
			fault(checking, "", "runs", "they are not in order, or one stands twice");
		last = item->valuestring;
	}
}

bool facts_check(const cJSON *submission, const char *file, struct findings *findings)
{
	const struct checking checking = {.file = file, .findings = findings};
	const size_t before = findings->count;
	const cJSON *schema = cJSON_GetObjectItemCaseSensitive(submission, "schema"), *date = cJSON_GetObjectItemCaseSensitive(submission, "date");

	if (!cJSON_IsObject(submission)) {
		findings_add(findings, R_SUB_FACTS, file, "it is not an object");
		return false;
	}
	check_fields(&checking, submission, "", whole);
	if (schema != NULL && (!cJSON_IsString(schema) || strcmp(schema->valuestring, SUBMISSION_SCHEMA) != 0))
		fault(&checking, "", "schema", "it is not " SUBMISSION_SCHEMA);
	if (date != NULL && (!cJSON_IsString(date) || !date_valid(date->valuestring, strlen(date->valuestring))))
		fault(&checking, "", "date", "it is no day written YYYY-MM-DD");
	check_text(&checking, submission, "", "program", false);
	check_runs(&checking, submission);
	check_said(&checking, submission);
	return findings->count == before;
}

/* The words that ask for the submitter's own. */
static void check_edited(const struct checking *checking, const cJSON *facts)
{
	static const char *const asked[] = {"contact", "model", "source", "statement", "submitter"};
	cJSON *template = cJSON_Parse(facts_template);
	const char *hint = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(template, "conflicts")->child, "statement")->valuestring;
	const cJSON *item, *conflicts = cJSON_GetObjectItemCaseSensitive(facts, "conflicts");
	size_t number = 0;

	for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
		if (cJSON_Compare(cJSON_GetObjectItemCaseSensitive(template, asked[i]), cJSON_GetObjectItemCaseSensitive(facts, asked[i]), true))
			fault(checking, "", asked[i], "these are the words of the template: write your own");
	cJSON_ArrayForEach(item, conflicts)
	{
		const cJSON *statement = cJSON_GetObjectItemCaseSensitive(item, "statement");
		char *path = mem_format("conflicts[%zu]", number++);

		if (cJSON_IsString(statement) && strcmp(statement->valuestring, hint) == 0)
			fault(checking, path, "statement", "these are the words of the template: write your own, or leave it empty");
		free(path);
	}
	cJSON_Delete(template);
}

enum status facts_parse(const char *text, size_t len, const char *file, cJSON **facts, struct error *err)
{
	struct findings findings = {0};
	const struct checking checking = {.file = file, .findings = &findings};
	enum status status = json_parse(text, len, file, facts, err);

	if (status != OK)
		return status;
	if (!cJSON_IsObject(*facts))
		findings_add(&findings, R_SUB_FACTS, file, "it is not an object");
	else {
		check_fields(&checking, *facts, "", said);
		check_said(&checking, *facts);
		check_edited(&checking, *facts);
	}
	if (findings.count > 0) {
		const struct finding *first = &findings.at[0];

		status = error_set(err, first->rule, file, "%s%s%s", first->field != NULL ? first->field : "", first->field != NULL ? ": " : "", first->what);
		cJSON_Delete(*facts);
		*facts = NULL;
	}
	findings_free(&findings);
	return status;
}

const char *facts_conflict(const cJSON *submission, const char *task)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(submission, "conflicts"), *item;

	cJSON_ArrayForEach(item, list)
	{
		const cJSON *name = cJSON_GetObjectItemCaseSensitive(item, "task"), *trained = cJSON_GetObjectItemCaseSensitive(item, "trained");

		if (cJSON_IsString(name) && cJSON_IsString(trained) && strcmp(name->valuestring, task) == 0)
			return trained->valuestring;
	}
	return NULL;
}
