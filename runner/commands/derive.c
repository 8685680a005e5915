/* ptxseal derive: tables from the ledger, and how they compare with what was published. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../command.h"
#include "../derive/derivation.h"
#include "../derive/publish.h"
#include "report.h"
#include "unvouched.h"

#define DEFAULT_OUT "build/derived"

struct options {
	const char *bundle;
	const char *out; /* NULL: write nothing */
	bool check;
	bool verbose;
	bool json;
};

static enum status parse_options(int argc, char **argv, struct options *options)
{
	static const struct option longs[] = {{"check", no_argument, NULL, 'c'},     {"out", required_argument, NULL, 'o'},
	                                      {"verbose", no_argument, NULL, 'v'},   {"json", no_argument, NULL, 'j'},
	                                      {0}};
	int option;

	*options = (struct options){.bundle = "."};
	optind = 0; /* glibc: scan anew */
	opterr = 0;
	while ((option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (option == 'c')
			options->check = true;
		else if (option == 'o')
			options->out = optarg;
		else if (option == 'v')
			options->verbose = true;
		else if (option == 'j')
			options->json = true;
		else
			return command_usage(&command_derive, "unknown option or missing value: '%s'", command_option(argc, argv));
	}
	if (argc - optind > 1)
		return command_usage(&command_derive, "one bundle is wanted");
	if (optind < argc)
		options->bundle = argv[optind];
	if (!options->check && options->out == NULL)
		options->out = DEFAULT_OUT;
	return OK;
}

static void print_text(const struct options *options, const struct derivation *derivation, const struct products *published,
                       const struct check *check)
{
	if (options->out != NULL) {
		printf("tables in %s, each as .csv, .md and .tex: %zu\n", options->out, derivation->catalogue.table_count);
		for (size_t i = 0; i < derivation->catalogue.table_count; i++)
			printf("  %-24s %6zu %-4s  %s\n", derivation->catalogue.tables[i].name, derivation->tables[i].rows, derivation->tables[i].rows == 1 ? "row" : "rows",
			       derivation->catalogue.tables[i].title);
		for (size_t i = 0; i < published->removed_count; i++)
			printf("removed %s/%s: its table is no longer in the bundle\n", options->out, published->removed[i]);
	}
	if (options->check) {
		if (options->out != NULL)
			putchar('\n');
		report_check(check, options->verbose, stdout);
	}
}

static void print_json(const struct options *options, const struct derivation *derivation, const struct products *published,
                       const struct check *check)
{
	cJSON *tree = cJSON_CreateObject();
	cJSON *tables = cJSON_AddArrayToObject(tree, "tables");

	for (size_t i = 0; i < derivation->catalogue.table_count; i++) {
		cJSON *table = cJSON_CreateObject();

		cJSON_AddStringToObject(table, "name", derivation->catalogue.tables[i].name);
		cJSON_AddStringToObject(table, "title", derivation->catalogue.tables[i].title);
		cJSON_AddStringToObject(table, "rebuilds", derivation->catalogue.tables[i].rebuilds);
		cJSON_AddNumberToObject(table, "rows", (double)derivation->tables[i].rows);
		cJSON_AddItemToArray(tables, table);
	}
	if (options->out != NULL) {
		cJSON *removed = cJSON_AddArrayToObject(tree, "removed");

		cJSON_AddStringToObject(tree, "out", options->out);
		for (size_t i = 0; i < published->removed_count; i++)
			cJSON_AddItemToArray(removed, cJSON_CreateString(published->removed[i]));
	}
	if (options->check)
		cJSON_AddItemToObject(tree, "check", report_check_json(check));
	report_json(tree, stdout);
	cJSON_Delete(tree);
}

static enum status derive(const struct options *options, struct derivation *derivation, struct products *published,
                          struct check *check, struct error *err)
{
	enum status status = options->out != NULL ? publish_place(options->out, err) : OK;

	if (status == OK)
		status = derivation_open(options->bundle, derivation, err);
	if (status == OK)
		status = derivation_tables(derivation, err);
	if (status == OK && !options->check && derivation->catalogue.table_count == 0) /* what an earlier one wrote would be removed */
		status = error_set(err, R_CMP_NOTHING, "artifact/tables", "there is no table");
	if (status == OK && options->check)
		status = check_make(derivation->db, &derivation->bundle, &derivation->catalogue, derivation->tables,
		                    derivation->catalogue.table_count, check, err);
	if (status == OK && options->out != NULL)
		status = publish(derivation->tables, derivation->catalogue.table_count, options->out, published, err);
	return status;
}

static enum status run_derive(int argc, char **argv)
{
	struct options options;
	struct derivation derivation = {.bundle = {.fd = -1}};
	struct products published = {.dir = {.fd = -1}};
	struct check check = {0};
	struct error err = {0};
	enum status status = parse_options(argc, argv, &options);

	if (status != OK)
		return status;
	status = derive(&options, &derivation, &published, &check, &err);
	if (status != OK)
		error_print(&err);
	else if (options.json)
		print_json(&options, &derivation, &published, &check);
	else
		print_text(&options, &derivation, &published, &check);
	if (status == OK && options.check && !check_holds(&check))
		status = FAILS;
	check_free(&check);
	products_free(&published);
	if (status == OK || status == FAILS)
		unvouched_warn(&derivation.bundle);
	derivation_close(&derivation);
	return status;
}

const struct command command_derive = {
	.name = "derive",
	.run = run_derive,
	.usage = "derive [--check [--verbose]] [--out DIR] [--json] [BUNDLE]",
	.summary = "tables from the ledger, beside the published ones",
	.help = "Run every artifact/tables/*.sql of the bundle (default: the current directory) on\n"
	        "its ledger and write each table as CSV, Markdown and LaTeX into DIR (default:\n"
	        DEFAULT_OUT "). The bytes are the same on every machine.\n"
	        "\n"
	        "  --check    set every derived cell beside the published one: SAME, DIFFERS or\n"
	        "             NOT DERIVABLE. Writes no tables unless --out is given. Exit code 1\n"
	        "             when a difference is not listed with a reason in\n"
	        "             artifact/expected/known.jsonl, a listed one is gone, or records or\n"
	        "             published cells are missing that the import counted\n"
	        "  --verbose  with --check: list the known differences cell by cell\n"
	        "  --out DIR  write the tables there\n"
	        "  --json     report for machines\n",
};
