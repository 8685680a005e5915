#include "summary.h"

#include <stdlib.h>

enum { LIMITS_MAX = 8 };

/* The turns of a trajectory below a limit. */
struct below {
	int64_t turns;
	int64_t correct;
	int64_t target;      /* correct ones that have the target */
	double best;         /* 0: none has a speedup */
	double best_target;  /* among the correct ones that have the target */
};

struct trajectory {
	uint32_t number;
	int64_t turns;
	int64_t first_correct; /* -1: none is */
	int64_t first_target;
	int64_t tokens_known;
	int64_t tokens;
	struct below below[LIMITS_MAX];
};

struct summary {
	struct database *db;
	sqlite3_stmt *insert_trajectory;
	sqlite3_stmt *insert_limit;
	sqlite3_stmt *insert_outcome;
	int64_t limits[LIMITS_MAX];
	int limit_count;
	struct trajectory *at; /* of the run so far */
	size_t count;
	size_t room;
	int64_t outcomes[OUTCOME_COUNT];
};

static enum status read_limits(struct summary *summary, struct error *err)
{
	sqlite3_stmt *limits = NULL;
	enum status status = database_prepare(summary->db, "SELECT turn_limit FROM turn_limit ORDER BY turn_limit", &limits, err);

	while (status == OK && sqlite3_step(limits) == SQLITE_ROW) {
		if (summary->limit_count == LIMITS_MAX)
			status = error_set(err, R_TAB_MEMORY, "schema.sql", "there are more than %d turn limits", LIMITS_MAX);
		else
			summary->limits[summary->limit_count++] = sqlite3_column_int64(limits, 0);
	}
	sqlite3_finalize(limits);
	return status;
}

enum status summary_open(struct database *db, struct summary **out, struct error *err)
{
	struct summary *summary = *out = mem_alloc(sizeof *summary);

	summary->db = db;
	enum status status = read_limits(summary, err);

	if (status == OK)
		status = database_prepare(db, "INSERT INTO trajectory_row (run_id, trajectory, evidence_id, turns, first_correct, "
		                              "first_target, tokens_known, tokens) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
		                          &summary->insert_trajectory, err);
	if (status == OK)
		status = database_prepare(db, "INSERT INTO trajectory_limit_row VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
		                          &summary->insert_limit, err);
	if (status == OK)
		status = database_prepare(db, "INSERT INTO run_outcome_row VALUES (?1, ?2, ?3, ?4)", &summary->insert_outcome, err);
	return status;
}

void summary_close(struct summary *summary)
{
	if (summary == NULL)
		return;
	sqlite3_finalize(summary->insert_trajectory);
	sqlite3_finalize(summary->insert_limit);
	sqlite3_finalize(summary->insert_outcome);
	free(summary->at);
	free(summary);
}

static struct trajectory *begin_trajectory(struct summary *summary, uint32_t number)
{
	if (summary->count == summary->room) {
		summary->room = summary->room == 0 ? 64 : summary->room * 2;
		summary->at = mem_array(summary->at, summary->room, sizeof *summary->at);
	}
	struct trajectory *trajectory = &summary->at[summary->count++];

	*trajectory = (struct trajectory){.number = number, .first_correct = -1, .first_target = -1};
	return trajectory;
}

static void add_below(struct below *below, double speedup, bool correct, bool target)
{
	below->turns++;
	below->correct += correct;
	below->target += target;
	if (speedup > below->best)
		below->best = speedup;
	if (target && speedup > below->best_target)
		below->best_target = speedup;
}

void summary_turn(struct summary *summary, const struct turn *turn, bool has_target)
{
	bool correct = outcome_is_correct(turn->outcome);
	bool target = correct && has_target;
	struct trajectory *t = summary->count > 0 ? &summary->at[summary->count - 1] : NULL;

	if (t == NULL || t->number != turn->trajectory)
		t = begin_trajectory(summary, turn->trajectory);
	t->turns++;
	if (correct && t->first_correct < 0)
		t->first_correct = turn->turn;
	if (target && t->first_target < 0)
		t->first_target = turn->turn;
	if (turn->reasoning_tokens >= 0) {
		t->tokens_known++;
		t->tokens += turn->reasoning_tokens;
	}
	for (int i = 0; i < summary->limit_count; i++)
		if (turn->turn < summary->limits[i])
			add_below(&t->below[i], turn->speedup, correct, target);
	summary->outcomes[turn->outcome]++;
}

static void bind_positive(sqlite3_stmt *statement, int index, double value)
{
	if (value > 0)
		sqlite3_bind_double(statement, index, value);
	else
		sqlite3_bind_null(statement, index);
}

static void bind_known(sqlite3_stmt *statement, int index, bool known, int64_t value)
{
	if (known)
		sqlite3_bind_int64(statement, index, value);
	else
		sqlite3_bind_null(statement, index);
}

static enum status put_trajectory(struct summary *summary, const struct trajectory *t, int64_t run_id, enum evidence grade,
                                  const char *file, struct error *err)
{
	sqlite3_stmt *insert = summary->insert_trajectory;

	sqlite3_bind_int64(insert, 1, run_id);
	sqlite3_bind_int64(insert, 2, t->number);
	sqlite3_bind_int(insert, 3, (int)grade);
	sqlite3_bind_int64(insert, 4, t->turns);
	bind_known(insert, 5, t->first_correct >= 0, t->first_correct);
	bind_known(insert, 6, t->first_target >= 0, t->first_target);
	sqlite3_bind_int64(insert, 7, t->tokens_known);
	bind_known(insert, 8, t->tokens_known > 0, t->tokens);
	return database_insert(summary->db, insert, file, 0, err);
}

static enum status put_below(struct summary *summary, const struct trajectory *t, int limit, int64_t run_id, enum evidence grade,
                             const char *file, struct error *err)
{
	const struct below *below = &t->below[limit];
	sqlite3_stmt *insert = summary->insert_limit;

	if (below->turns == 0)
		return OK;
	sqlite3_bind_int64(insert, 1, run_id);
	sqlite3_bind_int64(insert, 2, summary->limits[limit]);
	sqlite3_bind_int64(insert, 3, t->number);
	sqlite3_bind_int(insert, 4, (int)grade);
	sqlite3_bind_int64(insert, 5, below->turns);
	sqlite3_bind_int64(insert, 6, below->correct);
	sqlite3_bind_int64(insert, 7, below->target);
	bind_positive(insert, 8, below->best);
	bind_positive(insert, 9, below->best_target);
	return database_insert(summary->db, insert, file, 0, err);
}

enum status summary_run(struct summary *summary, int64_t run_id, enum evidence grade, const char *file, struct error *err)
{
	enum status status = OK;

	for (size_t i = 0; i < summary->count && status == OK; i++)
		status = put_trajectory(summary, &summary->at[i], run_id, grade, file, err);
	/* In the order of the table's key, so that every insert is at its end. */
	for (int limit = 0; limit < summary->limit_count; limit++)
		for (size_t i = 0; i < summary->count && status == OK; i++)
			status = put_below(summary, &summary->at[i], limit, run_id, grade, file, err);
	for (int outcome = 0; outcome < OUTCOME_COUNT && status == OK; outcome++) {
		if (summary->outcomes[outcome] == 0)
			continue;
		sqlite3_bind_int64(summary->insert_outcome, 1, run_id);
		sqlite3_bind_int(summary->insert_outcome, 2, outcome);
		sqlite3_bind_int(summary->insert_outcome, 3, (int)grade);
		sqlite3_bind_int64(summary->insert_outcome, 4, summary->outcomes[outcome]);
		status = database_insert(summary->db, summary->insert_outcome, file, 0, err);
		summary->outcomes[outcome] = 0;
	}
	summary->count = 0;
	return status;
}
