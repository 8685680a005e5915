#include "../base/plural.h"
#include "../submission/admit.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../base/progress.h"
#include "../command.h"
#include "../submission/unpacked.h"
#include "signer.h"
#include "text.h"

struct asked {
	const char *file, *into;
	struct signer signer;
	bool check, json;
};

static const char *verdict(enum status status, const struct asked *asked, const struct admit_result *result)
{
	return status != OK ? "refused" : asked->check ? "admissible" : result->completed ? "completed" : "admitted";
}

static void print_json(enum status status, const struct asked *asked, const struct admit_result *result)
{
	cJSON *tree = cJSON_CreateObject(), *counts = cJSON_AddObjectToObject(tree, "severities");
	size_t count[SEVERITY_COUNT];

	findings_severities(&result->findings, count);
	for (int i = 0; i < SEVERITY_COUNT; i++)
		cJSON_AddNumberToObject(counts, severity_name((enum severity)i), (double)count[i]);
	cJSON_AddNumberToObject(tree, "bytes", (double)result->bytes);
	cJSON_AddItemToObject(tree, "counts", findings_counts(&result->findings));
	cJSON_AddNumberToObject(tree, "files", (double)result->files);
	cJSON_AddItemToObject(tree, "findings", findings_json(&result->findings));
	cJSON_AddStringToObject(tree, "id", result->id);
	if (status == OK && !asked->check)
		cJSON_AddNumberToObject(tree, "leaf", (double)result->leaf);
	cJSON_AddStringToObject(tree, "model", result->model != NULL ? result->model : "");
	cJSON_AddNumberToObject(tree, "records", (double)result->records);
	cJSON_AddNumberToObject(tree, "runs", (double)result->runs);
	cJSON_AddStringToObject(tree, "schema", "urn:ptxseal:admit/v1");
	cJSON_AddStringToObject(tree, "source", result->source != NULL ? result->source : "");
	cJSON_AddStringToObject(tree, "verdict", verdict(status, asked, result));
	report_json(tree, stdout);
	cJSON_Delete(tree);
}

static void print_text(enum status status, const struct asked *asked, const struct admit_result *result)
{
	size_t count[SEVERITY_COUNT];
	struct bytes text = {0};
	char amount[32];

	findings_severities(&result->findings, count);
	progress_amount(result->bytes, true, amount, sizeof amount);
	findings_text(&result->findings, &text);
	if (text.data != NULL)
		fputs(text.data, stdout);
	printf("submission %s, source ", result->id[0] != '\0' ? result->id : "(no SHA256SUMS)");
	report_text(result->source != NULL && result->source[0] != '\0' ? result->source : "(not said)", stdout);
	fputs(", model ", stdout);
	report_text(result->model != NULL && result->model[0] != '\0' ? result->model : "(not said)", stdout);
	printf(": %zu run%s, %zu record%s, %" PRIu64 " file%s, %s\n", result->runs, plural(result->runs), result->records, plural(result->records), result->files,
	       plural(result->files), amount);
	printf("%zu ERROR + %zu WARNING + %zu INFO = %zu finding%s: %s\n", count[SEVERITY_ERROR], count[SEVERITY_WARNING], count[SEVERITY_INFO],
	       result->findings.count, plural(result->findings.count), verdict(status, asked, result));
	if (status == OK && !asked->check)
		printf("It is entry %" PRIu64 " of the log. The root seal, which covers it, is next: ptxseal seal --role root\n", result->leaf);
	bytes_free(&text);
}

/* Checked by the archive's rules; nothing of it is written but into a private directory, of which nothing stays. */
static enum status try(const struct asked *asked, const struct key *key, struct admit_result *result, struct error *err)
{
	const char *temporary = getenv("TMPDIR") != NULL && getenv("TMPDIR")[0] != '\0' ? getenv("TMPDIR") : "/tmp";
	const time_t now = time(NULL);
	struct unpacked unpacked = {.draft = {.fd = -1, .dir = -1}, .root = {.fd = -1}};
	struct root archive = {.fd = -1};
	struct findings damaged = {0};
	char date[11];
	struct tm utc;
	const struct admit_options how = {.log_key = key, .date = date, .check_only = asked->check, .quiet = asked->json};

	strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &utc));
	enum status status = root_open(asked->into, &archive, err);

	if (status == OK)
		status = unpacked_open(asked->file, asked->check ? temporary : asked->into, asked->json, &unpacked, &damaged, err);
	if (damaged.count > 0)
		result->findings = damaged;
	else if (status == OK)
		status = admit(&unpacked.root, &archive, &how, result, err);
	unpacked_remove(&unpacked);
	root_close(&archive);
	return status;
}

static enum status admit_file(const struct asked *asked)
{
	struct admit_result result = {0};
	struct key key = {0};
	struct error err = {0};
	enum status status = asked->check ? OK : signer_open(&asked->signer, &key, &err);

	if (status == OK)
		status = try(asked, &key, &result, &err);
	if (status != OK && (result.findings.count == 0 || err.status != OK))
		error_print(&err);
	else if (asked->json)
		print_json(status, asked, &result);
	else
		print_text(status, asked, &result);
	admit_result_free(&result);
	key_free(&key);
	return status;
}

static enum status run(int argc, char **argv)
{
	static const struct option options[] = {
		{"into", required_argument, NULL, 'i'}, {"key", required_argument, NULL, 'k'}, {"check", no_argument, NULL, 'c'},
		{"json", no_argument, NULL, 'j'},       {"passphrase-file", required_argument, NULL, 'p'},
		{0},
	};
	struct asked asked = {.into = "."};
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'i')
			asked.into = optarg;
		else if (option == 'k')
			asked.signer.key = optarg;
		else if (option == 'p')
			asked.signer.passphrase_file = optarg;
		else if (option == 'c')
			asked.check = true;
		else if (option == 'j')
			asked.json = true;
		else
			return command_usage(&command_admit, "'%s' is no option, or lacks its value", command_option(argc, argv));
	}
	if (argc - optind != 1)
		return command_usage(&command_admit, "one submission, as a file or a directory");
	if (asked.check == (asked.signer.key != NULL))
		return command_usage(&command_admit, "either --key, the log's, or --check");
	asked.file = argv[optind];
	return admit_file(&asked);
}

const struct command command_admit = {
	.name = "admit",
	.run = run,
	.usage = "admit (--key LOGKEY [--passphrase-file FILE] | --check) [--json] [--into ARCHIVE] FILE.tar.zst|DIR",
	.summary = "check a submission by the rules and add it to an archive",
	.help =
		"Checks a submission, packed or as a directory, by the rules R-SUB and R-ADM: its seal\n"
		"and signatures; the form of every record; that what was planned is the sum of what\n"
		"became of it; medians, shares and outcomes, computed again from samples, counts and\n"
		"trials; whether a device can have measured that; what the archive has already. Every\n"
		"finding is told: an ERROR refuses the submission, a WARNING or INFO is for whoever\n"
		"decides.\n"
		"\n"
		"If there is no ERROR, its files are added to ARCHIVE (the current directory), what its\n"
		"submitter sealed is kept in manifests/submissions/ID/, one entry is appended to the\n"
		"log (`ptxseal log init` begins one), and the proof of that is written beside. The\n"
		"maintainers' root seal comes next. A refused submission leaves ARCHIVE as it was; an\n"
		"admission that was killed is completed or taken back by the next one.\n"
		"\n"
		"  --key LOGKEY  the log's private key, or the URI of one in a store\n"
		"  --passphrase-file FILE  where its passphrase or PIN stands\n"
		"  --check       only check; ARCHIVE is not written to\n"
		"  --into ARCHIVE  a bundle with a log\n"
		"  --json        one canonical JSON object, for machines\n"
		"\n"
		"Exits 0 when admitted (with --check: when it can be), 1 when refused, 3 if FILE is no\n"
		"packed bundle, 4 if a file cannot be written.\n",
};
