#include "query_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

#include "../base/clock.h"

enum { REDRAW_MS = 100 };

static const char *const state_names[TRAJECTORY_STATES] = {"under way", "done", "ended early", "ended by a prompt too long", "unfinished"};

/* 10^-12 of the currency, to six places: 1234567000000 is 1.234567. */
static void money_text(int64_t money, char out[32])
{
	snprintf(out, 32, "%lld.%06lld", money / SPEND_UNIT, money % SPEND_UNIT / 1000000);
}

/* ---- the line ---- */

static void print_left(const struct query_report *report)
{
	const uint64_t planned = (uint64_t)report->plan->trajectories * report->plan->turns, over = report->done + report->ended;
	const uint64_t here = report->done - report->recorded;
	const int64_t elapsed = (int64_t)clock_ms() - report->begun_ms;

	if (here == 0 || over >= planned)
		return;
	const int64_t left = elapsed / (int64_t)here * (int64_t)(planned - over) / 1000;

	if (left < 120)
		fprintf(stderr, ", at most %" PRId64 " s left", left);
	else
		fprintf(stderr, ", at most %" PRId64 " min left", left / 60);
}

static void draw(struct query_report *report)
{
	char money[32];

	if (!report->terminal || (int64_t)clock_ms() - report->drawn_ms < REDRAW_MS)
		return;
	report->drawn_ms = (int64_t)clock_ms();
	/* Without wrapping (DECAWM): what does not fit is cut, for a line that went on below could not be drawn over. */
	fprintf(stderr, "\033[?7l\r\033[K%" PRIu64 " of %" PRIu64 " turns, %" PRIu64 " correct", report->done, (uint64_t)report->plan->trajectories * report->plan->turns - report->ended, report->correct);
	if (report->best > 0)
		fprintf(stderr, ", best %s", report->best_text);
	if (report->spend != NULL)
		fprintf(stderr, ", %" PRId64 " tokens%s", report->spend->prompt_tokens + report->spend->completion_tokens, report->spend->unknown > 0 ? " and unknown ones" : "");
	if (report->spend != NULL && report->currency != NULL) {
		money_text(report->spend->spent.money, money);
		fprintf(stderr, ", %s %s", report->currency, money);
	}
	print_left(report);
	fputs("\033[?7h", stderr);
	fflush(stderr);
}

/* The first reply may take minutes: the line stands from the start. */
void query_report_begin(struct query_report *report)
{
	report->terminal = !report->json && !report->quiet && isatty(STDERR_FILENO);
	report->begun_ms = (int64_t)clock_ms();
	draw(report);
}

void query_report_end(struct query_report *report)
{
	if (report->terminal)
		fputs("\r\033[K", stderr);
}

/* ---- events ---- */

static cJSON *event_json(const char *name, const struct conversation_event *event)
{
	cJSON *object = cJSON_CreateObject();

	cJSON_AddStringToObject(object, "event", name);
	cJSON_AddNumberToObject(object, "trajectory", event->trajectory);
	cJSON_AddNumberToObject(object, "turn", event->turn);
	return object;
}

static void add_count(cJSON *object, const char *key, int64_t value)
{
	if (value < 0)
		cJSON_AddNullToObject(object, key);
	else
		cJSON_AddNumberToObject(object, key, (double)value);
}

static cJSON *try_json(const struct conversation_event *event)
{
	const struct exchange *exchange = &event->try->exchange;
	cJSON *object = event_json("try", event);

	cJSON_AddNumberToObject(object, "attempt", exchange->attempt);
	cJSON_AddStringToObject(object, "class", reply_class_name(exchange->reply_class));
	cJSON_AddStringToObject(object, "why", event->try->reply.why != NULL ? event->try->reply.why : "");
	cJSON_AddBoolToObject(object, "last", event->try->last);
	add_count(object, "again_ms", event->try->last ? -1 : event->try->again_ms);
	add_count(object, "took_ms", exchange->took_ms);
	add_count(object, "prompt_tokens", exchange->prompt_tokens);
	add_count(object, "completion_tokens", exchange->completion_tokens);
	return object;
}

static cJSON *turn_json(const struct conversation_event *event)
{
	cJSON *object = event_json("turn", event);

	cJSON_AddBoolToObject(object, "recorded", event->recorded);
	cJSON_AddStringToObject(object, "outcome", outcome_name(event->done->outcome));
	cJSON_AddStringToObject(object, "evidence", evidence_name(event->done->evidence));
	cJSON_AddStringToObject(object, "speedup", event->done->speedup_text);
	cJSON_AddStringToObject(object, "rule", event->evaluation->rule);
	cJSON_AddStringToObject(object, "text", event->evaluation->why_none != NULL ? event->evaluation->why_none : event->evaluation->text);
	if (event->evaluation->candidate != NULL)
		cJSON_AddStringToObject(object, "candidate", event->evaluation->candidate);
	return object;
}

static cJSON *trajectory_json(const struct conversation_event *event)
{
	cJSON *object = event_json("trajectory", event);

	cJSON_AddStringToObject(object, "state", state_names[event->state]);
	cJSON_AddStringToObject(object, "why", event->why);
	return object;
}

static void add_up(struct query_report *report, const struct conversation_event *event)
{
	if (event->kind == EVENT_TRAJECTORY && (event->state == TRAJECTORY_EARLY || event->state == TRAJECTORY_TOO_LONG))
		report->ended += report->plan->turns - event->turn;
	if (event->kind != EVENT_TURN)
		return;
	report->done++;
	report->recorded += event->recorded;
	report->correct += outcome_is_correct(event->done->outcome);
	if (event->done->speedup > report->best) {
		report->best = event->done->speedup;
		memcpy(report->best_text, event->done->speedup_text, sizeof report->best_text);
	}
}

void query_report_event(void *context, const struct conversation_event *event)
{
	struct query_report *report = context;

	add_up(report, event);
	if (report->json) {
		cJSON *object = event->kind == EVENT_TRY ? try_json(event) : event->kind == EVENT_TURN ? turn_json(event) : trajectory_json(event);

		report_json(object, stdout);
		fflush(stdout);
		cJSON_Delete(object);
	}
	draw(report);
}

/* ---- summary ---- */

struct tally {
	uint64_t tries, by_class[REPLY_CLASS_COUNT];
	int64_t prompt, completion, reasoning; /* of the replies that say; -1: none does */
	uint64_t unknown; /* tries with a reply that does not count its tokens */
};

static void add_known(int64_t *sum, int64_t count)
{
	if (count >= 0)
		*sum = (*sum > 0 ? *sum : 0) + count;
}

static void tally_make(const struct freezer *freezer, struct tally *tally)
{
	const int64_t unsaid = freezer_count(freezer) > 0 ? -1 : 0;

	*tally = (struct tally){.prompt = unsaid, .completion = unsaid, .reasoning = unsaid};
	for (size_t i = 0; i < freezer_count(freezer); i++) {
		const struct exchange *exchange = freezer_at(freezer, i);

		tally->tries++;
		tally->by_class[exchange->reply_class]++;
		add_known(&tally->prompt, exchange->prompt_tokens);
		add_known(&tally->completion, exchange->completion_tokens);
		add_known(&tally->reasoning, exchange->reasoning_tokens);
		tally->unknown += exchange->has_response && exchange->completion_tokens < 0;
	}
}

static void summary_json(const struct query_report *report, const char *run, const struct conversation_result *result, const struct tally *tally)
{
	cJSON *object = cJSON_CreateObject();
	cJSON *turns = cJSON_AddObjectToObject(object, "turns"), *outcomes = cJSON_AddObjectToObject(object, "outcomes");
	cJSON *trajectories = cJSON_AddObjectToObject(object, "trajectories"), *tries = cJSON_AddObjectToObject(object, "tries");
	cJSON *tokens = cJSON_AddObjectToObject(object, "tokens");
	char money[32];

	cJSON_AddStringToObject(object, "event", "summary");
	cJSON_AddStringToObject(object, "run", run);
	cJSON_AddNumberToObject(turns, "planned", (double)result->planned);
	cJSON_AddNumberToObject(turns, "done", (double)result->done);
	cJSON_AddNumberToObject(turns, "recorded", (double)result->recorded);
	cJSON_AddNumberToObject(turns, "not_wanted", (double)result->early);
	cJSON_AddNumberToObject(turns, "prompt_too_long", (double)result->too_long);
	cJSON_AddNumberToObject(turns, "missing", (double)result->missing);
	for (int i = 0; i < OUTCOME_COUNT; i++)
		if (result->outcomes[i] > 0)
			cJSON_AddNumberToObject(outcomes, outcome_name((enum outcome)i), (double)result->outcomes[i]);
	for (int i = TRAJECTORY_DONE; i < TRAJECTORY_STATES; i++)
		cJSON_AddNumberToObject(trajectories, state_names[i], (double)result->trajectories[i]);
	for (int i = 0; i < REPLY_CLASS_COUNT; i++)
		if (tally->by_class[i] > 0)
			cJSON_AddNumberToObject(tries, reply_class_name((enum reply_class)i), (double)tally->by_class[i]);
	add_count(tokens, "prompt", tally->prompt);
	add_count(tokens, "completion", tally->completion);
	add_count(tokens, "reasoning", tally->reasoning);
	cJSON_AddNumberToObject(tokens, "tries_that_do_not_say", (double)tally->unknown);
	cJSON_AddStringToObject(object, "best_speedup", result->best);
	if (report->spend != NULL && report->currency != NULL) {
		money_text(report->spend->spent.money, money);
		cJSON_AddStringToObject(object, "money", money);
		cJSON_AddStringToObject(object, "currency", report->currency);
	}
	report_json(object, stdout);
	cJSON_Delete(object);
}

static void print_counts(const char *const names[], const uint64_t *counts, int from, int to)
{
	bool first = true;

	for (int i = from; i < to; i++) {
		if (counts[i] == 0)
			continue;
		printf("%s%" PRIu64 " %s", first ? "" : ", ", counts[i], names[i]);
		first = false;
	}
	puts(first ? "none" : "");
}

static void print_tokens(int64_t count, const char *what)
{
	if (count < 0)
		printf("unknown%s", what);
	else
		printf("%" PRId64 "%s", count, what);
}

void query_report_summary(const struct query_report *report, const char *run, const struct conversation_result *result, const struct freezer *freezer)
{
	const char *outcome[OUTCOME_COUNT], *reply[REPLY_CLASS_COUNT];
	struct tally tally;
	char money[32];

	tally_make(freezer, &tally);
	if (report->json) {
		summary_json(report, run, result, &tally);
		return;
	}
	for (int i = 0; i < OUTCOME_COUNT; i++)
		outcome[i] = outcome_name((enum outcome)i);
	for (int i = 0; i < REPLY_CLASS_COUNT; i++)
		reply[i] = reply_class_name((enum reply_class)i);
	printf("run %s: ", run);
	report_text(report->plan->model, stdout);
	printf(" on %s, %s\n", report->plan->task, report->plan->measured ? "measured" : "compiled and looked at, not run");
	printf("  turns         %" PRIu64 " planned: %" PRIu64 " done (%" PRIu64 " of earlier sessions), %" PRIu64 " not wanted, ", result->planned, result->done, result->recorded, result->early);
	if (result->too_long > 0)
		printf("%" PRIu64 " of prompts too long, ", result->too_long);
	printf("%" PRIu64 " missing\n", result->missing);
	fputs("  outcomes      ", stdout);
	print_counts(outcome, result->outcomes, 0, OUTCOME_COUNT);
	fputs("  trajectories  ", stdout);
	print_counts(state_names, result->trajectories, TRAJECTORY_DONE, TRAJECTORY_STATES);
	printf("  best speedup  %s\n", result->best[0] != '\0' ? result->best : "none");
	printf("  tries         %" PRIu64 ": ", tally.tries);
	print_counts(reply, tally.by_class, 0, REPLY_CLASS_COUNT);
	fputs("  tokens        ", stdout);
	print_tokens(tally.prompt, " asked, ");
	print_tokens(tally.completion, " answered, ");
	print_tokens(tally.reasoning, " of them reasoning");
	if (tally.unknown > 0)
		printf("; %" PRIu64 " repl%s not say", tally.unknown, tally.unknown == 1 ? "y does" : "ies do");
	puts("");
	if (report->spend != NULL && report->currency != NULL) {
		money_text(report->spend->spent.money, money);
		printf("  money         at most %s %s\n", report->currency, money);
	}
}
