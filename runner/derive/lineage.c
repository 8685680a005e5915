#include "lineage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void lineage_free(struct lineage *lineage)
{
	for (size_t i = 0; i < lineage->turn_count; i++) {
		free(lineage->turns[i].run);
		free(lineage->turns[i].source);
		free(lineage->turns[i].outcome);
		free(lineage->turns[i].speedup);
		free(lineage->turns[i].arch_tag);
	}
	for (size_t i = 0; i < lineage->place_count; i++)
		free(lineage->places[i].file);
	free(lineage->turns);
	free(lineage->places);
	*lineage = (struct lineage){0};
}

struct ids {
	int64_t *at;
	size_t count;
	size_t room;
};

static int by_id(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left;
	int64_t b = *(const int64_t *)right;

	return a < b ? -1 : a > b;
}

static void sort_unique(struct ids *ids)
{
	size_t kept = 0;

	if (ids->count == 0)
		return;
	qsort(ids->at, ids->count, sizeof *ids->at, by_id);
	for (size_t i = 0; i < ids->count; i++)
		if (kept == 0 || ids->at[kept - 1] != ids->at[i])
			ids->at[kept++] = ids->at[i];
	ids->count = kept;
}

static enum status broken(const struct table *table, uint64_t line, const char *what, struct error *err)
{
	return error_line(err, R_TAB_LINEAGE, table->file, line, "%s", what);
}

static enum status take_turn_id(const struct table *table, uint64_t line, const struct query *query, struct ids *ids,
                                struct error *err)
{
	struct value value = query_value(query, 0);

	if (value.type != VALUE_INTEGER)
		return broken(table, line, "turn_id is not an integer", err);
	if (ids->count == ids->room) {
		ids->room = ids->room == 0 ? 64 : ids->room * 2;
		ids->at = mem_array(ids->at, ids->room, sizeof *ids->at);
	}
	ids->at[ids->count++] = value.integer;
	return OK;
}

static enum status take_place(const struct table *table, uint64_t line, const struct query *query, struct lineage *lineage,
                              struct error *err)
{
	struct value file = query_value(query, 0);
	struct value number = query_value(query, 1);

	if (file.type != VALUE_TEXT || number.type != VALUE_INTEGER || number.integer < 1)
		return broken(table, line, "file is not text, or line is not an integer from 1", err);
	lineage->places = mem_array(lineage->places, lineage->place_count + 1, sizeof *lineage->places);
	lineage->places[lineage->place_count++] =
		(struct lineage_place){.file = mem_textn(file.text, file.len), .line = number.integer};
	return OK;
}

static char *text_of(const struct query *query, size_t column)
{
	struct value value = query_value(query, column);

	return value.type == VALUE_TEXT ? mem_textn(value.text, value.len) : NULL;
}

/* Everything about the turns whose ids are given, in their order. */
static enum status read_turns(struct database *db, const struct table *table, uint64_t line, const struct ids *ids,
                              struct lineage *lineage, struct error *err)
{
	static const char sql[] =
		"SELECT t.turn_id, t.run_id, t.trajectory, t.turn, t.line, ifnull(t.source_line, 0), r.run, r.source, t.outcome, "
		"t.speedup_text, t.arch_tag FROM turn t CROSS JOIN run r USING (run_id) "
		"WHERE t.turn_id BETWEEN :low AND :high ORDER BY t.turn_id";
	struct query *query = NULL;
	bool more = false;
	size_t at = 0;

	if (ids->count == 0)
		return OK;
	const struct value low = {.type = VALUE_INTEGER, .integer = ids->at[0]};
	const struct value high = {.type = VALUE_INTEGER, .integer = ids->at[ids->count - 1]};
	enum status status = query_open(db, sql, table->file, line, &query, err);

	if (status != OK)
		return status;
	query_bind(query, "low", &low);
	query_bind(query, "high", &high);
	lineage->turns = mem_alloc(ids->count * sizeof *lineage->turns);
	status = query_next(query, &more, err);
	while (status == OK && more && at < ids->count) {
		int64_t id = query_value(query, 0).integer;

		if (id == ids->at[at]) {
			lineage->turns[lineage->turn_count++] = (struct lineage_turn){.turn_id = id,
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
			at++;
		} else if (id > ids->at[at]) {
			break;
		}
		status = query_next(query, &more, err);
	}
	query_close(query);
	if (status == OK && at < ids->count)
		return error_line(err, R_TAB_LINEAGE, table->file, line, "there is no turn %" PRId64 " of the table's evidence", ids->at[at]);
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

static enum status check_count(const struct table *table, const struct value *values, size_t column,
                               const struct lineage *lineage, struct error *err)
{
	const struct column *declared = &table->columns[column];
	const size_t counted[] = {[COUNTS_NOTHING] = 0,
	                          [COUNTS_TURNS] = lineage->turn_count,
	                          [COUNTS_TRAJECTORIES] = lineage->trajectories,
	                          [COUNTS_RUNS] = lineage->runs};

	if (declared->counts == COUNTS_NOTHING || values[column].type == VALUE_NULL ||
	    values[column].integer == (int64_t)counted[declared->counts])
		return OK;
	return error_line(err, R_TAB_LINEAGE, table->file, lineage->line, "column '%s' is %" PRId64 ", its lineage has %zu %s",
	                  declared->name, values[column].integer, counted[declared->counts], counts_name(declared->counts));
}

static enum status lineage_open(struct database *db, const struct table *table, const struct value *values,
                                const struct sql_section *section, struct query **query, struct error *err)
{
	database_show(db, table->evidence, table->source);
	enum status status = query_open(db, section->sql, table->file, section->line, query, err);

	if (status != OK)
		return status;
	for (size_t i = 0; i < table->column_count; i++)
		query_bind(*query, table->columns[i].name, &values[i]);
	if (query_unbound(*query) != NULL)
		return error_line(err, R_TAB_SQL, table->file, section->line, "parameter ':%s' is no column of the table",
		                  query_unbound(*query));
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

enum status lineage_make(struct database *db, const struct table *table, const struct value *values, size_t column,
                         struct lineage *lineage, struct error *err)
{
	const struct sql_section *section = &table->sql.sections[table->columns[column].lineage];
	struct query *query = NULL;
	struct ids ids = {0};
	bool more = false;

	*lineage = (struct lineage){0};
	if (table->columns[column].lineage == 0)
		return OK;
	lineage->line = section->line;
	enum status status = lineage_open(db, table, values, section, &query, err);

	if (status == OK)
		status = lineage_kind_of(table, section->line, query, &lineage->kind, err);
	if (status == OK)
		status = query_next(query, &more, err);
	while (status == OK && more) {
		if (lineage->kind == LINEAGE_TURNS)
			status = take_turn_id(table, section->line, query, &ids, err);
		else
			status = take_place(table, section->line, query, lineage, err);
		if (status == OK)
			status = query_next(query, &more, err);
	}
	query_close(query);
	sort_unique(&ids);
	if (status == OK)
		status = read_turns(db, table, section->line, &ids, lineage, err);
	free(ids.at);
	if (status != OK)
		return status;
	count_turns(lineage);
	return check_count(table, values, column, lineage, err);
}
