/* ptxseal import: published figures into records of the bundle. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../base/plural.h"
#include "../bundle/layout.h"
#include "../command.h"
#include "../model/records.h"
#include "import_runs.h"

/* The state of PTXBench that the committed records were made from. */
static const char known_commit[] = "491860b";
static const char known_date[] = "2026-08-19";

struct options {
	const char *dir;
	const char *into;
	const char *figures;
	struct provenance provenance;
	bool json;
};

static bool commit_valid(const char *text)
{
	size_t len = strlen(text);

	return len >= 7 && len <= 40 && strspn(text, "0123456789abcdef") == len;
}

static enum status parse_options(int argc, char **argv, struct options *options)
{
	static const struct option longs[] = {
	    {"into", required_argument, NULL, 'i'},   {"figures", required_argument, NULL, 'f'},
	    {"commit", required_argument, NULL, 'c'}, {"date", required_argument, NULL, 'd'},
	    {"json", no_argument, NULL, 'j'},         {0}};
	const char *commit = NULL;
	const char *date = NULL;
	int option;

	*options = (struct options){.into = "."};
	optind = 0; /* glibc: scan anew */
	opterr = 0;
	while ((option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (option == 'i')
			options->into = optarg;
		else if (option == 'f')
			options->figures = optarg;
		else if (option == 'c')
			commit = optarg;
		else if (option == 'd')
			date = optarg;
		else if (option == 'j')
			options->json = true;
		else
			return command_usage(&command_import, "unknown option or missing value: '%s'",
			                     command_option(argc, argv));
	}
	if (argc - optind != 2)
		return command_usage(&command_import, "a source and its directory are wanted");
	if (strcmp(argv[optind], PTXBENCH_SOURCE) != 0)
		return command_usage(&command_import, "the source '%s' is unknown; known: " PTXBENCH_SOURCE ", " TRACE_KIND ", " TRAJECTORIES_KIND,
		                     argv[optind]);
	if (commit != NULL && !commit_valid(commit))
		return command_usage(&command_import, "--commit wants 7 to 40 lowercase hex digits");
	if (date != NULL && (commit == NULL || !date_valid(date, strlen(date))))
		return command_usage(&command_import, "--date wants YYYY-MM-DD, and --commit beside it");
	options->dir = argv[optind + 1];
	options->provenance.commit = commit == NULL ? known_commit : commit;
	options->provenance.date = commit == NULL ? known_date : date;
	return OK;
}

static enum status read_figures(struct options *options, struct error *err)
{
	struct provenance *provenance = &options->provenance;

	if (options->figures == NULL)
		return OK;
	const char *slash = strrchr(options->figures, '/');
	enum status status = file_read(options->figures, FIGURES_FILE_MAX, &provenance->figures_text, err);

	if (status != OK)
		return status;
	provenance->figures_name = slash == NULL ? options->figures : slash + 1;
	const struct bytes *text = &provenance->figures_text;

	return figures_parse(text->data == NULL ? "" : text->data, text->len, options->figures,
	                     &provenance->figures, err);
}

/* How many records of one kind there are, and where the first stands. */
static uint64_t count_kind(const struct irregularities *found, int kind, const struct irregularity **first)
{
	uint64_t count = 0;

	for (size_t i = 0; i < found->count; i++)
		if ((int)found->at[i].kind == kind && count++ == 0)
			*first = &found->at[i];
	return count;
}

static void print_text(const struct ptxbench *data, const struct irregularities *found, const char *into)
{
	const struct irregularity *first = NULL;

	printf("imported into %s: %zu run%s, %" PRIu64 " trajector%s, %" PRIu64 " turn%s\n\n", into,
	       data->run_count, plural(data->run_count), data->trajectory_count, plural_y(data->trajectory_count), data->turn_count, plural(data->turn_count));
	for (int i = 0; i < OUTCOME_PUBLISHED_COUNT; i++)
		printf("%8" PRIu64 "  %s\n", data->outcomes[i], outcome_name((enum outcome)i));
	printf("%8" PRIu64 "  turns, the sum\n\n", data->turn_count);
	printf("%zu irregularit%s, carried over as artifact/sources/" PTXBENCH_SOURCE
	       "/irregularities.jsonl says:\n",
	       found->count, plural_y(found->count));
	for (int kind = 0; kind < IRREGULARITY_KINDS; kind++) {
		uint64_t count = count_kind(found, kind, &first);

		if (count > 0)
			printf("%8" PRIu64 "  %-26s %s:%" PRIu64 "\n", count,
			       irregularity_code((enum irregularity_kind)kind),
			       ptxbench_file_name(first->file), first->line);
	}
}

static void print_json(const struct ptxbench *data, const struct irregularities *found)
{
	struct bytes out = {0};
	const struct irregularity *first = NULL;

	/* Keys stand in the order of RFC 8785. */
	bytes_text(&out, "{\"irregularities\":[");
	for (int kind = 0, any = 0; kind < IRREGULARITY_KINDS; kind++) {
		uint64_t count = count_kind(found, kind, &first);

		if (count > 0)
			bytes_format(&out,
			             "%s{\"count\":%" PRIu64 ",\"file\":\"%s\",\"line\":%" PRIu64
			             ",\"rule\":\"%s\"}",
			             any++ > 0 ? "," : "", count, ptxbench_file_name(first->file),
			             first->line, irregularity_code((enum irregularity_kind)kind));
	}
	bytes_text(&out, "],\"outcomes\":[");
	for (int i = 0; i < OUTCOME_PUBLISHED_COUNT; i++)
		bytes_format(&out, "%s{\"outcome\":\"%s\",\"turns\":%" PRIu64 "}", i > 0 ? "," : "",
		             outcome_name((enum outcome)i), data->outcomes[i]);
	bytes_format(&out,
	             "],\"runs\":%zu,\"source\":\"" PTXBENCH_SOURCE "\",\"trajectories\":%" PRIu64
	             ",\"turns\":%" PRIu64 "}\n",
	             data->run_count, data->trajectory_count, data->turn_count);
	fwrite(out.data, 1, out.len, stdout);
	bytes_free(&out);
}

static enum status import(struct options *options, struct ptxbench *data, struct irregularities *found,
                          struct error *err)
{
	struct root dir = {.fd = -1};
	struct root bundle = {.fd = -1};
	struct records records = {0};
	enum status status = OK;

	if (layout_inside_bundle(options->into))
		status = error_set(err, R_BND_OUTSIDE, options->into, "this is inside a bundle");
	if (status == OK)
		status = root_open(options->dir, &dir, err);
	if (status == OK)
		status = ptxbench_read(&dir, data, err);
	if (status == OK)
		status = read_figures(options, err);
	if (status == OK)
		status = root_create(options->into, &bundle, err);
	if (status == OK) {
		irregularities_find(data, found);
		records_make(data, found, &options->provenance, &records);
		status = records_write(&records, data, &bundle, err);
	}
	records_free(&records);
	root_close(&bundle);
	root_close(&dir);
	return status;
}

static enum status run_import(int argc, char **argv)
{
	struct options options;
	struct ptxbench data = {0};
	struct irregularities found = {0};
	struct error err = {0};

	if (argc > 1 && import_runs_known(argv[1]))
		return import_runs(argc, argv);
	enum status status = parse_options(argc, argv, &options);

	if (status != OK)
		return status;
	status = import(&options, &data, &found, &err);
	if (status != OK)
		error_print(&err);
	else if (options.json)
		print_json(&data, &found);
	else
		print_text(&data, &found, options.into);
	irregularities_free(&found);
	ptxbench_free(&data);
	figures_free(&options.provenance.figures);
	bytes_free(&options.provenance.figures_text);
	return status;
}

const struct command command_import = {
    .name = "import",
    .run = run_import,
    .usage = "import ptxbench DIR [--into BUNDLE] [--figures FILE] [--commit COMMIT [--date DATE]] [--json]\n"
	     "       ptxseal import flashinfer-trace DIR --source NAME [--into BUNDLE] [--json]\n"
	     "       ptxseal import trajectories DIR --source NAME [--model MODEL] [--task TASK] [--workload UUID]\n"
	     "               [--arch hopper|blackwell] [--into BUNDLE] [--json]",
    .summary = "carry published figures, or others' runs, over into the bundle's records",
    .help = "ptxbench: reads the eight CSV files that PTXBench publishes in DIR, checks them against\n"
	    "each other and writes the bundle's records: artifact/runs/, the published\n"
	    "cells in artifact/expected/ptxbench/, release dates in artifact/facts/, and in\n"
	    "artifact/sources/ptxbench/ where everything comes from and every irregularity\n"
	    "of the data. Nothing is written unless everything could be read.\n"
	    "\n"
	    "  --into BUNDLE    the bundle's directory (default: the current one)\n"
	    "  --figures FILE   published figure cells as JSON (docs/records.md)\n"
	    "  --commit COMMIT  the upstream commit DIR is from (default: 491860b)\n"
	    "  --date DATE      the day of that commit, YYYY-MM-DD\n"
	    "  --json           the report as one JSON object\n"
	    "\n"
	    "flashinfer-trace: others' runs from a data set in the layout that flashinfer-bench\n"
	    "loads. An author's evaluations of one workload on one architecture become a run;\n"
	    "what is of a task, workload or device that the bundle does not know is left out\n"
	    "and listed.\n"
	    "\n"
	    "trajectories: others' runs from directories of mini-swe-agent trajectories, as\n"
	    "PTXBench's loop leaves them: trajectories/exp_NNN.json and, beside it, plan.json.\n"
	    "What an answer came to is read from what was measured, else from the text that\n"
	    "the model was told; what cannot be told is `unknown`.\n"
	    "\n"
	    "  --source NAME    what the runs stand under in artifact/sources and in tables\n"
	    "  --model, --task, --workload, --arch\n"
	    "                   what the files do not say of every run; they may not say\n"
	    "                   otherwise\n"
	    "\n"
	    "Their evidence is `reported`, texts become objects, and artifact/sources/NAME says\n"
	    "where everything comes from. docs/records.md says how each is read.\n",
};
