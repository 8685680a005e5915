#include "catalogue.h"

#include <stdlib.h>
#include <string.h>

#define TABLES "artifact/tables"
#define CLAIMS "artifact/claims"

void catalogue_free(struct catalogue *catalogue)
{
	for (size_t i = 0; i < catalogue->table_count; i++)
		table_free(&catalogue->tables[i]);
	for (size_t i = 0; i < catalogue->claim_count; i++)
		claim_free(&catalogue->claims[i]);
	free(catalogue->tables);
	free(catalogue->claims);
	*catalogue = (struct catalogue){0};
}

const struct table *catalogue_table(const struct catalogue *catalogue, const char *name)
{
	for (size_t i = 0; i < catalogue->table_count; i++)
		if (strcmp(catalogue->tables[i].name, name) == 0)
			return &catalogue->tables[i];
	return NULL;
}

typedef enum status parse_file(struct catalogue *catalogue, const struct bytes *text, const char *name, const char *file,
                               struct error *err);

static enum status add_table(struct catalogue *catalogue, const struct bytes *text, const char *name, const char *file,
                             struct error *err)
{
	catalogue->tables = mem_array(catalogue->tables, catalogue->table_count + 1, sizeof *catalogue->tables);
	return table_parse(text->data == NULL ? "" : text->data, text->len, name, file, &catalogue->tables[catalogue->table_count++],
	                   err);
}

static enum status add_claim(struct catalogue *catalogue, const struct bytes *text, const char *name, const char *file,
                             struct error *err)
{
	catalogue->claims = mem_array(catalogue->claims, catalogue->claim_count + 1, sizeof *catalogue->claims);
	return claim_parse(text->data == NULL ? "" : text->data, text->len, name, file, &catalogue->claims[catalogue->claim_count++],
	                   err);
}

/* Every file right in dir, in the order of their names. */
static enum status read_directory(const struct root *bundle, const char *dir, parse_file *parse, struct catalogue *catalogue,
                                  struct error *err)
{
	struct file_list list = {0};
	enum status status = root_list(bundle, dir, &list, err);

	for (size_t i = 0; i < list.count && status == OK; i++) {
		const char *name = list.at[i].path + strlen(dir) + 1;
		size_t len = strlen(name);
		struct bytes text = {0};

		if (list.at[i].kind != FILE_REGULAR || len <= 4 || strcmp(name + len - 4, ".sql") != 0) {
			status = error_set(err, R_TAB_NAME, list.at[i].path, "this is no <name>.sql");
			break;
		}
		char *stem = mem_textn(name, len - 4);

		status = root_read(bundle, list.at[i].path, SQLFILE_BYTES_MAX, &text, err);
		if (status == OK)
			status = parse(catalogue, &text, stem, list.at[i].path, err);
		bytes_free(&text);
		free(stem);
	}
	file_list_free(&list);
	return status;
}

static int by_id(const void *left, const void *right)
{
	return strverscmp(((const struct claim *)left)->id, ((const struct claim *)right)->id);
}

enum status catalogue_read(const struct root *bundle, struct catalogue *catalogue, struct error *err)
{
	*catalogue = (struct catalogue){0};
	enum status status = read_directory(bundle, TABLES, add_table, catalogue, err);

	if (status == OK)
		status = read_directory(bundle, CLAIMS, add_claim, catalogue, err);
	if (status != OK || catalogue->claim_count == 0)
		return status;
	qsort(catalogue->claims, catalogue->claim_count, sizeof *catalogue->claims, by_id);
	for (size_t i = 1; i < catalogue->claim_count; i++)
		if (by_id(&catalogue->claims[i - 1], &catalogue->claims[i]) == 0)
			return error_set(err, R_TAB_DUPLICATE, catalogue->claims[i].table.file, "claim '%s' stands in %s too",
			                 catalogue->claims[i].id, catalogue->claims[i - 1].table.file);
	return OK;
}
