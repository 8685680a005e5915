#include "exchange_check.h"

#include <stdlib.h>
#include <string.h>

#include "../base/date.h"
#include "../bundle/exchanges.h"
#include "../bundle/layout.h"

/* The day on which the first of both interfaces, chat completions, was opened (OpenAI, "Introducing ChatGPT and Whisper APIs", 2023). */
#define FIRST_DAY "2023-03-01"

struct checking {
	const struct exchange_check *check;
	char *path;
	uint64_t late, early;   /* exchanges, told once with the first one's day */
	char late_day[DATE_TEXT + 1], early_day[DATE_TEXT + 1];
	uint64_t at_once;       /* exchanges that another run has, to the millisecond */
	const char *there;
	uint64_t replies, same; /* replies; such as another run has of the same request */
	const char *where;
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

static enum status on_exchange(void *context, struct exchange *exchange, uint64_t line, struct error *err)
{
	struct checking *checking = context;
	const struct sha256 at = known_exchange(exchange), reply = known_reply(exchange);
	const struct known_thing *other = elsewhere(checking->check, KNOWN_EXCHANGE, &at);

	(void)line, (void)err;
	check_day(checking, exchange->started);
	if (other != NULL && checking->at_once++ == 0)
		checking->there = other->where;
	if (!exchange->has_response)
		return OK;
	other = elsewhere(checking->check, KNOWN_REPLY, &reply);
	checking->replies++;
	if (other != NULL && checking->same++ == 0)
		checking->where = other->where;
	return OK;
}

static void tell(const struct checking *checking)
{
	struct findings *findings = checking->check->findings;

	if (checking->late > 0)
		findings_add_field(findings, R_SUB_TIME, checking->path, "started", "%s is after the day of the submission; so are %llu exchanges", checking->late_day, (unsigned long long)checking->late);
	if (checking->early > 0)
		findings_add_field(findings, R_SUB_TIME, checking->path, "started", "%s is before its run began, or before there were such interfaces; so are %llu exchanges", checking->early_day,
		                   (unsigned long long)checking->early);
	if (checking->at_once > 0)
		findings_add(findings, R_SUB_TWICE, checking->path, "%llu exchanges are those of the run '%s', to the millisecond", (unsigned long long)checking->at_once, checking->there);
	else if (checking->replies > 0 && checking->same == checking->replies)
		findings_add(findings, R_SUB_TWICE, checking->path, "every reply is one that another run, such as '%s', had to the same request", checking->where);
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
