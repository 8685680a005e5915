#include "figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../base/json.h"

/* A number as the figure shows it, or null; refused if it has more decimals than the figure. */
static enum status add_cell(cJSON *cells, const char *column, const cJSON *number, int decimals,
                            const char *file, const char *row, struct error *err)
{
	char text[64];

	if (cJSON_IsNull(number)) {
		cJSON_AddNullToObject(cells, column);
		return OK;
	}
	if (!cJSON_IsNumber(number) || number->valuedouble < 0 || number->valuedouble > 1e6)
		return error_set(err, R_IMP_FIGURES, file, "the cell '%s' of '%s' is not a number from 0",
		                 column, row);
	snprintf(text, sizeof text, "%.*f", decimals, number->valuedouble);
	/* Equality is meant: the nearest double of the shorter text is this one, or there were more decimals. */
	if (strtod(text, NULL) - number->valuedouble != 0)
		return error_set(err, R_IMP_FIGURES, file, "the cell '%s' of '%s' has more than %d decimals",
		                 column, row, decimals);
	cJSON_AddStringToObject(cells, column, text);
	return OK;
}

static enum status add_record(cJSON *cells, const char *row, struct bytes *out, struct error *err)
{
	cJSON *record = cJSON_CreateObject();

	cJSON_AddItemToObject(record, "cells", cells);
	cJSON_AddStringToObject(record, "row", row);
	enum status status = jcs_write(record, out, err);

	bytes_char(out, '\n');
	cJSON_Delete(record);
	return status;
}

static enum status check_row(const cJSON *row, int count, const char *file, struct error *err)
{
	if (cJSON_IsArray(row) && cJSON_GetArraySize(row) == count)
		return OK;
	return error_set(err, R_IMP_FIGURES, file, "'%s' is not a list of %d numbers", row->string, count);
}

static enum status add_figure1_row(const char *arch, const cJSON *any, const cJSON *target,
                                   const cJSON *models, const char *file, struct bytes *out,
                                   struct error *err)
{
	int count = cJSON_GetArraySize(models);
	enum status status = check_row(any, count, file, err);

	if (status == OK)
		status = check_row(target, count, file, err);
	for (int i = 0; status == OK && i < count; i++) {
		cJSON *cells = cJSON_CreateObject();
		char *row =
		    mem_format("%s/%s/%s", arch, any->string, cJSON_GetArrayItem(models, i)->valuestring);

		status = add_cell(cells, "any", cJSON_GetArrayItem(any, i), 3, file, row, err);
		if (status == OK)
			status = add_cell(cells, "target", cJSON_GetArrayItem(target, i), 3, file, row, err);
		if (status == OK)
			status = add_record(cells, row, out, err);
		else
			cJSON_Delete(cells);
		free(row);
	}
	return status;
}

static enum status add_figure1_arch(const cJSON *arch, const cJSON *models, const char *file,
                                    struct bytes *out, struct error *err)
{
	static const char *const names[] = {"any", "target", NULL};
	const cJSON *any;
	const cJSON *target;
	const cJSON *row;
	enum status status = cJSON_IsObject(arch)
	                         ? json_only(arch, names, file, err)
	                         : error_set(err, R_IMP_FIGURES, file, "'%s' is not an object", arch->string);

	if (status != OK || (status = json_child(arch, "any", JSON_OBJECT, file, &any, err)) != OK ||
	    (status = json_child(arch, "target", JSON_OBJECT, file, &target, err)) != OK)
		return status;
	if (cJSON_GetArraySize(any) != cJSON_GetArraySize(target))
		return error_set(err, R_IMP_FIGURES, file,
		                 "'any' and 'target' of '%s' have not the same tasks", arch->string);
	cJSON_ArrayForEach(row, any)
	{
		const cJSON *other = cJSON_GetObjectItemCaseSensitive(target, row->string);

		if (other == NULL)
			return error_set(err, R_IMP_FIGURES, file, "'target' of '%s' lacks '%s'",
			                 arch->string, row->string);
		status = add_figure1_row(arch->string, row, other, models, file, out, err);
		if (status != OK)
			return status;
	}
	return OK;
}

static enum status read_figure1(const cJSON *figure, const char *file, struct bytes *out, struct error *err)
{
	const cJSON *models;
	const cJSON *item;
	const char *meaning;
	enum status status = json_child(figure, "models", JSON_ARRAY, file, &models, err);

	if (status != OK || (status = json_text(figure, "null_means", file, &meaning, err)) != OK)
		return status;
	cJSON_ArrayForEach(item, models)
	{
		if (!cJSON_IsString(item))
			return error_set(err, R_IMP_FIGURES, file,
			                 "'models' holds something else than names");
	}
	cJSON_ArrayForEach(item, figure)
	{
		if (strcmp(item->string, "models") == 0 || strcmp(item->string, "null_means") == 0)
			continue;
		status = add_figure1_arch(item, models, file, out, err);
		if (status != OK)
			return status;
	}
	return OK;
}

static bool is_text(const cJSON *item, const char *text)
{
	return cJSON_IsString(item) && strcmp(item->valuestring, text) == 0;
}

static enum status read_figure2(const cJSON *figure, const char *file, struct bytes *out, struct error *err)
{
	const cJSON *columns;
	const cJSON *item;
	enum status status = json_child(figure, "columns", JSON_ARRAY, file, &columns, err);

	if (status != OK)
		return status;
	if (cJSON_GetArraySize(columns) != 2 ||
	    !is_text(cJSON_GetArrayItem(columns, 0), "percent_of_turns_correct") ||
	    !is_text(cJSON_GetArrayItem(columns, 1), "best_speedup"))
		return error_set(err, R_IMP_FIGURES, file,
		                 "'columns' are not percent_of_turns_correct, best_speedup");
	cJSON_ArrayForEach(item, figure)
	{
		if (item == columns)
			continue;
		if ((status = check_row(item, 2, file, err)) != OK)
			return status;
		cJSON *cells = cJSON_CreateObject();

		status = add_cell(cells, "percent_correct", cJSON_GetArrayItem(item, 0), 1, file,
		                  item->string, err);
		if (status == OK)
			status = add_cell(cells, "best_speedup", cJSON_GetArrayItem(item, 1), 2, file,
			                  item->string, err);
		if (status != OK) {
			cJSON_Delete(cells);
			return status;
		}
		if ((status = add_record(cells, item->string, out, err)) != OK)
			return status;
	}
	return OK;
}

static enum status read_figures(const cJSON *tree, const char *file, struct figures *figures,
                                struct error *err)
{
	static const char *const names[] = {"source", "figure1_best_speedup", "figure2_sft_s1_hopper", NULL};
	const cJSON *figure;
	const char *source;
	enum status status;

	if (!cJSON_IsObject(tree))
		return error_set(err, R_IMP_FIGURES, file, "the document is not an object");
	if ((status = json_only(tree, names, file, err)) != OK ||
	    (status = json_text(tree, "source", file, &source, err)) != OK)
		return status;
	figures->source = mem_text(source);
	if ((status = json_child(tree, "figure1_best_speedup", JSON_OBJECT, file, &figure, err)) != OK ||
	    (status = read_figure1(figure, file, &figures->figure1, err)) != OK ||
	    (status = json_child(tree, "figure2_sft_s1_hopper", JSON_OBJECT, file, &figure, err)) != OK)
		return status;
	return read_figure2(figure, file, &figures->figure2, err);
}

enum status figures_parse(const char *text, size_t len, const char *file, struct figures *figures,
                          struct error *err)
{
	cJSON *tree = NULL;

	*figures = (struct figures){0};
	enum status status = json_parse(text, len, file, &tree, err);

	if (status == OK)
		status = read_figures(tree, file, figures, err);
	if (status != OK)
		figures_free(figures);
	cJSON_Delete(tree);
	return status;
}

void figures_free(struct figures *figures)
{
	free(figures->source);
	bytes_free(&figures->figure1);
	bytes_free(&figures->figure2);
	*figures = (struct figures){0};
}
