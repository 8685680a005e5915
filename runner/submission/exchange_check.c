#include "exchange_check.h"

#include <stdlib.h>
#include <string.h>

#include "../base/date.h"
#include "../base/json.h"
#include "../bundle/exchanges.h"
#include "../bundle/layout.h"
#include "../bundle/objects.h"

/* The day on which the first of both interfaces, chat completions, was opened (OpenAI, "Introducing ChatGPT and Whisper APIs", 2023). */
#define FIRST_DAY "2023-03-01"

enum {
	TIMES_LEAST = 2, /* of so many exchanges have the times to be alike before that says something */
	MARKS_MOST = 64, /* of so many replies the names are read: one body may be named by many exchanges */
};

struct checking {
	const struct exchange_check *check;
	char *path;
	int64_t first;            /* known_started of the first */
	uint64_t late, early;     /* exchanges, told once with the first one's day */
	char late_day[DATE_TEXT + 1], early_day[DATE_TEXT + 1];
	uint64_t marked;          /* places of replies where it says that a key was taken out, and none was */
	uint64_t at_once;         /* exchanges that another run has, to the millisecond */
	const char *there;
	uint64_t answers, same;   /* answers; such as another run has of the same request */
	const char *where;
	uint64_t timed, as_timed; /* of the same: those whose times say something; that have them of another run */
	uint64_t undetermined;    /* of the same: to requests that ask for no seed, and not for temperature 0 */
	struct sha256 mark;       /* what the endpoint named one of the same by */
	bool has_mark, marks;     /* it named one; it named two otherwise */
};

static const struct known_thing *elsewhere(const struct exchange_check *check, enum known_kind kind, const struct sha256 *hash)
{
	const struct known_thing *other = known_find(check->own, kind, hash, check->run->run);

	return other != NULL ? other : known_find(check->archive, kind, hash, check->run->run);
}

static void check_day(struct checking *checking, const char *started)
{
	const struct exchange_check *check = checking->check;
	const char *last = check->made[0] != '\0' && strcmp(check->made, check->today) < 0 ? check->made : check->today;
	const char *first = strcmp(check->run->date, FIRST_DAY) > 0 ? check->run->date : FIRST_DAY;
	char day[DATE_TEXT + 1] = "";

	memcpy(day, started, DATE_TEXT);
	if (strcmp(day, last) > 0 && checking->late++ == 0)
		memcpy(checking->late_day, day, sizeof day);
	if (strcmp(day, first) < 0 && checking->early++ == 0)
		memcpy(checking->early_day, day, sizeof day);
}

/* ---- an answer that another run has ---- */

/* Would an endpoint that can answer the same again do so? */
static bool is_determined(const struct exchange *exchange)
{
	cJSON *parameters = NULL;

	if (json_parse(exchange->parameters, strlen(exchange->parameters), "", &parameters, NULL) != OK)
		return false;
	const cJSON *temperature = cJSON_GetObjectItemCaseSensitive(parameters, "temperature");
	const bool determined = cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(parameters, "seed")) || (cJSON_IsNumber(temperature) && temperature->valuedouble == 0);

	cJSON_Delete(parameters);
	return determined;
}

struct naming {
	struct bytes text;
	size_t values;
};

/* The name and time that the endpoint gave the reply, of the object itself or the one that an event has it in. */
static enum status on_member(void *context, const struct json_event *event, struct error *err)
{
	static const char *const names[] = {"created", "created_at", "id"};
	struct naming *naming = context;

	(void)err;
	if (++naming->values > JSON_VALUES_MAX)
		return FAILS;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (event->depth <= 2 && event->key != NULL && event->key_len == strlen(names[i]) && memcmp(event->key, names[i], event->key_len) == 0 &&
		    (event->type == JSON_STRING || event->type == JSON_NUMBER))
			bytes_format(&naming->text, "%s %.*s\n", names[i], (int)event->text_len, event->text);
	return OK;
}

/* Of a stream its first event. False if the reply has none. */
static bool mark_of(const struct exchange_check *check, const struct exchange *exchange, struct sha256 *mark)
{
	struct naming naming = {0};
	struct bytes body = {0};

	if (object_get(check->submission, &exchange->response, &body, NULL) == OK && body.len > 0) {
		const char *begin = memchr(body.data, '{', body.len);

		if (begin != NULL) {
			const size_t rest = body.len - (size_t)(begin - body.data);

			json_scan(begin, body.data[0] == '{' ? rest : strcspn(begin, "\r\n"), "", 0, on_member, &naming, NULL);
		}
	}
	*mark = sha256_of(naming.text.data != NULL ? naming.text.data : "", naming.text.len);
	const bool has = naming.text.len > 0;

	bytes_free(&body);
	bytes_free(&naming.text);
	return has;
}

static void take_same(struct checking *checking, const struct exchange *exchange, const struct known_thing *other)
{
	static const enum known_kind times[] = {KNOWN_TOOK, KNOWN_PACE};
	struct sha256 hash, mark;
	bool timed = false, as_timed = false;

	if (checking->same++ == 0)
		checking->where = other->where;
	for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
		if (known_time(exchange, times[i], checking->first, &hash)) {
			timed = true;
			as_timed = as_timed || elsewhere(checking->check, times[i], &hash) != NULL;
		}
	checking->timed += timed;
	checking->as_timed += as_timed;
	checking->undetermined += !is_determined(exchange);
	if (checking->same > MARKS_MOST || !mark_of(checking->check, exchange, &mark))
		return;
	checking->marks = checking->marks || (checking->has_mark && memcmp(&mark, &checking->mark, sizeof mark) != 0);
	checking->mark = mark;
	checking->has_mark = true;
}

static enum status on_exchange(void *context, struct exchange *exchange, uint64_t line, struct error *err)
{
	struct checking *checking = context;
	const struct sha256 at = known_exchange(exchange), reply = known_reply(exchange);
	const struct known_thing *other = elsewhere(checking->check, KNOWN_EXCHANGE, &at);

	(void)err;
	if (line == 1)
		checking->first = known_started(exchange);
	check_day(checking, exchange->started);
	if (other != NULL && checking->at_once++ == 0)
		checking->there = other->where;
	if (exchange->has_response) {
		const uint64_t marks = marks_in(checking->check->marks, &exchange->response);

		checking->marked += marks > exchange->redacted ? marks - exchange->redacted : 0;
	}
	if (exchange->reply_class != REPLY_ANSWER)
		return OK;
	checking->answers++;
	other = elsewhere(checking->check, KNOWN_REPLY, &reply);
	if (other != NULL)
		take_same(checking, exchange, other);
	return OK;
}

/*
 * Most answers are those of another run. Two askings can come to that, of an endpoint that answers the same to the same: then the requests ask for it, no reply has a name or time that was given to it alone, and the tries took
 * times of their own.
 */
static void tell_same(const struct checking *checking)
{
	const char *why = NULL;

	if (checking->undetermined > 0)
		why = "and the requests ask for no seed and not for temperature 0";
	else if (checking->marks || (checking->same == 1 && checking->has_mark)) /* an endpoint may call all replies the same, and one has to be believed */
		why = "with the names and times that the endpoint gave to each";
	else if (checking->as_timed >= TIMES_LEAST && checking->as_timed * 2 > checking->timed)
		why = "at the same pace, to the millisecond";
	findings_add(checking->check->findings, why != NULL ? R_SUB_TWICE : R_SUB_SAME_ANSWERS, checking->path,
	             "%llu of %llu answers are such as another run, '%s', had to the same requests%s%s", (unsigned long long)checking->same, (unsigned long long)checking->answers, checking->where,
	             why != NULL ? ", " : "", why != NULL ? why : "");
}

static void tell(const struct checking *checking)
{
	struct findings *findings = checking->check->findings;

	if (checking->late > 0)
		findings_add_field(findings, R_SUB_TIME, checking->path, "started", "%s is after the day of the submission; so are %llu exchanges", checking->late_day, (unsigned long long)checking->late);
	if (checking->early > 0)
		findings_add_field(findings, R_SUB_TIME, checking->path, "started", "%s is before its run began, or before there were such interfaces; so are %llu exchanges", checking->early_day,
		                   (unsigned long long)checking->early);
	if (checking->marked > 0)
		findings_add_field(findings, R_SUB_MARKED, checking->path, "redacted", "of %llu places more it says that a key was taken out", (unsigned long long)checking->marked);
	if (checking->at_once > 0)
		findings_add(findings, R_SUB_TWICE, checking->path, "%llu exchanges are those of the run '%s', to the millisecond", (unsigned long long)checking->at_once, checking->there);
	else if (checking->same * 2 > checking->answers)
		tell_same(checking);
}

void exchange_check(const struct exchange_check *check)
{
	struct checking checking = {.check = check, .path = mem_format(LAYOUT_RUNS "%s/" LAYOUT_EXCHANGES, check->run->run)};
	struct bytes text = {0};

	if (root_has(check->submission, checking.path) && root_read(check->submission, checking.path, EXCHANGES_FILE_MAX, &text, NULL) == OK &&
	    exchanges_parse(text.data != NULL ? text.data : "", text.len, checking.path, on_exchange, &checking, NULL) == OK)
		tell(&checking);
	bytes_free(&text);
	free(checking.path);
}
