#include "agent_turns.h"

#include <stdlib.h>
#include <string.h>

#include "../bundle/layout.h"
#include "../bundle/ledger.h"
#include "../bundle/objects.h"
#include "answer.h"
#include "feedback.h"
#include "journal.h"
#include "tool.h"

struct agent_turns {
	struct agent_turns_options options;
	struct keeper *keeper; /* NULL: read only */
	struct journal *journal;
	struct turn *at; /* of the whole run, in order */
	size_t count;
	uint32_t next; /* turn of the trajectory */
};

static bool is_live(const struct agent_turns *turns)
{
	return turns->options.evaluate != NULL;
}

uint32_t agent_turns_left(const struct agent_turns *turns)
{
	return turns->options.turns - turns->next;
}

uint32_t agent_turns_done(const struct agent_turns *turns)
{
	return turns->next;
}

uint32_t agent_turns_unplayed(const struct agent_turns *turns)
{
	uint32_t recorded = 0;

	for (size_t i = 0; i < turns->count; i++)
		recorded += turns->at[i].trajectory == turns->options.trajectory;
	return recorded > turns->next ? recorded - turns->next : 0;
}

bool agent_turns_told(const struct agent_turns *turns, const char *prompt)
{
	const struct sha256 id = sha256_of(prompt, strlen(prompt));
	char hex[SHA256_HEX + 1];

	sha256_hex(&id, hex);
	for (size_t i = 0; i < turns->count; i++)
		if (turns->at[i].trajectory == turns->options.trajectory && strcmp(turns->at[i].prompt, hex) != 0)
			return false;
	return true;
}

/* ---- turns.jsonl ---- */

static enum status on_turn(void *context, const struct run *run, const struct turn *turn, uint64_t line, struct error *err)
{
	struct agent_turns *turns = context;

	(void)run, (void)line, (void)err;
	turns->at = mem_array(turns->at, turns->count + 1, sizeof *turns->at);
	turns->at[turns->count++] = *turn;
	turns->next += is_live(turns) && turn->trajectory == turns->options.trajectory;
	return OK;
}

static enum status read_turns(struct agent_turns *turns, struct error *err)
{
	const struct ledger_visitor visitor = {.on_turn = on_turn, .context = turns};
	char *path = mem_format(LAYOUT_RUNS "%s/" LAYOUT_TURNS, turns->options.run);
	struct bytes text = {0};
	struct run run = {0};
	enum status status = run_read(turns->options.bundle, turns->options.run, &run, err);

	if (status == OK)
		status = root_read(turns->options.bundle, path, LEDGER_TURNS_FILE_MAX, &text, err);
	if (status == OK)
		status = turns_read(text.data, text.len, path, &run, &visitor, err);
	run_free(&run);
	bytes_free(&text);
	free(path);
	return status;
}

/* At its place among those of other trajectories; the file is written anew. */
static enum status add_turn(struct agent_turns *turns, const struct turn *turn, struct error *err)
{
	char *path = mem_format(LAYOUT_RUNS "%s/" LAYOUT_TURNS, turns->options.run);
	struct bytes text = {0};
	size_t place = turns->count;

	while (place > 0 && turns->at[place - 1].trajectory > turn->trajectory)
		place--;
	turns->at = mem_array(turns->at, turns->count + 1, sizeof *turns->at);
	memmove(turns->at + place + 1, turns->at + place, (turns->count - place) * sizeof *turns->at);
	turns->at[place] = *turn;
	turns->count++;
	turns->next++;
	for (size_t i = 0; i < turns->count; i++)
		turn_write(&turns->at[i], &text);
	const enum status status = root_write(turns->options.bundle, path, text.data, text.len, err);

	bytes_free(&text);
	free(path);
	return status;
}

/* ---- a turn ---- */

static enum status keep(const struct agent_turns *turns, const char *text, size_t len, char hex[SHA256_HEX + 1], struct error *err)
{
	const struct sha256 id = sha256_of(text, len);

	sha256_hex(&id, hex);
	return keeper_object(turns->keeper, text, len, &id, err);
}

/* What an evaluation makes of its turn's line; the objects are the turn's own. */
static struct turn turn_of(const struct evaluation *evaluation)
{
	struct turn turn = {.trajectory = evaluation->trajectory, .turn = evaluation->turn, .outcome = evaluation->outcome, .evidence = evaluation->evidence, .reasoning_tokens = -1};

	memcpy(turn.arch_tag, evaluation->arch_tag, sizeof turn.arch_tag);
	memcpy(turn.speedup_text, evaluation->speedup, sizeof turn.speedup_text);
	decimal_parse(turn.speedup_text, strlen(turn.speedup_text), &turn.speedup);
	return turn;
}

/* The line of a turn that was evaluated, and before it its objects. */
static enum status record(struct agent_turns *turns, const struct evaluation *evaluation, const struct bytes *answer, const struct bytes *feedback, struct error *err)
{
	struct turn turn = turn_of(evaluation);
	enum status status = keep(turns, turns->options.prompt, strlen(turns->options.prompt), turn.prompt, err);

	if (status == OK)
		status = keep(turns, answer->data, answer->len, turn.response, err);
	if (status == OK)
		status = keep(turns, feedback->data, feedback->len, turn.feedback, err);
	if (status == OK)
		status = keeper_commit(turns->keeper, err);
	return status == OK ? add_turn(turns, &turn, err) : status;
}

static void fence(enum form form, const char *const *texts, const size_t *lens, struct bytes *answer)
{
	static const char *const infos[FORM_COUNT][EXTRACTION_FILES_MAX] = {[FORM_KERNEL] = {"cuda", NULL}, [FORM_PTX] = {"ptx", "json"}};

	for (size_t i = 0; i < EXTRACTION_FILES_MAX && infos[form][i] != NULL; i++) {
		if (i > 0)
			bytes_char(answer, '\n');
		feedback_fenced(infos[form][i], texts[i], lens[i], answer);
	}
	bytes_char(answer, '\n');
}

/* A process was killed between the evaluation and its line. What had no kernel in it is not in the record: its reason stands for it. */
static enum status mend(struct agent_turns *turns, struct error *err)
{
	const struct evaluation *evaluation = turns->next < turns->options.turns ? journal_find(turns->journal, turns->options.trajectory, turns->next) : NULL;
	struct bytes files[EXTRACTION_FILES_MAX] = {{0}}, answer = {0}, feedback = {0};
	const char *texts[EXTRACTION_FILES_MAX] = {"", ""};
	size_t lens[EXTRACTION_FILES_MAX] = {0};
	enum status status = OK;

	if (evaluation == NULL)
		return OK;
	for (size_t i = 0; i < evaluation->files && status == OK; i++) {
		status = object_get(turns->options.bundle, &evaluation->file[i].id, &files[i], err);
		texts[i] = files[i].data != NULL ? files[i].data : "";
		lens[i] = files[i].len;
	}
	if (evaluation->files > 0)
		fence(turns->options.form, texts, lens, &answer);
	else
		bytes_text(&answer, evaluation->why_none);
	feedback_write(evaluation, &feedback);
	if (status == OK)
		status = record(turns, evaluation, &answer, &feedback, err);
	for (size_t i = 0; i < EXTRACTION_FILES_MAX; i++)
		bytes_free(&files[i]);
	bytes_free(&answer);
	bytes_free(&feedback);
	return status;
}

static enum status evaluate(struct agent_turns *turns, const struct extracted *extracted, const struct evaluation **kept, struct error *err)
{
	struct evaluation evaluation = {.trajectory = turns->options.trajectory, .turn = turns->next};
	enum status status = OK;

	for (size_t i = 0; i < extracted->count && extracted->why == NULL && status == OK; i++) {
		evaluation.file[i].path = mem_text(extracted->file[i].path);
		evaluation.files = i + 1;
		evaluation.file[i].id = sha256_of(extracted->file[i].text.data, extracted->file[i].text.len);
		status = keeper_object(turns->keeper, extracted->file[i].text.data, extracted->file[i].text.len, &evaluation.file[i].id, err);
	}
	if (extracted->why != NULL) {
		evaluation.why_none = mem_text(extracted->why);
		evaluation.outcome = OUTCOME_MEASURED_EXTRACTION;
		evaluation.evidence = EVIDENCE_UNKNOWN;
		memcpy(evaluation.speedup, "0", 2);
		evaluation.rule = mem_text(rule_info(R_EXT_NONE)->id);
		evaluation.text = mem_text("");
		evaluation.facts = cJSON_CreateObject();
	} else if (status == OK) {
		status = turns->options.evaluate(turns->options.context, evaluation.trajectory, evaluation.turn, extracted, &evaluation, err);
	}
	if (status == OK)
		status = journal_add(turns->journal, &evaluation, kept, err);
	evaluation_free(&evaluation);
	return status;
}

enum status agent_turns_take(struct agent_turns *turns, const char *const *texts, const struct evaluation **evaluation, struct bytes *feedback, struct error *err)
{
	size_t lens[EXTRACTION_FILES_MAX] = {0};
	struct bytes answer = {0};
	struct extracted extracted = {0};
	enum status status = OK;

	if (agent_turns_left(turns) == 0)
		return error_set(err, R_MCP_TURNS, "", "%lu turns were planned, and all are used up", (unsigned long)turns->options.turns);
	for (size_t i = 0; i < EXTRACTION_FILES_MAX; i++)
		lens[i] = texts[i] != NULL ? strlen(texts[i]) : 0;
	fence(turns->options.form, texts, lens, &answer);
	extraction_find(turns->options.form, answer.data, answer.len, &extracted);
	if (is_live(turns)) {
		status = evaluate(turns, &extracted, evaluation, err);
	} else {
		*evaluation = journal_find(turns->journal, turns->options.trajectory, turns->next);
		if (*evaluation == NULL || !answer_was(*evaluation, &extracted))
			status = error_set(err, R_MCP_LEAVES, "", "turn %lu of the trajectory: the record has %s", (unsigned long)turns->next, *evaluation == NULL ? "no such turn" : "another kernel");
	}
	if (status == OK)
		feedback_write(*evaluation, feedback);
	if (status == OK && is_live(turns))
		status = record(turns, *evaluation, &answer, feedback, err);
	else if (status == OK)
		turns->next++;
	extracted_free(&extracted);
	bytes_free(&answer);
	return status;
}

/* ---- checking ---- */

/* The text in a fence at *at, which moves behind it. What fence() writes is closed by the first run of as many backticks. */
static bool unfence(const struct bytes *answer, size_t *at, const char **text, size_t *len)
{
	size_t marks = 0, from;

	while (*at + marks < answer->len && answer->data[*at + marks] == '`')
		marks++;
	const char *line = memchr(answer->data + *at, '\n', answer->len - *at);

	if (marks < 3 || line == NULL)
		return false;
	from = (size_t)(line - answer->data) + 1;
	const char *end = memmem(answer->data + from, answer->len - from, answer->data + *at, marks);

	if (end == NULL)
		return false;
	*text = answer->data + from;
	*len = (size_t)(end - *text);
	*at = from + *len + marks + 1;
	return *at <= answer->len;
}

/* Nothing stands around the files. */
static bool is_fenced(enum form form, const struct bytes *answer)
{
	const char *texts[EXTRACTION_FILES_MAX] = {"", ""};
	size_t lens[EXTRACTION_FILES_MAX] = {0}, at = 0;
	struct bytes again = {0};

	for (size_t i = 0; i < EXTRACTION_FILES_MAX && at < answer->len; i++)
		if (!unfence(answer, &at, &texts[i], &lens[i]))
			return false;
	fence(form, texts, lens, &again);
	const bool same = again.len == answer->len && memcmp(again.data, answer->data, again.len) == 0;

	bytes_free(&again);
	return same;
}

bool agent_turns_give(const struct evaluation *evaluation, const struct bytes *answer, enum form *form, struct extracted *extracted)
{
	/* A reason may stand for an answer of which nothing else was kept (mend). */
	if (evaluation->why_none != NULL && answer->len > 0 && strlen(evaluation->why_none) == answer->len && memcmp(evaluation->why_none, answer->data, answer->len) == 0) {
		*extracted = (struct extracted){.why = mem_text(evaluation->why_none)};
		*form = FORM_COUNT;
		return true;
	}
	for (*form = 0; *form < FORM_COUNT; ++*form) {
		extraction_find(*form, answer->data != NULL ? answer->data : "", answer->len, extracted);
		if (is_fenced(*form, answer) && answer_was(evaluation, extracted))
			return true;
		extracted_free(extracted);
	}
	return false;
}

static bool is_told(enum form form, const struct run *run, const struct turn *turn)
{
	bool is = false;

	for (int measured = 0; measured < 2 && !is; measured++) {
		struct tool tool;
		char hex[SHA256_HEX + 1];

		tool_make(form, measured, run->task, &tool);
		const struct sha256 id = sha256_of(tool.text, strlen(tool.text));

		sha256_hex(&id, hex);
		is = strcmp(hex, turn->prompt) == 0;
		tool_free(&tool);
	}
	return is;
}

static const char *check_words(const struct run *run, const struct turn *turn, const struct evaluation *evaluation, const struct bytes *answer)
{
	struct extracted extracted = {0};
	enum form form;
	const bool given = agent_turns_give(evaluation, answer, &form, &extracted);
	bool told = false;

	extracted_free(&extracted);
	if (!given)
		return "its answer is not the kernel that was evaluated, handed in";
	for (enum form other = 0; other < FORM_COUNT && !told; other++)
		told = (form == FORM_COUNT || form == other) && is_told(other, run, turn);
	return told ? NULL : "its prompt is not what an agent is told of the tool";
}

static enum status check_turn(const struct root *bundle, const struct run *run, const struct turn *turn, const struct evaluation *evaluation, const char **what, struct error *err)
{
	struct turn meant = turn_of(evaluation);
	struct bytes answer = {0}, feedback = {0}, is = {0}, should = {0};
	struct sha256 id;
	enum status status = sha256_parse(turn->response, &id) ? object_get(bundle, &id, &answer, err) : OK;

	if (status == OK)
		*what = check_words(run, turn, evaluation, &answer);
	feedback_write(evaluation, &feedback);
	id = sha256_of(feedback.data, feedback.len);
	memcpy(meant.prompt, turn->prompt, sizeof meant.prompt);
	memcpy(meant.response, turn->response, sizeof meant.response);
	sha256_hex(&id, meant.feedback);
	turn_write(turn, &is);
	turn_write(&meant, &should);
	if (status == OK && *what == NULL && (is.len != should.len || memcmp(is.data, should.data, is.len) != 0))
		*what = "its line does not follow from its evaluation";
	bytes_free(&answer);
	bytes_free(&feedback);
	bytes_free(&is);
	bytes_free(&should);
	return status;
}

enum status agent_turns_check(const struct root *bundle, const struct run *run, const struct turn *turns, size_t count, struct error *err)
{
	struct journal *journal = NULL;
	enum status status = journal_open(bundle, run->run, (uint32_t)run->planned_trajectories, (uint32_t)run->planned_turns, NULL, &journal, err);

	for (size_t i = 0; i < count && status == OK; i++) {
		const struct evaluation *evaluation = journal_find(journal, turns[i].trajectory, turns[i].turn);
		const char *what = evaluation == NULL ? "it has no evaluation" : NULL;

		if (evaluation != NULL)
			status = check_turn(bundle, run, &turns[i], evaluation, &what, err);
		if (status == OK && what != NULL)
			status = error_set(err, R_MCP_LEAVES, "", "trajectory %lu, turn %lu of the run '%s': %s", (unsigned long)turns[i].trajectory, (unsigned long)turns[i].turn, run->run, what);
	}
	if (status == OK && journal_count(journal) != count)
		status = error_set(err, R_MCP_LEAVES, "", "the run '%s' has %zu turns and %zu evaluations", run->run, count, journal_count(journal));
	journal_close(journal);
	return status;
}

/* ---- opening ---- */

enum status agent_turns_open(const struct agent_turns_options *options, struct agent_turns **opened, struct error *err)
{
	struct agent_turns *turns = mem_alloc(sizeof *turns);

	*turns = (struct agent_turns){.options = *options};
	*opened = NULL;
	enum status status = is_live(turns) ? keeper_open(options->bundle, options->run, KEEPER_EVALUATIONS, &turns->keeper, NULL, err) : OK;

	if (status == OK)
		status = journal_open(options->bundle, options->run, options->trajectories, options->turns, turns->keeper, &turns->journal, err);
	if (status == OK)
		status = read_turns(turns, err);
	if (status == OK && is_live(turns))
		status = mend(turns, err);
	if (status == OK)
		*opened = turns;
	else
		agent_turns_close(turns);
	return status;
}

enum status agent_turns_settle(struct agent_turns *turns, struct error *err)
{
	return turns->keeper != NULL ? keeper_settle(turns->keeper, err) : OK;
}

void agent_turns_close(struct agent_turns *turns)
{
	if (turns == NULL)
		return;
	journal_close(turns->journal);
	keeper_close(turns->keeper);
	free(turns->at);
	free(turns);
}
