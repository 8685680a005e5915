/* ptxseal export: the bundle in a form that others' tools load. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/plural.h"
#include "../bundle/layout.h"
#include "../bundle/presence.h"
#include "../command.h"
#include "../model/repairs.h"
#include "../model/trace_export.h"
#include "../model/trace_import.h"
#include "export_signed.h"
#include "text.h"

struct options {
	const char *dir;
	const char *bundle;
	bool json;
};

static enum status parse_options(int argc, char **argv, struct options *options)
{
	static const struct option longs[] = {{"json", no_argument, NULL, 'j'}, {0}};
	int option;

	*options = (struct options){.bundle = "."};
	optind = 0; /* glibc: scan anew */
	opterr = 0;
	while ((option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (option != 'j')
			return command_usage(&command_export, "unknown option: '%s'", command_option(argc, argv));
		options->json = true;
	}
	if (argc - optind < 2 || argc - optind > 3)
		return command_usage(&command_export, "a form and a directory are wanted, then at most a bundle");
	if (strcmp(argv[optind], TRACE_KIND) != 0)
		return command_usage(&command_export, "the form '%s' is unknown; known: " TRACE_KIND ", oms, in-toto, repairs", argv[optind]);
	options->dir = argv[optind + 1];
	if (argc - optind == 3)
		options->bundle = argv[optind + 2];
	return OK;
}

static void print_text(const struct trace_export *export, const char *dir)
{
	uint64_t left = 0;

	printf("exported to %s: %" PRIu64 " definition%s, %" PRIu64 " workload%s, %" PRIu64 " solution%s, %" PRIu64 " trace%s\n", dir, export->definitions, plural(export->definitions),
	       export->workloads, plural(export->workloads), export->solutions, plural(export->solutions), export->traces, plural(export->traces));
	for (size_t i = 0; i < export->left_count; i++)
		left += export->left[i].count;
	printf("not exported: %" PRIu64 "\n", left);
	for (size_t i = 0; i < export->left_count; i++) {
		printf("%8" PRIu64 "  ", export->left[i].count);
		report_text(export->left[i].what, stdout);
		printf(": %s\n", export->left[i].reason);
	}
}

static enum status export(const struct options *options, struct trace_export *made, struct error *err)
{
	struct root bundle = {.fd = -1}, dir = {.fd = -1};
	enum status status = OK;

	if (layout_inside_bundle(options->dir))
		status = error_set(err, R_BND_OUTSIDE, options->dir, "this is inside a bundle");
	if (status == OK)
		status = root_open(options->bundle, &bundle, err);
	if (status == OK)
		status = presence_check(&bundle, err);
	if (status == OK)
		status = trace_export_make(&bundle, "ptxseal " PTXSEAL_VERSION, made, err);
	if (status == OK)
		status = export_open(options->dir, &dir, err);
	if (status == OK)
		status = trace_export_write(made, &dir, err);
	root_close(&dir);
	root_close(&bundle);
	return status;
}

static enum status export_trace(int argc, char **argv)
{
	struct options options;
	struct trace_export made = {0};
	struct error err = {0};
	enum status status = parse_options(argc, argv, &options);

	if (status != OK)
		return status;
	status = export(&options, &made, &err);
	if (status != OK)
		error_print(&err);
	else if (options.json) /* what stands in the data set itself */
		for (size_t i = 0; i < made.file_count; i++)
			if (strcmp(made.files[i].path, "ptxseal.json") == 0)
				fwrite(made.files[i].text.data, 1, made.files[i].text.len, stdout);
	if (status == OK && !options.json)
		print_text(&made, options.dir);
	trace_export_free(&made);
	return status;
}

/* ---- repairs ---- */

enum { HELD_OUT_MAX = 64 };

static void print_repairs(const struct repairs *made, const char *output)
{
	printf("exported to %s: %" PRIu64 " repair%s\nleft out: %" PRIu64 " of held-out tasks, %" PRIu64 " without their texts, %" PRIu64 " twice; %" PRIu64 " failed turn%s no fix\n", output,
	       made->pairs, plural(made->pairs), made->held_out, made->without_texts, made->twice, made->unfixed, made->unfixed == 1 ? " has" : "s have");
}

static enum status write_repairs(const struct repairs *made, const char *output, struct error *err)
{
	char *manifest = mem_format("%s.manifest.json", output);
	enum status status = file_write(output, 0644, made->lines.data, made->lines.len, err);

	if (status == OK)
		status = file_write(manifest, 0644, made->manifest.data, made->manifest.len, err);
	free(manifest);
	return status;
}

static enum status export_repairs(int argc, char **argv)
{
	static const struct option longs[] = {{"hold-out", required_argument, NULL, 'h'}, {"json", no_argument, NULL, 'j'}, {"output", required_argument, NULL, 'o'}, {0}};
	const char *held_out[HELD_OUT_MAX + 1] = {NULL}, *output = NULL;
	size_t count = 0;
	struct root bundle = {.fd = -1};
	struct repairs made = {0};
	struct error err = {0};
	bool json = false;
	int option;

	optind = 0; /* glibc: scan anew */
	opterr = 0;
	while ((option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (option == 'j')
			json = true;
		else if (option == 'o')
			output = optarg;
		else if (option == 'h' && count < HELD_OUT_MAX)
			held_out[count++] = optarg;
		else
			return command_usage(&command_export, "'%s' is no option, lacks its value, or is one too many", command_option(argc, argv));
	}
	if (output == NULL || argc - optind > 1)
		return command_usage(&command_export, "repairs are written to --output FILE, from one bundle");
	enum status status = layout_inside_bundle(output) ? error_set(&err, R_BND_OUTSIDE, output, "this is inside a bundle") : OK;

	if (status == OK)
		status = root_open(optind < argc ? argv[optind] : ".", &bundle, &err);
	if (status == OK)
		status = presence_check(&bundle, &err);
	if (status == OK)
		status = repairs_make(&bundle, count > 0 ? held_out : NULL, &made, &err);
	if (status == OK)
		status = write_repairs(&made, output, &err);
	if (status != OK)
		error_print(&err);
	else if (json)
		fwrite(made.manifest.data, 1, made.manifest.len, stdout);
	else
		print_repairs(&made, output);
	repairs_free(&made);
	root_close(&bundle);
	return status;
}

static enum status run_export(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "oms") == 0)
		return export_oms(argc - 1, argv + 1);
	if (argc > 1 && strcmp(argv[1], "in-toto") == 0)
		return export_intoto(argc - 1, argv + 1);
	if (argc > 1 && strcmp(argv[1], "repairs") == 0)
		return export_repairs(argc - 1, argv + 1);
	return export_trace(argc, argv);
}

const struct command command_export = {
	.name = "export",
	.run = run_export,
	.usage = "export flashinfer-trace DIR [--json] [BUNDLE]\n"
		 "       ptxseal export oms --key KEYFILE [--output FILE] [--name NAME] [BUNDLE]\n"
		 "       ptxseal export in-toto --key KEYFILE --output DIR [--expires YYYY-MM-DD] [BUNDLE]\n"
		 "       ptxseal export repairs --output FILE [--hold-out TASK]... [--json] [BUNDLE]",
	.summary = "write the bundle in a form that others' tools load",
	.help = "flashinfer-trace: writes a data set in the layout that flashinfer-bench loads into DIR, which has to\n"
		"be empty or not there: definitions and workloads of every task, and of every\n"
		"candidate that was measured a solution, with its sources, and a trace. Turns that\n"
		"were reported have no source here and become none; they are counted. What is left\n"
		"out and why stands in DIR/ptxseal.json, which flashinfer-bench does not read.\n"
		"\n"
		"  --json   print that file instead of a summary\n"
		"\n"
		"oms: an OpenSSF Model Signing v1.0 bundle of the bundle's files, for model-signing, signed\n"
		"with a P-256 key. `ptxseal verify` reads it too. What stands beside the bundle's\n"
		"directories is named in it as ignored.\n"
		"\n"
		"in-toto: root.layout, seal.KEYID.link and seal.pub.json, for in-toto-verify 1.x, signed\n"
		"with an Ed25519 key, into a DIR that is empty or not there.\n"
		"\n"
		"  --key KEYFILE    the private key, as `ptxseal help seal` says; it may be another one\n"
		"                   than those the bundle is sealed with\n"
		"  --passphrase-file FILE  its first line is the key's passphrase\n"
		"  --output FILE    where to write it; of oms standard output if not given\n"
		"  --name NAME      what OMS calls the directory (ptxseal-bundle)\n"
		"  --expires DATE   the last day on which in-toto-verify takes the layout (9999-12-31)\n"
		"\n"
		"repairs: pairs for fine-tuning as JSON Lines: a failed answer with what was told of it, and\n"
		"the correct one that follows it. FILE.manifest.json has the set's SHA-256, and what was\n"
		"left out and why.\n"
		"\n"
		"  --hold-out TASK  give no pairs of this task; once or more (the five core tasks)\n",
};
