#include "leaf.h"

#include <stdlib.h>
#include <string.h>

#include "../base/date.h"
#include "../base/jcs.h"
#include "../base/json.h"

void leaf_free(struct leaf *leaf)
{
	free(leaf->admitted);
	free(leaf->id);
	free(leaf->source);
	*leaf = (struct leaf){0};
}

void leaf_write(const struct leaf *leaf, struct bytes *out)
{
	cJSON *tree = cJSON_CreateObject();

	cJSON_AddStringToObject(tree, "admitted", leaf->admitted);
	cJSON_AddStringToObject(tree, "checksums_sha256", leaf->sums);
	cJSON_AddStringToObject(tree, "id", leaf->id);
	cJSON_AddStringToObject(tree, "key", leaf->key);
	cJSON_AddStringToObject(tree, "source", leaf->source);
	/* Texts that have been read as UTF-8: there is nothing that could not be written. */
	jcs_write(tree, out, NULL);
	cJSON_Delete(tree);
}

static enum status take_hash(const cJSON *tree, const char *key, const char *file, char hex[SHA256_HEX + 1], struct error *err)
{
	struct sha256 hash;
	const char *text = NULL;
	enum status status = json_text(tree, key, file, &text, err);

	if (status == OK && !sha256_parse(text, &hash))
		status = error_set(err, R_ADM_LEAF, file, "%s is no SHA-256", key);
	if (status == OK)
		memcpy(hex, text, SHA256_HEX + 1);
	return status;
}

static enum status take_text(const cJSON *tree, const char *key, const char *file, char **out, struct error *err)
{
	const char *text = NULL;
	const enum status status = json_text(tree, key, file, &text, err);

	if (status == OK)
		*out = mem_text(text);
	return status;
}

static enum status check_form(const struct leaf *leaf, const char *text, size_t len, const char *file, struct error *err)
{
	struct bytes again = {0};
	enum status status = OK;

	leaf_write(leaf, &again);
	if (!date_valid(leaf->admitted, strlen(leaf->admitted)))
		status = error_set(err, R_ADM_LEAF, file, "admitted is no day of the calendar");
	else if (again.len != len || memcmp(again.data, text, len) != 0)
		status = error_set(err, R_ADM_LEAF, file, "it is no canonical JSON of admitted, checksums_sha256, id, key and source");
	bytes_free(&again);
	return status;
}

enum status leaf_parse(const char *text, size_t len, const char *file, struct leaf *leaf, struct error *err)
{
	cJSON *tree = NULL;
	enum status status = json_parse(text, len, file, &tree, err);

	*leaf = (struct leaf){0};
	if (status == OK)
		status = take_text(tree, "admitted", file, &leaf->admitted, err);
	if (status == OK)
		status = take_hash(tree, "checksums_sha256", file, leaf->sums, err);
	if (status == OK)
		status = take_text(tree, "id", file, &leaf->id, err);
	if (status == OK)
		status = take_hash(tree, "key", file, leaf->key, err);
	if (status == OK)
		status = take_text(tree, "source", file, &leaf->source, err);
	if (status == OK)
		status = check_form(leaf, text, len, file, err);
	cJSON_Delete(tree);
	if (status != OK)
		leaf_free(leaf);
	return status;
}
