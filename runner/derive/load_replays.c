/* artifact/replays/RUN/CANDIDATE.json into replay_row: what tables show of a record. */
#include "load.h"

#include <stdlib.h>
#include <string.h>

#include "../bundle/layout.h"
#include "../bundle/ledger.h"
#include "../bundle/replays.h"
#include "../measure/vet.h"
#include "parallel.h"

enum kind { TEXT, INTEGER, REAL /* a decimal in a string */, TRUTH, NAMES /* an array of texts */ };

/* Columns in the order of schema.sql, after replay_id and run_id. */
static const struct {
	const char *path;
	enum kind kind;
} columns[] = {
	{"trajectory", INTEGER},
	{"turn", INTEGER},
	{"candidate.name", TEXT},
	{"candidate.label", TEXT},
	{"candidate.arch", TEXT},
	{"date", TEXT},
	{"outcome.label", TEXT},
	{"outcome.rule", TEXT},
	{"outcome.published", TEXT},
	{"outcome.strict", TEXT},
	{"outcome.published_trials", INTEGER},
	{"outcome.published_passed", INTEGER},
	{"outcome.library_passed", INTEGER},
	{"accounting.planned", INTEGER},
	{"accounting.passed", INTEGER},
	{"accounting.failed", INTEGER},
	{"accounting.not_run", INTEGER},
	{"accounting.failure_rate_bound", REAL},
	{"evidence.state", TEXT},
	{"evidence.share", REAL},
	{"evidence.operations_share.gmma", REAL},
	{"evidence.operations_share.warp", REAL},
	{"evidence.tma_bytes_least", INTEGER},
	{"evidence.tma_bytes_most", INTEGER},
	{"evidence.decoy", TRUTH},
	{"timing.speedup.median", REAL},
	{"timing.speedup.low", REAL},
	{"timing.speedup.high", REAL},
	{"timing.cycles.median", REAL},
	{"timing.control.median", REAL},
	{"timing.pairs", INTEGER},
	{"timing.throttled", INTEGER},
	{"timing.candidate_ns.median", REAL},
	{"timing.baseline_ns.median", REAL},
	{"timing.candidate_hz", INTEGER},
	{"timing.baseline_hz", INTEGER},
	{"timing.suspect", NAMES},
	{"memcheck.state", TEXT},
	{"device.name", TEXT},
	{"device.nvml.driver_version", TEXT},
	{"worker.baseline.library", TEXT},
	{"code.ptxas.version", TEXT},
	{"code.sha256", TEXT},
};

enum { COLUMNS = sizeof columns / sizeof columns[0], FIRST_COLUMN = 3, BATCH = 16 /* records in memory at once */ };

static enum status refuse(const char *path, const char *member, struct error *err)
{
	return error_set(err, R_RPL_RECORD, path, "%s is of another kind", member);
}

static enum status bind_names(sqlite3_stmt *insert, int index, const cJSON *array, const char *path, struct error *err)
{
	struct bytes text = {0};
	enum status status = cJSON_IsArray(array) ? OK : refuse(path, "timing.suspect", err);

	for (const cJSON *item = status == OK ? array->child : NULL; item != NULL && status == OK; item = item->next) {
		if (!cJSON_IsString(item))
			status = refuse(path, "timing.suspect", err);
		else
			bytes_format(&text, "%s%s", text.len > 0 ? "; " : "", item->valuestring);
	}
	sqlite3_bind_text(insert, index, text.data != NULL ? text.data : "", -1, SQLITE_TRANSIENT);
	bytes_free(&text);
	return status;
}

/* Null and absent: NULL. */
static enum status bind_column(sqlite3_stmt *insert, int index, const cJSON *record, size_t column, const char *path, struct error *err)
{
	const char *member = columns[column].path;
	const cJSON *item = replay_at(record, member);
	double value = 0;

	if (item == NULL && strcmp(member, "turn") == 0) {
		sqlite3_bind_int(insert, index, 0); /* a replay's trajectories have one */
		return OK;
	}
	if (item == NULL || cJSON_IsNull(item)) {
		sqlite3_bind_null(insert, index);
		return OK;
	}
	switch (columns[column].kind) {
	case TEXT:
		if (!cJSON_IsString(item))
			return refuse(path, member, err);
		sqlite3_bind_text(insert, index, item->valuestring, -1, SQLITE_TRANSIENT);
		return OK;
	case INTEGER:
		if (!cJSON_IsNumber(item) || item->valuedouble != (double)(int64_t)item->valuedouble)
			return refuse(path, member, err);
		sqlite3_bind_int64(insert, index, (int64_t)item->valuedouble);
		return OK;
	case REAL:
		if (!cJSON_IsString(item) || !decimal_parse(item->valuestring, strlen(item->valuestring), &value))
			return refuse(path, member, err);
		sqlite3_bind_double(insert, index, value);
		return OK;
	case TRUTH:
		if (!cJSON_IsBool(item))
			return refuse(path, member, err);
		sqlite3_bind_int(insert, index, cJSON_IsTrue(item));
		return OK;
	case NAMES:
		return bind_names(insert, index, item, path, err);
	}
	return OK;
}

/* The run's number, as its run.json came in; that of a record whose run is not there is 0. */
static int64_t run_id_of(sqlite3_stmt *find, const char *run)
{
	sqlite3_bind_text(find, 1, run, -1, SQLITE_TRANSIENT);
	const int64_t id = sqlite3_step(find) == SQLITE_ROW ? sqlite3_column_int64(find, 0) : 0;

	sqlite3_reset(find);
	return id;
}

/* Some of the bundle travels apart, candidates among it: verify holds the list of what does to the bundle's own sums. */
static bool travels_light(const struct root *bundle)
{
	return root_has(bundle, LAYOUT_LEFT_OUT);
}

/* Records that are read and vetted side by side: reading them takes longer than all else of loading. */
struct batch {
	const struct root *bundle;
	const struct root *candidates; /* NULL: they travel apart */
	size_t count;
	const char *paths[BATCH];
	cJSON *records[BATCH];
};

static enum status read_record(struct database *db, size_t index, void *context, struct error *err)
{
	struct batch *batch = context;
	const char *path = batch->paths[index];
	enum status status = replay_read(batch->bundle, path, &batch->records[index], err);

	(void)db;
	if (status == OK && cJSON_IsTrue(replay_at(batch->records[index], "stand_in")))
		status = error_set(err, R_RPL_STAND_IN, path, "its device was '%s'", replay_text(batch->records[index], "device.name"));
	return status == OK ? vet(batch->bundle, batch->candidates, batch->records[index], path, err) : status;
}

static enum status insert_record(struct database *db, const char *path, const cJSON *record, sqlite3_stmt *find, sqlite3_stmt *insert, struct error *err)
{
	const int64_t run_id = run_id_of(find, replay_text(record, "run"));
	enum status status = run_id != 0 ? OK : error_set(err, R_RPL_RECORD, path, "there is no run '%s'", replay_text(record, "run"));

	sqlite3_bind_null(insert, 1);
	sqlite3_bind_int64(insert, 2, run_id);
	for (size_t i = 0; i < COLUMNS && status == OK; i++)
		status = bind_column(insert, FIRST_COLUMN + (int)i, record, i, path, err);
	return status == OK ? database_insert(db, insert, path, 0, err) : status;
}

static enum status load_batch(struct database *db, struct batch *batch, sqlite3_stmt *find, sqlite3_stmt *insert, struct error *err)
{
	enum status status = parallel_run(NULL, batch->count, read_record, batch, err);

	for (size_t i = 0; i < batch->count; i++) {
		if (status == OK)
			status = insert_record(db, batch->paths[i], batch->records[i], find, insert, err);
		cJSON_Delete(batch->records[i]);
		batch->records[i] = NULL;
	}
	batch->count = 0;
	return status;
}

/* What records say of their run, against the ledger. Each query names what does not agree. */
static enum status check_agreement(struct database *db, struct error *err)
{
#define RECORD "SELECT r.run || '/' || p.candidate FROM replay_row p JOIN run_row r USING (run_id) "
#define TURN "LEFT JOIN turn_row t ON t.run_id = p.run_id AND t.trajectory = p.trajectory AND t.turn = p.turn "
	static const struct {
		const char *sql, *what;
	} rules[] = {
		{RECORD TURN "WHERE t.turn_id IS NULL", "the record is of a trajectory that its run does not have"},
		{"SELECT r.run FROM run_row r JOIN turn_row t USING (run_id) JOIN outcome o USING (outcome_id) "
		 "LEFT JOIN replay_row p ON p.run_id = t.run_id AND p.trajectory = t.trajectory AND p.turn = t.turn "
		 "JOIN evidence e ON e.evidence_id = t.turn_evidence_id WHERE o.measured = 1 AND p.replay_id IS NULL "
		 "AND (e.evidence IN ('executed', 'refused') OR r.source = '" REPLAY_SOURCE "' "
		 "OR (e.evidence <> 'reported' AND r.source NOT IN (SELECT source FROM source)))", "a turn was measured and has no record"},
		{RECORD TURN "JOIN outcome o USING (outcome_id) WHERE o.outcome <> p.outcome", "record and ledger have other outcomes"},
		{RECORD TURN "WHERE p.outcome = 'correct' AND t.speedup IS NOT p.speedup", "record and ledger have other speedups"},
	};
#undef RECORD
#undef TURN
	enum status status = OK;

	for (size_t i = 0; i < sizeof rules / sizeof rules[0] && status == OK; i++) {
		sqlite3_stmt *query = NULL;

		status = database_prepare(db, rules[i].sql, &query, err);
		if (status == OK && sqlite3_step(query) == SQLITE_ROW)
			status = error_set(err, R_RPL_RECORD, (const char *)sqlite3_column_text(query, 0), "%s", rules[i].what);
		sqlite3_finalize(query);
	}
	return status;
}

static char *insert_sql(void)
{
	struct bytes text = {0};

	bytes_text(&text, "INSERT INTO replay_row VALUES (?, ?");
	for (size_t i = 0; i < COLUMNS; i++)
		bytes_text(&text, ", ?");
	bytes_text(&text, ")");
	return text.data;
}

enum status load_replays(struct database *db, const struct root *bundle, struct error *err)
{
	struct batch batch = {.bundle = bundle, .candidates = travels_light(bundle) ? NULL : bundle};
	struct file_list list = {0};
	sqlite3_stmt *find = NULL, *insert = NULL;
	char *sql = insert_sql();
	enum status status = root_list(bundle, REPLAY_DIRECTORY, &list, err);

	if (status == OK)
		status = database_prepare(db, "SELECT run_id FROM run_row WHERE run = ?", &find, err);
	if (status == OK)
		status = database_prepare(db, sql, &insert, err);
	for (size_t i = 0; i < list.count && status == OK; i++) {
		if (list.at[i].kind != FILE_DIRECTORY)
			batch.paths[batch.count++] = list.at[i].path;
		if (batch.count == BATCH || i + 1 == list.count)
			status = load_batch(db, &batch, find, insert, err);
	}
	if (status == OK)
		status = check_agreement(db, err);
	sqlite3_finalize(find);
	sqlite3_finalize(insert);
	file_list_free(&list);
	free(sql);
	return status;
}
