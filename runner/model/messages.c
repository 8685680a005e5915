#include "messages.h"

#include <string.h>

/* What stands where an answer would: a conversation alternates. */
#define NO_ANSWER "(no answer)"

static void add(cJSON *messages, const char *role, const char *text)
{
	cJSON *message = cJSON_CreateObject();

	cJSON_AddStringToObject(message, "content", text);
	cJSON_AddStringToObject(message, "role", role);
	cJSON_AddItemToArray(messages, message);
}

static const char *answer_of(const struct said *said)
{
	return said->answer[0] != '\0' ? said->answer : NO_ANSWER;
}

static enum status add_pair(cJSON *messages, const struct template *template, const struct prompt_values *values, const struct said *said, struct error *err)
{
	struct prompt_values with = *values;
	struct bytes text = {0};

	prompt_values_add(&with, "feedback", said->feedback);
	const enum status status = prompt_render(template, PROMPT_FEEDBACK, &with, &text, err);

	add(messages, "assistant", answer_of(said));
	add(messages, "user", text.data != NULL ? text.data : "");
	bytes_free(&text);
	return status;
}

static enum status add_single(cJSON *messages, const struct template *template, const struct prompt_values *values, char *task, const struct said *said, struct error *err)
{
	struct prompt_values with = *values;
	struct bytes text = {0};

	prompt_values_add(&with, "task_text", task);
	prompt_values_add(&with, "answer", said->kernel != NULL ? said->kernel : said->answer[0] != '\0' ? said->answer : (char[]){NO_ANSWER});
	prompt_values_add(&with, "feedback", said->feedback);
	const enum status status = prompt_render(template, PROMPT_SINGLE, &with, &text, err);

	add(messages, "user", text.data != NULL ? text.data : "");
	bytes_free(&text);
	return status;
}

enum status messages_make(const struct query_plan *plan, const struct template *template, const struct prompt_values *values, const struct said *said, size_t count, cJSON **messages,
                          struct error *err)
{
	struct bytes task = {0};
	enum status status = prompt_render(template, PROMPT_TASK, values, &task, err);

	*messages = cJSON_CreateArray();
	if (status == OK && plan->policy == POLICY_SINGLE && count > 0) {
		status = add_single(*messages, template, values, task.data, &said[count - 1], err);
	} else if (status == OK) {
		add(*messages, "user", task.data != NULL ? task.data : "");
		for (size_t i = plan->policy == POLICY_FULL || count == 0 ? 0 : count - 1; i < count && status == OK; i++)
			status = add_pair(*messages, template, values, &said[i], err);
	}
	bytes_free(&task);
	return status;
}
