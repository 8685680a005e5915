/* ptxseal report: what a bundle holds, as pages for people. (report.c beside this has what commands print.) */
#include <getopt.h>
#include <stdio.h>

#include "../command.h"
#include "../derive/publish.h"
#include "../report/report.h"
#include "pin.h"

#define DEFAULT_OUT "build/report"

struct options {
	const char *bundle;
	const char *out;
	struct pin pin;
};

static enum status parse_options(int argc, char **argv, struct options *options, struct error *err)
{
	static const struct option longs[] = {
		{"output", required_argument, NULL, 'o'}, {"key", required_argument, NULL, 'k'}, {"fingerprint", required_argument, NULL, 'f'}, {0}};
	int option;

	*options = (struct options){.bundle = ".", .out = DEFAULT_OUT};
	optind = 0; /* glibc: scan anew */
	opterr = 0;
	while ((option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (option == 'o')
			options->out = optarg;
		else if (option == 'k')
			options->pin.key_file = optarg;
		else if (option == 'f')
			options->pin.fingerprint = optarg;
		else
			return command_usage(&command_report, "unknown option or missing value: '%s'", command_option(argc, argv));
	}
	if (argc - optind > 1)
		return command_usage(&command_report, "one bundle is wanted");
	if (optind < argc)
		options->bundle = argv[optind];
	return pin_resolve(&options->pin, &command_report, err);
}

static enum status run_report(int argc, char **argv)
{
	struct options options;
	struct standing standing = {.derivation = {.bundle = {.fd = -1}}};
	struct error err = {0};
	enum status status = parse_options(argc, argv, &options, &err);

	if (status == OK)
		status = publish_place(options.out, &err);
	if (status == OK)
		status = standing_make(options.bundle, options.pin.hex[0] != '\0' ? options.pin.hex : NULL, false, &standing, &err);
	if (status == OK)
		status = report_publish(&standing, options.out, &err);
	if (status == OK)
		printf("%s/" REPORT_PAGE ": %s\n", options.out, standing_holds(&standing) ? "the bundle HOLDS" : "the bundle DOES NOT HOLD; the page says what of it does not");
	if (status != OK && err.status != OK) /* else the usage has been told */
		error_print(&err);
	if (status == OK)
		status = standing_status(&standing);
	standing_free(&standing);
	return status;
}

const struct command command_report = {
	.name = "report",
	.run = run_report,
	.usage = "report [--output DIR] [--key PEMFILE | --fingerprint HEX] [BUNDLE]",
	.summary = "what holds, tables, figures and kernels, as pages for people",
	.help = "Write DIR (default: " DEFAULT_OUT "):\n"
	        "\n"
	        "  report.html  one page that needs nothing else and asks no network: what verifies and\n"
	        "               what does not, by whom it is signed, every claim and every table, and\n"
	        "               behind every cell the records it comes from\n"
	        "  kernels/     a page of each measured candidate: source, machine code with counts,\n"
	        "               timing, trials, files and who vouches for them\n"
	        "  figures/     for papers: SVG, PDF and the numbers drawn as CSV (SVG and PDF where\n"
	        "               gnuplot is)\n"
	        "  REPORT       the names of these files: a later report removes by it what is stale\n"
	        "\n"
	        "What is checked is what `evaluate` checks.\n"
	        "\n"
	        "  --output DIR       write the report there; files of others in it are left alone\n"
	        "  --fingerprint HEX  the bundle has to be sealed by the key of this fingerprint\n"
	        "  --key PEMFILE      the same, by this public key\n"
	        "\n"
	        "Exit code 0 when everything holds, as `evaluate` has it; 1 when not: then the report\n"
	        "says what does not.\n",
};
