#include "talk.h"

#include <stdlib.h>

#include "evaluations.h"
#include "exchanges.h"
#include "layout.h"
#include "objects.h"

const char *const talk_files[] = {LAYOUT_EVALUATIONS, LAYOUT_EXCHANGES, LAYOUT_QUERY, NULL};

static char *path_of(const char *run, const char *file)
{
	return mem_format(LAYOUT_RUNS "%s/%s", run, file);
}

bool talk_has(const struct root *bundle, const char *run, const char *file)
{
	char *path = path_of(run, file);
	const bool has = root_has(bundle, path);

	free(path);
	return has;
}

bool talk_is(const struct root *bundle, const char *run)
{
	for (size_t i = 0; talk_files[i] != NULL; i++)
		if (talk_has(bundle, run, talk_files[i]))
			return true;
	return false;
}

struct visiting {
	const struct talk_visitor *visitor;
	const char *by;
};

static void visit(const struct visiting *visiting, const struct sha256 *id)
{
	char *path = object_path(id);

	visiting->visitor->object(visiting->visitor->context, path, visiting->by);
	free(path);
}

static enum status on_exchange(void *context, struct exchange *exchange, uint64_t line, struct error *err)
{
	(void)line, (void)err;
	visit(context, &exchange->request);
	if (exchange->has_response)
		visit(context, &exchange->response);
	return OK;
}

static enum status on_evaluation(void *context, struct evaluation *evaluation, uint64_t line, struct error *err)
{
	const struct visiting *visiting = context;

	(void)line, (void)err;
	for (size_t i = 0; i < evaluation->files; i++)
		visit(visiting, &evaluation->file[i].id);
	if (evaluation->candidate != NULL)
		visiting->visitor->candidate(visiting->visitor->context, evaluation->candidate, visiting->by);
	return OK;
}

enum status talk_names(const struct root *bundle, const char *run, const struct talk_visitor *visitor, struct error *err)
{
	char *exchanges = path_of(run, LAYOUT_EXCHANGES), *evaluations = path_of(run, LAYOUT_EVALUATIONS);
	struct visiting visiting = {visitor, exchanges};
	struct bytes text = {0};
	enum status status = OK;

	if (root_has(bundle, exchanges)) {
		status = root_read(bundle, exchanges, EXCHANGES_FILE_MAX, &text, err);
		if (status == OK)
			status = exchanges_parse(text.data != NULL ? text.data : "", text.len, exchanges, on_exchange, &visiting, err);
		bytes_free(&text);
	}
	visiting.by = evaluations;
	if (status == OK && root_has(bundle, evaluations)) {
		status = root_read(bundle, evaluations, EVALUATIONS_FILE_MAX, &text, err);
		if (status == OK)
			status = evaluations_parse(text.data != NULL ? text.data : "", text.len, evaluations, on_evaluation, &visiting, err);
		bytes_free(&text);
	}
	free(evaluations);
	free(exchanges);
	return status;
}
