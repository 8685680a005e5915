/* Any bytes as JSON: no crash, offsets within the text, and what is taken comes out canonical and stays so.
 */
#include "fuzz.h"

#include "base/jcs.h"
#include "base/json.h"
#include "base/utf8.h"

static enum status look(void *context, const struct json_event *event, struct error *err)
{
	const size_t *size = context;

	(void)err;
	REQUIRE(event->depth <= JSON_DEPTH_MAX && event->offset < *size);
	REQUIRE((event->type == JSON_STRING || event->type == JSON_NUMBER) == (event->text != NULL));
	REQUIRE(utf8_check(event->key, event->key_len) == event->key_len);
	REQUIRE(utf8_check(event->text, event->text_len) == event->text_len);
	return OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct error err = {0};
	struct error again = {0};
	struct bytes out = {0};
	struct bytes second = {0};
	cJSON *tree;
	enum status status = json_scan(text, size, "doc.json", 0, look, &size, &err);

	REQUIRE(json_parse(text, size, "doc.json", &tree, &again) == status);
	if (status != OK) {
		REQUIRE(tree == NULL && status == MALFORMED && err.has_offset && err.offset <= size);
		REQUIRE(again.rule == err.rule && again.offset == err.offset);
		return 0;
	}
	REQUIRE(jcs_write(tree, &out, NULL) == OK);
	cJSON_Delete(tree);
	status = json_parse(out.data, out.len, "out.json", &tree, &err);
	if (status == OK) {
		REQUIRE(jcs_write(tree, &second, NULL) == OK);
		REQUIRE(out.len == second.len && memcmp(out.data, second.data, out.len) == 0);
	} else {
		/* 1e20 is taken, but canonical JSON writes it as an integer, which is refused beyond 2^53. */
		REQUIRE(err.rule == R_JSON_RANGE);
	}
	cJSON_Delete(tree);
	bytes_free(&out);
	bytes_free(&second);
	return 0;
}
