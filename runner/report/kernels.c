#include "kernels.h"

#include <stdlib.h>
#include <string.h>

#include "../bundle/layout.h"
#include "../bundle/replays.h"
#include "../derive/parallel.h"
#include "kernel_page.h"

/* ---- runs ---- */

static enum status take_turn(void *context, const struct run *run, const struct turn *turn, uint64_t line, struct error *err)
{
	struct measured_run *to = context;

	(void)run;
	(void)line;
	(void)err;
	to->turns = mem_array(to->turns, to->turn_count + 1, sizeof *to->turns);
	to->turns[to->turn_count++] = *turn;
	return OK;
}

/* What a model was asked. Its ledger is read with the tables, which say what is wrong with it; here what can be had is enough. */
static void read_turns(const struct root *bundle, const struct run *ledger, struct measured_run *run)
{
	const struct ledger_visitor visitor = {.on_turn = take_turn, .context = run};
	char *path = mem_format(LAYOUT_RUNS "%s/" LAYOUT_TURNS, run->name), *query = mem_format(LAYOUT_RUNS "%s/" LAYOUT_QUERY, run->name);
	struct bytes text = {0};
	struct error err;

	if (root_has(bundle, query) && root_read(bundle, path, LEDGER_TURNS_FILE_MAX, &text, &err) == OK)
		(void)turns_read(text.data != NULL ? text.data : "", text.len, path, ledger, &visitor, &err);
	bytes_free(&text);
	free(query);
	free(path);
}

/* Records come run by run. */
static size_t run_of(struct kernels *kernels, const char *name)
{
	struct run ledger = {0};
	struct error err;

	if (kernels->run_count > 0 && strcmp(kernels->runs[kernels->run_count - 1].name, name) == 0)
		return kernels->run_count - 1;
	kernels->runs = mem_array(kernels->runs, kernels->run_count + 1, sizeof *kernels->runs);
	struct measured_run *run = &kernels->runs[kernels->run_count];

	*run = (struct measured_run){.name = mem_text(name)};
	const bool has_ledger = run_read(kernels->bundle, name, &ledger, &err) == OK;

	manifest_read(kernels->bundle, &kernels->sealed, name, has_ledger ? ledger.source : "", &run->manifest);
	if (has_ledger)
		read_turns(kernels->bundle, &ledger, run);
	run_free(&ledger);
	return kernels->run_count++;
}

static const struct turn *turn_of(const struct measured_run *run, const cJSON *record)
{
	const double trajectory = replay_value(record, "trajectory"), turn = replay_value(record, "turn");

	for (size_t i = 0; i < run->turn_count; i++)
		if (run->turns[i].trajectory == trajectory && run->turns[i].turn == turn)
			return &run->turns[i];
	return NULL;
}

/* ---- names ---- */

enum { FORMS = 3, STEM_MAX = 160 };

static bool stem_fits(const struct measured *measured, bool with_run)
{
	return strlen(replay_text(measured->record, "problem.task")) + strlen(replay_text(measured->record, "candidate.name")) +
	               (with_run ? strlen(replay_text(measured->record, "run")) : 0) <= STEM_MAX;
}

/* Of a task or candidate whatever could not stand in a file's name is left out. */
static char *name_part(const char *text)
{
	struct bytes part = {0};

	for (size_t i = 0; i < STEM_MAX / 2 && text[i] != '\0'; i++)
		if (strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-", text[i]) != NULL)
			bytes_char(&part, text[i]);
	return part.data != NULL ? part.data : mem_text("");
}

/* The forms of a file's name, from the shortest; NULL: it would be too long. The last is nobody else's. */
static char *form_of(const struct measured *measured, int form)
{
	char *task = name_part(replay_text(measured->record, "problem.task")), *name = name_part(replay_text(measured->record, "candidate.name"));
	char hex[SHA256_HEX + 1], *file = NULL;

	if (form == 0 && stem_fits(measured, false)) {
		file = mem_format("kernels/%s--%s.html", task, name);
	} else if (form == 1 && stem_fits(measured, true)) {
		file = mem_format("kernels/%s--%s--%s.html", task, name, replay_text(measured->record, "run"));
	} else if (form == 2) {
		const struct sha256 hash = sha256_of(measured->path, strlen(measured->path));

		sha256_hex(&hash, hex);
		file = mem_format("kernels/%s--%s--%.16s.html", task, name, hex);
	}
	free(task);
	free(name);
	return file;
}

static int by_folded_name(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	const int order = strcasecmp(x, y);

	return order != 0 ? order : strcmp(x, y);
}

/* How many of the sorted names are this one, but for letter case. */
static bool is_single(char *const *names, size_t count, const char *name)
{
	size_t low = 0, high = count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (strcasecmp(names[middle], name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low + 1 >= count || strcasecmp(names[low + 1], name) != 0;
}

static void name_all(struct kernels *kernels)
{
	char **forms = mem_alloc((kernels->count * FORMS + 1) * sizeof *forms), **names = mem_alloc((kernels->count * FORMS + 1) * sizeof *names);
	size_t count = 0;

	for (size_t i = 0; i < kernels->count; i++)
		for (int form = 0; form < FORMS; form++) {
			forms[i * FORMS + (size_t)form] = form_of(&kernels->at[i], form);
			if (forms[i * FORMS + (size_t)form] != NULL)
				names[count++] = forms[i * FORMS + (size_t)form];
		}
	if (count > 1)
		qsort(names, count, sizeof *names, by_folded_name);
	for (size_t i = 0; i < kernels->count; i++) {
		char **own = &forms[i * FORMS];
		int form = 0;

		while (form < FORMS - 1 && (own[form] == NULL || !is_single(names, count, own[form])))
			form++;
		kernels->at[i].file = mem_text(own[form]);
	}
	for (size_t i = 0; i < kernels->count * FORMS; i++)
		free(forms[i]);
	free(forms);
	free(names);
}

/* ---- all of them ---- */

/* A file of artifact/replays. */
struct reading {
	const struct root *bundle;
	const struct file_list *list;
	struct record_read {
		cJSON *record; /* NULL: it is no file, or cannot be read */
		enum status status;
		struct error err;
	} *at;
};

static enum status read_one(struct database *db, size_t index, void *context, struct error *err)
{
	const struct reading *reading = context;
	struct record_read *read = &reading->at[index];

	(void)db;
	(void)err;
	if (reading->list->at[index].kind == FILE_REGULAR)
		read->status = replay_read(reading->bundle, reading->list->at[index].path, &read->record, &read->err);
	return OK;
}

static void take_record(struct kernels *kernels, const char *path, const struct record_read *read)
{
	if (read->status != OK && kernels->unread++ == 0)
		kernels->why = read->err;
	if (read->record != NULL)
		kernels->at[kernels->count++] =
			(struct measured){.path = mem_text(path), .record = read->record, .run = run_of(kernels, replay_text(read->record, "run"))};
}

enum status kernels_read(const struct root *bundle, struct kernels *kernels, struct error *err)
{
	struct file_list list = {0};

	*kernels = (struct kernels){.bundle = bundle};
	enum status status = root_list(bundle, REPLAY_DIRECTORY, &list, err);
	struct reading reading = {.bundle = bundle, .list = &list, .at = mem_alloc((list.count + 1) * sizeof *reading.at)};

	kernels->at = mem_alloc((list.count + 1) * sizeof *kernels->at);
	if (status == OK)
		sealed_read(bundle, &kernels->sealed);
	if (status == OK)
		status = parallel_run(NULL, list.count, read_one, &reading, err);
	for (size_t i = 0; i < list.count && status == OK; i++)
		take_record(kernels, list.at[i].path, &reading.at[i]);
	free(reading.at);
	file_list_free(&list);
	name_all(kernels);
	return status;
}

void kernels_free(struct kernels *kernels)
{
	for (size_t i = 0; i < kernels->count; i++) {
		for (int picture = 0; picture < KERNEL_PICTURES; picture++)
			bytes_free(&kernels->at[i].pictures.svg[picture]);
		cJSON_Delete(kernels->at[i].record);
		free(kernels->at[i].path);
		free(kernels->at[i].file);
	}
	for (size_t i = 0; i < kernels->run_count; i++) {
		manifest_free(&kernels->runs[i].manifest);
		free(kernels->runs[i].turns);
		free(kernels->runs[i].name);
	}
	sealed_free(&kernels->sealed);
	free(kernels->why_no_pictures);
	free(kernels->at);
	free(kernels->runs);
	*kernels = (struct kernels){0};
}

struct making {
	const struct kernels *kernels;
	struct bytes *pages;
};

static enum status make_one(struct database *db, size_t index, void *context, struct error *err)
{
	const struct making *making = context;
	const struct kernels *kernels = making->kernels;
	const struct measured *at = &kernels->at[index];
	const struct measured_run *run = &kernels->runs[at->run];
	struct kernel kernel = {
		.bundle = kernels->bundle,
		.sealed = &kernels->sealed,
		.manifest = &run->manifest,
		.turn = turn_of(run, at->record),
		.pictures = kernels->why_no_pictures == NULL ? &at->pictures : NULL,
		.why_no_pictures = kernels->why_no_pictures,
		.unverified = kernels->unverified,
		.path = at->path,
		.record = at->record,
	};

	(void)db;
	(void)err;
	making->pages[index].len = 0;
	kernel_open(&kernel);
	kernel_page(&kernel, &making->pages[index]);
	kernel_close(&kernel);
	return OK;
}

enum status kernels_make(const struct kernels *kernels, struct bytes *pages, struct error *err)
{
	struct making making = {kernels, pages};

	return kernels->count == 0 ? OK : parallel_run(NULL, kernels->count, make_one, &making, err);
}

const struct measured *kernels_find(const struct kernels *kernels, const char *run, const char *candidate)
{
	for (size_t i = 0; i < kernels->count; i++)
		if (strcmp(kernels->runs[kernels->at[i].run].name, run) == 0 && strcmp(replay_text(kernels->at[i].record, "candidate.name"), candidate) == 0)
			return &kernels->at[i];
	return NULL;
}
