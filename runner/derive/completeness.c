#include "completeness.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../bundle/layout.h"
#include "query.h"

struct finding_in {
	struct database *db;
	const struct catalogue *catalogue;
	struct findings *findings;
};

/* Called with each row of a query. */
typedef void take_row(struct finding_in *in, const struct query *query, void *context);

static enum status each_row(struct finding_in *in, const char *sql, take_row *take, void *context, struct error *err)
{
	struct query *query = NULL;
	bool more = false;
	enum status status = query_open(in->db, sql, "artifact/sources", 0, &query, err);

	if (status == OK)
		status = query_next(query, &more, err);
	while (status == OK && more) {
		take(in, query, context);
		status = query_next(query, &more, err);
	}
	query_close(query);
	return status;
}

static char *source_file(const char *source)
{
	return mem_format(LAYOUT_SOURCES "%s/" LAYOUT_PROVENANCE, source);
}

/* source, then what is counted and what is held of runs, trajectories and turns */
static const char counts_sql[] =
	"WITH size AS (SELECT run_id, count(*) AS trajectories, sum(turns) AS turns FROM trajectory GROUP BY run_id), "
	"held AS (SELECT r.source, count(*) AS runs, sum(trajectories) AS trajectories, sum(turns) AS turns "
	"FROM run r LEFT JOIN size USING (run_id) GROUP BY r.source) "
	"SELECT s.source, s.runs, ifnull(h.runs, 0), s.trajectories, ifnull(h.trajectories, 0), s.turns, ifnull(h.turns, 0) "
	"FROM source s LEFT JOIN held h USING (source) ORDER BY s.source";

static void take_counts(struct finding_in *in, const struct query *query, void *context)
{
	static const char *const names[] = {"runs", "trajectories", "turns"};
	char *file = source_file(query_value(query, 0).text);

	(void)context;
	for (size_t i = 0; i < 3; i++) {
		struct value counted = query_value(query, 1 + 2 * i);
		struct value held = query_value(query, 2 + 2 * i);

		if (counted.type != VALUE_NULL && counted.integer != held.integer)
			findings_add(in->findings, R_CMP_LEDGER, file, "%s: it counts %" PRId64 ", the ledger holds %" PRId64, names[i],
			             counted.integer, held.integer);
	}
	free(file);
}

/* source, its lines, and the line of each of its turns in order; a source without turns has one row, with NULL */
static const char lines_sql[] = "SELECT s.source, s.first_line, s.last_line, t.source_line, t.turn_id IS NULL FROM source s "
				"LEFT JOIN run r USING (source) LEFT JOIN turn t USING (run_id) "
				"WHERE s.first_line IS NOT NULL ORDER BY s.source, t.source_line";

struct lines {
	char *source; /* whose lines pass by, NULL before the first */
	int64_t wanted; /* the next one */
	int64_t last;
	bool told;
};

static void end_lines(struct finding_in *in, struct lines *lines)
{
	if (lines->source != NULL && !lines->told && lines->wanted <= lines->last) {
		char *file = source_file(lines->source);

		findings_add(in->findings, R_CMP_LEDGER, file, "no turn stands on line %" PRId64 " of the source's file", lines->wanted);
		free(file);
	}
	free(lines->source);
}

/* Only the first fault of a source is told: after it every line would be another. */
static void take_line(struct finding_in *in, const struct query *query, void *context)
{
	struct lines *lines = context;
	struct value source = query_value(query, 0);
	struct value line = query_value(query, 3);

	if (lines->source == NULL || strcmp(lines->source, source.text) != 0) {
		end_lines(in, lines);
		*lines = (struct lines){.source = mem_text(source.text),
		                        .wanted = query_value(query, 1).integer,
		                        .last = query_value(query, 2).integer};
	}
	if (lines->told || query_value(query, 4).integer == 1 /* a run without turns */)
		return;
	if (line.type == VALUE_INTEGER && line.integer == lines->wanted && line.integer <= lines->last) {
		lines->wanted++;
		return;
	}
	char *file = source_file(source.text);

	if (line.type != VALUE_INTEGER)
		findings_add(in->findings, R_CMP_LEDGER, file, "a turn names no line of the source's file");
	else if (line.integer > lines->wanted && lines->wanted <= lines->last)
		findings_add(in->findings, R_CMP_LEDGER, file, "no turn stands on line %" PRId64 " of the source's file", lines->wanted);
	else
		findings_add(in->findings, R_CMP_LEDGER, file, "a turn stands on line %" PRId64 " of the source's file, %s", line.integer,
		             line.integer < lines->wanted ? "as another one does, or before the first" : "which is past the last");
	lines->told = true;
	free(file);
}

static enum status find_lines(struct finding_in *in, struct error *err)
{
	struct lines lines = {0};
	enum status status = each_row(in, lines_sql, take_line, &lines, err);

	end_lines(in, &lines);
	return status;
}

/* source, table, rows and columns that are counted, rows and cells that are there, cells in columns that are counted */
static const char published_sql[] =
	"WITH there AS (SELECT e.source, e.table_name, count(DISTINCT e.row) AS rows, count(*) AS cells, count(c.column_name) AS good "
	"FROM expected e LEFT JOIN source_column c USING (source, table_name, column_name) GROUP BY e.source, e.table_name) "
	"SELECT t.source, t.table_name, t.rows, "
	"(SELECT count(*) FROM source_column c WHERE c.source = t.source AND c.table_name = t.table_name), "
	"ifnull(h.rows, 0), ifnull(h.cells, 0), ifnull(h.good, 0) "
	"FROM source_table t LEFT JOIN there h USING (source, table_name) ORDER BY t.source, t.table_name";

static void take_published(struct finding_in *in, const struct query *query, void *context)
{
	const char *table = query_value(query, 1).text;
	int64_t rows = query_value(query, 2).integer;
	int64_t columns = query_value(query, 3).integer;
	int64_t there = query_value(query, 4).integer;
	int64_t cells = query_value(query, 5).integer;
	int64_t good = query_value(query, 6).integer;
	char *file = mem_format(LAYOUT_EXPECTED "%s/%s.jsonl", query_value(query, 0).text, table);

	(void)context;
	if (there != rows)
		findings_add(in->findings, R_CMP_PUBLISHED, file, "rows: %" PRId64 " here, source.json counts %" PRId64, there, rows);
	else if (good != cells)
		findings_add(in->findings, R_CMP_PUBLISHED, file, "cells in columns that source.json does not name: %" PRId64, cells - good);
	else if (cells / columns != rows || cells % columns != 0)
		findings_add(in->findings, R_CMP_PUBLISHED, file, "cells: %" PRId64 " here, source.json counts rows: %" PRId64 ", of columns: %" PRId64,
		             cells, rows, columns);
	if (catalogue_table(in->catalogue, table) == NULL)
		findings_add(in->findings, R_CMP_PUBLISHED, file, "there is no table '%s' to compare it with", table);
	free(file);
}

/* Published cells that a source which counts its tables does not count. */
static const char uncounted_sql[] =
	"SELECT DISTINCT e.source, e.table_name FROM expected e WHERE e.source IN (SELECT t.source FROM source_table t) AND NOT EXISTS "
	"(SELECT 1 FROM source_table t WHERE t.source = e.source AND t.table_name = e.table_name) ORDER BY e.source, e.table_name";

static void take_uncounted(struct finding_in *in, const struct query *query, void *context)
{
	char *file = mem_format(LAYOUT_EXPECTED "%s/%s.jsonl", query_value(query, 0).text, query_value(query, 1).text);

	(void)context;
	findings_add(in->findings, R_CMP_PUBLISHED, file, "source.json counts no such table");
	free(file);
}

static void take_name(struct finding_in *in, const struct query *query, void *context)
{
	bool *compared = context;

	for (size_t i = 0; i < in->catalogue->table_count; i++)
		if (strcmp(in->catalogue->tables[i].name, query_value(query, 0).text) == 0)
			compared[i] = true;
}

/* A table whose head says that it rebuilds something has to have that to be set beside. */
static enum status find_tables(struct finding_in *in, struct error *err)
{
	const struct catalogue *catalogue = in->catalogue;
	bool *compared = mem_alloc(catalogue->table_count + 1);
	bool any = false;
	enum status status = each_row(in, "SELECT DISTINCT table_name FROM expected", take_name, compared, err);

	for (size_t i = 0; i < catalogue->table_count && status == OK; i++) {
		any = any || compared[i];
		if (!compared[i] && strcmp(catalogue->tables[i].rebuilds, "new") != 0)
			findings_add(in->findings, R_CMP_PUBLISHED, catalogue->tables[i].file, "it rebuilds '%s', of which no cell is there",
			             catalogue->tables[i].rebuilds);
	}
	free(compared);
	if (catalogue->table_count == 0)
		findings_add(in->findings, R_CMP_NOTHING, "artifact/tables", "there is no table");
	if (!any)
		findings_add(in->findings, R_CMP_NOTHING, "artifact/expected", "there is no published cell");
	if (catalogue->claim_count == 0)
		findings_add(in->findings, R_CMP_NOTHING, "artifact/claims", "there is no claim");
	return status;
}

enum status completeness_find(struct database *db, const struct catalogue *catalogue, struct findings *findings, struct error *err)
{
	struct finding_in in = {.db = db, .catalogue = catalogue, .findings = findings};

	database_show(db, NULL, NULL);
	enum status status = each_row(&in, counts_sql, take_counts, NULL, err);

	if (status == OK)
		status = find_lines(&in, err);
	if (status == OK)
		status = each_row(&in, published_sql, take_published, NULL, err);
	if (status == OK)
		status = each_row(&in, uncounted_sql, take_uncounted, NULL, err);
	if (status == OK)
		status = find_tables(&in, err);
	findings_sort(findings);
	return status;
}
