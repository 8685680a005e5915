#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

#include "../archive/tarball.h"
#include "../base/plural.h"
#include "../base/progress.h"
#include "../bundle/layout.h"
#include "../command.h"

static void print_report(enum status status, const char *dir, const struct tarball_report *report)
{
	struct bytes text = {0};
	char bytes[32];
	size_t findings = report->verify.findings.count;

	progress_amount(report->bytes, true, bytes, sizeof bytes);
	if (status != OK) {
		findings_text(&report->verify.findings, &text);
		bytes_format(&text, "NOT unpacked: %zu finding%s\n", findings, plural(findings));
	} else {
		bytes_format(&text, "unpacked: %" PRIu64 " files, %s; the bag holds\nThe bundle is not verified yet: ptxseal verify %s/" TARBALL_DATA "\n",
		             report->files, bytes, dir);
	}
	fwrite(text.data, 1, text.len, stdout);
	bytes_free(&text);
}

static enum status run(int argc, char **argv)
{
	static const struct option none[] = {{0}};
	struct tarball_report report = {0};
	struct error err = {0};
	enum status status = OK;

	opterr = 0;
	if (getopt_long(argc, argv, "", none, NULL) != -1)
		return command_usage(&command_unpack, "'%s' is no option", command_option(argc, argv));
	if (argc - optind != 2)
		return command_usage(&command_unpack, "one file and one directory");
	const char *file = argv[optind], *dir = argv[optind + 1];

	if (layout_inside_bundle(dir))
		status = error_set(&err, R_BND_OUTSIDE, dir, "it would stand inside a bundle");
	if (status == OK)
		status = tarball_unpack(file, dir, false, &report, &err);
	if (status != OK && report.verify.findings.count == 0)
		error_print(&err);
	else
		print_report(status, dir, &report);
	tarball_report_free(&report);
	return status;
}

const struct command command_unpack = {
	.name = "unpack",
	.run = run,
	.usage = "unpack FILE DIR",
	.summary = "take a packed bundle apart",
	.help =
		"Unpacks FILE, which `ptxseal pack` made, into the new directory DIR: the bag, with\n"
		"the bundle in DIR/data.\n"
		"\n"
		"FILE may come from anybody. Only the one form that pack writes is taken, byte for\n"
		"byte: regular files, in order, none twice, none outside, within limits. All goes\n"
		"to a private directory beside DIR, which gets its name once every hash of the bag\n"
		"holds; otherwise nothing is left. Whether the bundle is sealed, and by whom,\n"
		"`ptxseal verify` says.\n"
		"\n"
		"Exits 0 when unpacked, 1 if a hash of the bag differs, 3 if FILE is no such archive\n"
		"or DIR is there already, 4 if DIR cannot be written.\n",
};
