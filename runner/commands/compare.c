/* Two replays side by side. */
#include <getopt.h>
#include <stdio.h>

#include "../base/file.h"
#include "../bundle/layout.h"
#include "../bundle/replays.h"
#include "../command.h"
#include "../measure/sidebyside.h"
#include "../report/comparison.h"
#include "text.h"

static void print_lines(const struct likeness *likeness, bool results)
{
	for (size_t i = 0; i < likeness->count; i++) {
		const struct line *line = &likeness->at[i];

		if (line->result != results)
			continue;
		printf("  %-16s %-32s ", alike_name(line->alike), line->member);
		report_text(line->a, stdout);
		if (line->alike != ALIKE_SAME) {
			fputs("  |  ", stdout);
			report_text(line->b, stdout);
		}
		puts("");
	}
}

static bool has_facts(const struct likeness *likeness)
{
	for (size_t i = 0; i < likeness->count; i++)
		if (!likeness->at[i].result)
			return true;
	return false;
}

static void print_likeness(const cJSON *record, const struct likeness *likeness)
{
	printf("%s: %s\n", replay_text(record, "candidate.directory"), likeness->agree ? "agree" : "DIFFER");
	print_lines(likeness, true);
	if (has_facts(likeness))
		puts("  facts that are not the same:");
	print_lines(likeness, false);
}

static cJSON *likeness_json(const cJSON *record, const struct likeness *likeness)
{
	cJSON *object = cJSON_CreateObject(), *lines = cJSON_AddArrayToObject(object, "lines");

	cJSON_AddStringToObject(object, "candidate", replay_text(record, "candidate.directory"));
	cJSON_AddBoolToObject(object, "agree", likeness->agree);
	for (size_t i = 0; i < likeness->count; i++) {
		const struct line *line = &likeness->at[i];
		cJSON *item = cJSON_CreateObject();

		cJSON_AddStringToObject(item, "a", line->a);
		cJSON_AddStringToObject(item, "alike", alike_name(line->alike));
		cJSON_AddStringToObject(item, "b", line->b);
		cJSON_AddStringToObject(item, "member", line->member);
		cJSON_AddBoolToObject(item, "result", line->result);
		cJSON_AddItemToArray(lines, item);
	}
	return object;
}

static void print_all(const struct sides *sides)
{
	for (size_t i = 0; i < sides->count; i++)
		print_likeness(sides->at[i].a, &sides->at[i].likeness);
	printf("%zu compared, %zu in only one of the two\n", sides->count, sides->only_a_count + sides->only_b_count);
}

static void print_json(const struct sides *sides)
{
	cJSON *tree = cJSON_CreateArray();

	for (size_t i = 0; i < sides->count; i++)
		cJSON_AddItemToArray(tree, likeness_json(sides->at[i].a, &sides->at[i].likeness));
	report_json(tree, stdout);
	cJSON_Delete(tree);
}

struct options {
	const char *a, *b;
	const char *page; /* NULL: none is wanted */
	bool json;
};

static enum status write_page(const struct options *options, const struct sides *sides, struct error *err)
{
	struct bytes page = {0};
	enum status status = comparison_page(sides, &page, err);

	if (status == OK)
		status = file_write(options->page, 0644, page.data, page.len, err);
	bytes_free(&page);
	return status;
}

static enum status report(const struct options *options, const struct sides *sides, struct error *err)
{
	if (options->json)
		print_json(sides);
	else
		print_all(sides);
	if (sides->count == 0)
		return error_set(err, R_RPL_COMMON, "", "the two have none");
	const enum status status = options->page != NULL ? write_page(options, sides, err) : OK;

	return status != OK ? status : sides->agree ? OK : FAILS;
}

static enum status compare(const struct options *options)
{
	struct replays a = {0}, b = {0};
	struct error err = {0};
	enum status status = OK;

	if (options->page != NULL && layout_inside_bundle(options->page))
		status = error_set(&err, R_BND_OUTSIDE, options->page, "it would stand inside a bundle");
	if (status == OK)
		status = replays_read(options->a, &a, &err);
	if (status == OK)
		status = replays_read(options->b, &b, &err);
	if (status == OK) {
		struct sides sides;

		sides_make(&a, &b, &sides);
		status = report(options, &sides, &err);
		sides_free(&sides);
	}
	if (err.status != OK)
		error_print(&err);
	replays_free(&a);
	replays_free(&b);
	return status;
}

static enum status run(int argc, char **argv)
{
	static const struct option longs[] = {{"json", no_argument, NULL, 'j'}, {"page", required_argument, NULL, 'p'}, {0}};
	struct options options = {0};
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (option == 'j')
			options.json = true;
		else if (option == 'p')
			options.page = optarg;
		else
			return command_usage(&command_compare, "unknown option or missing value: '%s'", command_option(argc, argv));
	}
	if (argc - optind != 2)
		return command_usage(&command_compare, "it takes two records, runs or bundles");
	options.a = argv[optind];
	options.b = argv[optind + 1];
	return compare(&options);
}

const struct command command_compare = {
	.name = "compare",
	.run = run,
	.usage = "compare [--json] [--page FILE] A B",
	.summary = "set two replays side by side: same, within tolerance, differs",
	.help =
		"A and B are records of replays (artifact/replays/RUN/CANDIDATE.json), directories of\n"
		"them, bundles, or names of runs of the bundle in the current directory. For each\n"
		"candidate that both have: which results are the same, within tolerance (speedup 1 %,\n"
		"shares of work 0.1 %) or differ; and which recorded facts are not the same: driver,\n"
		"device, clocks, libraries, toolchain, host, options. A fact that differs may explain a\n"
		"result that does.\n"
		"\n"
		"  --json       as JSON\n"
		"  --page FILE  besides, write the comparison as a page for people, one file that needs\n"
		"               nothing else\n"
		"\n"
		"Exits 0 if all results agree, 1 if one differs, 2 if they have no candidate in common.\n",
};
