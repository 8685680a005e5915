/* Two replays side by side. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../bundle/likeness.h"
#include "../bundle/replays.h"
#include "../command.h"
#include "../measure/vet.h"
#include "text.h"

/* Records that are compared: one, or those of a run, by candidate. */
struct records {
	cJSON **at;
	size_t count;
};

static void records_free(struct records *records)
{
	for (size_t i = 0; i < records->count; i++)
		cJSON_Delete(records->at[i]);
	free(records->at);
}

/* Against the tasks beneath the current directory, if it is a bundle that has the record's. */
static enum status vet_here(const cJSON *record, const char *name, struct error *err)
{
	struct root root = {.fd = -1};
	char *facts = mem_format("tasks/%s/task.json", replay_text(record, "problem.task"));
	struct stat info;
	enum status status = OK;

	if (stat(facts, &info) == 0)
		status = root_open(".", &root, err);
	if (status == OK)
		status = vet(root.fd >= 0 ? &root : NULL, NULL, record, name, err);
	root_close(&root);
	free(facts);
	return status;
}

static enum status read_file(const char *name, struct records *records, struct error *err)
{
	struct bytes text = {0};
	cJSON *record = NULL;
	enum status status = file_read(name, REPLAY_RECORD_MAX, &text, err);

	if (status == OK)
		status = replay_parse_anywhere(text.data != NULL ? text.data : "", text.len, name, &record, err);
	if (status == OK)
		status = vet_here(record, name, err);
	if (status == OK) {
		records->at = mem_array(records->at, records->count + 1, sizeof *records->at);
		records->at[records->count++] = record;
	} else {
		cJSON_Delete(record);
	}
	bytes_free(&text);
	return status;
}

static enum status read_directory(const char *name, struct records *records, struct error *err)
{
	struct root root = {.fd = -1};
	struct file_list list = {0};
	enum status status = root_open(name, &root, err);

	if (status == OK)
		status = root_list(&root, "", &list, err);
	for (size_t i = 0; i < list.count && status == OK; i++) {
		char *path = mem_format("%s/%s", name, list.at[i].path);

		if (list.at[i].kind == FILE_REGULAR)
			status = read_file(path, records, err);
		free(path);
	}
	file_list_free(&list);
	root_close(&root);
	if (status == OK && records->count == 0)
		status = error_set(err, R_RPL_RECORD, name, "no record stands there");
	return status;
}

/* A record, the directory of a run's records, or the run's name beneath this bundle. */
static enum status read_records(const char *name, struct records *records, struct error *err)
{
	struct stat info;
	char *run = mem_format(REPLAY_DIRECTORY "/%s", name);
	const bool is_run = stat(name, &info) != 0 && stat(run, &info) == 0;
	const char *where = is_run ? run : name;
	const bool missing = stat(where, &info) != 0 && (errno == ENOENT || errno == ENOTDIR);
	const enum status status =
		missing ? error_set(err, R_RPL_NAME, name, "there is no record, no directory and, beneath the current directory, no run of this name")
		: stat(where, &info) == 0 && S_ISDIR(info.st_mode) ? read_directory(where, records, err) : read_file(where, records, err);

	free(run);
	return status;
}

static const cJSON *find(const struct records *records, const cJSON *like)
{
	for (size_t i = 0; i < records->count; i++)
		if (strcmp(replay_text(records->at[i], "candidate.directory"), replay_text(like, "candidate.directory")) == 0)
			return records->at[i];
	return NULL;
}

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

/* Two single records are compared whatever they are of; of runs, those that both have. */
static enum status compare_all(const struct records *a, const struct records *b, bool json, struct error *err)
{
	cJSON *tree = cJSON_CreateArray();
	size_t compared = 0, apart = 0;
	bool agree = true;

	for (size_t i = 0; i < a->count; i++) {
		const cJSON *other = a->count == 1 && b->count == 1 ? b->at[0] : find(b, a->at[i]);
		struct likeness likeness;

		if (other == NULL) {
			apart++;
			continue;
		}
		likeness_of(a->at[i], other, &likeness);
		agree = agree && likeness.agree;
		if (json)
			cJSON_AddItemToArray(tree, likeness_json(a->at[i], &likeness));
		else
			print_likeness(a->at[i], &likeness);
		likeness_free(&likeness);
		compared++;
	}
	apart += b->count - compared;
	if (json)
		report_json(tree, stdout);
	else
		printf("%zu compared, %zu in only one of the two\n", compared, apart);
	cJSON_Delete(tree);
	if (compared == 0)
		return error_set(err, R_RPL_NAME, "", "the two have no candidate in common");
	return agree ? OK : FAILS;
}

static enum status compare(const char *first, const char *second, bool json)
{
	struct records a = {0}, b = {0};
	struct error err = {0};
	enum status status = read_records(first, &a, &err);

	if (status == OK)
		status = read_records(second, &b, &err);
	if (status == OK)
		status = compare_all(&a, &b, json, &err);
	if (err.status != OK)
		error_print(&err);
	records_free(&a);
	records_free(&b);
	return status;
}

static enum status run(int argc, char **argv)
{
	static const struct option options[] = {{"json", no_argument, NULL, 'j'}, {0}};
	bool json = false;
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option != 'j')
			return command_usage(&command_compare, "'%s' is no option", argv[optind - 1]);
		json = true;
	}
	if (argc - optind != 2)
		return command_usage(&command_compare, "it takes two records or runs");
	return compare(argv[optind], argv[optind + 1], json);
}

const struct command command_compare = {
	.name = "compare",
	.run = run,
	.usage = "compare [--json] A B",
	.summary = "set two replays side by side: same, within tolerance, differs",
	.help =
		"A and B are records of replays (artifact/replays/RUN/CANDIDATE.json), directories of\n"
		"them, or names of runs of the bundle in the current directory. For each candidate that\n"
		"both have: which results are the same, within tolerance (speedup 1 %, shares of work\n"
		"0.1 %) or differ; and which recorded facts are not the same: driver, device, clocks,\n"
		"libraries, toolchain, host, options. A fact that differs may explain a result that does.\n"
		"\n"
		"  --json  as JSON\n"
		"\n"
		"Exits 0 if all results agree, 1 if one differs, 2 if they have no candidate in common.\n",
};
