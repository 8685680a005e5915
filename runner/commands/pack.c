#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../archive/tarball.h"
#include "../base/plural.h"
#include "../base/progress.h"
#include "../bundle/layout.h"
#include "../command.h"
#include "../submission/logbook.h"

static void print_report(enum status status, const char *file, const struct tarball_report *report)
{
	struct bytes text = {0};
	char bytes[32], packed[32], hex[SHA256_HEX + 1];
	size_t findings = report->verify.findings.count;

	progress_amount(report->bytes, true, bytes, sizeof bytes);
	progress_amount(report->packed, true, packed, sizeof packed);
	sha256_hex(&report->tags, hex);
	if (status != OK) {
		findings_text(&report->verify.findings, &text);
		bytes_format(&text, "NOT packed: %zu finding%s\n", findings, plural(findings));
	} else {
		bytes_format(&text, "packed and verified: %" PRIu64 " files, %s, in %s of %s\n", report->files, bytes, packed, file);
		if (report->verify.left_out > 0)
			bytes_format(&text, "left out at level %s: %" PRIu64 " file%s, listed in " LAYOUT_LEFT_OUT "\n", level_name(report->verify.level),
			             report->verify.left_out, plural(report->verify.left_out));
		bytes_format(&text, "SHA-256 of its " TARBALL_TAGS ", the same on every machine: %s\n", hex);
	}
	fwrite(text.data, 1, text.len, stdout);
	bytes_free(&text);
}

static enum status pack(const char *dir, const char *file, const struct tarball_pack_options *options)
{
	struct tarball_report report = {0};
	struct root root = {.fd = -1};
	struct error err = {0};
	enum status status = root_open(dir, &root, &err);

	if (status == OK && layout_inside_bundle(file))
		status = error_set(&err, R_BND_OUTSIDE, file, "it would stand inside a bundle");
	if (status == OK)
		status = tarball_pack(&root, file, options, &report, &err);
	if (status != OK && report.verify.findings.count == 0)
		error_print(&err);
	else
		print_report(status, file, &report);
	tarball_report_free(&report);
	root_close(&root);
	return status;
}

/* A number from 1 to most; 0 if the text is none. */
static unsigned number(const char *text, unsigned most)
{
	uint32_t value;

	return command_number(text, most, &value) ? value : 0;
}

static void check_archive(void *context, const struct root *bundle, struct findings *findings)
{
	(void)context;
	archive_check(bundle, findings);
}

static enum status run(int argc, char **argv)
{
	static const struct option options[] = {
		{"output", required_argument, NULL, 'o'},
		{"level", required_argument, NULL, 'l'},
		{"zstd-level", required_argument, NULL, 'z'},
		{"threads", required_argument, NULL, 't'},
		{0},
	};
	struct tarball_pack_options how = {.also = check_archive, .zstd_level = TARBALL_LEVEL_DEFAULT};
	const char *file = NULL;
	bool some_threads = true;
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'o')
			file = optarg;
		else if (option == 'z')
			how.zstd_level = (int)number(optarg, TARBALL_LEVEL_MAX);
		else if (option == 't')
			some_threads = (how.threads = number(optarg, TARBALL_THREADS_MAX)) != 0;
		else if (option != 'l')
			return command_usage(&command_pack, "'%s' is no option, or lacks its value", command_option(argc, argv));
		else if (!level_parse(optarg, &how.level))
			return command_usage(&command_pack, "'%s' is no level; there are figures, kernels and full", optarg);
	}
	if (argc - optind > 1)
		return command_usage(&command_pack, "one directory at most");
	if (file == NULL)
		return command_usage(&command_pack, "--output is needed");
	if (how.zstd_level == 0 || !some_threads)
		return command_usage(&command_pack, "--zstd-level is 1 to %d, --threads 1 to %d", TARBALL_LEVEL_MAX, TARBALL_THREADS_MAX);
	return pack(optind < argc ? argv[optind] : ".", file, &how);
}

const struct command command_pack = {
	.name = "pack",
	.run = run,
	.usage = "pack --output FILE.tar.zst [--level figures|kernels|full] [--zstd-level N] [--threads N] [DIR]",
	.summary = "make one archive of a bundle",
	.help =
		"Packs the sealed bundle in DIR (the current directory) into one file: a BagIt 1.0\n"
		"bag with RO-Crate 1.1 metadata, as a tar archive in a Zstandard frame. Every file\n"
		"is read once and checked against the seal on the way; what does not verify, with its\n"
		"log of submissions, is not packed. FILE is replaced in one step at the end.\n"
		"\n"
		"  --output FILE   the archive\n"
		"  --level LEVEL   what goes along: full (the default) everything; kernels all but\n"
		"                  prompts, responses and logs (artifact/objects); figures all but\n"
		"                  these and the kernels (artifact/candidates): enough to derive every\n"
		"                  table. What is left out is listed with its SHA-256\n"
		"  --zstd-level N  1 to 19, 3 by default; slower and smaller upwards\n"
		"  --threads N     that compress, two by default where there are two cores; the bytes\n"
		"                  do not depend on it\n"
		"\n"
		"The tar archive inside is the same, byte for byte, whenever and wherever the same\n"
		"bundle is packed at the same level: the SHA-256 that is printed, of the bag's tag\n"
		"manifest, stands for all of it. The compressed file is the same for the same\n"
		"--zstd-level and version of libzstd.\n"
		"\n"
		"Exits 0 when packed, 1 if the bundle does not verify, 3 if DIR cannot be read or\n"
		"packed at that level, 4 if FILE cannot be written.\n",
};
