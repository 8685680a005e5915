#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "completeness.h"
#include "jsonl.h"

#define KNOWN "artifact/expected/known.jsonl"

static const char *const verdict_names[] = {
	[VERDICT_SAME] = "SAME", [VERDICT_DIFFERS] = "DIFFERS", [VERDICT_NOT_DERIVABLE] = "NOT DERIVABLE"};

const char *verdict_name(enum verdict verdict)
{
	return verdict_names[verdict];
}

static void difference_free(struct difference *difference)
{
	free(difference->table);
	free(difference->row);
	free(difference->column);
	free(difference->published);
	free(difference->derived);
	free(difference->reason);
}

struct known {
	struct difference *at; /* by cell once read */
	bool *met; /* the cell was met and is as listed */
	size_t count;
};

static void known_free(struct known *known)
{
	for (size_t i = 0; i < known->count; i++)
		difference_free(&known->at[i]);
	free(known->at);
	free(known->met);
}

void check_free(struct check *check)
{
	for (size_t i = 0; i < check->difference_count; i++)
		difference_free(&check->differences[i]);
	free(check->differences);
	free(check->tables);
	findings_free(&check->incomplete);
	*check = (struct check){0};
}

bool check_holds(const struct check *check)
{
	return check->total.unknown == 0 && check->vanished == 0 && check->incomplete.count == 0;
}

static char *copy(const char *text)
{
	return text == NULL ? NULL : mem_text(text);
}

static bool same(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static int by_cell(const void *left, const void *right)
{
	const struct difference *a = left;
	const struct difference *b = right;
	int order = strcmp(a->table, b->table);

	if (order == 0)
		order = strcmp(a->row, b->row);
	return order != 0 ? order : strcmp(a->column, b->column);
}

/* A field that is text or null. */
static enum status text_or_null(const cJSON *object, const char *key, const char *file, const char **out, struct error *err)
{
	*out = NULL;
	if (cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(object, key)))
		return OK;
	return json_text(object, key, file, out, err);
}

static enum status known_line(void *context, cJSON *object, const char *file, uint64_t line, struct error *err)
{
	static const char *const names[] = {"column", "derived", "published", "reason", "row", "table", "verdict", NULL};
	struct known *known = context;
	const char *table, *row, *column, *published, *derived, *reason, *verdict;
	enum status status;

	if ((status = json_only(object, names, file, err)) != OK ||
	    (status = json_text(object, "table", file, &table, err)) != OK ||
	    (status = json_text(object, "row", file, &row, err)) != OK ||
	    (status = json_text(object, "column", file, &column, err)) != OK ||
	    (status = text_or_null(object, "published", file, &published, err)) != OK ||
	    (status = text_or_null(object, "derived", file, &derived, err)) != OK ||
	    (status = json_text(object, "reason", file, &reason, err)) != OK ||
	    (status = json_text(object, "verdict", file, &verdict, err)) != OK)
		return status;
	bool differs = strcmp(verdict, verdict_names[VERDICT_DIFFERS]) == 0;

	if (!differs && strcmp(verdict, verdict_names[VERDICT_NOT_DERIVABLE]) != 0)
		return error_line(err, R_JSON_FIELD, file, line, "verdict '%s' is neither DIFFERS nor NOT DERIVABLE", verdict);
	if (reason[strspn(reason, " \t\r\n")] == '\0')
		return error_line(err, R_JSON_FIELD, file, line, "the reason is empty");
	known->at = mem_array(known->at, known->count + 1, sizeof *known->at);
	known->at[known->count++] = (struct difference){.table = mem_text(table),
	                                                .row = mem_text(row),
	                                                .column = mem_text(column),
	                                                .published = copy(published),
	                                                .derived = copy(derived),
	                                                .reason = mem_text(reason),
	                                                .verdict = differs ? VERDICT_DIFFERS : VERDICT_NOT_DERIVABLE,
	                                                .state = DIFFERENCE_VANISHED};
	return OK;
}

/* The list may be absent: then no difference is known. */
static enum status known_read(const struct root *bundle, struct known *known, struct error *err)
{
	struct file_list list = {0};
	bool there = false;
	enum status status = root_list(bundle, "artifact/expected", &list, err);

	for (size_t i = 0; i < list.count; i++)
		there = there || strcmp(list.at[i].path, KNOWN) == 0;
	file_list_free(&list);
	if (status == OK && there)
		status = jsonl_read(bundle, KNOWN, known_line, known, err);
	if (status != OK || known->count == 0)
		return status;
	qsort(known->at, known->count, sizeof *known->at, by_cell);
	known->met = mem_alloc(known->count);
	for (size_t i = 1; i < known->count; i++)
		if (by_cell(&known->at[i - 1], &known->at[i]) == 0)
			return error_set(err, R_TAB_DUPLICATE, KNOWN, "%s %s %s is listed twice", known->at[i].table, known->at[i].row,
			                 known->at[i].column);
	return OK;
}

struct checking {
	struct check *check;
	struct known *known;
	size_t room; /* for differences */
};

static void add_difference(struct checking *checking, const struct difference *difference)
{
	struct check *check = checking->check;

	if (check->difference_count == checking->room) {
		checking->room = checking->room == 0 ? 64 : checking->room * 2;
		check->differences = mem_array(check->differences, checking->room, sizeof *check->differences);
	}
	struct difference *add = &check->differences[check->difference_count++];

	*add = *difference;
	add->table = mem_text(difference->table);
	add->row = mem_text(difference->row);
	add->column = mem_text(difference->column);
	add->published = copy(difference->published);
	add->derived = copy(difference->derived);
	add->reason = copy(difference->reason);
}

static void judge(struct checking *checking, struct table_totals *totals, struct difference *cell)
{
	struct known *known = checking->known;

	totals->published++;
	if (cell->verdict == VERDICT_SAME) {
		totals->same++;
		return;
	}
	*(cell->verdict == VERDICT_DIFFERS ? &totals->differs : &totals->not_derivable) += 1;
	struct difference *listed =
		known->count == 0 ? NULL : bsearch(cell, known->at, known->count, sizeof *known->at, by_cell);

	cell->state = DIFFERENCE_UNKNOWN;
	if (listed != NULL && listed->verdict == cell->verdict && same(listed->published, cell->published) &&
	    same(listed->derived, cell->derived)) {
		cell->state = DIFFERENCE_KNOWN;
		cell->reason = listed->reason;
	}
	/* A listed cell with other values is one unknown difference, not a vanished one as well. */
	if (listed != NULL)
		known->met[listed - known->at] = true;
	*(cell->state == DIFFERENCE_KNOWN ? &totals->known : &totals->unknown) += 1;
	add_difference(checking, cell);
}

static bool declared_underivable(const struct table *table, const char *column)
{
	for (size_t i = 0; i < table->underivable_count; i++)
		if (strcmp(table->underivable[i].column, column) == 0)
			return true;
	return false;
}

/* What the table says of a published cell. NULL: no value; *placed tells a cell that is empty from one that is not in the table. */
static const char *derived_text(const struct derived *derived, const char *row, int column, bool *placed)
{
	size_t at;

	*placed = column >= 0 && derived_find(derived, row, &at);
	if (!*placed)
		return NULL;
	const char *cell = derived_cell(derived, at, (size_t)column);
	const char *empty = derived->table->columns[column].empty;

	return cell == NULL && empty[0] != '\0' ? empty : cell;
}

static enum status check_cell(struct checking *checking, const struct derived *derived, const struct query *query,
                              struct table_totals *totals, struct error *err)
{
	const struct table *table = derived->table;
	struct value text = query_value(query, 2);
	char *row = (char *)query_value(query, 0).text;
	char *name = (char *)query_value(query, 1).text;
	int column = table_column(table, name, strlen(name));
	bool placed;

	if (column < 0 && !declared_underivable(table, name))
		return error_set(err, R_CMP_PLACE, table->file, "column '%s' is published and neither derived nor declared not derivable",
		                 name);
	struct difference cell = {.table = table->name,
	                          .row = row,
	                          .column = name,
	                          .published = text.type == VALUE_NULL ? NULL : (char *)text.text,
	                          .derived = (char *)derived_text(derived, row, column, &placed)};

	if (placed && same(cell.published, cell.derived))
		cell.verdict = VERDICT_SAME;
	else
		cell.verdict = cell.derived == NULL ? VERDICT_NOT_DERIVABLE : VERDICT_DIFFERS;
	judge(checking, totals, &cell);
	return OK;
}

static enum status check_table(struct database *db, const struct derived *derived, struct checking *checking, struct error *err)
{
	struct table_totals totals = {.table = derived->table};
	const struct value name = {
		.type = VALUE_TEXT, .text = derived->table->name, .len = strlen(derived->table->name)};
	struct query *query = NULL;
	bool more = false;
	enum status status =
		query_open(db, "SELECT row, column_name, text FROM expected WHERE table_name = :table ORDER BY row, column_name",
	                   "artifact/expected", 0, &query, err);

	if (status != OK)
		return status;
	query_bind(query, "table", &name);
	status = query_next(query, &more, err);
	while (status == OK && more) {
		status = check_cell(checking, derived, query, &totals, err);
		if (status == OK)
			status = query_next(query, &more, err);
	}
	query_close(query);
	if (status != OK || totals.published == 0)
		return status;
	struct check *check = checking->check;

	check->tables[check->table_count++] = totals;
	check->total.published += totals.published;
	check->total.same += totals.same;
	check->total.differs += totals.differs;
	check->total.not_derivable += totals.not_derivable;
	check->total.known += totals.known;
	check->total.unknown += totals.unknown;
	return OK;
}

/* Published cells for a table that is not there would otherwise go uncompared. */
static enum status check_places(struct database *db, const struct catalogue *catalogue, struct error *err)
{
	struct query *query = NULL;
	bool more = false;
	enum status status =
		query_open(db, "SELECT DISTINCT table_name FROM expected ORDER BY table_name", "artifact/expected", 0, &query, err);

	if (status == OK)
		status = query_next(query, &more, err);
	while (status == OK && more) {
		const char *name = query_value(query, 0).text;

		if (catalogue_table(catalogue, name) == NULL)
			status = error_set(err, R_CMP_PLACE, "artifact/expected", "there is no table '%s'", name);
		else
			status = query_next(query, &more, err);
	}
	query_close(query);
	return status;
}

enum status check_make(struct database *db, const struct root *bundle, const struct catalogue *catalogue,
                       const struct derived *derived, size_t count, struct check *check, struct error *err)
{
	struct known known = {0};
	struct checking checking = {.check = check, .known = &known};

	*check = (struct check){.tables = mem_array(NULL, count, sizeof *check->tables)};
	enum status status = known_read(bundle, &known, err);

	if (status == OK)
		status = check_places(db, catalogue, err);
	for (size_t i = 0; i < count && status == OK; i++)
		status = check_table(db, &derived[i], &checking, err);
	for (size_t i = 0; i < known.count && status == OK; i++) {
		if (known.met[i])
			continue;
		add_difference(&checking, &known.at[i]);
		check->vanished++;
	}
	known_free(&known);
	return status == OK ? completeness_find(db, catalogue, &check->incomplete, err) : status;
}

const struct difference *check_find(const struct check *check, const char *table, const char *row, const char *column)
{
	for (size_t i = 0; i < check->difference_count; i++) {
		const struct difference *difference = &check->differences[i];

		if (difference->state != DIFFERENCE_VANISHED && strcmp(difference->table, table) == 0 &&
		    strcmp(difference->row, row) == 0 && strcmp(difference->column, column) == 0)
			return difference;
	}
	return NULL;
}

enum status published_find(struct database *db, const char *table, const char *row, const char *column, bool *found, char **text,
                           struct error *err)
{
	const struct value values[] = {{.type = VALUE_TEXT, .text = table, .len = strlen(table)},
	                               {.type = VALUE_TEXT, .text = row, .len = strlen(row)},
	                               {.type = VALUE_TEXT, .text = column, .len = strlen(column)}};
	struct query *query = NULL;
	enum status status = query_open(
		db, "SELECT text FROM expected WHERE table_name = :table AND row = :row AND column_name = :column", "artifact/expected", 0,
		&query, err);

	*found = false;
	*text = NULL;
	if (status != OK)
		return status;
	query_bind(query, "table", &values[0]);
	query_bind(query, "row", &values[1]);
	query_bind(query, "column", &values[2]);
	status = query_next(query, found, err);
	if (status == OK && *found && query_value(query, 0).type == VALUE_TEXT)
		*text = mem_text(query_value(query, 0).text);
	query_close(query);
	return status;
}
