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

static enum status settle(const struct root *bundle, const char *path, settle_report *report, void *context, struct error *err)
{
	struct keeper *keeper = NULL;
	struct keeper_left left;
	const char *name;
	size_t len;

	layout_split(path, LAYOUT_RUNS, &len, &name);
	char *run = mem_textn(path + strlen(LAYOUT_RUNS), len);
	const enum status status = keeper_open(bundle, run, files_of(bundle, run, name), &keeper, &left, err);

	if (status == OK)
		report(context, path, &left);
	keeper_close(keeper);
	free(run);
	return status;
}

enum status settle_all(const struct root *bundle, settle_report *report, void *context, struct error *err)
{
	struct file_list list = {0};
	enum status status = root_list(bundle, LAYOUT_RUNS_DIRECTORY, &list, err);

	for (size_t i = 0; i < list.count && status == OK; i++)
		if (list.at[i].kind == FILE_REGULAR && layout_is_ahead(list.at[i].path))
			status = settle(bundle, list.at[i].path, report, context, err);
	file_list_free(&list);
	return status;
}
