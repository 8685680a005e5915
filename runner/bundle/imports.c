#include "imports.h"

#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "layout.h"

void imports_free(struct imports *imports)
{
	for (size_t i = 0; i < imports->count; i++) {
		free(imports->at[i].source);
		free(imports->at[i].manifest);
		free(imports->at[i].files);
	}
	free(imports->at);
	*imports = (struct imports){0};
}

static int compare_n(const char *name, const char *text, size_t len)
{
	int order = strncmp(name, text, len); /* text ends in '/', which no name has */

	return order != 0 ? order : name[len] != '\0';
}

static struct import *find(const struct imports *imports, const char *source, size_t len)
{
	size_t low = 0, high = imports->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = compare_n(imports->at[middle].source, source, len);

		if (order == 0)
			return &imports->at[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const struct import *imports_find(const struct imports *imports, const char *source)
{
	return find(imports, source, strlen(source));
}

static void add_file(struct import *import, const struct inventory *inventory, const struct inventory_file *file)
{
	if (import->count == import->room) {
		import->room = import->room == 0 ? 64 : import->room * 2;
		import->files = mem_array(import->files, import->room, sizeof *import->files);
	}
	import->files[import->count++] = (size_t)(file - inventory->at);
}

static struct import *add_source(struct imports *imports, const struct inventory_file *file, const char *source,
                                 size_t len, struct findings *findings)
{
	char *name = mem_textn(source, len);

	/* Its manifest would be the root manifest. */
	if (!layout_name_valid(name) || strcmp(name, "root") == 0)
		findings_add(findings, R_BND_NAME, file->path, "'%s' cannot name a source", name);
	imports->at = mem_array(imports->at, imports->count + 1, sizeof *imports->at);
	imports->at[imports->count++] = (struct import){
		.source = name,
		.manifest = mem_format(LAYOUT_MANIFESTS "%s" LAYOUT_MANIFEST_END, name),
	};
	return &imports->at[imports->count - 1];
}

static int by_source(const void *a, const void *b)
{
	return strcmp(((const struct import *)a)->source, ((const struct import *)b)->source);
}

static void collect_sources(const struct inventory *inventory, struct imports *imports, struct findings *findings)
{
	struct import *last = NULL;

	for (size_t i = 0; i < inventory->count; i++) {
		const struct inventory_file *file = &inventory->at[i];
		const char *rest;
		size_t len;

		if (!layout_split(file->path, LAYOUT_SOURCES, &len, &rest))
			continue;
		const char *source = file->path + strlen(LAYOUT_SOURCES);

		/* In path order, so a source's files come one after the other. */
		if (last == NULL || compare_n(last->source, source, len) != 0)
			last = add_source(imports, file, source, len, findings);
		add_file(last, inventory, file);
	}
	/* Path order is not quite name order: "a-b/" sorts before "a/". */
	if (imports->count > 1)
		qsort(imports->at, imports->count, sizeof *imports->at, by_source);
}

/* Is there no telling whether the source is there? */
static bool hidden(const struct inventory *inventory, const char *source)
{
	char *dir = mem_format(LAYOUT_SOURCES "%s/", source);
	bool hides = inventory_hides(inventory, dir);

	free(dir);
	return hides;
}

/* The source that the run names, or NULL (told). */
static struct import *source_of_run(const struct root *root, const struct inventory *inventory,
                                    const struct inventory_file *file, const struct imports *imports,
                                    struct findings *findings)
{
	struct bytes text = {0};
	cJSON *tree = NULL;
	const char *source = NULL;
	struct import *import = NULL;
	struct error err;

	if (inventory_read(root, file, RUN_FILE_MAX, &text, &err) != OK ||
	    json_parse(text.data, text.len, file->path, &tree, &err) != OK ||
	    json_text(tree, "source", file->path, &source, &err) != OK)
		findings_error(findings, NULL, &err);
	else if ((import = find(imports, source, strlen(source))) == NULL && !hidden(inventory, source))
		findings_add(findings, R_BND_UNSIGNED, file->path, "its source '%s' is not in " LAYOUT_SOURCES, source);
	cJSON_Delete(tree);
	bytes_free(&text);
	return import;
}

static void collect_run(const struct root *root, const struct inventory *inventory, const struct inventory_file *run,
                        const struct imports *imports, struct findings *findings)
{
	struct import *import = run->hashed ? source_of_run(root, inventory, run, imports, findings) : NULL;

	if (import == NULL)
		return;
	char *path = mem_textn(run->path, strlen(run->path) - strlen(LAYOUT_RUN));
	char *turns_path = mem_format("%s" LAYOUT_TURNS, path);
	const struct inventory_file *turns = inventory_find(inventory, turns_path);

	import->runs++;
	add_file(import, inventory, run);
	if (turns != NULL)
		add_file(import, inventory, turns);
	free(turns_path);
	free(path);
}

/* Turn records that no run.json gives a source. */
static void check_orphan(const struct inventory *inventory, const struct inventory_file *turns,
                         struct findings *findings)
{
	char *dir = mem_textn(turns->path, strlen(turns->path) - strlen(LAYOUT_TURNS));
	char *run = mem_format("%s" LAYOUT_RUN, dir);

	if (!inventory_has(inventory, run) && !inventory_hides(inventory, run))
		findings_add(findings, R_BND_UNSIGNED, turns->path, "no " LAYOUT_RUN " beside it says where it comes from");
	free(run);
	free(dir);
}

static int by_index(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void imports_collect(const struct root *root, struct inventory *inventory, struct imports *imports,
                     struct findings *findings)
{
	*imports = (struct imports){0};
	collect_sources(inventory, imports, findings);
	for (size_t i = 0; i < inventory->count; i++) {
		const struct inventory_file *file = &inventory->at[i];
		struct import *import;
		const char *rest;
		size_t len;

		if (layout_split(file->path, LAYOUT_EXPECTED, &len, &rest)) {
			import = find(imports, file->path + strlen(LAYOUT_EXPECTED), len);
			if (import != NULL)
				add_file(import, inventory, file);
		} else if (layout_split(file->path, LAYOUT_RUNS, &len, &rest)) {
			if (strcmp(rest, LAYOUT_RUN) == 0)
				collect_run(root, inventory, file, imports, findings);
			else if (strcmp(rest, LAYOUT_TURNS) == 0)
				check_orphan(inventory, file, findings);
		}
	}
	for (size_t i = 0; i < imports->count; i++)
		qsort(imports->at[i].files, imports->at[i].count, sizeof *imports->at[i].files, by_index);
}

enum status import_predicate(const struct root *root, const struct inventory *inventory, const struct import *import,
                             const char *program, cJSON **predicate, struct error *err)
{
	char *path = mem_format(LAYOUT_SOURCES "%s/" LAYOUT_PROVENANCE, import->source);
	const struct inventory_file *file = inventory_find(inventory, path);
	struct bytes text = {0};
	cJSON *provenance = NULL;
	enum status status = file != NULL ? inventory_read(root, file, PROVENANCE_MAX, &text, err)
	                                  : error_set(err, R_BND_UNSIGNED, path, "the source has no such file");

	*predicate = NULL;
	if (status == OK)
		status = json_parse(text.data, text.len, path, &provenance, err);
	if (status == OK) {
		*predicate = cJSON_CreateObject();
		cJSON_AddStringToObject(*predicate, "program", program);
		cJSON_AddItemToObject(*predicate, "provenance", provenance);
		cJSON_AddStringToObject(*predicate, "source", import->source);
	}
	bytes_free(&text);
	free(path);
	return status;
}
