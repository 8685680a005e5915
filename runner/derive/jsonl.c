#include "jsonl.h"

#include <string.h>

#include "../base/json.h"

static enum status read_line(const char *text, size_t len, const char *file, uint64_t line, jsonl_visit *visit, void *context,
                             struct error *err)
{
	cJSON *tree = NULL;
	enum status status = json_parse(text, len, file, &tree, err);

	if (status == OK && !cJSON_IsObject(tree))
		status = error_set(err, R_JSON_FIELD, file, "the line is not an object");
	if (status == OK)
		status = visit(context, tree, file, line, err);
	cJSON_Delete(tree);
	if (status != OK && err != NULL && err->line == 0)
		err->line = line;
	return status;
}

enum status jsonl_read(const struct root *root, const char *file, jsonl_visit *visit, void *context, struct error *err)
{
	struct bytes text = {0};
	enum status status = root_read(root, file, JSONL_FILE_MAX, &text, err);
	uint64_t line = 1;

	for (size_t at = 0; status == OK && at < text.len; line++) {
		const char *end = memchr(text.data + at, '\n', text.len - at);

		if (end == NULL) {
			status = error_line(err, R_JSON_SYNTAX, file, line, "the last line is not ended");
			break;
		}
		size_t len = (size_t)(end - (text.data + at));

		status = read_line(text.data + at, len, file, line, visit, context, err);
		at += len + 1;
	}
	bytes_free(&text);
	return status;
}
