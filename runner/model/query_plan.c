#include "query_plan.h"

#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../base/json.h"
#include "../bundle/layout.h"
#include "../bundle/ledger.h"

#define SCHEMA "ptxseal-query/1"

static const char *const policy_names[POLICY_COUNT] = {"full", "latest-pair", "single-user"};

const char *policy_name(enum policy policy)
{
	return policy_names[policy];
}

bool policy_parse(const char *text, enum policy *policy)
{
	for (int i = 0; i < POLICY_COUNT; i++) {
		*policy = (enum policy)i;
		if (strcmp(text, policy_names[i]) == 0)
			return true;
	}
	return false;
}

void query_plan_free(struct query_plan *plan)
{
	free(plan->model);
	free(plan->parameters);
	free(plan->template);
	free(plan->target);
	free(plan->task);
	free(plan->workload);
	free(plan->arch);
	*plan = (struct query_plan){0};
}

uint32_t query_plan_sample(const struct query_plan *plan, uint32_t trajectory, uint32_t turn)
{
	return trajectory * plan->turns + turn;
}

cJSON *query_plan_parameters(const struct query_plan *plan, uint32_t trajectory, uint32_t turn)
{
	cJSON *parameters = cJSON_Parse(plan->parameters);

	if (parameters == NULL)
		mem_lacking();
	if (plan->seed >= 0)
		cJSON_AddNumberToObject(parameters, "seed", (double)(plan->seed + query_plan_sample(plan, trajectory, turn)));
	return parameters;
}

enum status query_plan_check(const struct query_plan *plan, const struct spend *spend, struct error *err)
{
	cJSON *parameters = query_plan_parameters(plan, 0, 0), *messages = cJSON_CreateArray();
	struct request request = {0};
	enum status status = OK;

	if (plan->seed >= 0 && cJSON_GetObjectItemCaseSensitive(parameters, "seed") != cJSON_GetArrayItem(parameters, cJSON_GetArraySize(parameters) - 1))
		status = error_set(err, R_REQ_PARAMETERS, "", "'seed' stands among them, and there is a seed of the run");
	if (status == OK)
		status = request_make(plan->api, plan->model, messages, parameters, plan->stream, &request, err);
	if (status == OK && (spend->cap.tokens != 0 || spend->cap.money != 0) && request.completion_most < 0)
		status = error_set(err, R_SPD_UNBOUNDED, "", "there is no most among the parameters");
	if (status == OK && spend->cap.money != 0 && spend->price == NULL)
		status = error_set(err, R_SPD_MODEL, "", "there is no price of '%s'", plan->model);
	request_free(&request);
	cJSON_Delete(messages);
	cJSON_Delete(parameters);
	return status;
}

/* ---- query.json ---- */

static cJSON *tree_of(const struct query_plan *plan)
{
	cJSON *tree = cJSON_CreateObject(), *template = cJSON_AddObjectToObject(tree, "template");
	char hex[SHA256_HEX + 1];

	sha256_hex(&plan->template_hash, hex);
	cJSON_AddStringToObject(template, "id", plan->template);
	cJSON_AddStringToObject(template, "sha256", hex);
	cJSON_AddStringToObject(tree, "schema", SCHEMA);
	cJSON_AddStringToObject(tree, "api", plan->api == API_CHAT ? "chat" : "responses");
	cJSON_AddStringToObject(tree, "arch", plan->arch);
	cJSON_AddStringToObject(tree, "evaluation", plan->measured ? "replay" : "static");
	cJSON_AddStringToObject(tree, "form", form_name(plan->form));
	cJSON_AddStringToObject(tree, "model", plan->model);
	cJSON_AddItemToObject(tree, "parameters", cJSON_Parse(plan->parameters));
	cJSON_AddStringToObject(tree, "policy", policy_name(plan->policy));
	if (plan->seed >= 0)
		cJSON_AddNumberToObject(tree, "seed", (double)plan->seed);
	else
		cJSON_AddNullToObject(tree, "seed");
	cJSON_AddBoolToObject(tree, "stream", plan->stream);
	cJSON_AddStringToObject(tree, "target_speedup", plan->target);
	cJSON_AddStringToObject(tree, "task", plan->task);
	cJSON_AddNumberToObject(tree, "trajectories", plan->trajectories);
	cJSON_AddNumberToObject(tree, "turns", plan->turns);
	cJSON_AddStringToObject(tree, "workload", plan->workload);
	return tree;
}

static char *path_of(const char *run)
{
	return mem_format(LAYOUT_RUNS "%s/" LAYOUT_QUERY, run);
}

enum status query_plan_text(const struct query_plan *plan, struct bytes *text, struct error *err)
{
	cJSON *tree = tree_of(plan);
	const enum status status = jcs_write(tree, text, err);

	bytes_char(text, '\n');
	cJSON_Delete(tree);
	return status;
}

enum status query_plan_write(const struct root *bundle, const char *run, const struct query_plan *plan, struct error *err)
{
	struct bytes text = {0};
	char *path = path_of(run);
	enum status status = query_plan_text(plan, &text, err);

	if (status == OK)
		status = root_write(bundle, path, text.data, text.len, err);
	free(path);
	bytes_free(&text);
	return status;
}

const char *query_plan_difference(const struct query_plan *a, const struct query_plan *b)
{
	cJSON *left = tree_of(a), *right = tree_of(b);
	const char *name = NULL;

	/* Each name is that of a literal in tree_of, or cJSON's copy; so it is looked up among these. */
	static const char *const names[] = {"task", "workload", "arch", "model", "api", "stream", "parameters", "seed", "form", "policy", "template", "trajectories", "turns", "target_speedup", "evaluation"};

	for (size_t i = 0; i < sizeof names / sizeof names[0] && name == NULL; i++)
		if (!cJSON_Compare(cJSON_GetObjectItemCaseSensitive(left, names[i]), cJSON_GetObjectItemCaseSensitive(right, names[i]), true))
			name = names[i];
	cJSON_Delete(left);
	cJSON_Delete(right);
	return name;
}

static enum status bad(const char *file, const char *member, struct error *err)
{
	return error_set(err, R_QRY_FORM, file, "'%s' is missing, or not one of its values", member);
}

static bool one_of(const char *text, const char *yes, const char *no, bool *is_yes)
{
	*is_yes = strcmp(text, yes) == 0;
	return *is_yes || strcmp(text, no) == 0;
}

static enum status take_texts(const cJSON *tree, const char *file, struct query_plan *plan, struct error *err)
{
	const struct {
		const char *key;
		char **to;
		size_t least;
	} texts[] = {{"model", &plan->model, 1}, {"target_speedup", &plan->target, 0}, {"task", &plan->task, 1}, {"workload", &plan->workload, 1}, {"arch", &plan->arch, 1}};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		const char *text;

		if (json_text(tree, texts[i].key, file, &text, NULL) != OK || strlen(text) < texts[i].least || strlen(text) > LEDGER_TEXT_MAX)
			return bad(file, texts[i].key, err);
		*texts[i].to = mem_text(text);
	}
	return OK;
}

static enum status take_words(const cJSON *tree, const char *file, struct query_plan *plan, struct error *err)
{
	const char *api = "", *evaluation = "", *form = "", *policy = "", *id = "", *hex = "";
	const cJSON *template = cJSON_GetObjectItemCaseSensitive(tree, "template"), *stream = cJSON_GetObjectItemCaseSensitive(tree, "stream");
	bool is_chat;
	double target;

	json_text(tree, "api", file, &api, NULL);
	json_text(tree, "evaluation", file, &evaluation, NULL);
	json_text(tree, "form", file, &form, NULL);
	json_text(tree, "policy", file, &policy, NULL);
	if (cJSON_IsObject(template)) {
		json_text(template, "id", file, &id, NULL);
		json_text(template, "sha256", file, &hex, NULL);
	}
	if (!one_of(api, "chat", "responses", &is_chat))
		return bad(file, "api", err);
	if (!one_of(evaluation, "replay", "static", &plan->measured))
		return bad(file, "evaluation", err);
	if (!form_parse(form, &plan->form))
		return bad(file, "form", err);
	if (!policy_parse(policy, &plan->policy))
		return bad(file, "policy", err);
	if (!layout_name_valid(id) || !sha256_parse(hex, &plan->template_hash))
		return bad(file, "template", err);
	if (!cJSON_IsBool(stream))
		return bad(file, "stream", err);
	if (plan->target[0] != '\0' && !decimal_parse(plan->target, strlen(plan->target), &target))
		return bad(file, "target_speedup", err);
	plan->api = is_chat ? API_CHAT : API_RESPONSES;
	plan->stream = cJSON_IsTrue(stream);
	plan->template = mem_text(id);
	return OK;
}

static enum status take_numbers(const cJSON *tree, const char *file, struct query_plan *plan, struct error *err)
{
	const cJSON *parameters = cJSON_GetObjectItemCaseSensitive(tree, "parameters");
	int64_t trajectories = 0, turns = 0;
	struct bytes text = {0};

	plan->seed = -1;
	if (!cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(tree, "seed")) && json_integer(tree, "seed", 0, INT32_MAX, file, &plan->seed, NULL) != OK)
		return bad(file, "seed", err);
	if (json_integer(tree, "trajectories", 1, QUERY_TRAJECTORIES_MAX, file, &trajectories, NULL) != OK)
		return bad(file, "trajectories", err);
	if (json_integer(tree, "turns", 1, QUERY_TURNS_MAX, file, &turns, NULL) != OK)
		return bad(file, "turns", err);
	if (!cJSON_IsObject(parameters))
		return bad(file, "parameters", err);
	plan->trajectories = (uint32_t)trajectories;
	plan->turns = (uint32_t)turns;
	const enum status status = jcs_write(parameters, &text, err);

	plan->parameters = text.data;
	return status;
}

enum status query_plan_read(const struct root *bundle, const char *run, struct query_plan *plan, struct error *err)
{
	static const char *const names[] = {"schema", "api", "arch", "evaluation", "form", "model", "parameters", "policy", "seed", "stream", "target_speedup", "task", "template", "trajectories",
	                                    "turns", "workload", NULL};
	struct bytes text = {0};
	cJSON *tree = NULL;
	const char *schema = "";
	char *file = path_of(run);
	enum status status = root_read(bundle, file, QUERY_FILE_MAX, &text, err);

	*plan = (struct query_plan){0};
	if (status == OK)
		status = json_parse(text.data != NULL ? text.data : "", text.len, file, &tree, err);
	if (status == OK && (!cJSON_IsObject(tree) || json_only(tree, names, file, NULL) != OK || json_text(tree, "schema", file, &schema, NULL) != OK || strcmp(schema, SCHEMA) != 0))
		status = error_set(err, R_QRY_FORM, file, "it is not of schema " SCHEMA ", or has a further member");
	if (status == OK)
		status = take_texts(tree, file, plan, err);
	if (status == OK)
		status = take_words(tree, file, plan, err);
	if (status == OK)
		status = take_numbers(tree, file, plan, err);
	cJSON_Delete(tree);
	bytes_free(&text);
	free(file);
	return status;
}
