#include "sidebyside.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../base/file.h"
#include "../bundle/layout.h"
#include "../bundle/replays.h"
#include "vet.h"

void replays_free(struct replays *replays)
{
	for (size_t i = 0; i < replays->count; i++)
		cJSON_Delete(replays->at[i]);
	free(replays->at);
	*replays = (struct replays){0};
}

/* Against the tasks of that bundle, if it has the record's. */
static enum status vet_against(const char *bundle, const cJSON *record, const char *name, struct error *err)
{
	struct root root = {.fd = -1};
	char *facts = mem_format("%s/" LAYOUT_TASKS "%s/task.json", bundle, replay_text(record, "problem.task"));
	struct stat info;
	enum status status = OK;

	if (stat(facts, &info) == 0)
		status = root_open(bundle, &root, err);
	if (status == OK)
		status = vet(root.fd >= 0 ? &root : NULL, NULL, record, name, err);
	root_close(&root);
	free(facts);
	return status;
}

static enum status read_file(const char *bundle, const char *name, struct replays *replays, struct error *err)
{
	struct bytes text = {0};
	cJSON *record = NULL;
	enum status status = file_read(name, REPLAY_RECORD_MAX, &text, err);

	if (status == OK)
		status = replay_parse_anywhere(text.data != NULL ? text.data : "", text.len, name, &record, err);
	if (status == OK)
		status = vet_against(bundle, record, name, err);
	if (status == OK) {
		replays->at = mem_array(replays->at, replays->count + 1, sizeof *replays->at);
		replays->at[replays->count++] = record;
	} else {
		cJSON_Delete(record);
	}
	bytes_free(&text);
	return status;
}

/* Every file beneath the directory. */
static enum status read_directory(const char *bundle, const char *name, struct replays *replays, struct error *err)
{
	struct root root = {.fd = -1};
	struct file_list list = {0};
	enum status status = root_open(name, &root, err);

	if (status == OK)
		status = root_list(&root, "", &list, err);
	for (size_t i = 0; i < list.count && status == OK; i++) {
		char *path = mem_format("%s/%s", name, list.at[i].path);

		if (list.at[i].kind == FILE_REGULAR)
			status = read_file(bundle, path, replays, err);
		free(path);
	}
	file_list_free(&list);
	root_close(&root);
	if (status == OK && replays->count == 0)
		status = error_set(err, R_RPL_RECORD, name, "no record stands there");
	return status;
}

static bool is_directory(const char *name)
{
	struct stat info;

	return stat(name, &info) == 0 && S_ISDIR(info.st_mode);
}

/* And the first runs of the bundle that the current directory is. */
static enum status no_such(const char *name, struct error *err)
{
	enum { NAMED = 5 };
	struct root here = {.fd = -1};
	struct file_list list = {0};
	struct bytes runs = {0};
	size_t count = 0;

	if (root_open(".", &here, NULL) == OK && root_list(&here, REPLAY_DIRECTORY, &list, NULL) == OK)
		for (size_t i = 0; i < list.count; i++)
			if (list.at[i].kind == FILE_DIRECTORY && count++ < NAMED)
				bytes_format(&runs, "%s%s", count > 1 ? ", " : "; there are: ", strrchr(list.at[i].path, '/') + 1);
	if (count > NAMED)
		bytes_format(&runs, " and %zu more", count - NAMED);
	const enum status status = error_set(err, R_RPL_NONE, name, "there is no record, no directory and, beneath the current directory, no run of this name%s",
	                                     count > 0 ? runs.data : "");

	bytes_free(&runs);
	file_list_free(&list);
	root_close(&here);
	return status;
}

enum status replays_read(const char *name, struct replays *replays, struct error *err)
{
	struct stat info;
	char *run = mem_format(REPLAY_DIRECTORY "/%s", name), *artifact = mem_format("%s/artifact", name), *directory = mem_format("%s/" REPLAY_DIRECTORY, name);
	const bool is_run = stat(name, &info) != 0 && stat(run, &info) == 0, is_bundle = is_directory(artifact);
	const char *where = is_run ? run : name;
	const bool missing = stat(where, &info) != 0 && (errno == ENOENT || errno == ENOTDIR);
	enum status status;

	*replays = (struct replays){0};
	if (missing)
		status = no_such(name, err);
	else if (is_bundle && !is_directory(directory))
		status = error_set(err, R_RPL_RECORD, name, "the bundle has no record of a replay");
	else if (is_bundle)
		status = read_directory(name, directory, replays, err);
	else
		status = is_directory(where) ? read_directory(".", where, replays, err) : read_file(".", where, replays, err);
	free(run);
	free(artifact);
	free(directory);
	return status;
}

/* Of b the first that nothing is beside yet, of the same run if there is one; b->count if there is none. */
static size_t find(const struct replays *b, const bool *taken, const cJSON *like)
{
	size_t found = b->count;

	for (size_t i = 0; i < b->count; i++) {
		if (taken[i] || strcmp(replay_text(b->at[i], "candidate.directory"), replay_text(like, "candidate.directory")) != 0)
			continue;
		if (strcmp(replay_text(b->at[i], "run"), replay_text(like, "run")) == 0)
			return i;
		found = found == b->count ? i : found;
	}
	return found;
}

void sides_make(const struct replays *a, const struct replays *b, struct sides *sides)
{
	bool *taken = mem_alloc((b->count + 1) * sizeof *taken);

	*sides = (struct sides){.agree = true};
	sides->at = mem_array(NULL, a->count + 1, sizeof *sides->at);
	sides->only_a = mem_array(NULL, a->count + 1, sizeof *sides->only_a);
	sides->only_b = mem_array(NULL, b->count + 1, sizeof *sides->only_b);
	for (size_t i = 0; i < a->count; i++) {
		const size_t other = a->count == 1 && b->count == 1 ? 0 : find(b, taken, a->at[i]);

		if (other == b->count) {
			sides->only_a[sides->only_a_count++] = a->at[i];
			continue;
		}
		struct side_pair *pair = &sides->at[sides->count++];

		taken[other] = true;
		*pair = (struct side_pair){.a = a->at[i], .b = b->at[other]};
		likeness_of(pair->a, pair->b, &pair->likeness);
		sides->agree = sides->agree && pair->likeness.agree;
	}
	for (size_t i = 0; i < b->count; i++)
		if (!taken[i])
			sides->only_b[sides->only_b_count++] = b->at[i];
	free(taken);
}

void sides_free(struct sides *sides)
{
	for (size_t i = 0; i < sides->count; i++)
		likeness_free(&sides->at[i].likeness);
	free(sides->at);
	free(sides->only_a);
	free(sides->only_b);
	*sides = (struct sides){0};
}
