#include "lineage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void lineage_turns_free(struct lineage_turn *turns, size_t count)
{
	for (size_t i = 0; turns != NULL && i < count; i++) {
		free(turns[i].run);
		free(turns[i].source);
		free(turns[i].outcome);
		free(turns[i].speedup);
		free(turns[i].arch_tag);
	}
	free(turns);
}

void lineage_free(struct lineage *lineage)
{
	lineage_turns_free(lineage->turns, lineage->turn_count);
	for (size_t i = 0; i < lineage->place_count; i++)
		free(lineage->places[i].file);
	free(lineage->places);
	*lineage = (struct lineage){0};
}

void lineage_rows_free(struct lineage_rows *rows)
{
	for (size_t i = 0; rows->places != NULL && i < rows->count; i++)
		free(rows->places[i].file);
	free(rows->places);
	free(rows->turns);
	free(rows->spans);
	*rows = (struct lineage_rows){0};
}

/* Bring the last row's turns, those from start on, into their order, none twice: a bit for each that there may be. */
static void sort_unique(struct lineage_rows *rows, size_t start)
{
	const size_t count = rows->count - start;

	if (count < 2) /* there may be no turns at all */
		return;
	int64_t *turns = rows->turns + start;
	int64_t low = INT64_MAX, high = 0;
	bool ordered = true;

	for (size_t i = 0; i < count; i++) {
		ordered = ordered && (i == 0 || turns[i - 1] < turns[i]);
		low = turns[i] < low ? turns[i] : low;
		high = turns[i] > high ? turns[i] : high;
	}
	if (ordered)
		return;
	const size_t words = (size_t)(high - low) / 64 + 1;
	uint64_t *bits = mem_alloc(words * sizeof *bits);
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		bits[(turns[i] - low) / 64] |= UINT64_C(1) << ((turns[i] - low) % 64);
	for (size_t i = 0; i < words; i++)
		for (uint64_t left = bits[i]; left != 0; left &= left - 1)
			turns[kept++] = low + (int64_t)(i * 64) + __builtin_ctzll(left);
	rows->count = start + kept;
	free(bits);
}

static enum status broken(const struct table *table, uint64_t line, const char *what, struct error *err)
{
	return error_line(err, R_TAB_LINEAGE, table->file, line, "%s", what);
}

static enum status take_turn_id(const struct table *table, uint64_t line, const struct query *query, int64_t turns, struct lineage_rows *rows,
                                struct error *err)
{
	struct value value = query_value(query, 0);

	if (value.type != VALUE_INTEGER)
		return broken(table, line, "turn_id is not an integer", err);
	if (value.integer < 1 || value.integer > turns)
		return error_line(err, R_TAB_LINEAGE, table->file, line, "there is no turn %" PRId64, value.integer);
	if (rows->count == rows->room) {
		rows->room = rows->room == 0 ? 64 : rows->room * 2;
		rows->turns = mem_array(rows->turns, rows->room, sizeof *rows->turns);
	}
	rows->turns[rows->count++] = value.integer;
	return OK;
}

static enum status take_place(const struct table *table, uint64_t line, const struct query *query, struct lineage_rows *rows,
                              struct error *err)
{
	struct value file = query_value(query, 0);
	struct value number = query_value(query, 1);

	if (file.type != VALUE_TEXT || number.type != VALUE_INTEGER || number.integer < 1)
		return broken(table, line, "file is not text, or line is not an integer from 1", err);
	if (rows->count == rows->room) {
		rows->room = rows->room == 0 ? 16 : rows->room * 2;
		rows->places = mem_array(rows->places, rows->room, sizeof *rows->places);
	}
	rows->places[rows->count++] = (struct lineage_place){.file = mem_textn(file.text, file.len), .line = number.integer};
	return OK;
}

static enum status lineage_open(struct database *db, const struct table *table, const struct sql_section *section,
                                struct query **query, struct error *err)
{
	database_show(db, table->evidence, table->source);
	return query_open(db, section->sql, table->file, section->line, query, err);
}

static enum status bind_row(const struct derived *derived, size_t row, const struct sql_section *section, struct query *query,
                            struct error *err)
{
	const struct table *table = derived->table;

	for (size_t i = 0; i < table->column_count; i++) {
		const struct value value = derived_value(derived, row, i);

		query_bind(query, table->columns[i].name, &value);
	}
	if (query_unbound(query) != NULL)
		return error_line(err, R_TAB_SQL, table->file, section->line, "parameter ':%s' is no column of the table", query_unbound(query));
	return OK;
}

static enum status lineage_kind_of(const struct table *table, uint64_t line, const struct query *query, enum lineage_kind *kind,
                                   struct error *err)
{
	if (query_columns(query) == 1 && strcmp(query_column(query, 0), "turn_id") == 0)
		*kind = LINEAGE_TURNS;
	else if (query_columns(query) == 2 && strcmp(query_column(query, 0), "file") == 0 &&
	         strcmp(query_column(query, 1), "line") == 0)
		*kind = LINEAGE_FILES;
	else
		return broken(table, line, "the query returns neither turn_id nor file and line", err);
	return OK;
}

/* The records of one row, whose values are bound. turns: how many there are in the ledger. */
static enum status take_row(const struct table *table, uint64_t line, struct query *query, int64_t turns, struct lineage_rows *out, struct error *err)
{
	size_t start = out->count;
	bool more = false;
	enum status status = query_next(query, &more, err);

	while (status == OK && more) {
		if (out->kind == LINEAGE_TURNS)
			status = take_turn_id(table, line, query, turns, out, err);
		else
			status = take_place(table, line, query, out, err);
		if (status == OK)
			status = query_next(query, &more, err);
	}
	if (out->kind == LINEAGE_TURNS)
		sort_unique(out, start);
	return status;
}

/* The columns whose values the query takes. */
static size_t used_columns(const struct table *table, const struct query *query, size_t used[TABLE_COLUMNS_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < table->column_count; i++)
		if (query_uses(query, table->columns[i].name))
			used[count++] = i;
	return count;
}

static bool same_value(const struct value *one, const struct value *other)
{
	if (one->type != other->type)
		return false;
	switch (one->type) {
	case VALUE_INTEGER:
		return one->integer == other->integer;
	case VALUE_REAL:
		return memcmp(&one->real, &other->real, sizeof one->real) == 0;
	case VALUE_TEXT:
		return one->len == other->len && memcmp(one->text, other->text, one->len) == 0;
	default:
		return true;
	}
}

/* Do two rows give the query the same values? */
static bool same_values(const struct derived *derived, size_t row, size_t other, const size_t *used, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct value left = derived_value(derived, row, used[i]);
		const struct value right = derived_value(derived, other, used[i]);

		if (!same_value(&left, &right))
			return false;
	}
	return true;
}

enum status lineage_rows_make(struct database *db, const struct derived *derived, size_t section, size_t first, size_t count,
                              struct lineage_rows *out, struct error *err)
{
	const struct table *table = derived->table;
	const struct sql_section *asked = &table->sql.sections[section];
	struct query *query = NULL;
	size_t used[TABLE_COLUMNS_MAX];
	size_t used_count = 0;

	*out = (struct lineage_rows){.spans = mem_alloc((count + 1) * sizeof *out->spans)};
	enum status status = lineage_open(db, table, asked, &query, err);

	if (status == OK)
		status = lineage_kind_of(table, asked->line, query, &out->kind, err);
	if (status == OK)
		used_count = used_columns(table, query, used);
	for (size_t i = 0; i < count && status == OK; i++) {
		if (i > 0 && same_values(derived, first + i, first + i - 1, used, used_count)) {
			out->spans[i] = out->spans[i - 1];
			continue;
		}
		out->spans[i].first = out->count;
		query_again(query);
		status = bind_row(derived, first + i, asked, query, err);
		if (status == OK)
			status = take_row(table, asked->line, query, db->turns, out, err);
		out->spans[i].end = out->count;
	}
	query_close(query);
	return status;
}

static char *text_of(const struct query *query, size_t column)
{
	struct value value = query_value(query, column);

	return value.type == VALUE_TEXT ? mem_textn(value.text, value.len) : NULL;
}

static struct lineage_turn turn_of(const struct query *query)
{
	return (struct lineage_turn){.turn_id = query_value(query, 0).integer,
	                             .run_id = query_value(query, 1).integer,
	                             .trajectory = query_value(query, 2).integer,
	                             .turn = query_value(query, 3).integer,
	                             .line = query_value(query, 4).integer,
	                             .source_line = query_value(query, 5).integer,
	                             .run = text_of(query, 6),
	                             .source = text_of(query, 7),
	                             .outcome = text_of(query, 8),
	                             .speedup = text_of(query, 9),
	                             .arch_tag = text_of(query, 10)};
}

enum status lineage_turns(struct database *db, const char *file, uint64_t line, const int64_t *ids, size_t count,
                          struct lineage_turn **turns, struct error *err)
{
	static const char sql[] =
		"SELECT t.turn_id, t.run_id, t.trajectory, t.turn, t.line, ifnull(t.source_line, 0), r.run, r.source, t.outcome, "
		"t.speedup_text, t.arch_tag FROM turn t CROSS JOIN run r USING (run_id) "
		"WHERE t.turn_id BETWEEN :low AND :high ORDER BY t.turn_id";
	struct query *query = NULL;
	bool more = false;
	size_t at = 0;

	*turns = mem_alloc((count + 1) * sizeof **turns);
	if (count == 0)
		return OK;
	const struct value low = {.type = VALUE_INTEGER, .integer = ids[0]};
	const struct value high = {.type = VALUE_INTEGER, .integer = ids[count - 1]};
	enum status status = query_open(db, sql, file, line, &query, err);

	if (status != OK)
		return status;
	query_bind(query, "low", &low);
	query_bind(query, "high", &high);
	status = query_next(query, &more, err);
	while (status == OK && more && at < count) {
		int64_t id = query_value(query, 0).integer;

		if (id == ids[at])
			(*turns)[at++] = turn_of(query);
		else if (id > ids[at])
			break;
		status = query_next(query, &more, err);
	}
	query_close(query);
	if (status == OK && at < count)
		return error_line(err, R_TAB_LINEAGE, file, line, "there is no turn %" PRId64 " of the table's evidence", ids[at]);
	return status;
}

/* Turns are in the order of (run, trajectory), so distinct ones are neighbours. */
static void count_turns(struct lineage *lineage)
{
	for (size_t i = 0; i < lineage->turn_count; i++) {
		const struct lineage_turn *turn = &lineage->turns[i];
		bool same_run = i > 0 && turn[-1].run_id == turn->run_id;

		lineage->runs += same_run ? 0 : 1;
		lineage->trajectories += same_run && turn[-1].trajectory == turn->trajectory ? 0 : 1;
	}
}

enum status lineage_agrees(const struct derived *derived, size_t row, size_t column, size_t turns, size_t trajectories, size_t runs,
                           struct error *err)
{
	const struct table *table = derived->table;
	const struct column *declared = &table->columns[column];
	const struct value value = derived_value(derived, row, column);
	const size_t counted[] = {
		[COUNTS_NOTHING] = 0, [COUNTS_TURNS] = turns, [COUNTS_TRAJECTORIES] = trajectories, [COUNTS_RUNS] = runs};

	if (declared->counts == COUNTS_NOTHING || value.type == VALUE_NULL || value.integer == (int64_t)counted[declared->counts])
		return OK;
	return error_line(err, R_TAB_LINEAGE, table->file, table->sql.sections[declared->lineage].line,
	                  "column '%s' is %" PRId64 ", its lineage has %zu %s", declared->name, value.integer, counted[declared->counts],
	                  counts_name(declared->counts));
}

enum status lineage_make(struct database *db, const struct derived *derived, size_t row, size_t column, struct lineage *lineage,
                         struct error *err)
{
	const struct table *table = derived->table;
	size_t section = table->columns[column].lineage;
	struct lineage_rows rows;

	*lineage = (struct lineage){0};
	if (section == 0)
		return OK;
	lineage->line = table->sql.sections[section].line;
	enum status status = lineage_rows_make(db, derived, section, row, 1, &rows, err);

	lineage->kind = rows.kind;
	if (status == OK && rows.kind == LINEAGE_TURNS) {
		status = lineage_turns(db, table->file, lineage->line, rows.turns, rows.count, &lineage->turns, err);
		lineage->turn_count = rows.count;
	} else if (status == OK) {
		lineage->places = rows.places;
		lineage->place_count = rows.count;
		rows.places = NULL;
	}
	lineage_rows_free(&rows);
	if (status != OK)
		return status;
	count_turns(lineage);
	return lineage_agrees(derived, row, column, lineage->turn_count, lineage->trajectories, lineage->runs, err);
}
