/*
 * Any bytes as two runs of which repairs are exported: run.json and turns.jsonl of each, a task's facts.json, and objects. A line is one pair, of JSON, with texts of the bundle; counts add up; the set is made again the same.
 */
#include "parts.h"

#include "base/json.h"
#include "model/repairs.h"

static const char *const paths[] = {"artifact/runs/a/run.json", "artifact/runs/a/turns.jsonl", "artifact/runs/b/run.json", "artifact/runs/b/turns.jsonl", "tasks/t/facts.json", NULL};

static const char *text_of(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	REQUIRE(cJSON_IsString(item));
	return item->valuestring;
}

static void check_line(const struct root *bundle, const char *line, size_t len)
{
	static const char *const named[] = {"failed_sha256", "feedback_sha256", "fixed_sha256"};
	struct bytes texts[3] = {{0}}, asked = {0};
	cJSON *tree = NULL;

	REQUIRE(json_parse(line, len, "line", &tree, NULL) == OK);
	for (size_t i = 0; i < 3; i++) {
		struct sha256 id;

		REQUIRE(sha256_parse(text_of(tree, named[i]), &id) && object_get(bundle, &id, &texts[i], NULL) == OK);
	}
	const cJSON *messages = cJSON_GetObjectItemCaseSensitive(tree, "messages");

	for (size_t i = 0; i < 3; i++)
		REQUIRE(texts[i].len == 0 || strlen(texts[i].data) == texts[i].len);
	bytes_format(&asked, "%s\n\n%s", texts[0].data != NULL ? texts[0].data : "", texts[1].data != NULL ? texts[1].data : "");
	REQUIRE(cJSON_GetArraySize(messages) == 2 && strcmp(text_of(messages->child, "content"), asked.data) == 0);
	REQUIRE(strcmp(text_of(messages->child->next, "content"), texts[2].data != NULL ? texts[2].data : "") == 0);
	cJSON_Delete(tree);
	bytes_free(&asked);
	for (size_t i = 0; i < 3; i++)
		bytes_free(&texts[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const none[] = {NULL}, *const held[] = {"t", NULL};
	static struct parts parts;
	struct repairs repairs, again;
	uint64_t lines = 0;

	parts_open(&parts, paths, data, size);
	const enum status status = repairs_make(&parts.root, none, &repairs, NULL);

	for (size_t at = 0; status == OK && at < repairs.lines.len; lines++) {
		const char *end = memchr(repairs.lines.data + at, '\n', repairs.lines.len - at);

		REQUIRE(end != NULL);
		check_line(&parts.root, repairs.lines.data + at, (size_t)(end - (repairs.lines.data + at)));
		at = (size_t)(end - repairs.lines.data) + 1;
	}
	REQUIRE(status != OK || (lines == repairs.pairs && lines > 0 && repairs.held_out == 0));
	REQUIRE(repairs_make(&parts.root, none, &again, NULL) == status && again.lines.len == repairs.lines.len && again.manifest.len == repairs.manifest.len);
	REQUIRE(repairs.lines.len == 0 || memcmp(again.lines.data, repairs.lines.data, repairs.lines.len) == 0);
	repairs_free(&again);
	/* What is held out gives none. */
	if (status == OK && repairs_make(&parts.root, held, &again, NULL) == OK) {
		REQUIRE(again.pairs + again.held_out + again.without_texts + again.twice <= repairs.pairs + repairs.without_texts + repairs.twice);
		REQUIRE(again.lines.len == 0 || strstr(again.lines.data, "\"task\":\"t\"") == NULL);
	}
	if (status == OK)
		repairs_free(&again);
	repairs_free(&repairs);
	parts_close(&parts);
	return 0;
}
