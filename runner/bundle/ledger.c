#include "ledger.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/date.h"
#include "../base/jcs.h"
#include "../base/json.h"
#include "../base/name.h"
#include "ahead.h"
#include "layout.h"

static const char *const evidence_names[EVIDENCE_COUNT] = {
    [EVIDENCE_REPORTED] = "reported", [EVIDENCE_STATIC] = "static",   [EVIDENCE_EXECUTED] = "executed",
    [EVIDENCE_UNKNOWN] = "unknown",   [EVIDENCE_REFUSED] = "refused",
};

static const char *const outcome_names[OUTCOME_COUNT] = {
    [OUTCOME_CORRECT] = "Correct",
    [OUTCOME_NUMERICAL] = "Numerical error",
    [OUTCOME_COMPILATION] = "Compilation error",
    [OUTCOME_SANITIZE_TIMEOUT] = "Sanitize Timeout",
    [OUTCOME_PROFILING_TIMEOUT] = "Profiling Service Timeout",
    [OUTCOME_EXECUTION_TIMEOUT] = "Kernel Execution Timeout",
    [OUTCOME_EXTRACTION] = "Extraction error",
    [OUTCOME_RUNTIME] = "Runtime error",
    [OUTCOME_OTHER] = "Other error",
    [OUTCOME_MEASURED_CORRECT] = "correct",
    [OUTCOME_MEASURED_WRONG] = "wrong_result",
    [OUTCOME_MEASURED_COMPILATION] = "compile_error",
    [OUTCOME_MEASURED_RUNTIME] = "runtime_error",
    [OUTCOME_MEASURED_MEMORY] = "memory_error",
    [OUTCOME_MEASURED_TIMEOUT] = "timeout",
    [OUTCOME_MEASURED_REJECTED] = "rejected",
    [OUTCOME_MEASURED_INFRASTRUCTURE] = "infrastructure",
    [OUTCOME_MEASURED_UNKNOWN] = "unknown",
    [OUTCOME_MEASURED_EXTRACTION] = "extraction_error",
};

static bool is(const char *text, size_t len, const char *word)
{
	return strncmp(text, word, len) == 0 && word[len] == '\0';
}

/* The word's place in the list, or count if it is not there. */
static size_t find_word(const char *text, size_t len, const char *const *words, size_t count)
{
	size_t i = 0;

	while (i < count && !is(text, len, words[i]))
		i++;
	return i;
}

const char *evidence_name(enum evidence evidence)
{
	return evidence_names[evidence];
}

bool evidence_parse(const char *text, size_t len, enum evidence *evidence)
{
	size_t i = find_word(text, len, evidence_names, EVIDENCE_COUNT);

	*evidence = (enum evidence)i;
	return i < EVIDENCE_COUNT;
}

const char *outcome_name(enum outcome outcome)
{
	return outcome_names[outcome];
}

bool outcome_is_measured(enum outcome outcome)
{
	return outcome >= OUTCOME_PUBLISHED_COUNT;
}

bool outcome_is_correct(enum outcome outcome)
{
	return outcome == OUTCOME_CORRECT || outcome == OUTCOME_MEASURED_CORRECT;
}

bool outcome_parse(const char *text, size_t len, enum outcome *outcome)
{
	size_t i = find_word(text, len, outcome_names, OUTCOME_COUNT);

	*outcome = (enum outcome)i;
	return i < OUTCOME_COUNT;
}

bool arch_tag_valid(const char *text, size_t len)
{
	const char *next = "AHB";

	if (len == 0 || is(text, len, "G"))
		return true;
	for (size_t at = 0;; at += 3) {
		const char *found = memchr(next, text[at], strlen(next));

		if (found == NULL)
			return false;
		next = found + 1;
		if (at + 1 == len)
			return true;
		if (at + 3 >= len || text[at + 1] != ',' || text[at + 2] != ' ')
			return false;
	}
}

bool arch_tag_has(const char *tag, char letter)
{
	return letter != '\0' && strchr(tag, letter) != NULL;
}

static bool letter_or_digit(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool ledger_name_valid(const char *text, size_t len)
{
	if (len == 0 || len > LEDGER_NAME_MAX || !letter_or_digit(text[0]))
		return false;
	for (size_t i = 1; i < len; i++)
		if (!letter_or_digit(text[i]) && text[i] != '.' && text[i] != '_' && text[i] != '-')
			return false;
	return true;
}

static size_t skip_digits(const char *text, size_t len, size_t at)
{
	while (at < len && text[at] >= '0' && text[at] <= '9')
		at++;
	return at;
}

bool decimal_parse(const char *text, size_t len, double *value)
{
	char copy[32];
	size_t at = skip_digits(text, len, 0);

	/* RFC 8259 section 6: no leading zero, digits on both sides of the point, digits after the e. */
	if (len >= sizeof copy || at == 0 || (at > 1 && text[0] == '0'))
		return false;
	if (at < len && text[at] == '.') {
		size_t end = skip_digits(text, len, at + 1);

		if (end == at + 1)
			return false;
		at = end;
	}
	if (at < len && (text[at] == 'e' || text[at] == 'E')) {
		at++;
		if (at < len && (text[at] == '+' || text[at] == '-'))
			at++;
		size_t end = skip_digits(text, len, at);

		if (end == at)
			return false;
		at = end;
	}
	if (at != len)
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	*value = strtod(copy, NULL); /* the program never leaves the C locale */
	return isfinite(*value);
}

void run_free(struct run *run)
{
	free(run->run);
	free(run->source);
	free(run->model);
	free(run->arch);
	free(run->task);
	free(run->workload);
	free(run->workload_name);
	free(run->required_tag);
	free(run->date);
	free(run->checklist);
	free(run->retrieval);
	free(run->variant);
	*run = (struct run){0};
}

/* Writing. Keys stand in the order of RFC 8785. */

static void put_text(struct bytes *out, const char *key, const char *text)
{
	bytes_text(out, key);
	jcs_string(text, strlen(text), out);
}

static void put_object(struct bytes *out, const char *key, const char *object)
{
	if (object[0] == '\0')
		bytes_format(out, "%snull", key);
	else
		put_text(out, key, object);
}

void turn_write(const struct turn *turn, struct bytes *out)
{
	put_text(out, "{\"arch_tag\":", turn->arch_tag);
	put_text(out, ",\"evidence\":", evidence_name(turn->evidence));
	const bool names_objects = turn->prompt[0] != '\0' || turn->response[0] != '\0' || turn->feedback[0] != '\0';

	if (names_objects)
		put_object(out, ",\"feedback\":", turn->feedback);
	put_text(out, ",\"outcome\":", outcome_name(turn->outcome));
	if (names_objects)
		put_object(out, ",\"prompt\":", turn->prompt);
	put_text(out, ",\"reasoning_source\":", turn->reasoning_source);
	if (turn->reasoning_tokens < 0)
		bytes_text(out, ",\"reasoning_tokens\":null");
	else
		bytes_format(out, ",\"reasoning_tokens\":%" PRId64, turn->reasoning_tokens);
	if (names_objects)
		put_object(out, ",\"response\":", turn->response);
	if (turn->source_line == 0)
		bytes_text(out, ",\"source_line\":null");
	else
		bytes_format(out, ",\"source_line\":%" PRIu64, turn->source_line);
	put_text(out, ",\"speedup\":", turn->speedup_text);
	bytes_format(out, ",\"trajectory\":%" PRIu32 ",\"turn\":%" PRIu32 "}\n", turn->trajectory,
	             turn->turn);
}

void run_write(const struct run *run, struct bytes *out)
{
	put_text(out, "{\"arch\":", run->arch);
	put_text(out, ",\"checklist\":", run->checklist);
	put_text(out, ",\"date\":", run->date);
	put_text(out, ",\"model\":", run->model);
	bytes_format(
	    out, ",\"planned_trajectories\":%" PRIu64 ",\"planned_turns\":%" PRIu64 ",\"position\":%" PRIu64,
	    run->planned_trajectories, run->planned_turns, run->position);
	put_text(out, ",\"required_tag\":", run->required_tag);
	put_text(out, ",\"retrieval\":", run->retrieval);
	put_text(out, ",\"run\":", run->run);
	put_text(out, ",\"source\":", run->source);
	put_text(out, ",\"task\":", run->task);
	put_text(out, ",\"variant\":", run->variant);
	put_text(out, ",\"workload\":", run->workload);
	put_text(out, ",\"workload_name\":", run->workload_name);
	bytes_text(out, "}\n");
}

/* Reading turns: straight off the scanner's events, for the ledger may have millions of lines. */

enum field {
	FIELD_ARCH_TAG,
	FIELD_EVIDENCE,
	FIELD_FEEDBACK,
	FIELD_OUTCOME,
	FIELD_PROMPT,
	FIELD_REASONING_SOURCE,
	FIELD_REASONING_TOKENS,
	FIELD_RESPONSE,
	FIELD_SOURCE_LINE,
	FIELD_SPEEDUP,
	FIELD_TRAJECTORY,
	FIELD_TURN,
	FIELD_COUNT
};

/* Those that a record has all or none of. */
#define OBJECT_FIELDS (1u << FIELD_FEEDBACK | 1u << FIELD_PROMPT | 1u << FIELD_RESPONSE)

static const struct {
	const char *name;
	size_t len;
} fields[FIELD_COUNT] = {
    [FIELD_ARCH_TAG] = {"arch_tag", 8},
    [FIELD_EVIDENCE] = {"evidence", 8},
    [FIELD_FEEDBACK] = {"feedback", 8},
    [FIELD_OUTCOME] = {"outcome", 7},
    [FIELD_PROMPT] = {"prompt", 6},
    [FIELD_REASONING_SOURCE] = {"reasoning_source", 16},
    [FIELD_REASONING_TOKENS] = {"reasoning_tokens", 16},
    [FIELD_RESPONSE] = {"response", 8},
    [FIELD_SOURCE_LINE] = {"source_line", 11},
    [FIELD_SPEEDUP] = {"speedup", 7},
    [FIELD_TRAJECTORY] = {"trajectory", 10},
    [FIELD_TURN] = {"turn", 4},
};

struct reading {
	const char *file;
	uint64_t line;
	struct turn turn;
	unsigned seen;     /* a bit a field */
	unsigned expected; /* the field that stands next in canonical order: looked at first */
};

static enum field find_field(const struct reading *reading, const struct json_event *event)
{
	for (unsigned i = 0; i < FIELD_COUNT; i++) {
		unsigned at = (reading->expected + i) % FIELD_COUNT;

		if (fields[at].len == event->key_len &&
		    memcmp(fields[at].name, event->key, event->key_len) == 0)
			return (enum field)at;
	}
	return FIELD_COUNT;
}

static enum status refuse_field(const struct reading *reading, enum field field, const char *wanted,
                                struct error *err)
{
	return error_line(err, R_LED_FIELD, reading->file, reading->line, "field '%s' is not %s",
	                  fields[field].name, wanted);
}

static bool copy_text(const struct json_event *event, char *out, size_t size)
{
	if (event->type != JSON_STRING || event->text_len >= size)
		return false;
	memcpy(out, event->text, event->text_len);
	out[event->text_len] = '\0';
	return true;
}

/* An integer written in plain digits, at most max. */
static bool take_integer(const struct json_event *event, int64_t max, int64_t *out)
{
	int64_t value = 0;

	if (event->type != JSON_NUMBER || event->text_len > 16)
		return false;
	for (size_t i = 0; i < event->text_len; i++) {
		if (event->text[i] < '0' || event->text[i] > '9')
			return false;
		value = value * 10 + (event->text[i] - '0');
	}
	*out = value;
	return value <= max;
}

static enum status take_object(const struct reading *reading, enum field field, const struct json_event *event,
                               char out[SHA256_HEX + 1], struct error *err)
{
	struct sha256 id;

	out[0] = '\0';
	if (event->type != JSON_NULL &&
	    (!copy_text(event, out, SHA256_HEX + 1) || strlen(out) != event->text_len || !sha256_parse(out, &id)))
		return refuse_field(reading, field, "null or a SHA-256 in 64 lowercase hex digits", err);
	return OK;
}

static enum status take_field(struct reading *reading, enum field field, const struct json_event *event,
                              struct error *err)
{
	struct turn *turn = &reading->turn;
	int64_t number = 0;

	switch (field) {
	case FIELD_ARCH_TAG:
		if (!copy_text(event, turn->arch_tag, sizeof turn->arch_tag) ||
		    !arch_tag_valid(turn->arch_tag, event->text_len))
			return refuse_field(reading, field, "a tag such as \"\", \"H\" or \"A, H, B\"", err);
		return OK;
	case FIELD_EVIDENCE:
		if (event->type != JSON_STRING ||
		    !evidence_parse(event->text, event->text_len, &turn->evidence))
			return refuse_field(reading, field, "a known grade of evidence", err);
		return OK;
	case FIELD_FEEDBACK:
		return take_object(reading, field, event, turn->feedback, err);
	case FIELD_PROMPT:
		return take_object(reading, field, event, turn->prompt, err);
	case FIELD_RESPONSE:
		return take_object(reading, field, event, turn->response, err);
	case FIELD_OUTCOME:
		if (event->type != JSON_STRING ||
		    !outcome_parse(event->text, event->text_len, &turn->outcome))
			return refuse_field(reading, field, "a known outcome", err);
		return OK;
	case FIELD_REASONING_SOURCE:
		if (!copy_text(event, turn->reasoning_source, sizeof turn->reasoning_source))
			return refuse_field(reading, field, "a text of at most 63 bytes", err);
		return OK;
	case FIELD_REASONING_TOKENS:
		turn->reasoning_tokens = -1;
		if (event->type != JSON_NULL &&
		    !take_integer(event, JSON_INTEGER_MAX, &turn->reasoning_tokens))
			return refuse_field(reading, field, "null or an integer from 0", err);
		return OK;
	case FIELD_SOURCE_LINE:
		if (event->type != JSON_NULL &&
		    (!take_integer(event, JSON_INTEGER_MAX, &number) || number == 0))
			return refuse_field(reading, field, "null or an integer from 1", err);
		turn->source_line = (uint64_t)number;
		return OK;
	case FIELD_SPEEDUP:
		if (!copy_text(event, turn->speedup_text, sizeof turn->speedup_text) ||
		    !decimal_parse(turn->speedup_text, event->text_len, &turn->speedup))
			return refuse_field(reading, field, "a string that holds a decimal from 0", err);
		return OK;
	case FIELD_TRAJECTORY:
		if (!take_integer(event, LEDGER_TRAJECTORIES_MAX, &number))
			return refuse_field(reading, field, "an integer within the limits", err);
		turn->trajectory = (uint32_t)number;
		return OK;
	case FIELD_TURN:
		if (!take_integer(event, LEDGER_TURNS_MAX, &number))
			return refuse_field(reading, field, "an integer within the limits", err);
		turn->turn = (uint32_t)number;
		return OK;
	case FIELD_COUNT:
		break;
	}
	return error_line(err, R_LED_FIELD, reading->file, reading->line, "field '%.*s' is unknown",
	                  (int)(event->key_len < 64 ? event->key_len : 64), event->key);
}

static enum status take_event(void *context, const struct json_event *event, struct error *err)
{
	struct reading *reading = context;

	if (event->depth == 0) {
		if (event->type != JSON_OBJECT)
			return error_line(err, R_LED_FIELD, reading->file, reading->line,
			                  "the record is not an object");
		return OK;
	}
	enum field field = find_field(reading, event);
	enum status status = take_field(reading, field, event, err);

	if (status != OK)
		return status;
	reading->seen |= 1u << field;
	reading->expected = field + 1u;
	return OK;
}

static enum status parse_turn(struct reading *reading, const char *text, size_t len, uint64_t offset,
                              struct error *err)
{
	reading->seen = 0;
	reading->expected = 0;
	reading->turn.source_line = 0;
	reading->turn.prompt[0] = reading->turn.response[0] = reading->turn.feedback[0] = '\0';
	enum status status = json_scan(text, len, reading->file, offset, take_event, reading, err);

	if (status != OK) {
		if (err != NULL && err->line == 0)
			err->line = reading->line;
		return status;
	}
	const unsigned without = (reading->seen & OBJECT_FIELDS) == 0 ? OBJECT_FIELDS : 0;

	for (unsigned i = 0; i < FIELD_COUNT; i++)
		if (((reading->seen | without) & 1u << i) == 0)
			return error_line(err, R_LED_FIELD, reading->file, reading->line,
			                  "field '%s' is missing", fields[i].name);
	return OK;
}

static enum status check_turn(const struct reading *reading, const struct run *run, const struct turn *last,
                              struct error *err)
{
	const struct turn *turn = &reading->turn;

	if (turn->trajectory >= run->planned_trajectories || turn->turn >= run->planned_turns)
		return error_line(err, R_LED_PLAN, reading->file, reading->line,
		                  "trajectory %" PRIu32 ", turn %" PRIu32 " lies beyond the %" PRIu64
		                  " trajectories of %" PRIu64 " turns that were planned",
		                  turn->trajectory, turn->turn, run->planned_trajectories,
		                  run->planned_turns);
	bool begins = last == NULL || turn->trajectory > last->trajectory;
	bool goes_on = last != NULL && turn->trajectory == last->trajectory;

	if (!(begins && turn->turn == 0) && !(goes_on && turn->turn == last->turn + 1))
		return error_line(err, R_LED_ORDER, reading->file, reading->line,
		                  "trajectory %" PRIu32 ", turn %" PRIu32
		                  " does not follow the record before it",
		                  turn->trajectory, turn->turn);
	/* A measured turn may be correct and not timed. */
	const bool untimed = turn->outcome == OUTCOME_MEASURED_CORRECT && turn->speedup == 0;

	if (!untimed && outcome_is_correct(turn->outcome) != (turn->speedup > 0))
		return error_line(err, R_LED_SPEEDUP, reading->file, reading->line,
		                  "outcome '%s' with speedup %s", outcome_name(turn->outcome),
		                  turn->speedup_text);
	if ((turn->reasoning_tokens < 0) != (turn->reasoning_source[0] == '\0'))
		return error_line(err, R_LED_FIELD, reading->file, reading->line,
		                  "only one of reasoning_tokens and reasoning_source is known");
	return OK;
}

enum status turns_read(const char *text, size_t len, const char *file, const struct run *run,
                       const struct ledger_visitor *visitor, struct error *err)
{
	struct reading reading = {.file = file};
	struct turn last;

	for (size_t at = 0; at < len;) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t length = end == NULL ? len - at : (size_t)(end - (text + at));

		reading.line++;
		if (end == NULL)
			return error_line(err, R_LED_LINE, file, reading.line,
			                  "the last line does not end in a newline");
		if (length > LEDGER_LINE_MAX)
			return error_line(err, R_LED_LINE, file, reading.line,
			                  "a record of %zu bytes; the limit is %d", length, LEDGER_LINE_MAX);
		enum status status = parse_turn(&reading, text + at, length, at, err);

		if (status == OK)
			status = check_turn(&reading, run, reading.line == 1 ? NULL : &last, err);
		if (status == OK)
			status = visitor->on_turn(visitor->context, run, &reading.turn, reading.line, err);
		if (status != OK)
			return status;
		last = reading.turn;
		at += length + 1;
	}
	return OK;
}

/* Reading run.json. */

static enum status take_text(const cJSON *tree, const char *key, const char *file, char **out,
                             struct error *err)
{
	const char *text;
	enum status status = json_text(tree, key, file, &text, err);

	if (status != OK)
		return status;
	if (strlen(text) > LEDGER_TEXT_MAX)
		return error_set(err, R_LED_RUN, file, "field '%s' is longer than %d bytes", key,
		                 LEDGER_TEXT_MAX);
	*out = mem_text(text);
	return OK;
}

static enum status take_number(const cJSON *tree, const char *key, int64_t max, const char *file,
                               uint64_t *out, struct error *err)
{
	int64_t number = 0;
	enum status status = json_integer(tree, key, 1, max, file, &number, err);

	*out = (uint64_t)number;
	return status;
}

static enum status check_word(const char *key, const char *text, const char *const *words, size_t count,
                              const char *file, struct error *err)
{
	if (find_word(text, strlen(text), words, count) < count)
		return OK;
	return error_set(err, R_LED_RUN, file, "field '%s' is '%s'", key, text);
}

enum status run_check_names(const struct run *run, const char *file, struct error *err)
{
	const struct {
		const char *field, *text;
	} names[] = {{"model", run->model}, {"task", run->task}, {"workload", run->workload}, {"workload_name", run->workload_name}, {"variant", run->variant}};
	enum status status = OK;

	for (size_t i = 0; i < sizeof names / sizeof *names && status == OK; i++)
		status = name_check(names[i].text, names[i].field, file, err);
	return status;
}

static enum status check_run(const struct run *run, const char *name, const char *file, struct error *err)
{
	static const char *const archs[] = {"hopper", "blackwell"};
	static const char *const checklists[] = {"patched", "nopatched", "unsaid"};
	static const char *const retrievals[] = {"none", "notes", "notes and kernel", "unsaid"};
	const char *const tag[] = {strcmp(run->arch, "hopper") == 0 ? "H" : "B"};
	enum status status;

	if (strcmp(run->run, name) != 0 || !ledger_name_valid(name, strlen(name)))
		return error_set(err, R_LED_NAME, file, "run '%s' in the directory '%s'", run->run, name);
	if (!ledger_name_valid(run->source, strlen(run->source)))
		return error_set(err, R_LED_NAME, file, "source '%s'", run->source);
	if ((status = check_word("arch", run->arch, archs, 2, file, err)) != OK ||
	    (status = check_word("checklist", run->checklist, checklists, 3, file, err)) != OK ||
	    (status = check_word("retrieval", run->retrieval, retrievals, 4, file, err)) != OK ||
	    (status = check_word("required_tag", run->required_tag, tag, 1, file, err)) != OK)
		return status;
	if (run->date[0] != '\0' && !date_valid(run->date, strlen(run->date)))
		return error_set(err, R_LED_RUN, file, "field 'date' is '%s', not a date YYYY-MM-DD",
		                 run->date);
	if (run->model[0] == '\0' || run->task[0] == '\0' || run->workload[0] == '\0' ||
	    run->workload_name[0] == '\0')
		return error_set(err, R_LED_RUN, file,
		                 "one of model, task, workload and workload_name is empty");
	return run_check_names(run, file, err);
}

bool ledger_can_plan(uint64_t trajectories, uint64_t turns)
{
	return trajectories <= LEDGER_TRAJECTORIES_MAX && turns <= LEDGER_TURNS_MAX && trajectories * turns <= LEDGER_PLANNED_MAX;
}

static enum status take_run(const cJSON *tree, const char *file, struct run *run, struct error *err)
{
	static const char *const names[] = {"arch",
	                                    "checklist",
	                                    "date",
	                                    "model",
	                                    "planned_trajectories",
	                                    "planned_turns",
	                                    "position",
	                                    "required_tag",
	                                    "retrieval",
	                                    "run",
	                                    "source",
	                                    "task",
	                                    "variant",
	                                    "workload",
	                                    "workload_name",
	                                    NULL};
	enum status status = OK;

	if (!cJSON_IsObject(tree))
		return error_set(err, R_LED_RUN, file, "the record is not an object");
	if ((status = json_only(tree, names, file, err)) != OK ||
	    (status = take_text(tree, "arch", file, &run->arch, err)) != OK ||
	    (status = take_text(tree, "checklist", file, &run->checklist, err)) != OK ||
	    (status = take_text(tree, "date", file, &run->date, err)) != OK ||
	    (status = take_text(tree, "model", file, &run->model, err)) != OK ||
	    (status = take_number(tree, "planned_trajectories", LEDGER_TRAJECTORIES_MAX, file,
	                          &run->planned_trajectories, err)) != OK ||
	    (status = take_number(tree, "planned_turns", LEDGER_TURNS_MAX, file, &run->planned_turns, err)) !=
	        OK ||
	    (status = take_number(tree, "position", JSON_INTEGER_MAX, file, &run->position, err)) != OK ||
	    (status = take_text(tree, "required_tag", file, &run->required_tag, err)) != OK ||
	    (status = take_text(tree, "retrieval", file, &run->retrieval, err)) != OK ||
	    (status = take_text(tree, "run", file, &run->run, err)) != OK ||
	    (status = take_text(tree, "source", file, &run->source, err)) != OK ||
	    (status = take_text(tree, "task", file, &run->task, err)) != OK ||
	    (status = take_text(tree, "variant", file, &run->variant, err)) != OK ||
	    (status = take_text(tree, "workload", file, &run->workload, err)) != OK)
		return status;
	if (!ledger_can_plan(run->planned_trajectories, run->planned_turns))
		return error_set(err, R_LED_RUN, file, "planned_trajectories: %" PRIu64 " of %" PRIu64 " turns; a run plans %d turns at the most", run->planned_trajectories, run->planned_turns,
		                 LEDGER_PLANNED_MAX);
	return take_text(tree, "workload_name", file, &run->workload_name, err);
}

enum status run_read(const struct root *root, const char *name, struct run *run, struct error *err)
{
	char *file = mem_format(LEDGER_DIRECTORY "/%s/run.json", name);
	struct bytes text = {0};
	cJSON *tree = NULL;

	*run = (struct run){0};
	enum status status = root_read(root, file, LEDGER_RUN_FILE_MAX, &text, err);

	if (status == OK)
		status = json_parse(text.data == NULL ? "" : text.data, text.len, file, &tree, err);
	if (status == OK)
		status = take_run(tree, file, run, err);
	if (status == OK)
		status = check_run(run, name, file, err);
	if (status != OK)
		run_free(run);
	cJSON_Delete(tree);
	bytes_free(&text);
	free(file);
	return status;
}

/* The ledger: every run.json first, for their order is not the directory's, then the turns. */

struct runs {
	struct run *at;
	size_t count;
};

static void runs_free(struct runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		run_free(&runs->at[i]);
	free(runs->at);
}

static int by_source_and_position(const void *left, const void *right)
{
	const struct run *a = left;
	const struct run *b = right;
	int order = strcmp(a->source, b->source);

	if (order != 0)
		return order;
	return a->position < b->position ? -1 : a->position > b->position;
}

/* Where artifact/runs holds anything but directories with run.json, turns.jsonl and perhaps what a run that asks a model has, the bundle is not one. */
static enum status check_entry(const struct file_entry *entry, struct error *err)
{
	const char *below = entry->path + strlen(LEDGER_DIRECTORY "/");
	const char *slash = strchr(below, '/');

	if (slash == NULL && entry->kind == FILE_DIRECTORY)
		return OK;
	if (slash != NULL && entry->kind == FILE_REGULAR &&
	    (strcmp(slash + 1, LAYOUT_RUN) == 0 || strcmp(slash + 1, LAYOUT_TURNS) == 0 || strcmp(slash + 1, LAYOUT_EXCHANGES) == 0 ||
	     strcmp(slash + 1, LAYOUT_EVALUATIONS) == 0 || strcmp(slash + 1, LAYOUT_QUERY) == 0 || strcmp(slash + 1, LAYOUT_TRAINING_SET) == 0))
		return OK;
	/* Not a stranger to be removed: it holds answers that stand nowhere else. */
	if (slash != NULL && layout_is_ahead(entry->path))
		return error_set(err, R_AHD_UNFINISHED, entry->path, AHEAD_UNFINISHED);
	return error_set(err, R_LED_FILES, entry->path, "no part of a run");
}

static enum status read_runs(const struct root *root, struct runs *runs, struct error *err)
{
	struct file_list list = {0};
	enum status status = root_list(root, LEDGER_DIRECTORY, &list, err);

	for (size_t i = 0; status == OK && i < list.count; i++) {
		status = check_entry(&list.at[i], err);
		if (status != OK || list.at[i].kind != FILE_DIRECTORY)
			continue;
		runs->at = mem_array(runs->at, runs->count + 1, sizeof *runs->at);
		status = run_read(root, list.at[i].path + strlen(LEDGER_DIRECTORY "/"),
		                  &runs->at[runs->count], err);
		if (status == OK)
			runs->count++;
	}
	file_list_free(&list);
	if (status != OK || runs->count == 0)
		return status;
	qsort(runs->at, runs->count, sizeof *runs->at, by_source_and_position);
	for (size_t i = 1; i < runs->count; i++)
		if (by_source_and_position(&runs->at[i - 1], &runs->at[i]) == 0)
			return error_set(err, R_LED_POSITION, LEDGER_DIRECTORY,
			                 "runs '%s' and '%s' of source '%s' both stand at %" PRIu64,
			                 runs->at[i - 1].run, runs->at[i].run, runs->at[i].source,
			                 runs->at[i].position);
	return OK;
}

static enum status read_turns(const struct root *root, const struct run *run,
                              const struct ledger_visitor *visitor, struct error *err)
{
	char *file = mem_format(LEDGER_DIRECTORY "/%s/turns.jsonl", run->run);
	struct bytes text = {0};
	enum status status = root_read(root, file, LEDGER_TURNS_FILE_MAX, &text, err);

	if (status == OK)
		status = turns_read(text.data, text.len, file, run, visitor, err);
	bytes_free(&text);
	free(file);
	return status;
}

enum status ledger_read(const struct root *root, const struct ledger_visitor *visitor, struct error *err)
{
	struct runs runs = {0};
	enum status status = read_runs(root, &runs, err);

	for (size_t i = 0; status == OK && i < runs.count; i++) {
		status = visitor->on_run(visitor->context, &runs.at[i], err);
		if (status == OK)
			status = read_turns(root, &runs.at[i], visitor, err);
	}
	runs_free(&runs);
	return status;
}

enum status ledger_next_position(const struct root *root, const char *source, uint64_t *position, struct error *err)
{
	struct file_list list = {0};
	enum status status = root_list(root, LEDGER_DIRECTORY, &list, err);

	*position = 1;
	for (size_t i = 0; status == OK && i < list.count; i++) {
		const char *file;
		size_t len;

		if (!layout_split(list.at[i].path, LAYOUT_RUNS, &len, &file) || strcmp(file, LAYOUT_RUN) != 0)
			continue;
		char *name = mem_textn(file - 1 - len, len);
		struct run run = {0};

		status = run_read(root, name, &run, err);
		if (status == OK && strcmp(run.source, source) == 0 && run.position >= *position)
			*position = run.position + 1;
		run_free(&run);
		free(name);
	}
	file_list_free(&list);
	return status;
}
