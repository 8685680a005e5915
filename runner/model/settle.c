#include "settle.h"

#include <stdlib.h>
#include <string.h>

#include "../bundle/layout.h"

/* Which files a session of that kind writes: only `query`, which has a plan, writes evaluations behind its exchanges. */
static unsigned files_of(const struct root *bundle, const char *run, const char *name)
{
	char *plan = mem_format(LAYOUT_RUNS "%s/" LAYOUT_QUERY, run);
	const bool asks = root_has(bundle, plan);

	free(plan);
	if (strcmp(name, LAYOUT_EVALUATIONS_AHEAD) == 0)
		return KEEPER_EVALUATIONS;
	return asks ? KEEPER_EXCHANGES | KEEPER_EVALUATIONS : KEEPER_EXCHANGES;
}

static enum status settle(const struct root *bundle, const char *path, struct keeper_left *left, struct error *err)
{
	struct keeper *keeper = NULL;
	const char *name;
	size_t len;

	layout_split(path, LAYOUT_RUNS, &len, &name);
	char *run = mem_textn(path + strlen(LAYOUT_RUNS), len);
	const enum status status = keeper_open(bundle, run, files_of(bundle, run, name), &keeper, left, err);

	keeper_close(keeper);
	free(run);
	return status;
}

enum status settle_all(const struct root *bundle, settle_report *report, void *context, struct error *err)
{
	struct file_list list = {0};
	enum status worst = root_list(bundle, LAYOUT_RUNS_DIRECTORY, &list, err);

	for (size_t i = 0; i < list.count; i++) {
		const struct file_entry *file = &list.at[i];
		struct keeper_left left;
		struct error why = {0};

		if (!layout_is_ahead(file->path))
			continue;
		const enum status status =
			file->kind == FILE_REGULAR ? settle(bundle, file->path, &left, &why) : error_set(&why, R_AHD_DAMAGED, file->path, "it is no regular file");

		report(context, file->path, status == OK ? &left : NULL, &why);
		if (worst == OK)
			worst = status;
	}
	file_list_free(&list);
	return worst;
}
