/* The records that a report shows for a cell are those that explain names, for cells of every committed table; and the sets' form. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/trail.h"

enum { ROWS_TRACED = 12 };

static void sets_are_runs_to_base_36(void **state)
{
	static const int64_t ids[] = {1, 2, 3, 7, 50, 51};
	struct bytes out = {0};

	(void)state;
	trail_set(ids, 6, &out);
	assert_string_equal(out.data, "0.2,3,16.1");
	out.len = 0;
	trail_set(ids + 4, 1, &out);
	assert_string_equal(out.data, "1d");
	bytes_free(&out);
	trail_set(ids, 0, &out);
	assert_int_equal(out.len, 0);
}

static void a_pool_keeps_each_text_once(void **state)
{
	struct pool pool = {0};
	char text[16];

	(void)state;
	assert_true(pool_find(&pool, "0") == SIZE_MAX);
	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < 3000; i++) {
			snprintf(text, sizeof text, "%zu", i);
			assert_int_equal(pool_add(&pool, text), i);
		}
	assert_int_equal(pool.count, 3000);
	assert_int_equal(pool_find(&pool, "2999"), 2999);
	assert_string_equal(pool.at[1500], "1500");
	assert_true(pool_find(&pool, "3000") == SIZE_MAX);
	pool_free(&pool);
}

/* The set as explain's lineage has it: written out and compared as text, so that the reading of it is no second encoding. */
static void write_out(const char *set, struct bytes *out)
{
	unsigned long last = 0;

	bytes_text(out, "");
	while (*set != '\0' && *set != '@') {
		unsigned long id = last + strtoul(set, (char **)&set, 36) + 1;
		unsigned long more = *set == '.' ? strtoul(set + 1, (char **)&set, 36) : 0;

		for (last = id + more; id <= last; id++)
			bytes_format(out, "%lu ", id);
		set += *set == ',' ? 1 : 0;
	}
}

static void write_places(const struct trail *trail, const char *set, struct bytes *out)
{
	while (*set == '@') {
		size_t file = strtoul(set + 1, (char **)&set, 36);
		unsigned long line = *set == '-' ? strtoul(set + 1, (char **)&set, 36) : 1;

		bytes_format(out, "%s:%lu ", trail->files.at[file], line);
		set += *set == ',' ? 1 : 0;
	}
}

static void trace(const struct derivation *derivation, const struct trail *trail, size_t table, size_t row, size_t column)
{
	const struct derived *derived = &derivation->tables[table];
	const size_t section = derived->table->columns[column].lineage;
	struct lineage lineage;
	struct error err = {0};
	struct bytes wanted = {0}, got = {0};

	assert_int_equal(lineage_make(derivation->db, derived, row, column, &lineage, &err), OK);
	if (section > 0) {
		const char *set = trail->sets.at[trail->tables[table].sets[(section - 1) * derived->rows + row]];

		bytes_text(&wanted, "");
		for (size_t i = 0; i < lineage.turn_count; i++)
			bytes_format(&wanted, "%lld ", (long long)lineage.turns[i].turn_id);
		for (size_t i = 0; i < lineage.place_count; i++)
			bytes_format(&wanted, "%s:%lld ", lineage.places[i].file, (long long)lineage.places[i].line);
		write_out(set, &got);
		write_places(trail, set, &got);
		if (strcmp(wanted.data, got.data) != 0)
			fail_msg("%s, row %s, column %s: %s", derived->table->name, derived_name(derived, row), derived->table->columns[column].name, set);
	}
	bytes_free(&wanted);
	bytes_free(&got);
	lineage_free(&lineage);
}

static void records_are_those_of_explain(void **state)
{
	struct derivation derivation;
	struct trail trail;
	struct error err = {0};

	(void)state;
	assert_int_equal(derivation_open(".", &derivation, &err), OK);
	assert_int_equal(derivation_tables(&derivation, &err), OK);
	assert_int_equal(trail_make(&derivation, &trail, &err), OK);
	assert_true(trail.table_count >= 10);
	assert_int_equal(trail.turn_count, derivation.db->turns);
	assert_string_equal(trail.files.at[1] + strlen(trail.files.at[1]) - strlen("/turns.jsonl"), "/turns.jsonl");
	for (size_t t = 0; t < trail.table_count; t++) {
		const size_t rows = derivation.tables[t].rows;
		const size_t step = rows > ROWS_TRACED ? rows / ROWS_TRACED : 1;

		for (size_t row = 0; row < rows; row += step)
			for (size_t c = 0; c < derivation.tables[t].table->column_count; c++)
				trace(&derivation, &trail, t, row, c);
	}
	trail_free(&trail);
	derivation_close(&derivation);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sets_are_runs_to_base_36),
		cmocka_unit_test(a_pool_keeps_each_text_once),
		cmocka_unit_test(records_are_those_of_explain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
