#include "trajectory.h"

#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "../base/jcs.h"
#include "../base/json.h"
#include "label.h"

struct reading {
	const char *file;
	struct trajectory *trajectory;
	size_t number;      /* of the message that is looked at, from 0 */
	bool asked;         /* a question was put to the model */
	struct bytes since; /* the messages since the last answer */
	size_t since_count;
	/* Of the observation messages since the last answer: the text, and the extra of the one that was measured, else of the first. */
	struct bytes text;
	const cJSON *extra;
};

static enum status refuse(const struct reading *reading, const char *what, struct error *err)
{
	return error_set(err, R_TRJ_MESSAGE, reading->file, "message %zu: %s", reading->number + 1, what);
}

/* The member at the end of a path, "usage.output_tokens_details": NULL if anything on the way is missing or no object. */
static const cJSON *member(const cJSON *object, const char *path)
{
	while (object != NULL && *path != '\0') {
		size_t len = strcspn(path, ".");
		char *key = mem_textn(path, len);

		object = cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
		free(key);
		path += len;
		path += *path == '.';
	}
	return object;
}

static const char *text_of(const cJSON *item)
{
	return cJSON_IsString(item) && item->valuestring[0] != '\0' ? item->valuestring : NULL;
}

static int64_t count_of(const cJSON *item)
{
	bool whole = cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= (double)JSON_INTEGER_MAX &&
	             item->valuedouble == (double)(int64_t)item->valuedouble;

	return whole ? (int64_t)item->valuedouble : -1;
}

/* Append the text of a content: a text, null, or a list of parts of which those of type text have one. False if it is none of these. */
static bool add_content(const cJSON *content, struct bytes *out)
{
	if (content == NULL || cJSON_IsNull(content))
		return true;
	if (cJSON_IsString(content)) {
		bytes_text(out, content->valuestring);
		return true;
	}
	if (!cJSON_IsArray(content))
		return false;
	for (const cJSON *part = content->child; part != NULL; part = part->next) {
		const char *text = text_of(member(part, "text"));

		if (!cJSON_IsObject(part))
			return false;
		if (text != NULL)
			bytes_text(out, text);
	}
	return true;
}

static enum status add_message(struct reading *reading, const char *role, const cJSON *content, struct error *err)
{
	cJSON *message = cJSON_CreateObject();

	cJSON_AddItemToObject(message, "content", content == NULL ? cJSON_CreateNull() : cJSON_Duplicate(content, true));
	cJSON_AddStringToObject(message, "role", role);
	bytes_char(&reading->since, reading->since_count++ == 0 ? '[' : ',');
	enum status status = jcs_write(message, &reading->since, err);

	cJSON_Delete(message);
	return status;
}

/* The messages since the last answer, as a list; none of them remain. */
static struct bytes take_since(struct reading *reading)
{
	struct bytes list = reading->since;

	if (reading->since_count > 0)
		bytes_char(&list, ']');
	reading->since = (struct bytes){0};
	reading->since_count = 0;
	return list;
}

/* Facts of the run. */

/* Keep the first; a later one has to be the same. */
static enum status agree(const struct reading *reading, const char *what, char **kept, const char *text, struct error *err)
{
	if (text == NULL)
		return OK;
	if (*kept == NULL)
		*kept = mem_text(text);
	return strcmp(*kept, text) == 0 ? OK
	                                : error_set(err, R_TRJ_RUN, reading->file, "message %zu: %s '%s', and '%s' before", reading->number + 1,
	                                            what, text, *kept);
}

static enum status take_facts(const struct reading *reading, const cJSON *trace, struct error *err)
{
	struct trajectory *trajectory = reading->trajectory;
	enum status status = agree(reading, "task", &trajectory->task, text_of(member(trace, "definition")), err);

	if (status == OK)
		status = agree(reading, "workload", &trajectory->workload, text_of(member(trace, "workload.uuid")), err);
	if (status == OK)
		status = agree(reading, "hardware", &trajectory->hardware, text_of(member(trace, "evaluation.environment.hardware")), err);
	if (status == OK && trajectory->timestamp == NULL && text_of(member(trace, "evaluation.timestamp")) != NULL)
		trajectory->timestamp = mem_text(text_of(member(trace, "evaluation.timestamp")));
	return status;
}

/* Outcomes. */

static void label(struct trajectory_turn *turn, const char *text, enum outcome outcome)
{
	free(turn->label);
	turn->label = mem_text(text);
	turn->outcome = outcome;
}

/* By what was measured: correct if every trace passed, else the first status that is none; the greatest speedup. */
static enum status judge_traces(const struct reading *reading, const cJSON *traces, struct trajectory_turn *turn, struct error *err)
{
	enum status status = OK;

	for (const cJSON *trace = traces->child; trace != NULL && status == OK; trace = trace->next) {
		const char *said = text_of(member(trace, "evaluation.status"));
		const cJSON *speedup = member(trace, "evaluation.performance.speedup_factor");

		if (!cJSON_IsObject(trace) || said == NULL)
			return refuse(reading, "a trace without an evaluation's status stands in extra.traces", err);
		enum outcome outcome = label_of_status(said);

		if (turn->label == NULL || (turn->outcome == OUTCOME_CORRECT && outcome != OUTCOME_CORRECT))
			label(turn, said, outcome);
		if (cJSON_IsNumber(speedup) && speedup->valuedouble > turn->speedup)
			turn->speedup = speedup->valuedouble;
		status = take_facts(reading, trace, err);
	}
	return status;
}

/* By what the loop says happened before anything was measured. False: it says nothing of that kind. */
static bool judge_event(const cJSON *extra, struct trajectory_turn *turn)
{
	static const struct {
		const char *event;
		enum outcome outcome;
	} events[] = {{"no_code", OUTCOME_EXTRACTION},
	              {"cublas_banned", OUTCOME_OTHER},
	              {"cudnn_banned", OUTCOME_OTHER},
	              {"triton_validation_failed", OUTCOME_OTHER},
	              {"write_failed", OUTCOME_MEASURED_INFRASTRUCTURE}};
	const char *event = text_of(member(extra, "event"));

	for (size_t i = 0; event != NULL && i < sizeof events / sizeof events[0]; i++) {
		if (strcmp(events[i].event, event) != 0)
			continue;
		label(turn, event, events[i].outcome);
		return true;
	}
	return false;
}

static enum status judge(const struct reading *reading, struct trajectory_turn *turn, struct error *err)
{
	const cJSON *traces = member(reading->extra, "traces");
	const cJSON *least = member(reading->extra, "min_speedup");
	enum status status = OK;

	if (cJSON_IsArray(traces) && traces->child != NULL) {
		status = judge_traces(reading, traces, turn, err);
		if (turn->speedup <= 0 && cJSON_IsNumber(least) && least->valuedouble > 0)
			turn->speedup = least->valuedouble;
	} else if (!judge_event(reading->extra, turn)) {
		label(turn, "text", label_of_feedback(reading->text.data == NULL ? "" : reading->text.data, &turn->speedup));
	}
	return status;
}

/* Turns. */

static struct trajectory_turn *last_turn(const struct reading *reading)
{
	return reading->trajectory->count == 0 ? NULL : &reading->trajectory->turns[reading->trajectory->count - 1];
}

/* The next answer or the end has come: what was said since belongs to the last answer. */
static enum status end_turn(struct reading *reading, struct error *err)
{
	struct trajectory_turn *turn = last_turn(reading);
	enum status status = OK;

	if (turn == NULL)
		return OK;
	if (reading->since_count == 0) {
		label(turn, "", OUTCOME_MEASURED_UNKNOWN);
		return OK;
	}
	status = judge(reading, turn, err);
	turn->feedback = take_since(reading);
	reading->text.len = 0;
	if (reading->text.data != NULL)
		reading->text.data[0] = '\0';
	reading->extra = NULL;
	return status;
}

static void read_usage(const cJSON *usage, struct trajectory_turn *turn)
{
	/* The first that is there, as PTXBench reads them. */
	static const char *const reasoning[] = {"completion_tokens_details.reasoning_tokens", "completion_tokens_details.thinking_tokens",
	                                        "output_tokens_details.reasoning_tokens",     "output_tokens_details.thinking_tokens",
	                                        "reasoning_tokens",                           "thinking_tokens"};
	static const char *const prompt[] = {"prompt_tokens", "input_tokens"}, *const completion[] = {"completion_tokens", "output_tokens"};

	for (size_t i = 0; i < sizeof reasoning / sizeof reasoning[0] && turn->reasoning_tokens < 0; i++) {
		turn->reasoning_tokens = count_of(member(usage, reasoning[i]));
		turn->reasoning_source = turn->reasoning_tokens < 0 ? "" : reasoning[i];
	}
	for (size_t i = 0; i < 2; i++) {
		if (turn->prompt_tokens < 0)
			turn->prompt_tokens = count_of(member(usage, prompt[i]));
		if (turn->completion_tokens < 0)
			turn->completion_tokens = count_of(member(usage, completion[i]));
	}
}

static enum status add_turn(struct reading *reading, char *response, const cJSON *usage, struct error *err)
{
	struct trajectory *trajectory = reading->trajectory;
	enum status status = end_turn(reading, err);
	struct trajectory_turn turn = {.response = response,
	                               .outcome = OUTCOME_MEASURED_UNKNOWN,
	                               .reasoning_tokens = -1,
	                               .reasoning_source = "",
	                               .prompt_tokens = -1,
	                               .completion_tokens = -1};
	const struct trajectory_turn *before = last_turn(reading);

	if (status == OK && trajectory->count == TRAJECTORY_TURNS_MAX)
		status = error_set(err, R_SRC_SIZE, reading->file, "there are more than %d answers", TRAJECTORY_TURNS_MAX);
	if (status != OK) {
		free(response);
		return status;
	}
	/* What the model was told of its last answer is what it was asked now. */
	if (before == NULL)
		turn.prompt = take_since(reading);
	else
		bytes_add(&turn.prompt, before->feedback.data, before->feedback.len);
	read_usage(usage, &turn);
	trajectory->turns = mem_array(trajectory->turns, trajectory->count + 1, sizeof *trajectory->turns);
	trajectory->turns[trajectory->count++] = turn;
	return OK;
}

static enum status take_answer(struct reading *reading, const cJSON *message, struct error *err)
{
	struct bytes text = {0};

	if (!reading->asked)
		return refuse(reading, "the assistant answers before anything was asked", err);
	if (!add_content(cJSON_GetObjectItemCaseSensitive(message, "content"), &text)) {
		bytes_free(&text);
		return refuse(reading, "its content is neither text nor a list of parts", err);
	}
	bytes_reserve(&text, 1);
	text.data[text.len] = '\0';
	return add_turn(reading, text.data, member(message, "extra.response.usage"), err);
}

/* mini-swe-agent keeps an answer that it could not take apart within the message that says so. */
static enum status take_format_error(struct reading *reading, const cJSON *extra, struct error *err)
{
	const char *response = text_of(member(extra, "model_response"));

	return add_turn(reading, response != NULL ? mem_text(response) : NULL, member(extra, "response.usage"), err);
}

static enum status take_observation(struct reading *reading, const char *role, const cJSON *message, struct error *err)
{
	const cJSON *content = cJSON_GetObjectItemCaseSensitive(message, "content");
	const cJSON *extra = cJSON_GetObjectItemCaseSensitive(message, "extra");
	const char *interrupt = text_of(member(extra, "interrupt_type"));
	enum status status = OK;

	if (reading->asked && interrupt != NULL && strcmp(interrupt, "FormatError") == 0)
		status = take_format_error(reading, extra, err);
	if (reading->text.len > 0)
		bytes_char(&reading->text, '\n');
	if (status == OK && !add_content(content, &reading->text))
		status = refuse(reading, "its content is neither text nor a list of parts", err);
	if (status == OK)
		status = add_message(reading, role, content, err);
	if (cJSON_IsObject(extra) && (reading->extra == NULL || member(extra, "traces") != NULL))
		reading->extra = extra;
	reading->asked = reading->asked || strcmp(role, "user") == 0;
	return status;
}

static enum status take_message(struct reading *reading, const cJSON *message, struct error *err)
{
	const char *role = cJSON_IsObject(message) ? text_of(cJSON_GetObjectItemCaseSensitive(message, "role")) : NULL;

	if (role == NULL)
		return refuse(reading, "it is no object with a role", err);
	if (strcmp(role, "assistant") == 0)
		return take_answer(reading, message, err);
	if (strcmp(role, "exit") == 0)
		return OK; /* the agent's own word of how it ended, which the model never saw */
	if (strcmp(role, "user") == 0 || strcmp(role, "tool") == 0 || (strcmp(role, "system") == 0 && last_turn(reading) == NULL))
		return take_observation(reading, role, message, err);
	return refuse(reading, "its role is unknown, or system after an answer", err);
}

static enum status take_messages(struct reading *reading, const cJSON *messages, struct error *err)
{
	enum status status = OK;

	for (const cJSON *message = messages->child; message != NULL && status == OK; message = message->next) {
		/* The question is over with the first answer: its text tells of no outcome. */
		if (last_turn(reading) == NULL) {
			bytes_free(&reading->text);
			reading->extra = NULL;
		}
		status = take_message(reading, message, err);
		reading->number++;
	}
	return status == OK ? end_turn(reading, err) : status;
}

static enum status take_info(struct reading *reading, const cJSON *tree, struct error *err)
{
	struct trajectory *trajectory = reading->trajectory;
	const cJSON *info = NULL;
	enum status status = json_child(tree, "info", JSON_OBJECT, reading->file, &info, err);

	if (status != OK)
		return status;
	const char *model = text_of(member(info, "config.model.model_name"));
	int64_t limit = count_of(member(info, "config.agent.step_limit"));

	trajectory->model = model != NULL ? mem_text(model) : NULL;
	trajectory->step_limit = limit > 0 && limit <= LEDGER_TURNS_MAX ? (uint64_t)limit : 0;
	return OK;
}

static enum status take_all(struct reading *reading, const cJSON *tree, struct error *err)
{
	static const char *const formats[] = {"mini-swe-agent-1", "mini-swe-agent-1.1"};
	const char *format = NULL;
	const cJSON *messages = NULL;
	bool known = false;

	if (!cJSON_IsObject(tree))
		return error_set(err, R_TRJ_FORMAT, reading->file, "it is not an object");
	enum status status = json_text(tree, "trajectory_format", reading->file, &format, err);

	for (size_t i = 0; status == OK && i < 2; i++)
		known = known || strcmp(format, formats[i]) == 0;
	if (status == OK && !known)
		status = error_set(err, R_TRJ_FORMAT, reading->file, "its trajectory_format is '%s'", format);
	if (status == OK)
		status = take_info(reading, tree, err);
	if (status == OK)
		status = json_child(tree, "messages", JSON_ARRAY, reading->file, &messages, err);
	return status == OK ? take_messages(reading, messages, err) : status;
}

enum status trajectory_parse(const char *text, size_t len, const char *file, struct trajectory *trajectory, struct error *err)
{
	struct reading reading = {.file = file, .trajectory = trajectory};
	cJSON *tree = NULL;

	*trajectory = (struct trajectory){0};
	enum status status = json_parse(text, len, file, &tree, err);

	if (status == OK)
		status = take_all(&reading, tree, err);
	if (status != OK)
		trajectory_free(trajectory);
	bytes_free(&reading.since);
	bytes_free(&reading.text);
	cJSON_Delete(tree);
	return status;
}

void trajectory_free(struct trajectory *trajectory)
{
	for (size_t i = 0; i < trajectory->count; i++) {
		struct trajectory_turn *turn = &trajectory->turns[i];

		bytes_free(&turn->prompt);
		bytes_free(&turn->feedback);
		free(turn->response);
		free(turn->label);
	}
	free(trajectory->turns);
	free(trajectory->model);
	free(trajectory->task);
	free(trajectory->workload);
	free(trajectory->hardware);
	free(trajectory->timestamp);
	*trajectory = (struct trajectory){0};
}
