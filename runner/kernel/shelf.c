#include "shelf.h"

#include <stdlib.h>
#include <string.h>

static const char file_name[] = "/candidate.json";

static void add(struct shelf *shelf, const char *directory, size_t len)
{
	struct shelved made = {.directory = mem_textn(directory, len),
	                       .in_bundle = strncmp(directory, CANDIDATES_DIRECTORY "/", sizeof CANDIDATES_DIRECTORY) == 0};
	char *slash = strrchr(made.directory, '/');

	*slash = '\0';
	const char *before = strrchr(made.directory, '/');

	made.task = mem_text(before != NULL ? before + 1 : made.directory);
	made.name = slash + 1;
	*slash = '/';
	shelf->at = mem_array(shelf->at, shelf->count + 1, sizeof *shelf->at);
	shelf->at[shelf->count++] = made;
}

static void drop_last(struct shelf *shelf)
{
	free(shelf->at[--shelf->count].directory);
	free(shelf->at[shelf->count].task);
}

static bool wanted(const struct shelved *shelved, const char *task, const char *candidate)
{
	return (task == NULL || strcmp(task, shelved->task) == 0) && (candidate == NULL || strcmp(candidate, shelved->name) == 0);
}

static enum status list(const struct root *bundle, const char *task, const char *candidate, struct shelf *shelf, struct error *err)
{
	struct file_list files = {0};
	const enum status status = root_list(bundle, CANDIDATES_DIRECTORY, &files, err);

	for (size_t i = 0; status == OK && i < files.count; i++) {
		const char *path = files.at[i].path;
		const size_t len = strlen(path), end = sizeof file_name - 1;

		if (files.at[i].kind != FILE_REGULAR || len <= end + sizeof CANDIDATES_DIRECTORY || strcmp(path + len - end, file_name) != 0)
			continue;
		add(shelf, path, len - end);
		if (!wanted(&shelf->at[shelf->count - 1], task, candidate))
			drop_last(shelf);
	}
	file_list_free(&files);
	return status;
}

static enum status take_directory(const char *directory, struct shelf *shelf, struct error *err)
{
	size_t len = strlen(directory);

	while (len > 0 && directory[len - 1] == '/')
		len--;
	if (!path_valid(directory, len) || memchr(directory, '/', len) == NULL)
		return error_set(err, R_RPL_NAME, "", "'%s' is no directory TASK/NAME beneath the bundle", directory);
	add(shelf, directory, len);
	return OK;
}

enum status shelf_read(const struct root *bundle, const char *task, const char *candidate, struct shelf *shelf, struct error *err)
{
	*shelf = (struct shelf){0};
	if (candidate != NULL && strchr(candidate, '/') != NULL) {
		/* TASK/NAME as reports print it, else a directory. */
		const char *slash = strrchr(candidate, '/');
		char *of = mem_textn(candidate, (size_t)(slash - candidate));
		enum status found = strchr(of, '/') == NULL ? list(bundle, of, slash + 1, shelf, err) : OK;

		free(of);
		return found != OK || shelf->count > 0 ? found : take_directory(candidate, shelf, err);
	}
	const enum status status = list(bundle, task, candidate, shelf, err);

	if (status == OK && shelf->count == 0)
		return error_set(err, R_RPL_NAME, CANDIDATES_DIRECTORY, "there is no candidate%s%s%s%s", candidate != NULL ? " " : "", candidate != NULL ? candidate : "",
		                 task != NULL ? " of task " : "", task != NULL ? task : "");
	return status;
}

void shelf_free(struct shelf *shelf)
{
	while (shelf->count > 0)
		drop_last(shelf);
	free(shelf->at);
	*shelf = (struct shelf){0};
}
