/* artifact/runs into run_row and turn_row. */
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bundle/ledger.h"
#include "summary.h"

enum { SOURCES_MAX = 64 };

struct loading {
	struct database *db;
	sqlite3_stmt *run;
	sqlite3_stmt *turn;
	sqlite3_stmt *source;
	sqlite3_stmt *grade_run;
	sqlite3_stmt *grade_turns;
	struct summary *summary;
	int64_t run_id;   /* of the run being loaded, 0 before the first */
	int64_t turn_id;  /* last given */
	int64_t first_turn_id;
	bool graded;      /* the run has a turn */
	enum evidence grade;
	char tag[16];     /* the run's required_tag */
	char *file;       /* the run's turns.jsonl */
	char sources[SOURCES_MAX][64]; /* reasoning sources met so far; id = index + 1 */
	int source_count;
};

/* The stronger of two grades of measured turns: executed, static, unknown, refused. */
static enum evidence stronger(enum evidence a, enum evidence b)
{
	static const int rank[] = {[EVIDENCE_EXECUTED] = 3, [EVIDENCE_STATIC] = 2, [EVIDENCE_UNKNOWN] = 1, [EVIDENCE_REFUSED] = 0,
	                           [EVIDENCE_REPORTED] = 0};

	return rank[a] >= rank[b] ? a : b;
}

/* Now that all its turns are known, give the run and them its grade. */
static enum status end_run(struct loading *loading, struct error *err)
{
	if (loading->run_id == 0)
		return OK;
	enum evidence grade = loading->graded ? loading->grade : EVIDENCE_UNKNOWN;

	sqlite3_bind_int(loading->grade_run, 1, (int)grade);
	sqlite3_bind_int64(loading->grade_run, 2, loading->run_id);
	enum status status = database_insert(loading->db, loading->grade_run, loading->file, 0, err);

	if (status == OK)
		status = summary_run(loading->summary, loading->run_id, grade, loading->file, err);
	/* Reported turns came in with their grade. */
	if (status != OK || !loading->graded || loading->grade == EVIDENCE_REPORTED)
		return status;
	sqlite3_bind_int(loading->grade_turns, 1, (int)loading->grade);
	sqlite3_bind_int64(loading->grade_turns, 2, loading->first_turn_id);
	return database_insert(loading->db, loading->grade_turns, loading->file, 0, err);
}

static void bind_text(sqlite3_stmt *statement, int index, const char *text)
{
	sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC);
}

static enum status on_run(void *context, const struct run *run, struct error *err)
{
	struct loading *loading = context;
	enum status status = end_run(loading, err);

	if (status != OK)
		return status;
	free(loading->file);
	loading->file = mem_format("artifact/runs/%s/turns.jsonl", run->run);
	loading->run_id++;
	loading->first_turn_id = loading->turn_id + 1;
	loading->graded = false;
	snprintf(loading->tag, sizeof loading->tag, "%s", run->required_tag);

	sqlite3_bind_int64(loading->run, 1, loading->run_id);
	bind_text(loading->run, 2, run->run);
	bind_text(loading->run, 3, run->source);
	sqlite3_bind_int64(loading->run, 4, (int64_t)run->position);
	bind_text(loading->run, 5, run->model);
	bind_text(loading->run, 6, run->arch);
	bind_text(loading->run, 7, run->task);
	bind_text(loading->run, 8, run->workload);
	bind_text(loading->run, 9, run->workload_name);
	bind_text(loading->run, 10, run->required_tag);
	bind_text(loading->run, 11, run->date);
	bind_text(loading->run, 12, run->checklist);
	bind_text(loading->run, 13, run->retrieval);
	bind_text(loading->run, 14, run->variant);
	sqlite3_bind_int64(loading->run, 15, (int64_t)run->planned_trajectories);
	sqlite3_bind_int64(loading->run, 16, (int64_t)run->planned_turns);
	return database_insert(loading->db, loading->run, loading->file, 0, err);
}

/* The id of a reasoning source, new ones inserted; 0 for "". */
static enum status source_id(struct loading *loading, const char *name, uint64_t line, int *id, struct error *err)
{
	*id = 0;
	if (name[0] == '\0')
		return OK;
	for (int i = 0; i < loading->source_count; i++) {
		if (strcmp(loading->sources[i], name) == 0) {
			*id = i + 1;
			return OK;
		}
	}
	if (loading->source_count == SOURCES_MAX)
		return error_line(err, R_TAB_MEMORY, loading->file, line, "there are more than %d reasoning sources", SOURCES_MAX);
	snprintf(loading->sources[loading->source_count++], sizeof loading->sources[0], "%s", name);
	*id = loading->source_count;
	sqlite3_bind_int(loading->source, 1, *id);
	bind_text(loading->source, 2, name);
	return database_insert(loading->db, loading->source, loading->file, line, err);
}

/* Whether tag is one of the comma-separated ones in list. */
static bool has_tag(const char *list, const char *tag)
{
	size_t len = strlen(tag);

	while (*list != '\0') {
		list += strspn(list, ", ");
		size_t item = strcspn(list, ", ");

		if (item == len && memcmp(list, tag, len) == 0)
			return true;
		list += item;
	}
	return false;
}

static enum status grade_turn(struct loading *loading, const struct turn *turn, uint64_t line, struct error *err)
{
	if (!loading->graded) {
		loading->grade = turn->evidence;
		loading->graded = true;
	} else if (loading->grade != turn->evidence) {
		if (loading->grade == EVIDENCE_REPORTED || turn->evidence == EVIDENCE_REPORTED)
			return error_line(err, R_TAB_EVIDENCE, loading->file, line, "a turn's evidence is %s, an earlier one's %s",
			                  evidence_name(turn->evidence), evidence_name(loading->grade));
		loading->grade = stronger(loading->grade, turn->evidence);
	}
	return OK;
}

static enum status on_turn(void *context, const struct run *run, const struct turn *turn, uint64_t line, struct error *err)
{
	struct loading *loading = context;
	sqlite3_stmt *insert = loading->turn;
	bool correct = outcome_is_correct(turn->outcome);
	bool fast = turn->speedup > 0;
	bool has_target = has_tag(turn->arch_tag, loading->tag);
	int source = 0;
	enum status status = grade_turn(loading, turn, line, err);

	(void)run;
	if (status == OK)
		status = source_id(loading, turn->reasoning_source, line, &source, err);
	if (status != OK)
		return status;
	sqlite3_bind_int64(insert, 1, ++loading->turn_id);
	sqlite3_bind_int64(insert, 2, loading->run_id);
	sqlite3_bind_int64(insert, 3, turn->trajectory);
	sqlite3_bind_int64(insert, 4, turn->turn);
	sqlite3_bind_int(insert, 5, (int)turn->outcome);
	sqlite3_bind_int(insert, 6, correct);
	if (fast) {
		sqlite3_bind_double(insert, 7, turn->speedup);
		bind_text(insert, 8, turn->speedup_text);
	} else {
		sqlite3_bind_null(insert, 7);
		sqlite3_bind_null(insert, 8);
	}
	bind_text(insert, 9, turn->arch_tag);
	sqlite3_bind_int(insert, 10, has_target);
	if (turn->reasoning_tokens >= 0)
		sqlite3_bind_int64(insert, 11, turn->reasoning_tokens);
	else
		sqlite3_bind_null(insert, 11);
	if (source > 0)
		sqlite3_bind_int(insert, 12, source);
	else
		sqlite3_bind_null(insert, 12);
	sqlite3_bind_int(insert, 13, (int)turn->evidence);
	sqlite3_bind_int64(insert, 14, (int64_t)line);
	if (turn->source_line > 0)
		sqlite3_bind_int64(insert, 15, (int64_t)turn->source_line);
	else
		sqlite3_bind_null(insert, 15);
	summary_turn(loading->summary, turn, has_target);
	return database_insert(loading->db, insert, loading->file, line, err);
}

enum status load_ledger(struct database *db, const struct root *bundle, struct error *err)
{
	struct loading loading = {.db = db};
	const struct ledger_visitor visitor = {.on_run = on_run, .on_turn = on_turn, .context = &loading};
	const struct {
		sqlite3_stmt **statement;
		const char *sql;
	} statements[] = {
		{&loading.run, "INSERT INTO run_row VALUES (?1, ?2, ?3, 0, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)"},
		{&loading.turn, "INSERT INTO turn_row VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13, ?14, ?15)"},
		{&loading.source, "INSERT INTO reasoning_source VALUES (?1, ?2)"},
		{&loading.grade_run, "UPDATE run_row SET evidence_id = ?1 WHERE run_id = ?2"},
		{&loading.grade_turns, "UPDATE turn_row SET evidence_id = ?1 WHERE turn_id >= ?2"},
	};
	enum status status = OK;

	for (size_t i = 0; i < sizeof statements / sizeof statements[0] && status == OK; i++)
		status = database_prepare(db, statements[i].sql, statements[i].statement, err);
	if (status == OK)
		status = summary_open(db, &loading.summary, err);
	if (status == OK)
		status = ledger_read(bundle, &visitor, err);
	if (status == OK)
		status = end_run(&loading, err);
	for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
		sqlite3_finalize(*statements[i].statement);
	summary_close(loading.summary);
	free(loading.file);
	db->turns = loading.turn_id;
	return status;
}
