#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../base/plural.h"
#include "../bundle/countersign.h"
#include "../bundle/sign.h"
#include "../bundle/sshsig.h"
#include "../command.h"
#include "../submission/logbook.h"
#include "signer.h"

static const char next[] = "The root seal, which covers this, is next: ptxseal seal --role root\n";

static bool is_root(const struct sign_options *options)
{
	return options->manifest == NULL || strcmp(options->manifest, "root") == 0;
}

static void print_signed(bool is_signed, const struct verify_report *report, const struct sign_options *options)
{
	unsigned needed = trust_threshold(&report->trust, ROLE_ROOT);
	struct bytes text = {0};

	if (report->findings.count > 0) {
		findings_text(&report->findings, &text);
		bytes_format(&text, "%s: %zu finding%s\n", is_signed ? "signed, and NOT verified" : "NOT signed", report->findings.count,
		             plural(report->findings.count));
	} else if (!is_root(options)) {
		bytes_format(&text, "signed: manifests/%s.dsse.json, by key %s\n%s", options->manifest, options->key->fingerprint,
		             next);
	} else {
		bytes_format(&text, "signed and verified: the root manifest of %" PRIu64 " files, by key %s\n", report->files,
		             options->key->fingerprint);
		if (report->root_signers.count < needed)
			bytes_format(&text, "%zu of %u root keys have signed; the others sign with: ptxseal sign\n",
			             report->root_signers.count, needed);
	}
	fwrite(text.data, 1, text.len, stdout);
	bytes_free(&text);
}

static enum status sign(const char *dir, const struct signer *signer, struct sign_options *options)
{
	struct verify_report report = {0};
	struct root root = {.fd = -1};
	struct key key = {0};
	struct error err = {0};
	bool is_signed = false;
	enum status status = signer_open(signer, &key, &err);

	options->key = &key;
	if (status == OK)
		status = root_open(dir, &root, &err);
	if (status == OK)
		status = bundle_sign(&root, options, &report, &err);
	is_signed = status == OK;
	if (is_signed && is_root(options)) /* as verify does */
		logbook_check(&root, &report.findings);
	findings_sort(&report.findings);
	if (report.findings.count > 0)
		status = FAILS;
	if (status != OK && report.findings.count == 0)
		error_print(&err);
	else
		print_signed(is_signed, &report, options);
	verify_report_free(&report);
	root_close(&root);
	key_free(&key);
	return status;
}

static enum status add_ssh(const char *dir, const char *file, const char *reviewer, const char *manifest)
{
	struct root root = {.fd = -1};
	struct bytes text = {0};
	struct error err = {0};
	enum status status = file_read(file, SSHSIG_FILE_MAX, &text, &err);

	if (status == OK)
		status = root_open(dir, &root, &err);
	if (status == OK)
		status = countersign(&root, &text, file, reviewer, manifest, &err);
	if (status != OK)
		error_print(&err);
	else
		printf("countersigned by %s: %s%s%s\n%s", reviewer, manifest != NULL ? "manifests/" : "checksums/SHA256SUMS",
		       manifest != NULL ? manifest : "", manifest != NULL ? ".dsse.json" : "", next);
	root_close(&root);
	bytes_free(&text);
	return status;
}

static enum status run(int argc, char **argv)
{
	static const struct option options[] = {
		{"key", required_argument, NULL, 'k'},
		{"passphrase-file", required_argument, NULL, 'f'},
		{"manifest", required_argument, NULL, 'm'},
		{"ssh", required_argument, NULL, 's'},
		{"reviewer", required_argument, NULL, 'r'},
		{0},
	};
	struct sign_options how = {0};
	struct signer signer = {0};
	const char *ssh = NULL, *reviewer = NULL;
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'k')
			signer.key = optarg;
		else if (option == 'f')
			signer.passphrase_file = optarg;
		else if (option == 'm')
			how.manifest = optarg;
		else if (option == 's')
			ssh = optarg;
		else if (option == 'r')
			reviewer = optarg;
		else
			return command_usage(&command_sign, "'%s' is no option, or lacks its value", command_option(argc, argv));
	}
	if (argc - optind > 1)
		return command_usage(&command_sign, "one directory at most");
	if ((signer.key == NULL) == (ssh == NULL))
		return command_usage(&command_sign, "either --key or --ssh is needed");
	if ((ssh == NULL) != (reviewer == NULL))
		return command_usage(&command_sign, "--ssh and --reviewer go together");
	const char *dir = optind < argc ? argv[optind] : ".";

	return ssh != NULL ? add_ssh(dir, ssh, reviewer, how.manifest) : sign(dir, &signer, &how);
}

const struct command command_sign = {
	.name = "sign",
	.run = run,
	.usage = "sign --key KEYFILE|URI [--passphrase-file FILE] [--manifest MANIFEST] [DIR]\n"
		 "       ptxseal sign --ssh SIGFILE --reviewer NAME [--manifest MANIFEST] [DIR]",
	.summary = "add a signer to what is sealed already",
	.help =
		"Adds the signature of a further key to a manifest of the bundle in DIR (the current\n"
		"directory). manifests/trust.json has to let the key do so (`ptxseal help trust`), and\n"
		"everything that is signed there already has to hold.\n"
		"\n"
		"  --key KEYFILE        the private key in PEM, or a URI, as `ptxseal help seal` says\n"
		"  --passphrase-file FILE  its first line is the key's passphrase\n"
		"  --manifest MANIFEST  manifests/MANIFEST.dsse.json: the root manifest if not given\n"
		"\n"
		"A reviewer who has only an SSH key countersigns checksums/SHA256SUMS, or a manifest:\n"
		"\n"
		"  ssh-keygen -Y sign -n ptxseal-manifest -f ~/.ssh/id_ed25519 \\\n"
		"    <checksums/SHA256SUMS >NAME.sshsig\n"
		"\n"
		"and sends that file, which the maintainer puts there:\n"
		"\n"
		"  --ssh SIGFILE        what ssh-keygen wrote\n"
		"  --reviewer NAME      the reviewer's key is manifests/keys/NAME.pem, of the role review\n"
		"\n"
		"It is checked, and kept as manifests/countersignatures/NAME.sshsig. The root manifest\n"
		"names it once the root seal was made again.\n"
		"\n"
		"Exits 0 when signed, 1 if the bundle does not hold or the key may not sign, 3 if\n"
		"something is malformed, 4 if a file cannot be written.\n",
};
