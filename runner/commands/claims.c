/* ptxseal claims: what the ledger says to each claim of the paper. */
#include <getopt.h>
#include <stdio.h>

#include "../command.h"
#include "../derive/derivation.h"
#include "report.h"

static enum status decide(const char *bundle, bool json, struct derivation *derivation, struct error *err)
{
	struct decision *decisions = NULL;
	size_t count = 0;
	enum status status = derivation_open(bundle, derivation, err);

	if (status == OK)
		status = decisions_make(derivation->db, &derivation->catalogue, &decisions, err);
	if (status == OK) {
		count = derivation->catalogue.claim_count;
		if (json) {
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

static enum status run_claims(int argc, char **argv)
{
	static const struct option longs[] = {{"json", no_argument, NULL, 'j'}, {0}};
	struct derivation derivation = {.bundle = {.fd = -1}};
	struct error err = {0};
	bool json = false;
	int option;

	optind = 0; /* glibc: scan anew */
	opterr = 0;
	while ((option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (option != 'j')
			return command_usage(&command_claims, "unknown option: '%s'", argv[optind - 1]);
		json = true;
	}
	if (argc - optind > 1)
		return command_usage(&command_claims, "one bundle is wanted");
	enum status status = decide(optind < argc ? argv[optind] : ".", json, &derivation, &err);

	if (status != OK)
		error_print(&err);
	derivation_close(&derivation);
	return status;
}

const struct command command_claims = {
	.name = "claims",
	.run = run_claims,
	.usage = "claims [--json] [BUNDLE]",
	.summary = "what the ledger says to each claim of the paper",
	.help = "Run every artifact/claims/*.sql of the bundle (default: the current directory) and\n"
	        "print each claim's verdict, HOLDS, FAILS or NOT DERIVABLE, with the numbers that\n"
	        "decide it. A claim file says which verdict is expected: to find again that a claim\n"
	        "fails is no failure of the artifact. Exit code 1 when a verdict is another one.\n"
	        "\n"
	        "  --json     report for machines\n",
};
