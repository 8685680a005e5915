#include "conversation.h"

#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../bundle/objects.h"
#include "answer.h"
#include "feedback.h"
#include "messages.h"
#include "retry.h"

enum step { STEP_ASK, STEP_WAIT, STEP_OVER };

struct run_under_way;

struct trajectory {
	struct run_under_way *under_way;
	uint32_t number;
	enum step step;
	enum trajectory_state state;
	struct said *said;   /* one a turn that is done */
	struct turn *turns;  /* the same */
	uint32_t count;
	struct turn turn;    /* the one under way */
	struct said next;    /* of it */
	bool recorded;       /* its evaluation is of an earlier session */
	/* What waits to be kept: */
	bool replied;        /* a reply, until its record is there */
	struct extracted extracted; /* the kernel in it, the same */
	const struct evaluation *noted; /* an evaluation, the same; NULL: none */
	bool committed;      /* what came of it is there */
	char *why;
	enum rule why_rule;
};

struct run_under_way {
	const struct conversation_options *options;
	struct conversation_result *result;
	struct trajectory *at;
	struct evaluators *evaluators;
	/* The last try of each turn, as far as there was one when the run was opened: index + 1. */
	size_t *last;
	double best;
};

static bool is_live(const struct run_under_way *run)
{
	return run->options->endpoint != NULL;
}

static void tell(const struct run_under_way *run, const struct conversation_event *event)
{
	if (run->options->event != NULL)
		run->options->event(run->options->event_context, event);
}

/* ---- ends ---- */

static void end(struct trajectory *trajectory, enum trajectory_state state, const char *why)
{
	trajectory->step = STEP_OVER;
	trajectory->state = state;
	trajectory->why = mem_text(why);
	trajectory->why_rule = R_QRY_UNFINISHED;
	tell(trajectory->under_way, &(struct conversation_event){.kind = EVENT_TRAJECTORY, .trajectory = trajectory->number, .turn = trajectory->count, .state = state, .why = trajectory->why});
}

/* Nothing more is to be asked: fast enough; or, where nothing is run, nothing is left to tell. */
static bool is_enough(const struct query_plan *plan, const struct evaluation *evaluation)
{
	double target, speedup;

	if (!plan->measured)
		return evaluation->outcome == OUTCOME_MEASURED_UNKNOWN && arch_tag_has(evaluation->arch_tag, strcmp(plan->arch, "hopper") == 0 ? 'H' : 'B');
	return evaluation->outcome == OUTCOME_MEASURED_CORRECT && plan->target[0] != '\0' && decimal_parse(plan->target, strlen(plan->target), &target) &&
	       decimal_parse(evaluation->speedup, strlen(evaluation->speedup), &speedup) && speedup >= target;
}

/* ---- a turn that was evaluated ---- */

static enum status keep_as(const struct run_under_way *run, const void *data, size_t len, const struct sha256 *id, char hex[SHA256_HEX + 1], struct error *err)
{
	sha256_hex(id, hex);
	return is_live(run) ? keeper_object_later(run->options->keeper, data, len, id, err) : OK;
}

static enum status keep(const struct run_under_way *run, const void *data, size_t len, char hex[SHA256_HEX + 1], struct error *err)
{
	const struct sha256 id = sha256_of(data, len);

	return keep_as(run, data, len, &id, hex, err);
}

static void count(struct run_under_way *run, const struct turn *turn, bool recorded)
{
	struct conversation_result *result = run->result;

	result->done++;
	result->recorded += recorded;
	result->outcomes[turn->outcome]++;
	if (turn->outcome == OUTCOME_MEASURED_CORRECT && turn->speedup > run->best) {
		run->best = turn->speedup;
		memcpy(result->best, turn->speedup_text, sizeof result->best);
	}
}

static void fill_turn(struct turn *turn, const struct evaluation *evaluation)
{
	turn->outcome = evaluation->outcome;
	turn->evidence = evaluation->evidence;
	memcpy(turn->arch_tag, evaluation->arch_tag, sizeof turn->arch_tag);
	memcpy(turn->speedup_text, evaluation->speedup, sizeof turn->speedup_text);
	decimal_parse(turn->speedup_text, strlen(turn->speedup_text), &turn->speedup);
}

static void free_said(struct said *said)
{
	free(said->answer);
	free(said->kernel);
	free(said->feedback);
	*said = (struct said){0};
}

static enum status finish_turn(struct trajectory *trajectory, const struct evaluation *evaluation, struct error *err)
{
	struct run_under_way *run = trajectory->under_way;
	struct bytes feedback = {0};

	feedback_write(evaluation, &feedback);
	fill_turn(&trajectory->turn, evaluation);
	const enum status status = keep(run, feedback.data, feedback.len, trajectory->turn.feedback, err);

	trajectory->next.feedback = feedback.data;
	if (status != OK)
		return status;
	trajectory->said[trajectory->count] = trajectory->next;
	trajectory->turns[trajectory->count] = trajectory->turn;
	trajectory->next = (struct said){0};
	/* What will not be said again. */
	if (run->options->plan->policy != POLICY_FULL && trajectory->count > 0)
		free_said(&trajectory->said[trajectory->count - 1]);
	trajectory->count++;
	trajectory->step = STEP_ASK;
	count(run, &trajectory->turn, trajectory->recorded);
	tell(run, &(struct conversation_event){.kind = EVENT_TURN, .trajectory = trajectory->number, .turn = trajectory->turn.turn, .recorded = trajectory->recorded, .done = &trajectory->turn, .evaluation = evaluation});
	if (trajectory->count == run->options->plan->turns)
		end(trajectory, TRAJECTORY_DONE, "");
	else if (is_enough(run->options->plan, evaluation))
		end(trajectory, TRAJECTORY_EARLY, "");
	return OK;
}

/* ---- an answer ---- */

static enum status keep_files(const struct run_under_way *run, const struct extracted *extracted, struct evaluation *evaluation, struct error *err)
{
	enum status status = OK;

	for (size_t i = 0; i < extracted->count && status == OK; i++) {
		const struct bytes *text = &extracted->file[i].text;

		evaluation->file[i].path = mem_text(extracted->file[i].path);
		evaluation->file[i].id = sha256_of(text->data, text->len);
		evaluation->files = i + 1;
		if (is_live(run))
			status = keeper_object(run->options->keeper, text->data, text->len, &evaluation->file[i].id, err);
	}
	return status;
}

static char *fenced(const struct extracted *extracted)
{
	struct bytes text = {0};

	for (size_t i = 0; i < extracted->count; i++) {
		const char *end = strrchr(extracted->file[i].path, '.');

		if (i > 0)
			bytes_char(&text, '\n');
		feedback_fenced(strcmp(end, ".cu") == 0 ? "cuda" : end + 1, extracted->file[i].text.data, extracted->file[i].text.len, &text);
	}
	return text.data;
}

static enum status record_none(struct trajectory *trajectory, const struct extracted *extracted, struct error *err)
{
	struct evaluation evaluation = {
		.trajectory = trajectory->number,
		.turn = trajectory->count,
		.why_none = mem_text(extracted->why),
		.outcome = OUTCOME_MEASURED_EXTRACTION,
		.evidence = EVIDENCE_UNKNOWN,
		.speedup = "0",
		.rule = mem_text(rule_info(R_EXT_NONE)->id),
		.text = mem_text(""),
		.facts = cJSON_CreateObject(),
	};
	const enum status status = journal_queue(trajectory->under_way->options->journal, &evaluation, &trajectory->noted, err);

	evaluation_free(&evaluation);
	return status;
}

static enum status submit(struct trajectory *trajectory, struct extracted *extracted, struct error *err)
{
	struct assessment *assessment = mem_alloc(sizeof *assessment);

	*assessment = (struct assessment){.trajectory = trajectory->number, .turn = trajectory->count, .extracted = *extracted};
	*extracted = (struct extracted){0};
	assessment->evaluation.trajectory = assessment->trajectory;
	assessment->evaluation.turn = assessment->turn;
	const enum status status = keep_files(trajectory->under_way, &assessment->extracted, &assessment->evaluation, err);

	if (status == OK)
		evaluators_submit(trajectory->under_way->evaluators, assessment);
	else
		assessment_free(assessment);
	return status;
}

/* What the reply gives for the turn's record and for what is said later. */
static enum status take_reply(struct trajectory *trajectory, const struct reply_text *reply, struct error *err)
{
	const bool is_answer = reply->reply_class == REPLY_ANSWER;
	const char *content = reply->content.data != NULL ? reply->content.data : "";
	struct turn *turn = &trajectory->turn;

	trajectory->next.answer = mem_text(is_answer ? content : "");
	turn->reasoning_tokens = reply->reasoning_tokens;
	strncpy(turn->reasoning_source, reply->reasoning_source, sizeof turn->reasoning_source - 1);
	return keep(trajectory->under_way, content, reply->content.len, turn->response, err);
}

/* What is in a reply. That nothing is is kept with the reply's own record: it follows from that, and nobody has to be asked. */
static enum status look_into(struct trajectory *trajectory, const struct reply_text *reply, struct error *err)
{
	struct run_under_way *run = trajectory->under_way;
	enum status status = take_reply(trajectory, reply, err);

	trajectory->recorded = journal_find(run->options->journal, trajectory->number, trajectory->count) != NULL;
	trajectory->step = STEP_WAIT;
	if (answer_extract(run->options->plan->form, reply, &trajectory->extracted) && run->options->plan->policy == POLICY_SINGLE)
		trajectory->next.kernel = fenced(&trajectory->extracted);
	if (status == OK && is_live(run) && !trajectory->recorded && trajectory->extracted.why != NULL)
		status = record_none(trajectory, &trajectory->extracted, err);
	return status;
}

/* Its record is kept, or was there. */
static enum status go_by(struct trajectory *trajectory, struct error *err)
{
	struct run_under_way *run = trajectory->under_way;
	const struct evaluation *kept = trajectory->recorded ? journal_find(run->options->journal, trajectory->number, trajectory->count) : NULL;
	struct extracted *extracted = &trajectory->extracted;
	enum status status = OK;

	if (kept != NULL && !answer_was(kept, extracted))
		status = error_set(err, R_QRY_KERNEL, "", "trajectory %lu, turn %lu of the run '%s': the recorded reply gives %s", (unsigned long)trajectory->number, (unsigned long)trajectory->count,
		                   run->options->run, extracted->why != NULL ? extracted->why : "another kernel than the one evaluated");
	else if (kept != NULL)
		status = finish_turn(trajectory, kept, err);
	else if (!is_live(run))
		end(trajectory, TRAJECTORY_UNFINISHED, "its last answer was not evaluated");
	else if (extracted->why == NULL)
		status = submit(trajectory, extracted, err);
	extracted_free(extracted);
	return status;
}

/* ---- asking ---- */

static enum status go_on(struct trajectory *trajectory, struct error *err);

/* A key, a URL or a request that is wrong is so until it is mended; whatever else failed may not fail again. */
static enum rule rule_of(enum reply_class reply_class, int64_t status)
{
	if (reply_class != REPLY_HTTP_ERROR)
		return R_QRY_UNFINISHED;
	if (status == 401 || status == 403)
		return R_END_KEY;
	/* Where another URL leads to is not asked. */
	if (status == 404 || (status >= 300 && status < 400))
		return R_END_NOWHERE;
	return status >= 400 && status < 500 && !retry_is_worth(reply_class, status, -1) ? R_END_REFUSED : R_QRY_UNFINISHED;
}

/* A prompt that is too long is so whenever it is asked again. */
static void fail_try(struct trajectory *trajectory, enum reply_class reply_class, const char *why)
{
	char *text = mem_format("%s: %s", reply_class_name(reply_class), why != NULL ? why : "");

	end(trajectory, reply_class == REPLY_PROMPT_TOO_LONG ? TRAJECTORY_TOO_LONG : TRAJECTORY_UNFINISHED, text);
	free(text);
}

static void fail_reply(struct trajectory *trajectory, const struct reply_text *reply, int64_t http_status)
{
	const struct endpoint *endpoint = trajectory->under_way->options->endpoint;
	const enum rule rule = rule_of(reply->reply_class, retry_status(http_status, reply->error_code));
	char *url = rule == R_END_NOWHERE && endpoint != NULL ? endpoint_url(endpoint) : NULL;
	char *why = mem_format("%s%s%s", reply->why != NULL ? reply->why : "", url != NULL ? "; asked was " : "", url != NULL ? url : "");

	fail_try(trajectory, reply->reply_class, why);
	trajectory->why_rule = rule;
	free(url);
	free(why);
}

static enum status on_try(void *context, struct try *try, struct error *err)
{
	struct trajectory *trajectory = context;
	struct run_under_way *run = trajectory->under_way;

	if (try == NULL) {
		end(trajectory, TRAJECTORY_UNFINISHED, err->what);
		trajectory->why_rule = err->rule;
		*err = (struct error){0};
		return OK;
	}
	try->exchange.trajectory = trajectory->number;
	try->exchange.turn = trajectory->count;
	try->exchange.sample = query_plan_sample(run->options->plan, trajectory->number, trajectory->count);
	const enum status status = freezer_queue(run->options->freezer, try, err);

	if (status != OK)
		return status;
	tell(run, &(struct conversation_event){.kind = EVENT_TRY, .trajectory = trajectory->number, .turn = trajectory->count, .try = try});
	if (!try->last)
		return OK;
	if (!answer_uses_turn(try->reply.reply_class)) {
		fail_reply(trajectory, &try->reply, try->exchange.http_status);
		return OK;
	}
	trajectory->replied = true;
	return look_into(trajectory, &try->reply, err);
}

/* ---- from the record ---- */

/* Where two conversations part: "message 3 (user), byte 120", for people. */
static char *message_difference(const cJSON *asked, const cJSON *recorded)
{
	int number = 1;

	for (; asked != NULL && recorded != NULL; asked = asked->next, recorded = recorded->next, number++) {
		const cJSON *role = cJSON_GetObjectItemCaseSensitive(asked, "role");
		const cJSON *is = cJSON_GetObjectItemCaseSensitive(asked, "content"), *was = cJSON_GetObjectItemCaseSensitive(recorded, "content");

		if (cJSON_Compare(asked, recorded, true))
			continue;
		if (!cJSON_IsString(is) || !cJSON_IsString(was))
			break;
		size_t at = 0;

		while (is->valuestring[at] != '\0' && is->valuestring[at] == was->valuestring[at])
			at++;
		return mem_format("message %d (%s) from byte %zu on", number, role->valuestring, at);
	}
	return mem_format("the messages from number %d on", number);
}

static enum status prompt_difference(const struct run_under_way *run, const struct exchange *recorded, const cJSON *messages, char **what, struct error *err)
{
	struct bytes body = {0};
	cJSON *tree = NULL;
	enum status status = object_get(run->options->bundle, &recorded->request, &body, err);

	if (status == OK)
		status = json_parse(body.data, body.len, "the recorded request", &tree, err);
	const cJSON *was = cJSON_GetObjectItemCaseSensitive(tree, run->options->plan->api == API_CHAT ? "messages" : "input");

	*what = message_difference(messages->child, was != NULL ? was->child : NULL);
	cJSON_Delete(tree);
	bytes_free(&body);
	return status;
}

static enum status check_same(const struct trajectory *trajectory, const struct exchange *recorded, const struct request *request, const cJSON *messages, struct error *err)
{
	const struct run_under_way *run = trajectory->under_way;
	const struct sha256 body = sha256_of(request->body, request->len);
	char *what = NULL;
	enum status status = OK;

	if (strcmp(recorded->api, run->options->plan->api == API_CHAT ? "chat" : "responses") != 0)
		what = mem_text("the interface");
	else if (strcmp(recorded->model_asked, request->model) != 0)
		what = mem_text("the model");
	else if (strcmp(recorded->parameters, request->parameters) != 0)
		what = mem_text("the parameters");
	else if (recorded->sample != query_plan_sample(run->options->plan, trajectory->number, trajectory->count))
		what = mem_text("the sample's number");
	else if (memcmp(&recorded->prompt, &request->prompt, sizeof request->prompt) != 0)
		status = prompt_difference(run, recorded, messages, &what, err);
	else if (memcmp(&recorded->request, &body, sizeof body) != 0)
		what = mem_text("the bytes of the request");
	if (status == OK && what != NULL)
		status = error_set(err, R_QRY_LEAVES, "", "the run '%s' leaves its record at trajectory %lu, turn %lu: %s", run->options->run, (unsigned long)trajectory->number,
		                   (unsigned long)trajectory->count, what);
	free(what);
	return status;
}

static const struct exchange *last_of(const struct run_under_way *run, uint32_t trajectory, uint32_t turn)
{
	const size_t index = run->last[(size_t)trajectory * run->options->plan->turns + turn];

	return index > 0 ? freezer_at(run->options->freezer, index - 1) : NULL;
}

static const struct exchange *last_try(const struct trajectory *trajectory)
{
	return last_of(trajectory->under_way, trajectory->number, trajectory->count);
}

static enum status from_record(struct trajectory *trajectory, const struct exchange *recorded, struct error *err)
{
	struct reply_text reply = {0};
	enum status status = freezer_reply(trajectory->under_way->options->freezer, recorded, &reply, err);

	if (status == OK)
		status = look_into(trajectory, &reply, err);
	if (status == OK)
		status = go_by(trajectory, err);
	reply_text_free(&reply);
	return status;
}

static enum status end_recorded(struct trajectory *trajectory, const struct exchange *recorded, struct error *err)
{
	struct reply_text reply = {0};
	const enum status status = freezer_reply(trajectory->under_way->options->freezer, recorded, &reply, err);

	if (status == OK)
		fail_reply(trajectory, &reply, recorded->http_status);
	reply_text_free(&reply);
	return status;
}

static enum status ask_live(struct trajectory *trajectory, const struct request *request, struct error *err)
{
	const struct conversation_options *options = trajectory->under_way->options;

	(void)err;
	trajectory->step = STEP_WAIT;
	endpoint_submit(options->endpoint, request, freezer_attempts(options->freezer, trajectory->number, trajectory->count), on_try, trajectory);
	return OK;
}

static void begin_turn(struct trajectory *trajectory)
{
	trajectory->turn = (struct turn){.trajectory = trajectory->number, .turn = trajectory->count, .reasoning_tokens = -1};
	trajectory->recorded = false;
}

static enum status ask(struct trajectory *trajectory, struct error *err)
{
	struct run_under_way *run = trajectory->under_way;
	const struct query_plan *plan = run->options->plan;
	const struct exchange *recorded = last_try(trajectory);
	cJSON *messages = NULL, *parameters = query_plan_parameters(plan, trajectory->number, trajectory->count);
	struct request request = {0};
	enum status status;

	begin_turn(trajectory);
	status = messages_make(plan, run->options->template, run->options->values, trajectory->said, trajectory->count, &messages, err);
	if (status == OK)
		status = request_make(plan->api, plan->model, messages, parameters, plan->stream, &request, err);
	if (status == OK && recorded != NULL)
		status = check_same(trajectory, recorded, &request, messages, err);
	if (status == OK)
		status = keep_as(run, request.messages.data, request.messages.len, &request.prompt, trajectory->turn.prompt, err);
	if (status == OK && recorded != NULL && answer_uses_turn(recorded->reply_class))
		status = from_record(trajectory, recorded, err);
	else if (status == OK && recorded != NULL && recorded->reply_class == REPLY_PROMPT_TOO_LONG)
		status = end_recorded(trajectory, recorded, err);
	else if (status == OK && is_live(run))
		status = ask_live(trajectory, &request, err);
	else if (status == OK)
		fail_try(trajectory, recorded != NULL ? recorded->reply_class : REPLY_CONNECTION, recorded != NULL ? "so its record ends" : "its record ends before it was asked");
	request_free(&request);
	cJSON_Delete(messages);
	cJSON_Delete(parameters);
	return status;
}

static enum status go_on(struct trajectory *trajectory, struct error *err)
{
	enum status status = OK;

	while (trajectory->step == STEP_ASK && status == OK)
		status = ask(trajectory, err);
	return status;
}

/* ---- the run ---- */

static enum status take_assessed(struct run_under_way *run, struct assessment *assessment, struct error *err)
{
	if (assessment->status != OK) {
		*err = assessment->err;
		return assessment->status;
	}
	return journal_queue(run->options->journal, &assessment->evaluation, &run->at[assessment->trajectory].noted, err);
}

static enum status take_all_assessed(struct run_under_way *run, struct error *err)
{
	struct assessment *assessment;
	enum status status = OK;

	while (status == OK && (assessment = evaluators_take(run->evaluators)) != NULL) {
		status = take_assessed(run, assessment, err);
		assessment_free(assessment);
	}
	return status;
}

static void wake(void *context)
{
	endpoint_wake(context);
}

/* Does anything wait to be kept that a trajectory goes on from? */
static bool waits(const struct run_under_way *run)
{
	for (uint32_t i = 0; i < run->options->plan->trajectories; i++)
		if (run->at[i].replied || run->at[i].noted != NULL)
			return true;
	return false;
}

/*
 * One reply is received here and one after each trajectory that goes on, so that as many are kept together as came during the last round. To wait for more of them would be to hold the first of them
 * up, and keep replies together that came together.
 */
static enum status receive(struct run_under_way *run, struct error *err)
{
	const enum status status = endpoint_poll(run->options->endpoint, waits(run) ? 0 : 1000, err);

	return status == OK ? take_all_assessed(run, err) : status;
}

/* What came of one trajectory, once it is kept: an evaluation, or a reply of which none is known yet. */
static enum status use(struct trajectory *trajectory, struct error *err)
{
	const struct evaluation *evaluation = trajectory->noted;
	enum status status;

	trajectory->committed = trajectory->replied = false;
	trajectory->noted = NULL;
	if (evaluation != NULL) {
		extracted_free(&trajectory->extracted);
		status = finish_turn(trajectory, evaluation, err);
	} else {
		status = go_by(trajectory, err);
	}
	if (status == OK)
		status = go_on(trajectory, err);
	/* What it asks is sent before the others go on, or replies that came together would stay together. */
	return status == OK ? endpoint_poll(trajectory->under_way->options->endpoint, 0, err) : status;
}

/* All that has come is kept together. What comes meanwhile is of the next round. */
static enum status use_all(struct run_under_way *run, struct error *err)
{
	const uint32_t count = run->options->plan->trajectories;
	enum status status = freezer_commit(run->options->freezer, err);

	for (uint32_t i = 0; i < count; i++)
		run->at[i].committed = status == OK && (run->at[i].replied || run->at[i].noted != NULL);
	for (uint32_t i = 0; i < count && status == OK; i++)
		if (run->at[i].committed)
			status = use(&run->at[i], err);
	return status;
}

static enum status follow_until(struct run_under_way *run, struct error *err)
{
	const struct conversation_options *options = run->options;
	enum status status = OK;

	while (status == OK && (endpoint_open_requests(options->endpoint) > 0 || evaluators_open(run->evaluators) > 0 || waits(run))) {
		if (options->stop != NULL && options->stop())
			return error_set(err, R_QRY_STOPPED, "", "it was told to stop");
		status = receive(run, err);
		if (status == OK)
			status = use_all(run, err);
	}
	return status;
}

/* Evaluations that are kept, and were not gone on from: their turns are done, as whoever plays the record will find. Nothing is asked any more. */
static enum status finish_noted(struct run_under_way *run, struct error *err)
{
	enum status status = OK;

	for (uint32_t i = 0; i < run->options->plan->trajectories && status == OK; i++) {
		struct trajectory *trajectory = &run->at[i];
		const struct evaluation *noted = trajectory->noted;

		trajectory->noted = NULL;
		if (noted != NULL)
			status = finish_turn(trajectory, noted, err);
	}
	return status;
}

/* Until nothing is under way. What came is kept, whatever ends it. */
static enum status follow(struct run_under_way *run, struct error *err)
{
	enum status status = follow_until(run, err);
	struct error mine = {0};
	enum status kept = freezer_commit(run->options->freezer, &mine);

	if (kept == OK)
		kept = finish_noted(run, &mine);
	if (kept == OK)
		kept = keeper_settle(run->options->keeper, &mine);
	if (status == OK && kept != OK) {
		status = kept;
		*err = mine;
	}
	return status;
}

/* Of a turn that was come to: done, or the one at which its trajectory stopped without an answer. */
static bool is_reached(const struct run_under_way *run, uint32_t trajectory, uint32_t turn)
{
	const struct query_plan *plan = run->options->plan;

	if (trajectory >= plan->trajectories || turn >= plan->turns)
		return false;
	const struct trajectory *at = &run->at[trajectory];

	return turn < at->count || (turn == at->count && (at->state == TRAJECTORY_UNFINISHED || at->state == TRAJECTORY_TOO_LONG));
}

static bool asks_the_same(const struct exchange *a, const struct exchange *b)
{
	return memcmp(&a->request, &b->request, sizeof a->request) == 0 && memcmp(&a->prompt, &b->prompt, sizeof a->prompt) == 0 && a->sample == b->sample && strcmp(a->api, b->api) == 0 &&
	       strcmp(a->model_asked, b->model_asked) == 0 && strcmp(a->parameters, b->parameters) == 0;
}

/* After it nothing is asked again, in this session or a later one (ask()). */
static bool is_final(enum reply_class reply_class)
{
	return answer_uses_turn(reply_class) || reply_class == REPLY_PROMPT_TOO_LONG;
}

/* Tries that were made again asked the same, and their replies say what their records say; playing looks at the last ones only. */
static enum status check_try(const struct run_under_way *run, const struct exchange *exchange, struct error *err)
{
	const struct exchange *last = last_of(run, exchange->trajectory, exchange->turn);
	struct reply_text reply = {0};
	enum status status = OK;

	if (!asks_the_same(exchange, last))
		return error_set(err, R_QRY_LEAVES, "", "the run '%s' leaves its record at trajectory %lu, turn %lu: its tries asked different things", run->options->run,
		                 (unsigned long)exchange->trajectory, (unsigned long)exchange->turn);
	if (exchange != last && is_final(exchange->reply_class))
		return error_set(err, R_QRY_AGAIN, "", "the run '%s' asked again at trajectory %lu, turn %lu, after attempt %lu, which was: %s", run->options->run, (unsigned long)exchange->trajectory,
		                 (unsigned long)exchange->turn, (unsigned long)exchange->attempt, reply_class_name(exchange->reply_class));
	if (exchange != last || !answer_uses_turn(exchange->reply_class))
		status = freezer_reply(run->options->freezer, exchange, &reply, err);
	reply_text_free(&reply);
	return status;
}

/* What was played is all there is. */
static enum status check_rest(const struct run_under_way *run, struct error *err)
{
	const char *what = NULL;
	uint32_t trajectory = 0, turn = 0;
	enum status status = OK;

	for (size_t i = 0; i < freezer_count(run->options->freezer) && status == OK && what == NULL; i++) {
		const struct exchange *exchange = freezer_at(run->options->freezer, i);

		trajectory = exchange->trajectory;
		turn = exchange->turn;
		if (is_reached(run, trajectory, turn))
			status = check_try(run, exchange, err);
		else
			what = "an exchange";
	}
	for (uint32_t i = 0; i < run->options->plan->trajectories && status == OK && what == NULL; i++) {
		trajectory = i;
		turn = run->at[i].count;
		if (turn < run->options->plan->turns && journal_find(run->options->journal, i, turn) != NULL)
			what = "an evaluation";
	}
	if (status == OK && what != NULL)
		status = error_set(err, R_QRY_STRAY, "", "the run '%s' has %s of trajectory %lu, turn %lu, to which it did not come", run->options->run, what, (unsigned long)trajectory, (unsigned long)turn);
	return status;
}

static void index_tries(struct run_under_way *run)
{
	const struct query_plan *plan = run->options->plan;

	run->last = mem_alloc(((size_t)plan->trajectories * plan->turns + 1) * sizeof *run->last);
	for (size_t i = 0; i < freezer_count(run->options->freezer); i++) {
		const struct exchange *exchange = freezer_at(run->options->freezer, i);

		if (exchange->trajectory < plan->trajectories && exchange->turn < plan->turns)
			run->last[(size_t)exchange->trajectory * plan->turns + exchange->turn] = i + 1;
	}
}

static void begin(struct run_under_way *run)
{
	const struct query_plan *plan = run->options->plan;

	run->at = mem_alloc(plan->trajectories * sizeof *run->at);
	for (uint32_t i = 0; i < plan->trajectories; i++) {
		run->at[i] = (struct trajectory){.under_way = run, .number = i};
		run->at[i].said = mem_alloc(plan->turns * sizeof *run->at[i].said);
		run->at[i].turns = mem_alloc(plan->turns * sizeof *run->at[i].turns);
	}
}

/* What is there, in the ledger's order. */
static void conclude(struct run_under_way *run)
{
	struct conversation_result *result = run->result;
	const uint32_t turns = run->options->plan->turns;

	result->planned = (uint64_t)run->options->plan->trajectories * turns;
	for (uint32_t i = 0; i < run->options->plan->trajectories; i++) {
		const struct trajectory *trajectory = &run->at[i];
		const enum trajectory_state state = trajectory->state == TRAJECTORY_UNDER_WAY ? TRAJECTORY_UNFINISHED : trajectory->state;

		for (uint32_t j = 0; j < trajectory->count; j++)
			turn_write(&trajectory->turns[j], &result->turns);
		result->trajectories[state]++;
		if (state == TRAJECTORY_EARLY)
			result->early += turns - trajectory->count;
		else if (state == TRAJECTORY_TOO_LONG)
			result->too_long += turns - trajectory->count;
		else
			result->missing += turns - trajectory->count;
		if (trajectory->state == TRAJECTORY_UNFINISHED && result->why == NULL) {
			result->why = mem_text(trajectory->why);
			result->why_rule = trajectory->why_rule;
			result->why_trajectory = i;
			result->why_turn = trajectory->count;
		}
	}
}

static void free_run(struct run_under_way *run)
{
	for (uint32_t i = 0; i < run->options->plan->trajectories; i++) {
		struct trajectory *trajectory = &run->at[i];

		for (uint32_t j = 0; j < trajectory->count; j++)
			free_said(&trajectory->said[j]);
		free_said(&trajectory->next);
		extracted_free(&trajectory->extracted);
		free(trajectory->said);
		free(trajectory->turns);
		free(trajectory->why);
	}
	free(run->at);
	free(run->last);
}

enum status conversation_run(const struct conversation_options *options, struct conversation_result *result, struct error *err)
{
	struct run_under_way run = {.options = options, .result = result};
	enum status status = OK;

	*result = (struct conversation_result){0};
	index_tries(&run);
	begin(&run);
	if (is_live(&run))
		run.evaluators = evaluators_start(options->evaluators, options->evaluate, options->evaluate_context, wake, options->endpoint);
	for (uint32_t i = 0; i < options->plan->trajectories && status == OK; i++)
		status = go_on(&run.at[i], err);
	result->recalled = status == OK;
	if (status == OK && is_live(&run))
		status = follow(&run, err);
	else if (status == OK)
		status = check_rest(&run, err);
	evaluators_stop(run.evaluators);
	conclude(&run);
	free_run(&run);
	return status;
}

void conversation_result_free(struct conversation_result *result)
{
	bytes_free(&result->turns);
	free(result->why);
	*result = (struct conversation_result){0};
}
