/* ptxseal explain: where a cell comes from, down to the records and the hashes they stand under; or a reader's own query. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/csv.h"
#include "../base/jcs.h"
#include "../bundle/admitted.h"
#include "../bundle/layout.h"
#include "../command.h"
#include "../derive/explanation.h"
#include "../derive/rows.h"
#include "../report/grid.h"
#include "report.h"
#include "unvouched.h"

enum { LISTED = 20 }; /* records without --all */

struct options {
	const char *sql;
	const char *cell[3]; /* table, row, column */
	const char *bundle;
	bool all;
	bool csv;
	bool json;
};

static enum status parse_options(int argc, char **argv, struct options *options)
{
	static const struct option longs[] = {{"sql", required_argument, NULL, 's'}, {"all", no_argument, NULL, 'a'},
	                                      {"csv", no_argument, NULL, 'c'},       {"json", no_argument, NULL, 'j'},
	                                      {0}};
	int option;

	*options = (struct options){.bundle = "."};
	optind = 0; /* glibc: scan anew */
	opterr = 0;
	while ((option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (option == 's')
			options->sql = optarg;
		else if (option == 'a')
			options->all = true;
		else if (option == 'c')
			options->csv = true;
		else if (option == 'j')
			options->json = true;
		else
			return command_usage(&command_explain, "unknown option or missing value: '%s'", command_option(argc, argv));
	}
	if (options->csv && (options->sql == NULL || options->json))
		return command_usage(&command_explain, "--csv goes with --sql, and not with --json");
	if (options->sql == NULL) {
		if (argc - optind < 3)
			return command_usage(&command_explain, "a table, a row and a column are wanted: `ptxseal table` lists tables, `ptxseal table NAME` shows one");
		for (int i = 0; i < 3; i++)
			options->cell[i] = argv[optind++];
	}
	if (argc - optind > 1)
		return command_usage(&command_explain, "one bundle is wanted after that");
	if (optind < argc)
		options->bundle = argv[optind];
	return OK;
}

static void print_grid_free(struct grid *grid, size_t indent)
{
	struct bytes out = {0};

	grid_write_all(grid, indent, &out);
	fwrite(out.data, 1, out.len, stdout);
	bytes_free(&out);
	grid_free(grid);
}

static void print_line(const char *label, const char *text)
{
	printf("%-12s ", label);
	report_text(text, stdout);
	putchar('\n');
}

static void print_published(const struct explanation *explanation)
{
	printf("%-12s ", "published");
	if (!explanation->is_published) {
		puts("no such cell was published");
		return;
	}
	report_text(explanation->published == NULL ? "(empty)" : explanation->published, stdout);
	if (explanation->difference == NULL) {
		puts(": SAME");
		return;
	}
	printf(": %s, ", verdict_name(explanation->difference->verdict));
	if (explanation->difference->state == DIFFERENCE_KNOWN)
		report_text(explanation->difference->reason, stdout);
	else
		printf("not listed with these values in artifact/expected/known.jsonl");
	putchar('\n');
}

static void print_head(const struct explanation *explanation)
{
	const struct table *table = explanation->table;
	const struct column *column = &table->columns[explanation->column];
	const char *cell = derived_cell(&explanation->derived, explanation->row, explanation->column);
	struct bytes format = {0};

	print_line("table", table->name);
	print_line("title", table->title);
	print_line("rebuilds", table->rebuilds);
	print_line("evidence", table->evidence);
	print_line("row", derived_name(&explanation->derived, explanation->row));
	print_line("column", column->name);
	print_line("cell", cell != NULL ? cell : "no value");
	format_name(&column->format, &format);
	print_line("format", format.data);
	print_line("formula", column->meaning);
	if (column->denominator != NULL)
		print_line("denominator", column->denominator);
	for (size_t i = 0; i < table->underivable_count; i++)
		if (strcmp(table->underivable[i].column, column->name) == 0)
			print_line("not derivable", table->underivable[i].why);
	print_published(explanation);
	printf("%-12s %s, line %" PRIu64 "\n", "query", table->file, table->sql.sections[0].line);
	printf("%-12s", "in its row");
	for (size_t i = 0; i < table->column_count; i++) {
		printf("%s%s ", i == 0 ? " " : ", ", table->columns[i].name);
		report_text(derived_shown(&explanation->derived, explanation->row, i), stdout);
	}
	putchar('\n');
	bytes_free(&format);
}

static void print_turns(const struct lineage *lineage, size_t shown)
{
	static const char *const header[] = {"run", "trajectory", "turn", "outcome", "speedup", "arch_tag", "line", "source line"};
	struct grid grid;
	char number[32];

	grid_make(&grid, sizeof header / sizeof header[0]);
	for (size_t i = 0; i < grid.columns; i++)
		grid_name(&grid, i, header[i], i == 1 || i == 2 || i >= 6);
	for (size_t i = 0; i < shown; i++) {
		const struct lineage_turn *turn = &lineage->turns[i];
		const int64_t numbers[] = {0, turn->trajectory, turn->turn, 0, 0, 0, turn->line, turn->source_line};
		const char *const texts[] = {turn->run, NULL, NULL, turn->outcome, turn->speedup != NULL ? turn->speedup : "",
		                             turn->arch_tag, NULL, NULL};

		for (size_t c = 0; c < grid.columns; c++) {
			snprintf(number, sizeof number, "%" PRId64, numbers[c]);
			grid_add(&grid, c, texts[c] != NULL ? texts[c] : c == 7 && turn->source_line == 0 ? "" : number);
		}
	}
	print_grid_free(&grid, 2);
}

static void print_places(const struct lineage *lineage, size_t shown)
{
	for (size_t i = 0; i < shown; i++) {
		fputs("  ", stdout);
		report_text(lineage->places[i].file, stdout);
		printf(", line %" PRId64 "\n", lineage->places[i].line);
	}
}

/* Is the file still the one that is listed? To say otherwise of one that was changed would vouch for it. */
static bool has_bytes(const struct root *bundle, const char *file, const struct sha256 *listed)
{
	struct hash_job *job = mem_alloc(sizeof *job);

	job->path = file;
	hash_files(bundle, job, 1, 1, NULL, NULL);
	bool same = job->status == OK && memcmp(&job->hash, listed, sizeof *listed) == 0;

	hash_jobs_free(job, 1);
	return same;
}

/* "HASH  FILE", the file's line in SHA256SUMS. */
static void print_hash(const struct root *bundle, const struct explanation *explanation, const char *file)
{
	const struct checksum *sum = checksums_find(&explanation->sums, file);
	char hex[SHA256_HEX + 1];

	if (sum != NULL)
		sha256_hex(&sum->hash, hex);
	printf("  %s", sum != NULL ? hex : explanation->is_sealed ? "(not listed)" : "");
	fputs(explanation->is_sealed ? "  " : "", stdout);
	report_text(file, stdout);
	puts(sum == NULL || has_bytes(bundle, file, &sum->hash) ? "" : "  CHANGED: its bytes are others now; see `ptxseal verify`");
}

/* What the turns stand under: each source's signed statement, each run's file. */
static void print_anchors(const struct derivation *derivation, const struct explanation *explanation, size_t shown)
{
	const struct lineage *lineage = &explanation->lineage;
	const char *source = NULL;

	puts(explanation->is_sealed ? "\nThey stand under these signed statements, in files of these SHA-256 (" LAYOUT_SUMS "):"
	                            : "\nThe bundle is not sealed (it has no " LAYOUT_SUMS "), so nobody vouches for them. They stand in:");
	for (size_t i = 0; i < shown && lineage->kind == LINEAGE_TURNS; i++) {
		const struct lineage_turn *turn = &lineage->turns[i];

		if (source == NULL || strcmp(source, turn->source) != 0) {
			char *file = source_turn_file(&derivation->bundle, turn->source);

			char *manifest = manifest_of_run(&derivation->bundle, turn->run, turn->source);

			source = turn->source;
			if (explanation->is_sealed)
				printf("  %s, source %s", manifest, source);
			else
				printf("  source %s", source);
			if (file != NULL)
				printf(" (source lines count in its %s)", file);
			putchar('\n');
			free(manifest);
			free(file);
		}
		if (i > 0 && turn[-1].run_id == turn->run_id)
			continue;
		char *path = mem_format(LAYOUT_RUNS "%s/" LAYOUT_TURNS, turn->run);

		print_hash(&derivation->bundle, explanation, path);
		free(path);
	}
	for (size_t i = 0; i < shown && lineage->kind == LINEAGE_FILES; i++)
		if (i == 0 || strcmp(lineage->places[i - 1].file, lineage->places[i].file) != 0)
			print_hash(&derivation->bundle, explanation, lineage->places[i].file);
}

static void print_records(const struct options *options, const struct derivation *derivation,
                          const struct explanation *explanation)
{
	const struct lineage *lineage = &explanation->lineage;
	size_t count = lineage->kind == LINEAGE_TURNS ? lineage->turn_count : lineage->place_count;
	size_t shown = !options->all && count > LISTED ? LISTED : count;

	if (lineage->kind == LINEAGE_NONE) {
		printf("%-12s the column names none: it follows from the rest of its row and the query\n", "records");
		return;
	}
	if (lineage->kind == LINEAGE_TURNS)
		printf("%-12s turn records: %zu, of trajectories: %zu, in runs: %zu", "records", count, lineage->trajectories,
		       lineage->runs);
	else
		printf("%-12s lines of the bundle: %zu", "records", count);
	printf(", by %s, line %" PRIu64 "\n", explanation->table->file, lineage->line);
	if (count == 0)
		return;
	putchar('\n');
	if (lineage->kind == LINEAGE_TURNS)
		print_turns(lineage, shown);
	else
		print_places(lineage, shown);
	if (shown < count)
		printf("  ... and %zu more; --all lists them\n", count - shown);
	print_anchors(derivation, explanation, shown);
}

static void add_hash(cJSON *object, const struct explanation *explanation, const char *file)
{
	const struct checksum *sum = checksums_find(&explanation->sums, file);
	char hex[SHA256_HEX + 1];

	if (sum != NULL)
		sha256_hex(&sum->hash, hex);
	jcs_add_text(object, "file", file);
	jcs_add_text(object, "sha256", sum != NULL ? hex : NULL);
}

static cJSON *turn_json(const char *manifest, const struct explanation *explanation, const struct lineage_turn *turn)
{
	cJSON *object = cJSON_CreateObject();
	char *file = mem_format(LAYOUT_RUNS "%s/" LAYOUT_TURNS, turn->run);

	add_hash(object, explanation, file);
	jcs_add_text(object, "manifest", manifest);
	jcs_add_text(object, "run", turn->run);
	cJSON_AddNumberToObject(object, "trajectory", (double)turn->trajectory);
	cJSON_AddNumberToObject(object, "turn", (double)turn->turn);
	jcs_add_text(object, "outcome", turn->outcome);
	jcs_add_text(object, "speedup", turn->speedup);
	jcs_add_text(object, "arch_tag", turn->arch_tag);
	cJSON_AddNumberToObject(object, "line", (double)turn->line);
	cJSON_AddItemToObject(object, "source_line",
	                      turn->source_line > 0 ? cJSON_CreateNumber((double)turn->source_line) : cJSON_CreateNull());
	free(file);
	return object;
}

/* Machines get every record. */
static void print_json(const struct root *bundle, const struct explanation *explanation)
{
	const struct table *table = explanation->table;
	const struct column *column = &table->columns[explanation->column];
	const struct lineage *lineage = &explanation->lineage;
	const struct difference *difference = explanation->difference;
	cJSON *tree = cJSON_CreateObject();
	cJSON *records = cJSON_AddArrayToObject(tree, "records");
	char *manifest = NULL;

	jcs_add_text(tree, "table", table->name);
	jcs_add_text(tree, "row", derived_name(&explanation->derived, explanation->row));
	jcs_add_text(tree, "column", column->name);
	jcs_add_text(tree, "cell", derived_cell(&explanation->derived, explanation->row, explanation->column));
	jcs_add_text(tree, "formula", column->meaning);
	jcs_add_text(tree, "denominator", column->denominator);
	jcs_add_text(tree, "evidence", table->evidence);
	jcs_add_text(tree, "file", table->file);
	cJSON_AddNumberToObject(tree, "line", (double)table->sql.sections[0].line);
	cJSON_AddNumberToObject(tree, "lineage_line", (double)lineage->line);
	cJSON_AddBoolToObject(tree, "is_published", explanation->is_published);
	jcs_add_text(tree, "published", explanation->published);
	jcs_add_text(tree, "verdict",
	         !explanation->is_published ? NULL : verdict_name(difference != NULL ? difference->verdict : VERDICT_SAME));
	jcs_add_text(tree, "reason", difference != NULL ? difference->reason : NULL);
	for (size_t i = 0; i < lineage->turn_count; i++) {
		const struct lineage_turn *turn = &lineage->turns[i];

		if (i == 0 || turn[-1].run_id != turn->run_id) {
			free(manifest);
			manifest = manifest_of_run(bundle, turn->run, turn->source);
		}
		cJSON_AddItemToArray(records, turn_json(manifest, explanation, turn));
	}
	free(manifest);
	for (size_t i = 0; i < lineage->place_count; i++) {
		cJSON *place = cJSON_CreateObject();

		add_hash(place, explanation, lineage->places[i].file);
		cJSON_AddNumberToObject(place, "line", (double)lineage->places[i].line);
		cJSON_AddItemToArray(records, place);
	}
	report_json(tree, stdout);
	cJSON_Delete(tree);
}

static enum status explain(const struct options *options, struct derivation *derivation, struct error *err)
{
	struct explanation explanation = {0};
	enum status status =
		explain_cell(derivation, options->cell[0], options->cell[1], options->cell[2], &explanation, err);

	if (status == OK && options->json) {
		print_json(&derivation->bundle, &explanation);
	} else if (status == OK) {
		print_head(&explanation);
		print_records(options, derivation, &explanation);
	}
	explanation_free(&explanation);
	return status;
}

static void print_rows(const struct rows *rows)
{
	struct grid grid;

	grid_make(&grid, rows->columns);
	for (size_t c = 0; c < rows->columns; c++) {
		bool is_number = rows->count > 0;

		for (size_t r = 0; r < rows->count; r++)
			is_number = is_number && rows->types[r * rows->columns + c] != VALUE_TEXT;
		grid_name(&grid, c, rows->names[c], is_number);
	}
	for (size_t r = 0; r < rows->count; r++)
		for (size_t c = 0; c < rows->columns; c++)
			grid_add(&grid, c, rows_cell(rows, r, c) != NULL ? rows_cell(rows, r, c) : "NULL");
	print_grid_free(&grid, 0);
}

static void print_rows_csv(const struct rows *rows)
{
	struct bytes out = {0};

	for (size_t c = 0; c < rows->columns; c++) {
		bytes_text(&out, c == 0 ? "" : ",");
		csv_write_field(rows->names[c], strlen(rows->names[c]), &out);
	}
	bytes_char(&out, '\n');
	for (size_t r = 0; r < rows->count; r++) {
		for (size_t c = 0; c < rows->columns; c++) {
			const char *cell = rows_cell(rows, r, c) != NULL ? rows_cell(rows, r, c) : "";

			bytes_text(&out, c == 0 ? "" : ",");
			/* A lone empty field would read as an empty line. */
			if (rows->columns == 1 && cell[0] == '\0')
				bytes_text(&out, "\"\"");
			else
				csv_write_field(cell, strlen(cell), &out);
		}
		bytes_char(&out, '\n');
	}
	fwrite(out.data, 1, out.len, stdout);
	bytes_free(&out);
}

/* Every value as text: JSON numbers would lose integers beyond 2^53. */
static void print_rows_json(const struct rows *rows)
{
	cJSON *tree = cJSON_CreateObject();
	cJSON *names = cJSON_AddArrayToObject(tree, "columns");
	cJSON *list = cJSON_AddArrayToObject(tree, "rows");

	for (size_t c = 0; c < rows->columns; c++)
		cJSON_AddItemToArray(names, cJSON_CreateString(rows->names[c]));
	for (size_t r = 0; r < rows->count; r++) {
		cJSON *row = cJSON_CreateArray();

		for (size_t c = 0; c < rows->columns; c++) {
			const char *cell = rows_cell(rows, r, c);

			cJSON_AddItemToArray(row, cell == NULL ? cJSON_CreateNull() : cJSON_CreateString(cell));
		}
		cJSON_AddItemToArray(list, row);
	}
	report_json(tree, stdout);
	cJSON_Delete(tree);
}

static enum status query(const struct options *options, struct derivation *derivation, struct error *err)
{
	struct rows rows;
	enum status status = rows_read(derivation->db, options->sql, "--sql", &rows, err);

	if (status == OK && options->json)
		print_rows_json(&rows);
	else if (status == OK && options->csv)
		print_rows_csv(&rows);
	else if (status == OK)
		print_rows(&rows);
	rows_free(&rows);
	return status;
}

static enum status run_explain(int argc, char **argv)
{
	struct options options;
	struct derivation derivation = {.bundle = {.fd = -1}};
	struct error err = {0};
	enum status status = parse_options(argc, argv, &options);

	if (status != OK)
		return status;
	status = derivation_open(options.bundle, &derivation, &err);
	if (status == OK)
		status = options.sql != NULL ? query(&options, &derivation, &err) : explain(&options, &derivation, &err);
	if (status != OK)
		error_print(&err);
	if (status == OK || status == FAILS)
		unvouched_warn(&derivation.bundle);
	derivation_close(&derivation);
	return status;
}

const struct command command_explain = {
	.name = "explain",
	.run = run_explain,
	.usage = "explain TABLE ROW COLUMN [--all] [--json] [BUNDLE]\n"
	         "       ptxseal explain --sql 'SELECT ...' [--csv | --json] [BUNDLE]",
	.summary = "where a cell of a table comes from; or your own query",
	.help = "Follow one cell of a derived table down to its records: the formula, what was\n"
	        "published, the SQL file and line, the turn records that count, and the manifest and\n"
	        "SHA-256 they stand under. ROW is the row's key values joined by '/', as in\n"
	        "\n"
	        "  ptxseal explain correctness opus48-b200-gemm/8 correctness_rate\n"
	        "\n"
	        "A wrong TABLE, ROW or COLUMN is answered by those there are.\n"
	        "\n"
	        "  --all      list every record, not the first 20\n"
	        "  --json     report for machines, every record in it\n"
	        "  --sql SQL  run one SELECT of your own on the ledger, read-only. The tables are those\n"
	        "             of runner/derive/schema.sql: run, turn, trajectory, task, workload,\n"
	        "             outcome, expected, fact_*. `SELECT name FROM sqlite_schema` lists them\n"
	        "  --csv      the query's result as CSV\n",
};
