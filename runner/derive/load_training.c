/* What models were tuned on, into training_set, training_task and conflict: by the manifest that a run names (bundle/training_set.h), and by what submitters state of their own. */
#include "load.h"

#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../bundle/layout.h"
#include "../bundle/training_set.h"

struct loading {
	struct database *db;
	const struct root *bundle;
	sqlite3_stmt *run; /* the run_id of a name */
	sqlite3_stmt *set, *task, *conflict;
};

static void bind_text(sqlite3_stmt *statement, int index, const char *text)
{
	sqlite3_bind_text(statement, index, text, -1, SQLITE_TRANSIENT);
}

static enum status insert_tasks(const struct loading *loading, int64_t run_id, const struct training_set *set, const char *file, struct error *err)
{
	enum status status = OK;

	for (size_t i = 0; i < set->count && status == OK; i++) {
		sqlite3_bind_int64(loading->task, 1, run_id);
		bind_text(loading->task, 2, set->at[i].task);
		sqlite3_bind_int64(loading->task, 3, (int64_t)set->at[i].pairs);
		status = database_insert(loading->db, loading->task, file, 1, err);
	}
	return status;
}

static enum status load_set(const struct loading *loading, const char *file, const char *run, struct error *err)
{
	struct training_set set;
	bool found;
	int64_t run_id = 0;
	enum status status = training_set_of_run(loading->bundle, run, &set, &found, err);

	bind_text(loading->run, 1, run);
	if (status == OK && sqlite3_step(loading->run) == SQLITE_ROW)
		run_id = sqlite3_column_int64(loading->run, 0);
	sqlite3_reset(loading->run);
	/* One without run.json is no run: told when it is verified. */
	if (status == OK && run_id > 0) {
		sqlite3_bind_int64(loading->set, 1, run_id);
		bind_text(loading->set, 2, set.sha256);
		sqlite3_bind_int64(loading->set, 3, (int64_t)set.pairs);
		status = database_insert(loading->db, loading->set, file, 1, err);
		if (status == OK)
			status = insert_tasks(loading, run_id, &set, file, err);
	}
	training_set_free(&set);
	return status;
}

static enum status load_sets(const struct loading *loading, struct error *err)
{
	struct file_list list = {0};
	enum status status = root_list(loading->bundle, "artifact/runs", &list, err);

	for (size_t i = 0; i < list.count && status == OK; i++) {
		const char *rest;
		size_t len;

		if (!layout_split(list.at[i].path, LAYOUT_RUNS, &len, &rest) || strcmp(rest, LAYOUT_TRAINING_SET) != 0)
			continue;
		char *run = mem_textn(list.at[i].path + strlen(LAYOUT_RUNS), len);

		status = load_set(loading, list.at[i].path, run, err);
		free(run);
	}
	file_list_free(&list);
	return status;
}

static enum status insert_conflicts(const struct loading *loading, const cJSON *tree, const char *file, struct error *err)
{
	const cJSON *conflicts = NULL, *item;
	const char *source = NULL, *task = NULL, *trained = NULL;
	enum status status = json_text(tree, "source", file, &source, err);

	if (status == OK)
		status = json_child(tree, "conflicts", JSON_ARRAY, file, &conflicts, err);
	cJSON_ArrayForEach(item, conflicts)
	{
		if (status == OK)
			status = json_text(item, "task", file, &task, err);
		if (status == OK)
			status = json_text(item, "trained", file, &trained, err);
		if (status != OK)
			break;
		bind_text(loading->conflict, 1, source);
		bind_text(loading->conflict, 2, task);
		bind_text(loading->conflict, 3, trained);
		bind_text(loading->conflict, 4, file);
		status = database_insert(loading->db, loading->conflict, file, 1, err);
	}
	return status;
}

static enum status load_submission(const struct loading *loading, const char *file, struct error *err)
{
	struct bytes text = {0};
	cJSON *tree = NULL;
	enum status status = root_read(loading->bundle, file, SUBMISSION_FILE_MAX, &text, err);

	if (status == OK)
		status = json_parse(text.data != NULL ? text.data : "", text.len, file, &tree, err);
	if (status == OK)
		status = insert_conflicts(loading, tree, file, err);
	cJSON_Delete(tree);
	bytes_free(&text);
	return status;
}

static enum status load_submissions(const struct loading *loading, struct error *err)
{
	struct file_list list = {0};
	enum status status = root_list(loading->bundle, "manifests/submissions", &list, err);

	for (size_t i = 0; i < list.count && status == OK; i++) {
		const char *rest;
		size_t len;

		if (layout_split(list.at[i].path, LAYOUT_SUBMISSIONS, &len, &rest) && strcmp(rest, LAYOUT_SUBMISSION) == 0)
			status = load_submission(loading, list.at[i].path, err);
	}
	file_list_free(&list);
	return status;
}

enum status load_training(struct database *db, const struct root *bundle, struct error *err)
{
	struct loading loading = {.db = db, .bundle = bundle};
	const struct {
		sqlite3_stmt **statement;
		const char *sql;
	} statements[] = {
		{&loading.run, "SELECT run_id FROM run_row WHERE run = ?1"},
		{&loading.set, "INSERT INTO training_set VALUES (?1, ?2, ?3)"},
		{&loading.task, "INSERT INTO training_task VALUES (?1, ?2, ?3)"},
		{&loading.conflict, "INSERT INTO conflict VALUES (?1, ?2, ?3, ?4)"},
	};
	enum status status = OK;

	for (size_t i = 0; i < sizeof statements / sizeof statements[0] && status == OK; i++)
		status = database_prepare(db, statements[i].sql, statements[i].statement, err);
	if (status == OK)
		status = load_sets(&loading, err);
	if (status == OK)
		status = load_submissions(&loading, err);
	for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
		sqlite3_finalize(*statements[i].statement);
	return status;
}
