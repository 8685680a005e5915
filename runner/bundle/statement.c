#include "statement.h"

#include <stdlib.h>
#include <string.h>

#include "../base/date.h"
#include "../base/jcs.h"
#include "../base/json.h"

#define STATEMENT_TYPE "https://in-toto.io/Statement/v1"

void statement_free(struct statement *statement)
{
	for (size_t i = 0; i < statement->count; i++)
		free(statement->subjects[i].name);
	free(statement->subjects);
	free(statement->predicate_type);
	cJSON_Delete(statement->predicate);
	*statement = (struct statement){0};
}

void statement_add(struct statement *statement, const char *name, const struct sha256 *hash)
{
	if (statement->count == statement->room) {
		statement->room = statement->room == 0 ? 16 : statement->room * 2;
		statement->subjects = mem_array(statement->subjects, statement->room, sizeof *statement->subjects);
	}
	statement->subjects[statement->count++] = (struct subject){.name = mem_text(name), .hash = *hash};
}

/* By hand, in key order: a tree of a hundred thousand subjects would be the largest thing in memory. */
enum status statement_write(const struct statement *statement, struct bytes *out, struct error *err)
{
	bytes_text(out, "{\"_type\":\"" STATEMENT_TYPE "\",\"predicate\":");
	enum status status = jcs_write(statement->predicate, out, err);

	if (status != OK)
		return status;
	bytes_text(out, ",\"predicateType\":");
	jcs_string(statement->predicate_type, strlen(statement->predicate_type), out);
	bytes_text(out, ",\"subject\":[");
	for (size_t i = 0; i < statement->count; i++) {
		const struct subject *subject = &statement->subjects[i];
		char hex[SHA256_HEX + 1];

		sha256_hex(&subject->hash, hex);
		bytes_format(out, "%s{\"digest\":{\"sha256\":\"%s\"},\"name\":", i == 0 ? "" : ",", hex);
		jcs_string(subject->name, strlen(subject->name), out);
		bytes_char(out, '}');
	}
	bytes_text(out, "]}");
	return OK;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct subject *)a)->name, ((const struct subject *)b)->name);
}

static enum status read_subject(const cJSON *item, const char *file, struct statement *statement, struct error *err)
{
	static const char *const fields[] = {"digest", "name", NULL};
	static const char *const digests[] = {"sha256", NULL};
	const char *name = NULL, *hex = NULL;
	const cJSON *digest = NULL;
	struct sha256 hash;
	enum status status;

	if (!cJSON_IsObject(item))
		return error_set(err, R_STM_FORM, file, "a subject is not an object");
	if ((status = json_only(item, fields, file, err)) != OK ||
	    (status = json_text(item, "name", file, &name, err)) != OK ||
	    (status = json_child(item, "digest", JSON_OBJECT, file, &digest, err)) != OK ||
	    (status = json_only(digest, digests, file, err)) != OK ||
	    (status = json_text(digest, "sha256", file, &hex, err)) != OK)
		return status;
	if (!path_valid(name, strlen(name)))
		return error_set(err, R_PATH_FORM, file, "the subject '%s' is not a path beneath the bundle", name);
	if (!sha256_parse(hex, &hash))
		return error_set(err, R_STM_FORM, file, "the sha256 of '%s' is not 64 lowercase hex digits", name);
	statement_add(statement, name, &hash);
	return OK;
}

static enum status read_statement(cJSON *tree, const char *file, struct statement *statement, struct error *err)
{
	static const char *const fields[] = {"_type", "predicate", "predicateType", "subject", NULL};
	const char *type = NULL, *predicate_type = NULL;
	const cJSON *predicate = NULL, *subjects = NULL, *item = NULL;
	enum status status;

	if (!cJSON_IsObject(tree))
		return error_set(err, R_STM_FORM, file, "the statement is not a JSON object");
	if ((status = json_only(tree, fields, file, err)) != OK ||
	    (status = json_text(tree, "_type", file, &type, err)) != OK ||
	    (status = json_text(tree, "predicateType", file, &predicate_type, err)) != OK ||
	    (status = json_child(tree, "predicate", JSON_OBJECT, file, &predicate, err)) != OK ||
	    (status = json_child(tree, "subject", JSON_ARRAY, file, &subjects, err)) != OK)
		return status;
	if (strcmp(type, STATEMENT_TYPE) != 0)
		return error_set(err, R_STM_FORM, file, "_type is '%s'", type);
	cJSON_ArrayForEach(item, subjects)
	{
		if ((status = read_subject(item, file, statement, err)) != OK)
			return status;
	}
	if (statement->count == 0)
		return error_set(err, R_STM_FORM, file, "the statement has no subject");
	qsort(statement->subjects, statement->count, sizeof *statement->subjects, by_name);
	for (size_t i = 1; i < statement->count; i++)
		if (strcmp(statement->subjects[i - 1].name, statement->subjects[i].name) == 0)
			return error_set(err, R_STM_DUPLICATE, file, "'%s' is named twice", statement->subjects[i].name);
	statement->predicate_type = mem_text(predicate_type);
	statement->predicate = cJSON_DetachItemFromObjectCaseSensitive(tree, "predicate");
	return OK;
}

enum status statement_parse(const char *text, size_t len, const char *file, struct statement *statement,
                            struct error *err)
{
	cJSON *tree;
	enum status status = json_parse(text, len, file, &tree, err);

	*statement = (struct statement){0};
	if (status == OK)
		status = read_statement(tree, file, statement, err);
	cJSON_Delete(tree);
	if (status != OK)
		statement_free(statement);
	return status;
}

const struct subject *statement_find(const struct statement *statement, const char *name)
{
	struct subject key = {.name = (char *)name};

	if (statement->count == 0)
		return NULL;
	return bsearch(&key, statement->subjects, statement->count, sizeof *statement->subjects, by_name);
}

const char *statement_date(const struct statement *statement)
{
	const char *date = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(statement->predicate, "date"));

	return date != NULL && date_valid(date, strlen(date)) ? date : NULL;
}
