#include "talk_check.h"

#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "../base/json.h"
#include "../bundle/evaluations.h"
#include "../bundle/layout.h"
#include "../bundle/objects.h"
#include "../bundle/replays.h"
#include "../bundle/talk.h"
#include "../kernel/candidate.h"
#include "../measure/assess.h"
#include "../measure/play.h"
#include "../measure/told.h"
#include "../model/agent_turns.h"

struct checking {
	const struct talk_check *check;
	char *path;    /* of the file that is looked at */
	bool plans;    /* it has query.json, which says whether what compiles is measured */
	bool measured;
};

static char *path_of(const struct talk_check *check, const char *file)
{
	return mem_format(LAYOUT_RUNS "%s/%s", check->run->run, file);
}

char *talk_candidate(const struct run *run, uint32_t trajectory, uint32_t turn)
{
	return mem_format(LAYOUT_CANDIDATES "%s/%s-%03lu-%02lu", run->task, run->run, (unsigned long)trajectory, (unsigned long)turn);
}

/* ---- a run of `query` ---- */

/* What run.json says of the plan, which tables go by. */
static void check_plan(const struct talk_check *check, const struct query_plan *plan, const char *path)
{
	const struct run *run = check->run;
	const struct {
		const char *field, *is, *said;
	} texts[] = {{"arch", plan->arch, run->arch}, {"model", plan->model, run->model}, {"task", plan->task, run->task}, {"workload", plan->workload, run->workload}};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		if (strcmp(texts[i].is, texts[i].said) != 0)
			findings_add_field(check->findings, R_SUB_PLAN, path, texts[i].field, "it is '%s', and '%s' in " LAYOUT_RUN, texts[i].is, texts[i].said);
	if (plan->trajectories != run->planned_trajectories || plan->turns != run->planned_turns)
		findings_add_field(check->findings, R_SUB_PLAN, path, "trajectories", "%lu of %lu turns, and %llu of %llu in " LAYOUT_RUN, (unsigned long)plan->trajectories, (unsigned long)plan->turns,
		                   (unsigned long long)run->planned_trajectories, (unsigned long long)run->planned_turns);
}

/* planned = done + not wanted + of prompts too long + missing */
static void check_account(const struct talk_check *check, const struct conversation_result *result, const char *path)
{
	if (result->missing > 0)
		findings_add(check->findings, R_SUB_ACCOUNT, path, "%llu of %llu turns are missing; trajectory %lu stopped at turn %lu: %s", (unsigned long long)result->missing,
		             (unsigned long long)result->planned, (unsigned long)result->why_trajectory, (unsigned long)result->why_turn, result->why != NULL ? result->why : "");
	if (result->too_long > 0)
		findings_add(check->findings, R_SUB_EARLY, path, "%llu of %llu turns were not asked: prompts were too long", (unsigned long long)result->too_long, (unsigned long long)result->planned);
}

/* Tokens are not bytes, so this is told and does not refuse: of two prompts to one model under one plan the shorter is said to be too long, and the longer was answered. */
static void check_too_long(const struct talk_check *check, const struct freezer *freezer, const char *path)
{
	const struct exchange *shortest = NULL;
	size_t least = SIZE_MAX, most = 0;

	for (size_t i = 0; i < freezer_count(freezer); i++)
		if (freezer_at(freezer, i)->reply_class == REPLY_PROMPT_TOO_LONG)
			shortest = freezer_at(freezer, i);
	for (size_t i = 0; shortest != NULL && i < freezer_count(freezer); i++) {
		const struct exchange *exchange = freezer_at(freezer, i);
		struct bytes body = {0};

		if ((exchange->reply_class == REPLY_ANSWER || exchange->reply_class == REPLY_PROMPT_TOO_LONG) && object_get(check->submission, &exchange->request, &body, NULL) == OK) {
			if (exchange->reply_class == REPLY_ANSWER && body.len > most)
				most = body.len;
			else if (exchange->reply_class == REPLY_PROMPT_TOO_LONG && body.len < least) {
				least = body.len;
				shortest = exchange;
			}
		}
		bytes_free(&body);
	}
	if (shortest != NULL && least < most)
		findings_add(check->findings, R_SUB_TOO_LONG, path, "%zu bytes of trajectory %lu, turn %lu were too long, and %zu bytes were answered", least, (unsigned long)shortest->trajectory,
		             (unsigned long)shortest->turn, most);
}

static void check_played(const struct talk_check *check, bool *measured)
{
	char *query = path_of(check, LAYOUT_QUERY), *exchanges = path_of(check, LAYOUT_EXCHANGES);
	struct conversation_result result = {0};
	struct play play;
	struct error err = {0};
	enum status status = play_open(check->submission, check->archive, check->run->run, &play, &err);

	*measured = play.plan.measured;
	if (play.plan.task != NULL)
		check_plan(check, &play.plan, query);
	if (status != OK && (err.rule == R_PRM_NAME || err.rule == R_QRY_LEAVES))
		findings_add(check->findings, R_SUB_TEMPLATE, query, "%s", err.what);
	else if (status != OK)
		findings_error(check->findings, query, &err);
	else if (play_run(&play, NULL, NULL, &result, &err) != OK)
		findings_error(check->findings, exchanges, &err);
	else
		check_account(check, &result, exchanges);
	if (status == OK)
		check_too_long(check, play.freezer, exchanges);
	conversation_result_free(&result);
	play_close(&play);
	free(exchanges);
	free(query);
}

/* ---- a run of an agent ---- */

/* The request says what its record says of it. */
static enum status compare_request(const struct exchange *exchange, const struct request *request, struct error *err)
{
	if (strcmp(request->model, exchange->model_asked) == 0 && strcmp(request->parameters, exchange->parameters) == 0 && memcmp(&request->prompt, &exchange->prompt, sizeof request->prompt) == 0)
		return OK;
	char *path = object_path(&exchange->request);
	const enum status status = error_set(err, R_QRY_LEAVES, path, "the record of trajectory %lu, turn %lu, attempt %lu says another model, other parameters or another prompt",
	                                     (unsigned long)exchange->trajectory, (unsigned long)exchange->turn, (unsigned long)exchange->attempt);

	free(path);
	return status;
}

struct counted {
	uint64_t turns, end; /* turns that were asked, and one more than the last one's number */
};

/* Of requests, which an agent makes as it likes: another number than that of its turns. */
static void check_counted(const struct talk_check *check, const struct freezer *freezer, const char *path)
{
	const size_t planned = (size_t)check->run->planned_trajectories;
	struct counted *counted = mem_alloc((planned + 1) * sizeof *counted);

	for (size_t i = 0; i < freezer_count(freezer); i++) {
		const struct exchange *exchange = freezer_at(freezer, i);
		struct counted *of = &counted[exchange->trajectory < planned ? exchange->trajectory : planned];

		of->turns += exchange->attempt == 0;
		of->end = exchange->turn >= of->end ? exchange->turn + 1ull : of->end;
	}
	for (size_t i = 0; i < planned; i++)
		if (counted[i].turns != counted[i].end)
			findings_add(check->findings, R_SUB_GAP, path, "trajectory %zu asked %llu times, the last of them as turn %llu", i, (unsigned long long)counted[i].turns,
			             (unsigned long long)counted[i].end - 1);
	for (size_t i = 0; i < check->count; i++) {
		const uint32_t trajectory = check->turns[i].trajectory;

		if (trajectory < planned && check->turns[i].turn == 0 && counted[trajectory].turns == 0)
			findings_add(check->findings, R_SUB_GAP, path, "trajectory %lu has turns, and asked nothing", (unsigned long)trajectory);
	}
	free(counted);
}

static int by_request(const void *a, const void *b)
{
	const struct exchange *const *x = a, *const *y = b;
	const int order = memcmp(&(*x)->request, &(*y)->request, sizeof(*x)->request);

	return order != 0 ? order : strcmp((*x)->api, (*y)->api);
}

/* By what a reply is read from, and what its record calls it. */
static int by_response(const void *a, const void *b)
{
	const struct exchange *const *x = a, *const *y = b;
	const int order = memcmp(&(*x)->response, &(*y)->response, sizeof(*x)->response);
	const int64_t left[] = {(*x)->has_response, (*x)->response_complete, (*x)->http_status, (*x)->reply_class},
	              right[] = {(*y)->has_response, (*y)->response_complete, (*y)->http_status, (*y)->reply_class};

	if (order != 0)
		return order;
	for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
		if (left[i] != right[i])
			return left[i] < right[i] ? -1 : 1;
	return 0;
}

/* A body that many exchanges name is read and taken apart once for each interface. at is sorted by_request. */
static enum status check_requests(const struct talk_check *check, const struct exchange **at, size_t count, struct error *err)
{
	enum status status = OK;

	for (size_t i = 0; i < count && status == OK;) {
		const struct exchange **first = &at[i];
		struct bytes body = {0};
		struct request request = {0};

		status = object_get(check->submission, &(*first)->request, &body, err);
		if (status == OK)
			status = request_read(strcmp((*first)->api, "chat") == 0 ? API_CHAT : API_RESPONSES, body.data != NULL ? body.data : "", body.len, &request, err);
		for (; status == OK && i < count && by_request(first, &at[i]) == 0; i++)
			status = compare_request(at[i], &request, err);
		request_free(&request);
		bytes_free(&body);
	}
	return status;
}

static bool same_or_none(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool says_the_same(const struct exchange *a, const struct exchange *b)
{
	return same_or_none(a->model_answered, b->model_answered) && same_or_none(a->finish_reason, b->finish_reason) && same_or_none(a->fingerprint, b->fingerprint) &&
	       a->prompt_tokens == b->prompt_tokens && a->completion_tokens == b->completion_tokens && a->reasoning_tokens == b->reasoning_tokens &&
	       a->redacted == b->redacted;
}

/* The same of replies: one that says what the one before it says is as right as that. at is sorted by_response. */
static enum status check_replies(const struct freezer *freezer, const struct exchange **at, size_t count, struct error *err)
{
	enum status status = OK;

	for (size_t i = 0; i < count && status == OK; i++) {
		struct reply_text reply = {0};

		if (i > 0 && by_response(&at[i - 1], &at[i]) == 0 && says_the_same(at[i - 1], at[i]))
			continue;
		status = freezer_reply(freezer, at[i], &reply, err);
		reply_text_free(&reply);
	}
	return status;
}

static enum status check_exchanges(const struct talk_check *check, const char *path, struct error *err)
{
	struct freezer *freezer = NULL;
	enum status status = freezer_open_frozen(check->submission, check->run->run, &freezer, err);
	const size_t count = status == OK ? freezer_count(freezer) : 0;
	const struct exchange **at = mem_alloc((count + 1) * sizeof *at);

	for (size_t i = 0; status == OK && i < count; i++) {
		const struct exchange *exchange = at[i] = freezer_at(freezer, i);

		if (exchange->trajectory >= check->run->planned_trajectories)
			status = error_set(err, R_QRY_STRAY, "", "the run has an exchange of trajectory %lu, which was not planned", (unsigned long)exchange->trajectory);
		else if (strcmp(exchange->model_asked, check->run->model) != 0)
			status = error_set(err, R_QRY_LEAVES, "", "trajectory %lu, turn %lu asked another model", (unsigned long)exchange->trajectory, (unsigned long)exchange->turn);
	}
	if (status == OK)
		check_counted(check, freezer, path);
	if (status == OK && count > 0) {
		qsort(at, count, sizeof *at, by_request);
		status = check_requests(check, at, count, err);
	}
	if (status == OK && count > 0) {
		qsort(at, count, sizeof *at, by_response);
		status = check_replies(freezer, at, count, err);
	}
	free(at);
	freezer_close(freezer);
	return status;
}

static void check_session(const struct talk_check *check)
{
	char *turns = path_of(check, LAYOUT_TURNS), *exchanges = path_of(check, LAYOUT_EXCHANGES);
	struct error err = {0};

	if (agent_turns_check(check->submission, check->run, check->turns, check->count, &err) != OK)
		findings_error(check->findings, turns, &err);
	if (!root_has(check->submission, exchanges))
		findings_add(check->findings, R_SUB_UNTOLD, exchanges, "it is not there");
	else if (check_exchanges(check, exchanges, &err) != OK)
		findings_error(check->findings, exchanges, &err);
	free(exchanges);
	free(turns);
}

/* ---- evaluations ---- */

static void tell(const struct checking *checking, const struct evaluation *evaluation, enum rule rule, const char *field, const char *what)
{
	findings_add_field(checking->check->findings, rule, checking->path, field, "trajectory %lu, turn %lu: %s", (unsigned long)evaluation->trajectory, (unsigned long)evaluation->turn, what);
}

static bool is_recorded(const struct talk_check *check, const struct evaluation *evaluation)
{
	for (size_t i = 0; i < check->count; i++)
		if (check->turns[i].trajectory == evaluation->trajectory && check->turns[i].turn == evaluation->turn)
			return check->recorded[i];
	return false;
}

/* Without a record nothing was run: what can be said of it is what compiling says. */
static void check_static(const struct checking *checking, const struct evaluation *evaluation)
{
	const bool compiled = evaluation->outcome == OUTCOME_MEASURED_UNKNOWN;
	const bool failed = evaluation->outcome == OUTCOME_MEASURED_EXTRACTION || evaluation->outcome == OUTCOME_MEASURED_COMPILATION || evaluation->outcome == OUTCOME_MEASURED_REJECTED;

	if (!compiled && !failed)
		tell(checking, evaluation, R_SUB_STATIC, "outcome", "it has no record of a replay, and the outcome of one");
	else if (evaluation->evidence != (compiled ? EVIDENCE_STATIC : EVIDENCE_UNKNOWN))
		tell(checking, evaluation, R_SUB_STATIC, "evidence", "it has no record of a replay, and the evidence of one");
	if (strcmp(evaluation->speedup, "0") != 0)
		tell(checking, evaluation, R_SUB_STATIC, "speedup", "it has no record of a replay, and a speedup");
	for (const cJSON *item = evaluation->facts->child; item != NULL; item = item->next)
		if (strcmp(item->string, "code") != 0)
			tell(checking, evaluation, R_SUB_STATIC, "facts", "it has no record of a replay, and tells of one");
	if ((compiled || failed) && compiled != (evaluation->candidate != NULL))
		tell(checking, evaluation, R_SUB_CODE, "candidate", compiled ? "what compiles is a candidate" : "what does not compile is no candidate");
	if (checking->measured && evaluation->candidate != NULL)
		tell(checking, evaluation, R_SUB_TURN, "candidate", "the run measures what compiles, and there is no record of it");
}

static bool same_hash(const struct bytes *text, const struct sha256 *id)
{
	const struct sha256 hash = sha256_of(text->data, text->len);

	return memcmp(&hash, id, sizeof hash) == 0;
}

/* buffers, maps and launches of candidate.json are those of the answer; a list that the answer lacks is empty. */
static bool same_launches(const struct talk_check *check, const struct candidate *candidate, const struct sha256 *id)
{
	static const char *const theirs[] = {"buffers", "maps", "launches"};
	struct bytes text = {0};
	cJSON *said = NULL, *is = NULL;
	bool same = object_get(check->submission, id, &text, NULL) == OK && json_parse(text.data != NULL ? text.data : "", text.len, "", &said, NULL) == OK &&
	            json_parse(candidate->json.data, candidate->json.len, "", &is, NULL) == OK;

	for (size_t i = 0; i < sizeof theirs / sizeof theirs[0] && same; i++) {
		const cJSON *a = cJSON_GetObjectItemCaseSensitive(said, theirs[i]), *b = cJSON_GetObjectItemCaseSensitive(is, theirs[i]);

		same = a != NULL ? cJSON_Compare(a, b, true) : cJSON_IsArray(b) && b->child == NULL;
	}
	cJSON_Delete(said);
	cJSON_Delete(is);
	bytes_free(&text);
	return same;
}

static void check_source(const struct checking *checking, const struct evaluation *evaluation, const struct candidate *candidate)
{
	bool same = candidate->is_lowered == (evaluation->files == 1);

	if (same && candidate->is_lowered)
		same = same_hash(&candidate->source, &evaluation->file[0].id);
	else if (same)
		same = same_hash(&candidate->ptx, &evaluation->file[0].id) && same_launches(checking->check, candidate, &evaluation->file[1].id);
	if (!same)
		tell(checking, evaluation, R_SUB_RESPONSE, "candidate", "it is not what was extracted from the reply");
}

static void check_label(const struct checking *checking, const struct evaluation *evaluation, const struct candidate *candidate)
{
	const struct run *run = checking->check->run;
	char *origin = assess_origin(run->model, run->run, evaluation->trajectory, evaluation->turn);

	if (strcmp(candidate->label, run->run) != 0)
		tell(checking, evaluation, R_SUB_LABEL, "candidate", "its label is not the name of the run");
	if (strcmp(candidate->origin, origin) != 0)
		tell(checking, evaluation, R_SUB_LABEL, "candidate", "its origin is not the answer that it was taken from");
	free(origin);
}

/* facts.code, but for ptxas' own words. */
static void check_code(const struct checking *checking, const struct evaluation *evaluation, const struct candidate *candidate)
{
	static const char *const members[] = {"cubin", "functions", "instructions"};
	char *path = mem_format("%s/kernel.%s.cubin", candidate->directory, candidate->arch);
	const cJSON *said = cJSON_GetObjectItemCaseSensitive(evaluation->facts, "code");
	cJSON *is = cJSON_CreateObject();
	struct bytes cubin = {0};
	struct error err = {0};
	bool target = false;

	if (root_read(checking->check->submission, path, CANDIDATE_CUBIN_MAX, &cubin, &err) != OK || assess_code(&cubin, path, is, &target, &err) != OK) {
		findings_error(checking->check->findings, path, &err);
	} else {
		for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
			if (!cJSON_Compare(cJSON_GetObjectItemCaseSensitive(said, members[i]), cJSON_GetObjectItemCaseSensitive(is, members[i]), true))
				tell(checking, evaluation, R_SUB_CODE, "facts.code", "the cubin says otherwise");
		if (evaluation->evidence == EVIDENCE_STATIC && strcmp(evaluation->arch_tag, target ? "H" : "G") != 0)
			tell(checking, evaluation, R_SUB_EVIDENCE, "arch_tag", "the cubin says otherwise");
	}
	cJSON_Delete(is);
	bytes_free(&cubin);
	free(path);
}

static void check_candidate(const struct checking *checking, const struct evaluation *evaluation)
{
	const struct talk_check *check = checking->check;
	char *expected = talk_candidate(check->run, evaluation->trajectory, evaluation->turn);
	struct candidate *candidate = NULL;
	struct error err = {0};

	if (strcmp(expected, evaluation->candidate) != 0)
		tell(checking, evaluation, R_SUB_TURN, "candidate", "it is named after another turn");
	else if (candidate_read(check->submission, evaluation->candidate, &candidate, &err) != OK)
		findings_error(check->findings, evaluation->candidate, &err);
	else {
		check_label(checking, evaluation, candidate);
		check_source(checking, evaluation, candidate);
		check_code(checking, evaluation, candidate);
	}
	candidate_free(candidate);
	free(expected);
}

/* What is said of it besides its measurement: facts.code. */
static cJSON *code_alone(const cJSON *facts)
{
	cJSON *alone = cJSON_CreateObject();
	const cJSON *code = cJSON_GetObjectItemCaseSensitive(facts, "code");

	if (code != NULL)
		cJSON_AddItemToObject(alone, "code", cJSON_Duplicate(code, true));
	return alone;
}

/* The first part of what was told that does not follow from the record; NULL if none. */
static const char *other_told(const struct evaluation *said, const struct evaluation *is)
{
	const cJSON *item;

	if (said->outcome != is->outcome)
		return "outcome";
	if (said->evidence != is->evidence)
		return "evidence";
	if (strcmp(said->arch_tag, is->arch_tag) != 0)
		return "arch_tag";
	if (strcmp(said->speedup, is->speedup) != 0)
		return "speedup";
	if (strcmp(said->rule, is->rule) != 0)
		return "rule";
	if (strcmp(said->text, is->text) != 0)
		return "text";
	cJSON_ArrayForEach(item, is->facts)
	{
		if (!cJSON_Compare(item, cJSON_GetObjectItemCaseSensitive(said->facts, item->string), true))
			return item->string;
	}
	return cJSON_GetArraySize(said->facts) != cJSON_GetArraySize(is->facts) ? "facts" : NULL;
}

/* What the model was told of a measurement is what `query --measure` tells of this record. */
static void check_told(const struct checking *checking, const struct evaluation *evaluation)
{
	const char *slash = evaluation->candidate != NULL ? strrchr(evaluation->candidate, '/') : NULL;
	char *path = mem_format(LAYOUT_REPLAYS "%s/%s.json", checking->check->run->run, slash != NULL ? slash + 1 : "");
	struct evaluation is = {.facts = code_alone(evaluation->facts)};
	cJSON *record = NULL;
	struct error err = {0};
	const char *other = "candidate";

	if (slash != NULL && replay_read(checking->check->submission, path, &record, &err) == OK && told_from(record, path, &is, &err) == OK)
		other = other_told(evaluation, &is);
	if (other != NULL)
		tell(checking, evaluation, R_SUB_TURN, other, "its record says otherwise");
	cJSON_Delete(record);
	evaluation_free(&is);
	free(path);
}

static enum status on_evaluation(void *context, struct evaluation *evaluation, uint64_t line, struct error *err)
{
	const struct checking *checking = context;

	(void)line, (void)err;
	if (is_recorded(checking->check, evaluation)) {
		check_told(checking, evaluation);
		if (checking->plans && !checking->measured)
			tell(checking, evaluation, R_SUB_PLAN, "candidate", "it has a record of a replay, and the run is none that measures");
	} else {
		check_static(checking, evaluation);
	}
	if (evaluation->candidate != NULL)
		check_candidate(checking, evaluation);
	else if (cJSON_GetObjectItemCaseSensitive(evaluation->facts, "code") != NULL)
		tell(checking, evaluation, R_SUB_CODE, "facts.code", "there is no candidate");
	return OK;
}

static void check_evaluations(const struct talk_check *check, bool plans, bool measured)
{
	struct checking checking = {.check = check, .path = path_of(check, LAYOUT_EVALUATIONS), .plans = plans, .measured = measured};
	struct bytes text = {0};
	struct error err = {0};

	if (root_has(check->submission, checking.path) &&
	    (root_read(check->submission, checking.path, EVALUATIONS_FILE_MAX, &text, &err) != OK ||
	     evaluations_parse(text.data != NULL ? text.data : "", text.len, checking.path, on_evaluation, &checking, &err) != OK))
		findings_error(check->findings, checking.path, &err);
	bytes_free(&text);
	free(checking.path);
}

void talk_check(const struct talk_check *check)
{
	const bool plans = talk_has(check->submission, check->run->run, LAYOUT_QUERY);
	bool measured = false;

	if (plans)
		check_played(check, &measured);
	else
		check_session(check);
	check_evaluations(check, plans, measured);
}
