/* Do the candidates still assemble to what was measured? */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/plural.h"
#include "../command.h"
#include "../kernel/shelf.h"
#include "../measure/reassess.h"
#include "../measure/rebuild.h"
#include "text.h"

struct options {
	const char *task, *candidate, *run;
	bool freeze, json;
};

struct totals {
	size_t of[REBUILT_COUNT];
	size_t not_compiled; /* runs of which some kernels were extracted only */
};

static void print_one(const struct shelved *shelved, const struct rebuild *rebuild)
{
	char hex[SHA256_HEX + 1];

	sha256_hex(&rebuild->image.hash, hex);
	printf("%-12s %s/%s", rebuilt_name(rebuild->rebuilt), shelved->task, shelved->name);
	if (rebuild->image.assembled)
		printf("  %s, ptxas %s, %zu record%s", hex, rebuild->image.toolchain.version, rebuild->records, plural(rebuild->records));
	if (rebuild->relowered == RELOWERED_SAME)
		printf("; its source lowers to the same data");
	if (rebuild->relowered == RELOWERED_NOT_TRIED) {
		printf("; not lowered again: ");
		report_text(rebuild->why_not, stdout);
	}
	if (rebuild->text[0] != '\0') {
		printf(" (%s): ", rule_info(rebuild->rule)->id);
		report_text(rebuild->text, stdout);
	}
	puts("");
}

static cJSON *one_json(const struct shelved *shelved, const struct rebuild *rebuild)
{
	static const char *const relowered[] = {
		[RELOWERED_SAME] = "same", [RELOWERED_NOT_TRIED] = "not tried", [RELOWERED_DIFFERS] = "DIFFERS"};
	cJSON *object = image_facts(&rebuild->image);

	cJSON_AddStringToObject(object, "candidate", shelved->directory);
	cJSON_AddNumberToObject(object, "records", (double)rebuild->records);
	if (rebuild->relowered != RELOWERED_NONE)
		cJSON_AddStringToObject(object, "lowered", relowered[rebuild->relowered]);
	cJSON_AddStringToObject(object, "rebuilt", rebuilt_name(rebuild->rebuilt));
	cJSON_AddStringToObject(object, "text", rebuild->text);
	return object;
}

static enum status rebuild_one(const struct root *bundle, const struct shelved *shelved, const struct options *options, struct totals *totals,
                               cJSON *tree, struct error *err)
{
	struct candidate *candidate = NULL;
	struct rebuild rebuild = {0};
	enum status status = candidate_read(bundle, shelved->directory, &candidate, err);

	if (status == OK)
		status = rebuild_candidate(bundle, candidate, options->freeze, &rebuild, err);
	if (status == OK) {
		totals->of[rebuild.rebuilt]++;
		if (options->json)
			cJSON_AddItemToArray(tree, one_json(shelved, &rebuild));
		else
			print_one(shelved, &rebuild);
	}
	rebuild_free(&rebuild);
	candidate_free(candidate);
	return status;
}

/* ---- runs that asked a model, or whose agent handed kernels in ---- */

struct turns {
	const char *run;
	const struct options *options;
	struct totals *totals;
	cJSON *tree;
	size_t count, compiled;
};

static cJSON *turn_json(const struct turns *turns, const struct reassessment *found)
{
	cJSON *object = cJSON_CreateObject();

	cJSON_AddStringToObject(object, "run", turns->run);
	cJSON_AddNumberToObject(object, "trajectory", found->evaluation->trajectory);
	cJSON_AddNumberToObject(object, "turn", found->evaluation->turn);
	cJSON_AddStringToObject(object, "outcome", outcome_name(found->evaluation->outcome));
	cJSON_AddBoolToObject(object, "compiled", found->compiled);
	cJSON_AddStringToObject(object, "rebuilt", rebuilt_name(found->rebuilt));
	cJSON_AddStringToObject(object, "text", found->text);
	return object;
}

/* A turn that is the same needs no line. */
static void on_turn(void *context, const struct reassessment *found)
{
	struct turns *turns = context;

	turns->totals->of[found->rebuilt]++;
	turns->count++;
	turns->compiled += found->compiled;
	if (turns->options->json)
		cJSON_AddItemToArray(turns->tree, turn_json(turns, found));
	else if (found->rebuilt != REBUILT_SAME)
		printf("%-12s %s, trajectory %lu, turn %lu (%s): %s\n", rebuilt_name(found->rebuilt), turns->run, (unsigned long)found->evaluation->trajectory, (unsigned long)found->evaluation->turn,
		       rule_info(found->rule)->id, found->text);
}

static enum status rebuild_run(const struct root *bundle, const char *run, const struct options *options, struct totals *totals, cJSON *tree, struct error *err)
{
	struct totals own = {0};
	struct turns turns = {.run = run, .options = options, .totals = &own, .tree = tree};
	char why_not[ERROR_WHAT_MAX];
	const enum status status = reassess_run(bundle, run, on_turn, &turns, why_not, err);

	for (int i = 0; i < REBUILT_COUNT; i++)
		totals->of[i] += own.of[i];
	totals->not_compiled += why_not[0] != '\0';
	if (status == OK && options->json && why_not[0] != '\0') {
		cJSON *object = cJSON_CreateObject();

		cJSON_AddStringToObject(object, "run", run);
		cJSON_AddStringToObject(object, "not_compiled", why_not);
		cJSON_AddItemToArray(tree, object);
	}
	if (status != OK || options->json)
		return status;
	printf("%-12s the run %s: %zu of %zu turns, kernels extracted again", rebuilt_name(REBUILT_SAME), run, own.of[REBUILT_SAME], turns.count);
	if (why_not[0] == '\0') {
		printf(", %zu compiled\n", turns.compiled);
	} else {
		printf("; not compiled: ");
		report_text(why_not, stdout);
		puts("");
	}
	return status;
}

/* found: whether there is such a run. */
static enum status rebuild_runs(const struct root *bundle, const struct options *options, struct totals *totals, cJSON *tree, bool *found, struct error *err)
{
	char **runs = NULL;
	size_t count = 0;
	enum status status = reassess_list(bundle, &runs, &count, err);

	for (size_t i = 0; i < count; i++) {
		const bool is = options->run == NULL || strcmp(options->run, runs[i]) == 0;

		*found = *found || is;
		if (is && status == OK)
			status = rebuild_run(bundle, runs[i], options, totals, tree, err);
		free(runs[i]);
	}
	free(runs);
	if (status == OK && options->run != NULL && !*found)
		status = error_set(err, R_EXC_NONE, "", "the bundle has no run '%s' with answers that were evaluated", options->run);
	return status;
}

static void print_totals(const struct totals *totals)
{
	for (int i = 0; i < REBUILT_COUNT; i++)
		printf("%s%zu %s", i > 0 ? ", " : "", totals->of[i], rebuilt_name((enum rebuilt)i));
	puts("");
}

static enum status rebuild_all(const char *dir, const struct options *options)
{
	struct root bundle = {.fd = -1};
	struct shelf shelf = {0};
	struct totals totals = {0};
	struct error err = {0}, why = {0};
	cJSON *tree = cJSON_CreateArray();
	const bool all = options->task == NULL && options->candidate == NULL;
	bool found = false;
	enum status status = root_open(dir, &bundle, &err);

	if (status == OK && options->run == NULL)
		status = shelf_read(&bundle, options->task, options->candidate, &shelf, &err);
	for (size_t i = 0; i < shelf.count && status == OK; i++)
		status = rebuild_one(&bundle, &shelf.at[i], options, &totals, tree, &err);
	/* Answers of which none compiles leave no candidate. */
	if (all && (status == OK || err.rule == R_RPL_NAME)) {
		const enum status of_runs = rebuild_runs(&bundle, options, &totals, tree, &found, &why);

		if (of_runs != OK || found) {
			status = of_runs;
			err = why;
		}
	}
	if (status != OK)
		error_print(&err);
	else if (options->json)
		report_json(tree, stdout);
	else
		print_totals(&totals);
	if (status == OK && totals.of[REBUILT_DIFFERS] > 0)
		status = FAILS;
	if (status == OK && (totals.of[REBUILT_OTHER_TOOL] > 0 || totals.not_compiled > 0))
		status = UNAVAILABLE;
	cJSON_Delete(tree);
	shelf_free(&shelf);
	root_close(&bundle);
	return status;
}

static enum status run(int argc, char **argv)
{
	static const struct option long_options[] = {{"task", required_argument, NULL, 't'},
	                                             {"candidate", required_argument, NULL, 'c'},
	                                             {"run", required_argument, NULL, 'r'},
	                                             {"freeze", no_argument, NULL, 'f'},
	                                             {"json", no_argument, NULL, 'j'},
	                                             {0}};
	struct options options = {0};
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
		if (option == 't')
			options.task = optarg;
		else if (option == 'c')
			options.candidate = optarg;
		else if (option == 'r')
			options.run = optarg;
		else if (option == 'f')
			options.freeze = true;
		else if (option == 'j')
			options.json = true;
		else
			return command_usage(&command_rebuild, "'%s' is no option, or lacks its value", command_option(argc, argv));
	}
	if (argc - optind > 1)
		return command_usage(&command_rebuild, "one directory at most");
	return rebuild_all(optind < argc ? argv[optind] : ".", &options);
}

const struct command command_rebuild = {
	.name = "rebuild",
	.run = run,
	.usage = "rebuild [--task TASK] [--candidate NAME|DIR] [--run RUN] [--freeze] [--json] [BUNDLE]",
	.summary = "assemble candidates again: the same cubins as were measured? No GPU",
	.help =
		"Assembles the PTX of each candidate of BUNDLE (the current directory) with the ptxas of\n"
		"this machine's CUDA toolkit, and sets the bytes beside the frozen cubin and beside every\n"
		"record that measured it, and its instructions beside those that the records list.\n"
		"\n"
		"One that was lowered from host code is lowered again, too, where nvcc, g++ and\n"
		"apache-tvm-ffi are here; where they are not, the line says so.\n"
		"\n"
		"The kernels of runs that asked a model are extracted from their frozen replies, those of\n"
		"agents' runs (mcp) from what they handed in, compiled and looked at again, and set beside the\n"
		"runs' evaluations, turn by turn.\n"
		"\n"
		"  --task TASK       only candidates of that task\n"
		"  --candidate NAME  only that one; with a '/' a directory TASK/NAME beneath BUNDLE\n"
		"  --run RUN         only the answers of that run (query, mcp)\n"
		"  --freeze          write the cubin beside the PTX where there is none\n"
		"  --json            as JSON\n"
		"\n"
		"  same         the very bytes, and the same instructions\n"
		"  new          nothing was frozen or measured that it could be set beside\n"
		"  refused      ptxas refuses the PTX, as it was meant to\n"
		"  other ptxas  other bytes, by another ptxas than the one that was measured with\n"
		"  DIFFERS      other bytes or instructions by the same ptxas\n"
		"\n"
		"Exits 0 if none differs, 1 if one does, 4 without the tools or if ptxas is another one.\n",
};
