#include "verdict.h"

#include <stdlib.h>
#include <string.h>

#include "derived.h"
#include "parallel.h"

static const char *const names[] = {
	[CLAIM_HOLDS] = "HOLDS", [CLAIM_FAILS] = "FAILS", [CLAIM_NOT_DERIVABLE] = "NOT DERIVABLE"};

const char *claim_verdict_name(enum claim_verdict verdict)
{
	return names[verdict];
}

static void numbers_free(struct decision *decision)
{
	for (size_t c = 0; decision->numbers != NULL && c < decision->claim->table.column_count; c++)
		free(decision->numbers[c]);
	free(decision->numbers);
	decision->numbers = NULL;
}

void decisions_free(struct decision *decisions, size_t count)
{
	for (size_t i = 0; decisions != NULL && i < count; i++)
		numbers_free(&decisions[i]);
	free(decisions);
}

bool decisions_hold(const struct decision *decisions, size_t count)
{
	bool hold = true;

	for (size_t i = 0; i < count; i++)
		hold = hold && decisions[i].as_expected;
	return hold;
}

static enum status broken(const struct table *table, const char *what, struct error *err)
{
	return error_line(err, R_TAB_CLAIM, table->file, table->sql.sections[0].line, "%s", what);
}

static enum status take_verdict(const struct table *table, const struct value *holds, struct decision *decision, struct error *err)
{
	if (holds->type == VALUE_NULL)
		decision->verdict = CLAIM_NOT_DERIVABLE;
	else if (holds->type == VALUE_INTEGER && (holds->integer == 0 || holds->integer == 1))
		decision->verdict = holds->integer == 1 ? CLAIM_HOLDS : CLAIM_FAILS;
	else
		return broken(table, "holds is neither 1 nor 0 nor NULL", err);
	decision->as_expected = strcmp(names[decision->verdict], decision->claim->expect) == 0;
	return OK;
}

static enum status take_number(const struct table *table, size_t column, const struct value *value, char **out, struct error *err)
{
	struct bytes text = {0};
	bool null;
	enum status status = column_text(table, column, value, &text, &null, err);

	if (status == OK && !null)
		*out = mem_textn(text.data == NULL ? "" : text.data, text.len);
	bytes_free(&text);
	return status;
}

static enum status decide(struct database *db, size_t index, void *context, struct error *err)
{
	struct decision *decision = (struct decision *)context + index;
	const struct table *table = &decision->claim->table;
	struct query *query = NULL;
	bool row = false;

	numbers_free(decision);
	decision->numbers = mem_alloc((table->column_count + 1) * sizeof *decision->numbers);
	enum status status = table_query(db, table, "holds", &query, err);

	if (status == OK)
		status = query_next(query, &row, err);
	if (status == OK && !row)
		status = broken(table, "the query returns no row", err);
	if (status == OK) {
		struct value holds = query_value(query, 0);

		status = take_verdict(table, &holds, decision, err);
	}
	for (size_t i = 0; i < table->column_count && status == OK; i++) {
		struct value value = query_value(query, i + 1);

		status = take_number(table, i, &value, &decision->numbers[i], err);
	}
	if (status == OK)
		status = query_next(query, &row, err);
	if (status == OK && row)
		status = broken(table, "the query returns a second row", err);
	query_close(query);
	return status;
}

enum status decisions_make(struct database *db, const struct catalogue *catalogue, struct decision **decisions, struct error *err)
{
	*decisions = mem_alloc((catalogue->claim_count + 1) * sizeof **decisions);
	for (size_t i = 0; i < catalogue->claim_count; i++)
		(*decisions)[i].claim = &catalogue->claims[i];
	return parallel_run(db, catalogue->claim_count, decide, *decisions, err);
}

const char *claim_number(const struct decision *decision, size_t column)
{
	const char *empty = decision->claim->table.columns[column].empty;

	if (decision->numbers[column] != NULL)
		return decision->numbers[column];
	return empty[0] != '\0' ? empty : "none";
}

void claim_numbers(const struct decision *decision, struct bytes *out)
{
	const struct table *table = &decision->claim->table;

	for (size_t i = 0; i < table->column_count; i++)
		bytes_format(out, "%s%s %s", i == 0 ? "" : ", ", table->columns[i].name, claim_number(decision, i));
}
