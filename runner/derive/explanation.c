#include "explanation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../bundle/layout.h"
#include "ask.h"

void explanation_free(struct explanation *explanation)
{
	derived_free(&explanation->derived);
	lineage_free(&explanation->lineage);
	check_free(&explanation->check);
	checksums_free(&explanation->sums);
	free(explanation->published);
	*explanation = (struct explanation){0};
}

static enum status read_sums(const struct root *bundle, struct explanation *explanation, struct error *err)
{
	struct file_list list = {0};
	struct bytes text = {0};
	enum status status = root_list(bundle, "checksums", &list, err);

	for (size_t i = 0; i < list.count; i++)
		explanation->is_sealed = explanation->is_sealed || strcmp(list.at[i].path, LAYOUT_SUMS) == 0;
	file_list_free(&list);
	if (status != OK || !explanation->is_sealed)
		return status;
	status = root_read(bundle, LAYOUT_SUMS, CHECKSUMS_FILE_MAX, &text, err);
	/* A broken line is verify's to report; here the others still answer. */
	if (status == OK)
		checksums_parse(text.data == NULL ? "" : text.data, text.len, LAYOUT_SUMS, &explanation->sums, NULL, NULL);
	bytes_free(&text);
	return status;
}

enum status explain_cell(struct derivation *derivation, const char *table, const char *row, const char *column,
                         struct explanation *explanation, struct error *err)
{
	const struct catalogue *catalogue = &derivation->catalogue;

	*explanation = (struct explanation){0};
	enum status status = ask_table(catalogue, table, &explanation->table, err);

	if (status == OK)
		status = ask_column(explanation->table, column, &explanation->column, err);
	if (status == OK)
		status = derived_make(derivation->db, explanation->table, &explanation->derived, err);
	if (status == OK)
		status = ask_row(&explanation->derived, row, &explanation->row, err);
	if (status == OK)
		status = lineage_make(derivation->db, &explanation->derived, explanation->row, explanation->column, &explanation->lineage, err);
	if (status == OK)
		status = published_find(derivation->db, table, row, column, &explanation->is_published, &explanation->published, err);
	if (status == OK)
		status = check_make(derivation->db, &derivation->bundle, catalogue, &explanation->derived, 1, &explanation->check, err);
	if (status == OK)
		explanation->difference = check_find(&explanation->check, table, row, column);
	return status == OK ? read_sums(&derivation->bundle, explanation, err) : status;
}

char *source_turn_file(const struct root *bundle, const char *source)
{
	char *file = mem_format(LAYOUT_SOURCES "%s/" LAYOUT_PROVENANCE, source);
	struct bytes text = {0};
	cJSON *tree = NULL;
	const char *found = NULL;
	char *name = NULL;

	if (root_read(bundle, file, JSON_SIZE_MAX, &text, NULL) == OK && json_parse(text.data, text.len, file, &tree, NULL) == OK) {
		const cJSON *turns = cJSON_GetObjectItemCaseSensitive(tree, "turns");
		const cJSON *listed = cJSON_GetObjectItemCaseSensitive(tree, "files");
		const cJSON *entry;
		int matches = 0;

		cJSON_ArrayForEach(entry, listed) {
			const cJSON *rows = cJSON_GetObjectItemCaseSensitive(entry, "rows");
			const cJSON *called = cJSON_GetObjectItemCaseSensitive(entry, "file");

			if (cJSON_IsNumber(rows) && cJSON_IsNumber(turns) && cJSON_IsString(called) &&
			    rows->valueint == turns->valueint) {
				found = called->valuestring;
				matches++;
			}
		}
		name = matches == 1 ? mem_text(found) : NULL;
	}
	cJSON_Delete(tree);
	bytes_free(&text);
	free(file);
	return name;
}
