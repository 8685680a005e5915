#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../base/plural.h"
#include "../base/progress.h"
#include "../bundle/seal.h"
#include "../command.h"
#include "../measure/vet.h"
#include "../submission/logbook.h"
#include "signer.h"

static void print_result(bool sealed, const struct verify_report *report, const struct seal_options *options)
{
	struct bytes text = {0};
	char amount[32];

	progress_amount(report->bytes, true, amount, sizeof amount);
	if (report->findings.count > 0) {
		findings_text(&report->findings, &text);
		bytes_format(&text, "%s: %zu finding%s\n", sealed ? "sealed, and NOT verified" : "NOT sealed", report->findings.count,
		             plural(report->findings.count));
	} else {
		bytes_format(&text, "sealed%s: %" PRIu64 " files, %s, by %s key %s\n",
		             strcmp(options->role, ROLE_ROOT) == 0 ? " and verified" : "", report->files, amount,
		             options->role, options->key->fingerprint);
		unsigned needed = trust_threshold(&report->trust, ROLE_ROOT);

		if (report->root_signers.count < needed && strcmp(options->role, ROLE_ROOT) == 0)
			bytes_format(&text, "%zu of %u root keys have signed; the others sign with: ptxseal sign\n",
			             report->root_signers.count, needed);
		if (strcmp(options->role, ROLE_ROOT) != 0)
			bytes_text(&text, "The root seal, which covers this, is next: ptxseal seal --role root\n");
	}
	fwrite(text.data, 1, text.len, stdout);
	bytes_free(&text);
}

static enum status seal(const char *dir, const struct signer *signer, struct seal_options *options)
{
	struct verify_report report = {0};
	struct root root = {.fd = -1};
	struct key key = {0};
	struct error err = {0};
	bool sealed = false;
	enum status status = signer_open(signer, &key, &err);

	options->key = &key;
	if (status == OK)
		status = root_open(dir, &root, &err);
	/* Whoever seals replays says that they were measured. */
	if (status == OK && strcmp(options->role, ROLE_REPLAY) == 0)
		status = vet_bundle(&root, &err);
	if (status == OK)
		status = bundle_seal(&root, options, &report, &err);
	/* What is sealed has been verified, but for what an archive has admitted and its log. */
	sealed = status == OK;
	if (sealed && strcmp(options->role, ROLE_ROOT) == 0)
		logbook_check(&root, &report.findings);
	findings_sort(&report.findings);
	if (report.findings.count > 0)
		status = FAILS;
	if (status != OK && report.findings.count == 0)
		error_print(&err);
	else
		print_result(sealed, &report, options);
	verify_report_free(&report);
	root_close(&root);
	key_free(&key);
	return status;
}

static enum status run(int argc, char **argv)
{
	static const struct option options[] = {
		{"role", required_argument, NULL, 'r'},
		{"key", required_argument, NULL, 'k'},
		{"passphrase-file", required_argument, NULL, 'f'},
		{"name", required_argument, NULL, 'n'},
		{"replace", no_argument, NULL, 'x'},
		{"run", required_argument, NULL, 'u'},
		{"date", required_argument, NULL, 'd'},
		{0},
	};
	struct seal_options how = {0};
	struct signer signer = {0};
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'r')
			how.role = optarg;
		else if (option == 'k')
			signer.key = optarg;
		else if (option == 'f')
			signer.passphrase_file = optarg;
		else if (option == 'n')
			how.name = optarg;
		else if (option == 'x')
			how.replace = true;
		else if (option == 'u')
			how.run = optarg;
		else if (option == 'd')
			how.date = optarg;
		else
			return command_usage(&command_seal, "'%s' is no option, or lacks its value", command_option(argc, argv));
	}
	if (argc - optind > 1)
		return command_usage(&command_seal, "one directory at most");
	if (how.role == NULL || signer.key == NULL)
		return command_usage(&command_seal, "--role and --key are needed");
	if (strcmp(how.role, ROLE_ROOT) != 0 && strcmp(how.role, ROLE_IMPORT) != 0 && strcmp(how.role, ROLE_REPLAY) != 0)
		return command_usage(&command_seal, "'%s' is no role; there are import, replay and root", how.role);
	if ((strcmp(how.role, ROLE_REPLAY) == 0) != (how.run != NULL))
		return command_usage(&command_seal, "--role replay takes the run that was measured, and only that: --run RUN");
	if (how.date != NULL && !date_valid(how.date, strlen(how.date)))
		return command_usage(&command_seal, "'%s' is no date YYYY-MM-DD", how.date);
	return seal(optind < argc ? argv[optind] : ".", &signer, &how);
}

const struct command command_seal = {
	.name = "seal",
	.run = run,
	.usage = "seal --role import|replay|root --key KEYFILE|URI [--run RUN] [--passphrase-file FILE] [--name NAME]\n"
		 "             [--replace] [--date YYYY-MM-DD] [DIR]",
	.summary = "write down every byte's hash and sign it",
	.help =
		"Seals the bundle in DIR (the current directory) with a private key made by\n"
		"`ptxseal keygen`. First as import, then as root:\n"
		"\n"
		"  --role import  writes manifests/SOURCE.dsse.json for each artifact/sources/SOURCE:\n"
		"                 this key's owner vouches for what was carried over from it\n"
		"  --role replay --run RUN  writes manifests/RUN.dsse.json for a run that was measured: its\n"
		"                 records, and what they say of device and tools. (`ptxseal replay --key`\n"
		"                 does it at once; this is for `query --measure`)\n"
		"  --role root    writes checksums/SHA256SUMS, its signature SHA256SUMS.sig and\n"
		"                 manifests/root.dsse.json, which cover all the rest, and verifies as\n"
		"                 `ptxseal verify` does, an archive's submissions and its log too\n"
		"  --key KEYFILE  the private key in PEM; it must stand outside the bundle. A URI (pkcs11:...)\n"
		"                 leads to one in a store that a provider of OpenSSL's opens\n"
		"  --passphrase-file FILE  its first line is the key's passphrase or PIN; else the\n"
		"                 environment's PTXSEAL_PASSPHRASE is; else the terminal asks for it\n"
		"  --date DATE    the statement says that it was made then (YYYY-MM-DD): needed for a\n"
		"                 key with an end date\n"
		"  --name NAME    the public key goes to manifests/keys/NAME.pem\n"
		"                 (default: the name it has there, else the role)\n"
		"  --replace      take that name over from another key, which is then trusted no\n"
		"                 longer; what it had signed has to be signed anew\n"
		"\n"
		"The public key and what it may sign are added to manifests/trust.json. To revoke\n"
		"a key, see `ptxseal help trust`, and seal again. Where trust.json demands more root\n"
		"signers than one, the others sign afterwards with `ptxseal sign`.\n"
		"\n"
		"From the first write of any seal to the end of the root seal checksums/unfinished\n"
		"stands in the bundle. If sealing is cut short, `ptxseal verify` says so; seal again.\n"
		"\n"
		"Exits 0 when sealed and verified, 1 if the bundle cannot be sealed or does not verify,\n"
		"3 if the key or a record is malformed, 4 if a file cannot be written.\n",
};
