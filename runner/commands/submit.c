#include "../base/plural.h"
#include "../submission/submit.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../archive/tarball.h"
#include "../base/draft.h"
#include "../base/progress.h"
#include "../bundle/layout.h"
#include "../bundle/training_set.h"
#include "../command.h"
#include "../submission/facts.h"
#include "signer.h"

static const char default_working[] = "build/replay";

struct asked {
	const char *facts, *training_set, *into, *output, *working;
	struct signer signer;
	bool template;
};

static void print_result(enum status status, const struct submit_result *result, const char *where)
{
	struct bytes text = {0};
	char amount[32];

	progress_amount(result->bytes, true, amount, sizeof amount);
	if (status != OK) {
		findings_text(&result->findings, &text);
		bytes_format(&text, "NOT made: %zu finding%s\n", result->findings.count, plural(result->findings.count));
	} else {
		bytes_format(&text, "submission %s in %s: %zu run%s, %zu record%s, %zu object%s; %" PRIu64 " files, %s\n", result->id, where, result->runs,
		             plural(result->runs), result->records, plural(result->records), result->objects, plural(result->objects), result->files, amount);
		bytes_text(&text, "Check it as an archive will: ptxseal admit --check --into ARCHIVE, then send it.\n");
	}
	fwrite(text.data, 1, text.len, stdout);
	bytes_free(&text);
}

static enum status read_facts(const char *name, cJSON **facts, struct error *err)
{
	struct bytes text = {0};
	enum status status = file_read(name, FACTS_FILE_MAX, &text, err);

	if (status == OK)
		status = facts_parse(text.data != NULL ? text.data : "", text.len, name, facts, err);
	bytes_free(&text);
	return status;
}

/* Into a draft, which gets its name once all is in it; or is packed and goes. */
static enum status make(const struct asked *asked, const cJSON *facts, const struct bytes *training_set, const struct key *key, struct submit_result *result, struct error *err)
{
	const struct submit_options how = {.facts = facts, .key = key, .training_set = asked->training_set != NULL ? training_set : NULL, .quiet = false};
	const struct tarball_pack_options packing = {.level = LEVEL_FULL, .zstd_level = TARBALL_LEVEL_DEFAULT, .threads = 1};
	char *name = asked->into != NULL ? mem_text(asked->into) : mem_format("%s.submission", asked->output);
	struct draft draft = {.fd = -1, .dir = -1};
	struct root working = {.fd = -1}, into = {.fd = -1};
	struct tarball_report report = {0};
	enum status status = root_open(asked->working, &working, err);

	if (status == OK)
		status = draft_tree(name, &draft, err);
	if (status == OK) {
		into = (struct root){.fd = draft.fd, .name = name};
		status = submit_make(&working, &into, &how, result, err);
	}
	if (status == OK && asked->output != NULL)
		status = tarball_pack(&into, asked->output, &packing, &report, err);
	if (status == OK && asked->into != NULL)
		status = draft_keep(&draft, err);
	draft_drop(&draft);
	tarball_report_free(&report);
	root_close(&working);
	free(name);
	return status;
}

static enum status submit(const struct asked *asked)
{
	const char *where = asked->into != NULL ? asked->into : asked->output;
	struct submit_result result = {0};
	struct key key = {0};
	struct error err = {0};
	struct bytes training_set = {0};
	cJSON *facts = NULL;
	enum status status = read_facts(asked->facts, &facts, &err);

	if (status == OK && asked->training_set != NULL)
		status = training_set_load(asked->training_set, &training_set, &err);
	if (status == OK)
		status = signer_open(&asked->signer, &key, &err);
	if (status == OK && layout_inside_bundle(where))
		status = error_set(&err, R_BND_OUTSIDE, where, "it would stand inside a bundle");
	if (status == OK)
		status = make(asked, facts, &training_set, &key, &result, &err);
	if (status != OK && result.findings.count == 0)
		error_print(&err);
	else
		print_result(status, &result, where);
	submit_result_free(&result);
	bytes_free(&training_set);
	cJSON_Delete(facts);
	key_free(&key);
	return status;
}

static enum status run(int argc, char **argv)
{
	static const struct option options[] = {
		{"facts", required_argument, NULL, 'f'}, {"key", required_argument, NULL, 'k'},   {"into", required_argument, NULL, 'i'},
		{"output", required_argument, NULL, 'o'}, {"template", no_argument, NULL, 't'},    {"passphrase-file", required_argument, NULL, 'p'},
		{"training-set", required_argument, NULL, 's'},
		{0},
	};
	struct asked asked = {.working = default_working};
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'f')
			asked.facts = optarg;
		else if (option == 'k')
			asked.signer.key = optarg;
		else if (option == 'p')
			asked.signer.passphrase_file = optarg;
		else if (option == 's')
			asked.training_set = optarg;
		else if (option == 'i')
			asked.into = optarg;
		else if (option == 'o')
			asked.output = optarg;
		else if (option == 't')
			asked.template = true;
		else
			return command_usage(&command_submit, "'%s' is no option, or lacks its value", command_option(argc, argv));
	}
	if (argc - optind > 1)
		return command_usage(&command_submit, "one directory at most");
	if (asked.template) {
		fputs(facts_template, stdout);
		return OK;
	}
	if (asked.facts == NULL || asked.signer.key == NULL || (asked.into == NULL) == (asked.output == NULL))
		return command_usage(&command_submit, "--facts, --key and one of --into and --output are needed");
	if (optind < argc)
		asked.working = argv[optind];
	return submit(&asked);
}

const struct command command_submit = {
	.name = "submit",
	.run = run,
	.usage = "submit --facts FILE --key KEYFILE [--passphrase-file FILE] [--training-set FILE] (--output FILE.tar.zst | --into DIR) [WORKING]\n"
		 "       ptxseal submit --template",
	.summary = "make a submission of one model's runs",
	.help =
		"Makes a submission of the runs of one source and model in WORKING (build/replay),\n"
		"which `ptxseal replay` left, or `query`, `record` or `mcp`: their records, their\n"
		"candidates, every request and reply, the prompts and responses that their turns name,\n"
		"and what FILE says of them. It is a bundle of its own, sealed by the submitter's key;\n"
		"manifests that sign single runs stay as they are.\n"
		"\n"
		"  --template        print a file of facts to begin with\n"
		"  --facts FILE      who submits, which source and model, how it was sampled and in\n"
		"                    what environment, and for each task whether it was in the\n"
		"                    training set (docs/submitting.md)\n"
		"  --training-set FILE.manifest.json  the repair set that the model was tuned on (export\n"
		"                    repairs), for runs that do not name theirs\n"
		"  --key KEYFILE     the submitter's private key, or the URI of one in a store\n"
		"  --passphrase-file FILE  where its passphrase or PIN stands\n"
		"  --output FILE     pack it into one file to be sent\n"
		"  --into DIR        or leave it as a directory\n"
		"\n"
		"Exits 0 when made, 1 if what is there cannot be submitted, 3 if a file is malformed, 4\n"
		"if one cannot be written.\n",
};
