#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../archive/tarball.h"
#include "../base/jcs.h"
#include "../base/plural.h"
#include "../base/progress.h"
#include "../bundle/layout.h"
#include "../bundle/presence.h"
#include "../command.h"
#include "../submission/logbook.h"
#include "../submission/roll.h"
#include "export_signed.h"
#include "pin.h"

static cJSON *words_json(const struct words *words)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < words->count; i++)
		cJSON_AddItemToArray(list, cJSON_CreateString(words->at[i]));
	return list;
}

static cJSON *keys_json(const struct trust *trust)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < trust->count; i++) {
		const struct trusted_key *trusted = &trust->at[i];
		cJSON *item = cJSON_CreateObject();

		cJSON_AddStringToObject(item, "file", trusted->file);
		cJSON_AddStringToObject(item, "fingerprint", trusted->fingerprint);
		cJSON_AddItemToObject(item, "roles", words_json(&trusted->roles));
		if (trusted->revoked != NULL)
			cJSON_AddStringToObject(item, "revoked", trusted->revoked);
		if (trusted->until != NULL)
			cJSON_AddStringToObject(item, "until", trusted->until);
		cJSON_AddItemToArray(list, item);
	}
	return list;
}

/* Whoever sealed it, and whoever has countersigned that. */
static void add_signers(cJSON *tree, const struct verify_report *report)
{
	cJSON *signers = cJSON_AddArrayToObject(tree, "root_signers"), *reviewed = cJSON_AddArrayToObject(tree, "countersigned");

	for (size_t i = 0; i < report->root_signers.count; i++)
		cJSON_AddItemToArray(signers, cJSON_CreateString(report->root_signers.at[i]->fingerprint));
	for (size_t i = 0; i < report->reviewed.count; i++) {
		const struct countersignature *one = &report->reviewed.at[i];
		cJSON *item = cJSON_CreateObject();

		cJSON_AddStringToObject(item, "file", one->over);
		cJSON_AddStringToObject(item, "fingerprint", one->fingerprint);
		cJSON_AddStringToObject(item, "name", one->reviewer);
		cJSON_AddItemToArray(reviewed, item);
	}
}

static enum status print_json(const struct verify_report *report, const struct verify_options *options)
{
	cJSON *tree = cJSON_CreateObject();
	struct bytes text = {0};
	struct error err;

	cJSON_AddNumberToObject(tree, "bytes", (double)report->bytes);
	cJSON_AddItemToObject(tree, "counts", findings_counts(&report->findings));
	cJSON_AddNumberToObject(tree, "files", (double)report->files);
	cJSON_AddItemToObject(tree, "findings", findings_json(&report->findings));
	cJSON_AddItemToObject(tree, "keys", keys_json(&report->trust));
	if (report->left_out > 0) {
		cJSON_AddNumberToObject(tree, "left_out", (double)report->left_out);
		cJSON_AddStringToObject(tree, "level", level_name(report->level));
	}
	cJSON_AddStringToObject(tree, "root_key", report->root_key);
	add_signers(tree, report);
	if (report->date[0] != '\0')
		cJSON_AddStringToObject(tree, "date", report->date);
	cJSON_AddStringToObject(tree, "schema", "urn:ptxseal:verify/v1");
	cJSON_AddStringToObject(tree, "trust", options->pinned != NULL ? "named key" : "keys in the bundle");
	cJSON_AddStringToObject(tree, "verdict", report->findings.count == 0 ? "verified" : "not verified");
	enum status status = jcs_write(tree, &text, &err);

	if (status == OK)
		puts(text.data);
	else
		error_print(&err);
	bytes_free(&text);
	cJSON_Delete(tree);
	return status;
}

static void signers_text(const struct verify_report *report, struct bytes *text)
{
	for (size_t i = 0; i < report->root_signers.count; i++)
		if (strcmp(report->root_signers.at[i]->fingerprint, report->root_key) != 0)
			bytes_format(text, "Sealed by root key %s too.\n", report->root_signers.at[i]->fingerprint);
	for (size_t i = 0; i < report->reviewed.count; i++)
		bytes_format(text, "Countersigned by %s, key %s: %s\n", report->reviewed.at[i].reviewer,
		             report->reviewed.at[i].fingerprint, report->reviewed.at[i].over);
}

/* roll: the lines of roll_text. */
static void print_text(const struct verify_report *report, const struct verify_options *options, const struct bytes *roll)
{
	struct bytes text = {0};
	char amount[32];

	progress_amount(report->bytes, true, amount, sizeof amount);
	if (report->findings.count > 0) {
		findings_text(&report->findings, &text);
		bytes_format(&text, "NOT verified: %zu finding%s in %" PRIu64 " files, %s\n", report->findings.count,
		             plural(report->findings.count), report->files, amount);
	} else {
		bytes_format(&text, "verified: %" PRIu64 " files, %s, sealed by root key %s\n", report->files, amount,
		             report->root_key);
		signers_text(report, &text);
		bytes_add(&text, roll->data, roll->len);
		bytes_text(&text, options->pinned != NULL
		                          ? "This is the key you named.\n"
		                          : "Trust rests on the keys inside the bundle: compare this fingerprint with the "
		                            "one published\nelsewhere, or let --fingerprint or --key do it.\n");
	}
	if (report->left_out > 0)
		bytes_format(&text, "Left out at level %s, and not checked: %" PRIu64 " sealed file%s, listed in " LAYOUT_LEFT_OUT "\n", level_name(report->level),
		             report->left_out, plural(report->left_out));
	fwrite(text.data, 1, text.len, stdout);
	bytes_free(&text);
}

static void check_packed(void *roll, const struct root *bundle, struct findings *findings)
{
	archive_check(bundle, findings);
	roll_text(bundle, "", roll);
}

/* A packed bundle. What stands in it is told as of a directory; that it is none, as an error. */
static enum status verify_packed(const char *file, const struct verify_options *options, bool json)
{
	struct tarball_report report;
	struct bytes roll = {0};
	struct error err;
	enum status status = tarball_verify(file, options, check_packed, &roll, &report, &err);

	if (status != OK && report.verify.findings.count == 0)
		error_print(&err);
	else if (!json)
		print_text(&report.verify, options, &roll);
	else if (print_json(&report.verify, options) != OK)
		status = FAILS;
	tarball_report_free(&report);
	bytes_free(&roll);
	return status;
}

static enum status verify(const char *dir, const struct verify_options *options, bool json)
{
	struct verify_report report;
	struct root root = {.fd = -1};
	struct bytes roll = {0};
	struct error err;
	enum status status = root_open(dir, &root, &err);

	if (status == OK && (presence_is_bag(&root) || presence_is_none(&root))) /* of a bundle without artifact/ the findings tell */
		status = presence_check(&root, &err);
	if (status != OK) {
		root_close(&root);
		error_print(&err);
		return status;
	}
	status = archive_verify(&root, options, &report);
	roll_text(&root, "", &roll);
	if (!json)
		print_text(&report, options, &roll);
	else if (print_json(&report, options) != OK)
		status = FAILS;
	verify_report_free(&report);
	bytes_free(&roll);
	root_close(&root);
	return status;
}

static enum status run(int argc, char **argv)
{
	static const struct option options[] = {
		{"json", no_argument, NULL, 'j'},
		{"key", required_argument, NULL, 'k'},
		{"fingerprint", required_argument, NULL, 'f'},
		{"oms", required_argument, NULL, 'o'},
		{"oms-key", required_argument, NULL, 'q'},
		{0},
	};
	struct verify_options how = {0};
	struct pin pin = {0};
	struct error err = {0};
	const char *oms = NULL, *oms_key = NULL;
	bool json = false;
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'j')
			json = true;
		else if (option == 'k')
			pin.key_file = optarg;
		else if (option == 'f')
			pin.fingerprint = optarg;
		else if (option == 'o')
			oms = optarg;
		else if (option == 'q')
			oms_key = optarg;
		else
			return command_usage(&command_verify, "'%s' is no option, or lacks its value", command_option(argc, argv));
	}
	if (argc - optind > 1)
		return command_usage(&command_verify, "one directory or file at most");
	if ((oms != NULL) != (oms_key != NULL) || (oms != NULL && (pin.key_file != NULL || pin.fingerprint != NULL)))
		return command_usage(&command_verify, "--oms goes with --oms-key and without --key and --fingerprint");
	if (oms != NULL)
		return verify_oms(optind < argc ? argv[optind] : ".", oms, oms_key, json);
	enum status status = pin_resolve(&pin, &command_verify, &err);

	if (status != OK) {
		if (err.status != OK) /* else the usage has been told */
			error_print(&err);
		return status;
	}
	how.pinned = pin.hex[0] != '\0' ? pin.hex : NULL;
	how.quiet = json;
	const char *name = optind < argc ? argv[optind] : ".";
	struct stat st;

	return stat(name, &st) == 0 && !S_ISDIR(st.st_mode) ? verify_packed(name, &how, json) : verify(name, &how, json);
}

const struct command command_verify = {
	.name = "verify",
	.run = run,
	.usage = "verify [--json] [--key PEMFILE | --fingerprint HEX] [DIR | FILE.tar.zst]\n"
		 "       ptxseal verify --oms FILE --oms-key PEMFILE [--json] [DIR]",
	.summary = "check every byte and signature of a bundle",
	.help =
		"Rung 1, integrity: every byte of artifact/, tasks/, manifests/ and checksums/ in\n"
		"DIR (the current directory) is the one that was signed, nothing is missing,\n"
		"nothing is extra, and every source is vouched for by a key that may do so.\n"
		"\n"
		"All findings are reported, sorted by file, each with its rule and what to do.\n"
		"\n"
		"FILE, made by `ptxseal pack`, is verified as it streams, without unpacking it, and held\n"
		"to its log. Files that a bundle leaves out (pack --level) are counted, not checked.\n"
		"\n"
		"  --fingerprint HEX  the bundle has to be sealed by the key of this fingerprint\n"
		"  --key PEMFILE      the same, by this public key\n"
		"  --json             one canonical JSON object, for machines\n"
		"  --oms FILE         DIR holds exactly the files that this OpenSSF Model Signing v1.0\n"
		"                     bundle lists (`ptxseal help export`), and nothing of our own seal\n"
		"                     is looked at\n"
		"  --oms-key PEMFILE  the P-256 key that has to have signed it\n"
		"\n"
		"Without --key and --fingerprint the keys are those in manifests/trust.json. Whoever\n"
		"replaces the whole bundle can replace these too: compare the root key's\n"
		"fingerprint, which is printed, with one you got in another way.\n"
		"\n"
		"Exits 0 if all holds, 1 if there is a finding, 3 if DIR, FILE or PEMFILE cannot be read.\n",
};
