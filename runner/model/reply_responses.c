/* The Responses API: one object, plain, or at the end of a stream of events. */
#include <string.h>

#include "reply_take.h"

static void take_item(struct taking *taking, const cJSON *item)
{
	const char *type = take_text(item, "type");
	const cJSON *content = cJSON_GetObjectItemCaseSensitive(item, "content");

	if (type == NULL) {
		take_failure(taking, REPLY_MALFORMED, "an item of the output has no type");
	} else if (strcmp(type, "reasoning") == 0) {
		/* The text itself where it is shown, its summary elsewhere. */
		if (!cJSON_IsArray(content) || content->child == NULL)
			content = cJSON_GetObjectItemCaseSensitive(item, "summary");
		take_content(taking, content, "reasoning", &taking->reply->reasoning);
	} else if (strcmp(type, "message") == 0) {
		const cJSON *part = cJSON_IsArray(content) ? content->child : NULL;

		for (; part != NULL; part = part->next) {
			if (take_text(part, "refusal") != NULL)
				bytes_text(&taking->refusal, take_text(part, "refusal"));
			else if (take_text(part, "text") != NULL)
				bytes_text(&taking->said, take_text(part, "text"));
		}
	} else if (strlen(type) > 5 && strcmp(type + strlen(type) - 5, "_call") == 0) {
		taking->reply->tool_calls = true;
	}
}

void take_response(struct taking *taking, const cJSON *object)
{
	const char *status = take_text(object, "status");
	const cJSON *output = cJSON_GetObjectItemCaseSensitive(object, "output"), *error = cJSON_GetObjectItemCaseSensitive(object, "error");
	const char *reason = take_text(cJSON_GetObjectItemCaseSensitive(object, "incomplete_details"), "reason");

	take_common(taking, object);
	if (error != NULL && !cJSON_IsNull(error))
		take_error(taking, error);
	if (!cJSON_IsArray(output))
		take_failure(taking, REPLY_MALFORMED, "output is no array");
	for (const cJSON *item = cJSON_IsArray(output) ? output->child : NULL; item != NULL; item = item->next)
		take_item(taking, item);
	/* What Chat Completions calls the finish reason: the status, or why it is incomplete. */
	if (status == NULL)
		take_failure(taking, REPLY_MALFORMED, "it has no status");
	else if (strcmp(status, "completed") == 0 || strcmp(status, "incomplete") == 0)
		take_first(&taking->reply->finish_reason, reason != NULL ? reason : status);
	else
		take_failure(taking, REPLY_HTTP_ERROR, "its status is '%.100s'", status);
	if (status != NULL && strcmp(status, "incomplete") == 0 && reason == NULL)
		take_failure(taking, REPLY_TRUNCATED, "it is incomplete and does not say why");
}

/* Deltas repeat what the last event says as a whole: that one alone is read. */
void take_response_event(struct taking *taking, const cJSON *object)
{
	const char *type = take_text(object, "type");
	const cJSON *response = cJSON_GetObjectItemCaseSensitive(object, "response");

	if (strcmp(type, "error") == 0)
		take_error(taking, object);
	else if (strcmp(type, "response.completed") == 0 || strcmp(type, "response.incomplete") == 0 || strcmp(type, "response.failed") == 0)
		take_response(taking, response);
}
