#include "said.h"

#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../bundle/layout.h"
#include "../bundle/replays.h"
#include "../bundle/talk.h"
#include "../measure/problem.h"
#include "../model/freeze.h"
#include "../model/query_plan.h"

#define UNKNOWN "unknown"

void said_check_unknown(const cJSON *facts, struct findings *findings)
{
	static const char *const groups[] = {"environment", "sampling"};

	for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
		const cJSON *item;

		cJSON_ArrayForEach(item, replay_at(facts, groups[i]))
		{
			char *field = mem_format("%s.%s", groups[i], item->string);

			if (cJSON_IsString(item) && strcmp(item->valuestring, UNKNOWN) == 0)
				findings_add_field(findings, R_SUB_UNSAID, LAYOUT_SUBMISSION, field, "it is unknown");
			free(field);
		}
	}
}

/* ---- run.json ---- */

static void check_workload(const struct root *archive, const struct run *run, const char *file, struct findings *findings)
{
	const char *name = strcmp(run->workload_name, "published") == 0 ? NULL : run->workload_name;
	struct problem *problem = mem_alloc(sizeof *problem);

	/* That the archive has no such task or workload is told of the records and of the talk. */
	if (problem_read(archive, run->task, name, problem, NULL) == OK && strcmp(problem->workload, run->workload) != 0)
		findings_add_field(findings, R_SUB_RUN, file, "workload_name", "'%s' of '%s' is %s, and the run is of %s", run->workload_name, run->task, problem->workload, run->workload);
	else if (problem_read(archive, run->task, run->workload, problem, NULL) == OK && problem_read(archive, run->task, name, problem, NULL) != OK)
		findings_add_field(findings, R_SUB_RUN, file, "workload_name", "'%s' has no workload '%s'", run->task, run->workload_name);
	free(problem);
}

void said_check_run(const struct root *submission, const struct root *archive, const struct run *run, const char *file, struct findings *findings)
{
	const bool session = talk_is(submission, run->run) && !talk_has(submission, run->run, LAYOUT_QUERY);
	const struct {
		const char *field, *said, *is;
	} texts[] = {
		{"checklist", run->checklist, "unsaid"},
		{"retrieval", run->retrieval, session ? "unsaid" : "none"},
		{"variant", run->variant, session ? run->variant : ""}, /* the agent's name */
		{"required_tag", run->required_tag, strcmp(run->arch, "hopper") == 0 ? "H" : "B"},
	};

	check_workload(archive, run, file, findings);
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		if (strcmp(texts[i].said, texts[i].is) != 0)
			findings_add_field(findings, R_SUB_RUN, file, texts[i].field, "it is '%s', and such a run has '%s'", texts[i].said, texts[i].is);
}

/* ---- sampling ---- */

static const struct {
	const char *fact, *names[4]; /* as requests of either API name it */
} fields[SAID_FIELDS] = {
	{"temperature", {"temperature"}}, {"top_p", {"top_p"}}, {"max_tokens", {"max_tokens", "max_completion_tokens", "max_output_tokens"}}, {"seed", {"seed"}},
};

static void add(struct said_values *values, double value)
{
	if (values->count == values->room) {
		values->room = values->room == 0 ? 16 : values->room * 2;
		values->at = mem_array(values->at, values->room, sizeof *values->at);
	}
	values->at[values->count++] = value;
}

static void take_parameters(struct said_sampling *sampling, const char *text)
{
	cJSON *parameters = NULL;

	if (json_parse(text, strlen(text), "", &parameters, NULL) != OK)
		return;
	for (size_t f = 0; f < SAID_FIELDS; f++) {
		const size_t before = sampling->of[f].count;

		for (size_t n = 0; n < sizeof fields[f].names / sizeof fields[f].names[0] && fields[f].names[n] != NULL; n++) {
			const cJSON *item = cJSON_GetObjectItemCaseSensitive(parameters, fields[f].names[n]);

			if (cJSON_IsNumber(item))
				add(&sampling->of[f], item->valuedouble);
		}
		sampling->of[f].silent = sampling->of[f].silent || sampling->of[f].count == before;
	}
	cJSON_Delete(parameters);
}

static void take_session(struct said_sampling *sampling, const struct root *submission, const char *run)
{
	struct freezer *freezer = NULL;
	const char *last = NULL;

	if (freezer_open_frozen(submission, run, &freezer, NULL) != OK)
		return;
	for (size_t i = 0; i < freezer_count(freezer); i++) {
		const char *parameters = freezer_at(freezer, i)->parameters;

		/* They seldom change within a session. */
		if (last == NULL || strcmp(last, parameters) != 0)
			take_parameters(sampling, parameters);
		last = parameters;
	}
	freezer_close(freezer);
}

static void be_silent(struct said_sampling *sampling)
{
	for (size_t f = 0; f < SAID_FIELDS; f++)
		sampling->of[f].silent = true;
}

void said_take(struct said_sampling *sampling, const struct root *submission, const char *run)
{
	struct query_plan plan = {0};

	if (!talk_is(submission, run)) {
		be_silent(sampling);
		return;
	}
	sampling->asked = true;
	if (!talk_has(submission, run, LAYOUT_QUERY)) {
		take_session(sampling, submission, run);
	} else if (query_plan_read(submission, run, &plan, NULL) == OK) {
		cJSON *parameters = query_plan_parameters(&plan, 0, 0);
		char *text = cJSON_PrintUnformatted(parameters);

		take_parameters(sampling, text != NULL ? text : "{}");
		cJSON_free(text);
		cJSON_Delete(parameters);
	}
	query_plan_free(&plan);
}

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Numbers with commas between them; false if it is none. */
static bool parse_list(const char *text, struct said_values *values)
{
	for (;;) {
		char *end;

		text += strspn(text, " ");
		if (text[0] == '\0' || strchr("-0123456789", text[0]) == NULL || strspn(text, "+-.0123456789eE") < strcspn(text, ", "))
			return false;
		add(values, strtod(text, &end));
		end += strspn(end, " ");
		if (*end == '\0')
			return true;
		if (*end != ',')
			return false;
		text = end + 1;
	}
}

static const double *first_not_in(const struct said_values *values, const struct said_values *others)
{
	for (size_t i = 0; i < values->count; i++)
		if (others->count == 0 || bsearch(&values->at[i], others->at, others->count, sizeof *others->at, by_value) == NULL)
			return &values->at[i];
	return NULL;
}

static void check_field(const struct said_values *stated, const char *fact, const char *field, bool asked, struct findings *findings)
{
	struct said_values said = {0};
	const bool is_list = parse_list(fact, &said);
	const double *other;

	if (said.count > 1)
		qsort(said.at, said.count, sizeof *said.at, by_value);
	if (strcmp(fact, UNKNOWN) == 0)
		; /* told as such */
	else if (stated->count == 0 && asked)
		findings_add_field(findings, R_SUB_UNCHECKED, LAYOUT_SUBMISSION, field, "no request states it");
	else if (stated->count > 0 && !is_list)
		findings_add_field(findings, R_SUB_SAMPLING, LAYOUT_SUBMISSION, field, "it is '%s', no number, and a request states %.15g", fact, stated->at[0]);
	else if ((other = first_not_in(stated, &said)) != NULL)
		findings_add_field(findings, R_SUB_SAMPLING, LAYOUT_SUBMISSION, field, "it is '%s', and a request states %.15g", fact, *other);
	else if (!stated->silent && (other = first_not_in(&said, stated)) != NULL)
		findings_add_field(findings, R_SUB_SAMPLING, LAYOUT_SUBMISSION, field, "it is '%s', and no request states %.15g", fact, *other);
	free(said.at);
}

void said_check_sampling(struct said_sampling *sampling, const cJSON *facts, struct findings *findings)
{
	for (size_t f = 0; f < SAID_FIELDS; f++) {
		struct said_values *stated = &sampling->of[f];
		char *field = mem_format("sampling.%s", fields[f].fact);
		const char *fact = replay_text(facts, field);

		if (stated->count > 1)
			qsort(stated->at, stated->count, sizeof *stated->at, by_value);
		if (fact[0] != '\0') /* what is missing is told by facts_check */
			check_field(stated, fact, field, sampling->asked, findings);
		free(stated->at);
		free(field);
	}
	*sampling = (struct said_sampling){0};
}
