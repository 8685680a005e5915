#include "import_runs.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../base/plural.h"
#include "../bundle/layout.h"
#include "text.h"

struct options {
	const char *kind;
	const char *dir;
	const char *into;
	const char *source;
	struct trajectories_told told;
	bool json;
};

bool import_runs_known(const char *kind)
{
	return strcmp(kind, TRACE_KIND) == 0 || strcmp(kind, TRAJECTORIES_KIND) == 0;
}

static enum status parse_options(int argc, char **argv, struct options *options)
{
	static const struct option longs[] = {{"into", required_argument, NULL, 'i'},  {"source", required_argument, NULL, 's'},
	                                      {"model", required_argument, NULL, 'm'}, {"task", required_argument, NULL, 't'},
	                                      {"workload", required_argument, NULL, 'w'}, {"arch", required_argument, NULL, 'a'},
	                                      {"json", no_argument, NULL, 'j'},         {0}};
	int option;

	*options = (struct options){.kind = argv[1], .into = "."};
	optind = 0; /* glibc: scan anew */
	opterr = 0;
	while ((option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (option == 'i')
			options->into = optarg;
		else if (option == 's')
			options->source = optarg;
		else if (option == 'm')
			options->told.model = optarg;
		else if (option == 't')
			options->told.task = optarg;
		else if (option == 'w')
			options->told.workload = optarg;
		else if (option == 'a')
			options->told.arch = optarg;
		else if (option == 'j')
			options->json = true;
		else
			return command_usage(&command_import, "unknown option or missing value: '%s'", command_option(argc, argv));
	}
	if (argc - optind != 2)
		return command_usage(&command_import, "%s: one directory is wanted", options->kind);
	options->dir = argv[optind + 1];
	if (options->source == NULL)
		return command_usage(&command_import, "%s: --source NAME is wanted", options->kind);
	const struct trajectories_told *told = &options->told;

	if (strcmp(options->kind, TRACE_KIND) == 0 &&
	    (told->model != NULL || told->task != NULL || told->workload != NULL || told->arch != NULL))
		return command_usage(&command_import, "%s: the files say model, task, workload and architecture", options->kind);
	if (told->arch != NULL && strcmp(told->arch, "hopper") != 0 && strcmp(told->arch, "blackwell") != 0)
		return command_usage(&command_import, "--arch is hopper or blackwell");
	return OK;
}

/* Skips by reason, in the order in which the reasons come. */
static uint64_t count_reason(const struct dataset *dataset, size_t first)
{
	uint64_t count = 0;

	for (size_t i = 0; i < dataset->skip_count; i++) {
		bool same = strcmp(dataset->skips[i].reason, dataset->skips[first].reason) == 0;

		if (same && i < first)
			return 0;
		count += same;
	}
	return count;
}

static void print_text(const struct dataset *dataset, const char *into)
{
	printf("imported into %s as %s: %zu run%s, %" PRIu64 " trajector%s, %" PRIu64 " turn%s; their evidence is `reported`\n\n", into,
	       dataset->source, dataset->run_count, plural(dataset->run_count), dataset_trajectories(dataset),
	       plural_y(dataset_trajectories(dataset)), dataset_turns(dataset), plural(dataset_turns(dataset)));
	for (size_t i = 0; i < dataset->label_count; i++) {
		const struct dataset_label *label = &dataset->labels[i];

		printf("%8" PRIu64 "  %-26s ", label->turns, outcome_name(label->outcome));
		report_text(label->label[0] == '\0' ? "(nothing said)" : label->label, stdout);
		putchar('\n');
	}
	printf("%8" PRIu64 "  turns, the sum\n", dataset_turns(dataset));
	if (dataset->skip_count > 0)
		printf("\n%zu left out, listed in artifact/sources/%s/skipped.jsonl:\n", dataset->skip_count, dataset->source);
	for (size_t i = 0; i < dataset->skip_count; i++) {
		uint64_t count = count_reason(dataset, i);

		if (count > 0)
			printf("%8" PRIu64 "  %s\n", count, dataset->skips[i].reason);
	}
}

static void print_json(const struct dataset *dataset)
{
	cJSON *report = cJSON_CreateObject(), *labels = cJSON_AddArrayToObject(report, "labels"),
	      *skipped = cJSON_AddArrayToObject(report, "skipped");

	for (size_t i = 0; i < dataset->label_count; i++) {
		cJSON *label = cJSON_CreateObject();

		cJSON_AddStringToObject(label, "label", dataset->labels[i].label);
		cJSON_AddStringToObject(label, "outcome", outcome_name(dataset->labels[i].outcome));
		cJSON_AddNumberToObject(label, "turns", (double)dataset->labels[i].turns);
		cJSON_AddItemToArray(labels, label);
	}
	for (size_t i = 0; i < dataset->skip_count; i++) {
		uint64_t count = count_reason(dataset, i);
		cJSON *skip;

		if (count == 0)
			continue;
		skip = cJSON_CreateObject();
		cJSON_AddNumberToObject(skip, "count", (double)count);
		cJSON_AddStringToObject(skip, "reason", dataset->skips[i].reason);
		cJSON_AddItemToArray(skipped, skip);
	}
	cJSON_AddStringToObject(report, "kind", dataset->kind);
	cJSON_AddNumberToObject(report, "runs", (double)dataset->run_count);
	cJSON_AddStringToObject(report, "source", dataset->source);
	cJSON_AddNumberToObject(report, "trajectories", (double)dataset_trajectories(dataset));
	cJSON_AddNumberToObject(report, "turns", (double)dataset_turns(dataset));
	report_json(report, stdout);
	cJSON_Delete(report);
}

static enum status import(const struct options *options, struct dataset *dataset, struct error *err)
{
	struct root dir = {.fd = -1}, bundle = {.fd = -1};
	enum status status = dataset_name(options->source, err);

	if (status == OK && layout_inside_bundle(options->into))
		status = error_set(err, R_BND_OUTSIDE, options->into, "this is inside a bundle");
	if (status == OK)
		status = root_open(options->dir, &dir, err);
	if (status == OK) /* tasks are looked up in it, so it is there */
		status = root_open(options->into, &bundle, err);
	dataset->source = options->source;
	if (status == OK && strcmp(options->kind, TRACE_KIND) == 0)
		status = trace_import(&dir, &bundle, dataset, err);
	else if (status == OK)
		status = trajectories_import(&dir, &bundle, &options->told, dataset, err);
	if (status == OK)
		status = dataset_write(dataset, &bundle, err);
	root_close(&bundle);
	root_close(&dir);
	return status;
}

enum status import_runs(int argc, char **argv)
{
	struct options options;
	struct dataset dataset = {0};
	struct error err = {0};
	enum status status = parse_options(argc, argv, &options);

	if (status != OK)
		return status;
	status = import(&options, &dataset, &err);
	if (status != OK)
		error_print(&err);
	else if (options.json)
		print_json(&dataset);
	else
		print_text(&dataset, options.into);
	dataset_free(&dataset);
	return status;
}
