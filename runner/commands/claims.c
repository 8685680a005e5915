/* ptxseal claims: what the ledger says to each claim of the paper. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../command.h"
#include "../derive/ask.h"
#include "../derive/derivation.h"
#include "report.h"
#include "unvouched.h"

struct options {
	char **ids; /* none: every claim */
	size_t id_count;
	const char *bundle;
	bool json;
};

/* The named ones to the front, in the order of the bundle; *count is how many. */
static enum status choose(const struct options *options, const struct catalogue *catalogue, struct decision *decisions, size_t *count, struct error *err)
{
	bool *wanted = mem_alloc((catalogue->claim_count + 1) * sizeof *wanted);
	size_t claim = 0;
	enum status status = OK;

	for (size_t i = 0; i < options->id_count && status == OK; i++) {
		status = ask_claim(catalogue, options->ids[i], &claim, err);
		wanted[claim] = true;
	}
	*count = 0;
	for (size_t i = 0; i < catalogue->claim_count; i++) {
		if (!wanted[i] && options->id_count > 0)
			continue;
		const struct decision one = decisions[i];

		decisions[i] = decisions[*count];
		decisions[(*count)++] = one;
	}
	free(wanted);
	return status;
}

static enum status decide(const struct options *options, struct derivation *derivation, struct error *err)
{
	struct decision *decisions = NULL;
	size_t count = 0;
	enum status status = derivation_open(options->bundle, derivation, err);

	if (status == OK)
		status = decisions_make(derivation->db, &derivation->catalogue, &decisions, err);
	if (status == OK)
		status = choose(options, &derivation->catalogue, decisions, &count, err);
	if (status == OK) {
		if (options->json) {
			cJSON *tree = report_claims_json(decisions, count);

			report_json(tree, stdout);
			cJSON_Delete(tree);
		} else {
			report_claims(decisions, count, stdout);
		}
		if (count == 0)
			status = error_set(err, R_CMP_NOTHING, "artifact/claims", "there is no claim");
		else if (!decisions_hold(decisions, count))
			status = error_set(err, R_CMP_CLAIM, "artifact/claims", "a claim is decided otherwise");
	}
	decisions_free(decisions, derivation->catalogue.claim_count);
	return status;
}

static bool is_id(const char *text)
{
	return text[0] == 'C' && text[1] != '\0' && strspn(text + 1, "0123456789") == strlen(text + 1);
}

static enum status run_claims(int argc, char **argv)
{
	static const struct option longs[] = {{"json", no_argument, NULL, 'j'}, {0}};
	struct derivation derivation = {.bundle = {.fd = -1}};
	struct options options = {.bundle = "."};
	struct error err = {0};
	int option;

	optind = 0; /* glibc: scan anew */
	opterr = 0;
	while ((option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (option != 'j')
			return command_usage(&command_claims, "unknown option: '%s'", command_option(argc, argv));
		options.json = true;
	}
	options.ids = argv + optind;
	while (optind < argc && is_id(argv[optind])) {
		options.id_count++;
		optind++;
	}
	if (argc - optind > 1)
		return command_usage(&command_claims, "ids of claims, such as C3, and after them one bundle");
	if (optind < argc)
		options.bundle = argv[optind];
	enum status status = decide(&options, &derivation, &err);

	if (status != OK)
		error_print(&err);
	if (status == OK || status == FAILS)
		unvouched_warn(&derivation.bundle);
	derivation_close(&derivation);
	return status;
}

const struct command command_claims = {
	.name = "claims",
	.run = run_claims,
	.usage = "claims [--json] [ID ...] [BUNDLE]",
	.summary = "what the ledger says to each claim of the paper",
	.help = "Run every artifact/claims/*.sql of the bundle (default: the current directory), or those\n"
	        "of the named claims (`ptxseal claims C3`), and print each claim's verdict, HOLDS, FAILS\n"
	        "or NOT DERIVABLE, with the numbers that decide it. A claim file says which verdict is\n"
	        "expected: to find again that a claim fails is no failure of the artifact. Exit code 1\n"
	        "when a verdict is another one.\n"
	        "\n"
	        "  --json     report for machines\n",
};
