#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "../archive/bag.h"
#include "../base/jcs.h"
#include "../base/plural.h"
#include "../base/progress.h"
#include "../command.h"

static void print_text(enum status status, const struct bag_report *report)
{
	struct bytes text = {0};
	char bytes[32];
	size_t findings = report->findings.count, doubts = report->doubts.count;

	progress_amount(report->bytes, true, bytes, sizeof bytes);
	findings_text(&report->findings, &text);
	if (doubts > 0) {
		bytes_format(&text, "%zu warning%s:\n", doubts, plural(doubts));
		findings_text(&report->doubts, &text);
	}
	if (status != OK)
		bytes_format(&text, "NOT a valid bag: %zu finding%s\n", findings, plural(findings));
	else
		bytes_format(&text, "valid: a bag of version %s with %" PRIu64 " files, %s\n", report->version, report->files, bytes);
	fwrite(text.data, 1, text.len, stdout);
	bytes_free(&text);
}

static enum status print_json(enum status status, const struct bag_report *report)
{
	cJSON *tree = cJSON_CreateObject();
	struct bytes text = {0};
	struct error err;

	cJSON_AddNumberToObject(tree, "bytes", (double)report->bytes);
	cJSON_AddNumberToObject(tree, "files", (double)report->files);
	cJSON_AddItemToObject(tree, "findings", findings_json(&report->findings));
	cJSON_AddStringToObject(tree, "schema", "urn:ptxseal:bag/v1");
	cJSON_AddStringToObject(tree, "verdict", status == OK ? "valid" : "not valid");
	cJSON_AddStringToObject(tree, "version", report->version);
	cJSON_AddItemToObject(tree, "warnings", findings_json(&report->doubts));
	enum status written = jcs_write(tree, &text, &err);

	if (written == OK)
		puts(text.data);
	else
		error_print(&err);
	bytes_free(&text);
	cJSON_Delete(tree);
	return written == OK ? status : written;
}

static enum status run(int argc, char **argv)
{
	static const struct option options[] = {{"json", no_argument, NULL, 'j'}, {0}};
	struct bag_options how = {0};
	struct bag_report report;
	struct root root;
	struct error err;
	bool json = false;
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option != 'j')
			return command_usage(&command_bag, "'%s' is no option", command_option(argc, argv));
		json = true;
	}
	if (argc - optind != 1)
		return command_usage(&command_bag, "one directory");
	struct stat st;
	enum status status = stat(argv[optind], &st) == 0 && S_ISREG(st.st_mode)
	                             ? error_set(&err, R_IO_OPEN, argv[optind], "this is a file: `ptxseal verify` checks a packed bundle as it is, `ptxseal unpack` makes a directory of it")
	                             : root_open(argv[optind], &root, &err);

	if (status != OK) {
		error_print(&err);
		return status;
	}
	status = bag_check(&root, &how, &report);
	if (json)
		status = print_json(status, &report);
	else
		print_text(status, &report);
	bag_report_free(&report);
	root_close(&root);
	return status;
}

const struct command command_bag = {
	.name = "bag",
	.run = run,
	.usage = "bag [--json] DIR",
	.summary = "check a BagIt bag",
	.help =
		"Checks DIR as a BagIt bag, whatever is in it: version 1.0 (RFC 8493), or one of the\n"
		"drafts 0.93 to 0.97. All findings are reported, and as warnings what another\n"
		"system or program may read in another way.\n"
		"\n"
		"  --json  one canonical JSON object, for machines\n"
		"\n"
		"Exits 0 if it is valid, 1 if files are missing, extra or changed, 3 if it is\n"
		"malformed or DIR cannot be read.\n",
};
