#include "request.h"

#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../base/json.h"
#include "../bundle/exchanges.h"

/* What a request holds beside sampling parameters. */
static const char *const ours[] = {"model", "messages", "input", "stream", "stream_options"};

static bool is_ours(const char *key)
{
	for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
		if (strcmp(key, ours[i]) == 0)
			return true;
	return false;
}

static const char *messages_name(enum api api)
{
	return api == API_CHAT ? "messages" : "input";
}

void request_free(struct request *request)
{
	free(request->body);
	free(request->model);
	free(request->parameters);
	bytes_free(&request->messages);
	*request = (struct request){0};
}

static int64_t completion_most(const cJSON *parameters)
{
	static const char *const names[] = {"max_tokens", "max_completion_tokens", "max_output_tokens"};
	int64_t most = -1;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const cJSON *item = cJSON_GetObjectItemCaseSensitive(parameters, names[i]);

		if (cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble <= 1e9 && (int64_t)item->valuedouble > most)
			most = (int64_t)item->valuedouble;
	}
	return most;
}

/* Model, parameters, prompt hash and completion_most; everything but the body. */
static enum status take_facts(const char *model, const struct bytes *messages, const cJSON *parameters, struct request *request, struct error *err)
{
	struct bytes text = {0};
	enum status status = jcs_write(parameters, &text, err);

	request->prompt = sha256_of(messages->data, messages->len);
	if (status == OK && text.len > EXCHANGE_PARAMETERS_MAX)
		status = error_set(err, R_REQ_PARAMETERS, "", "they have %zu bytes; the limit is %d", text.len, EXCHANGE_PARAMETERS_MAX);
	request->parameters = text.data;
	request->completion_most = completion_most(parameters);
	request->model = mem_text(model);
	return status;
}

static enum status check_parameters(const cJSON *parameters, struct error *err)
{
	if (!cJSON_IsObject(parameters))
		return error_set(err, R_REQ_PARAMETERS, "", "they are no object");
	for (const cJSON *item = parameters->child; item != NULL; item = item->next)
		if (is_ours(item->string) || (strcmp(item->string, "n") == 0 && !(cJSON_IsNumber(item) && item->valuedouble == 1)))
			return error_set(err, R_REQ_PARAMETERS, "", "'%s' stands among them", item->string);
	return OK;
}

enum status request_make(enum api api, const char *model, const cJSON *messages, const cJSON *parameters, bool stream, struct request *request, struct error *err)
{
	struct bytes body = {0}, text = {0};

	*request = (struct request){0};
	if (model[0] == '\0' || strlen(model) > EXCHANGE_TEXT_MAX)
		return error_set(err, R_REQ_PARAMETERS, "", "the model's name has %zu bytes; 1 to %d are allowed", strlen(model), EXCHANGE_TEXT_MAX);
	enum status status = check_parameters(parameters, err);

	if (status == OK)
		status = jcs_write(messages, &text, err);
	if (status == OK)
		status = take_facts(model, &text, parameters, request, err);
	if (status == OK) {
		cJSON *object = cJSON_Duplicate(parameters, true);

		cJSON_AddRawToObject(object, messages_name(api), text.data);
		cJSON_AddStringToObject(object, "model", model);
		cJSON_AddBoolToObject(object, "stream", stream);
		if (stream && api == API_CHAT)
			cJSON_AddTrueToObject(cJSON_AddObjectToObject(object, "stream_options"), "include_usage");
		status = jcs_write(object, &body, err);
		cJSON_Delete(object);
	}
	request->body = body.data;
	request->len = body.len;
	request->messages = text;
	if (status != OK)
		request_free(request);
	return status;
}

enum status request_read(enum api api, const char *body, size_t len, struct request *request, struct error *err)
{
	cJSON *object;
	enum status status = json_parse(body, len, "request", &object, err);

	*request = (struct request){0};
	const cJSON *model = cJSON_GetObjectItemCaseSensitive(object, "model"), *messages = cJSON_GetObjectItemCaseSensitive(object, messages_name(api));

	if (status == OK && (!cJSON_IsObject(object) || !cJSON_IsString(model) || model->valuestring[0] == '\0' || strlen(model->valuestring) > EXCHANGE_TEXT_MAX || messages == NULL))
		status = error_set(err, R_REQ_BODY, "request", "it has no model, or no %s", messages_name(api));
	if (status == OK) {
		cJSON *parameters = cJSON_Duplicate(object, true);
		struct bytes text = {0};

		for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
			cJSON_DeleteItemFromObjectCaseSensitive(parameters, ours[i]);
		status = jcs_write(messages, &text, err);
		if (status == OK)
			status = take_facts(model->valuestring, &text, parameters, request, err);
		bytes_free(&text);
		cJSON_Delete(parameters);
	}
	if (status == OK) {
		request->body = mem_textn(body, len);
		request->len = len;
	} else {
		request_free(request);
	}
	cJSON_Delete(object);
	return status;
}
