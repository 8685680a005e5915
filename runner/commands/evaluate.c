/* ptxseal evaluate: the reviewer's one command. Verify, derive, compare, decide, and a page that says what came of it. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/progress.h"
#include "../bundle/layout.h"
#include "../command.h"
#include "../derive/publish.h"
#include "../report/report.h"
#include "pin.h"
#include "report.h"

#define DEFAULT_OUT "build/derived"

enum { PAGE_WIDTH = 100, FINDINGS_SHOWN = 10, REASONS_SHOWN = 2, REASON_BYTES = 220 };

struct options {
	const char *bundle;
	const char *out;
	const char *report; /* where a report for people goes; NULL: none is written */
	struct pin pin;
	bool json;
};

static enum status parse_options(int argc, char **argv, struct options *options, struct error *err)
{
	static const struct option longs[] = {{"out", required_argument, NULL, 'o'},
	                                      {"key", required_argument, NULL, 'k'},
	                                      {"fingerprint", required_argument, NULL, 'f'},
	                                      {"report", required_argument, NULL, 'r'},
	                                      {"json", no_argument, NULL, 'j'},
	                                      {0}};
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
		else if (option == 'r')
			options->report = optarg;
		else if (option == 'j')
			options->json = true;
		else
			return command_usage(&command_evaluate, "unknown option or missing value: '%s'", command_option(argc, argv));
	}
	if (argc - optind > 1)
		return command_usage(&command_evaluate, "one bundle is wanted");
	if (optind < argc)
		options->bundle = argv[optind];
	return pin_resolve(&options->pin, &command_evaluate, err);
}

static void print_signers(const struct options *options, const struct verify_report *report)
{
	printf("  sealed by root key %s\n", report->root_key);
	for (size_t i = 0; i < report->root_signers.count; i++)
		if (strcmp(report->root_signers.at[i]->fingerprint, report->root_key) != 0)
			printf("  sealed by root key %s too\n", report->root_signers.at[i]->fingerprint);
	for (size_t i = 0; i < report->reviewed.count; i++)
		printf("  %s is countersigned by %s, key %s\n", report->reviewed.at[i].over, report->reviewed.at[i].reviewer,
		       report->reviewed.at[i].fingerprint);
	puts(options->pin.hex[0] != '\0'
	             ? "  This is the key you named."
	             : "  Trust rests on the keys inside the bundle: compare this fingerprint with the one published elsewhere,\n"
	               "  or name it with --fingerprint.");
	for (size_t i = 0; i < report->trust.count; i++) {
		const struct trusted_key *key = &report->trust.at[i];

		if (!words_have(&key->roles, ROLE_IMPORT) && !words_have(&key->roles, ROLE_REPLAY))
			continue;
		fputs(words_have(&key->roles, ROLE_REPLAY) ? "  measured runs are vouched for by " : "  imported figures are vouched for by ", stdout);
		report_text(key->file, stdout);
		fputs(": ", stdout);
		report_text(key->purpose, stdout);
		putchar('\n');
	}
}

static void print_integrity(const struct options *options, const struct standing *standing)
{
	const struct verify_report *report = &standing->verified;
	char amount[32];

	progress_amount(report->bytes, true, amount, sizeof amount);
	printf("Rung 1, integrity: %s\n", standing->integrity == OK ? "HOLDS" : "DOES NOT HOLD");
	if (standing->integrity == OK) {
		printf("  files: %" PRIu64 ", %s; every byte is the one that was signed, nothing is missing, nothing is extra\n",
		       report->files, amount);
		if (report->left_out > 0)
			printf("  left out at level %s, and not looked at: %" PRIu64 " sealed files, listed in " LAYOUT_LEFT_OUT "\n", level_name(report->level),
			       report->left_out);
		print_signers(options, report);
		if (standing->admitted.data != NULL)
			fputs(standing->admitted.data, stdout);
		return;
	}
	report_findings(&report->findings, FINDINGS_SHOWN, stdout);
	printf("  findings: %zu in %" PRIu64 " files, %s; `ptxseal verify` lists all of them\n", report->findings.count, report->files,
	       amount);
}

/* The first sentence of the reason, as far as it stays short. */
static void print_reason(const struct reason *reason)
{
	const char *stop = strstr(reason->reason, ". ");
	size_t len = stop != NULL && (size_t)(stop + 1 - reason->reason) < reason->reason_len ? (size_t)(stop + 1 - reason->reason)
	                                                                                      : reason->reason_len;
	bool cut = len > REASON_BYTES;

	if (cut)
		for (len = REASON_BYTES; len > 0 && reason->reason[len] != ' '; len--)
			;
	char *sentence = mem_format("%.*s%s", (int)len, reason->reason, cut ? " ..." : "");
	int at = printf("  %5zu %s, %s: ", reason->cells, verdict_name(reason->verdict), reason->table);

	report_wrapped(sentence, at, 8, PAGE_WIDTH, stdout);
	free(sentence);
}

static void print_reasons(const struct check *check)
{
	struct reason *reasons;
	size_t count = reasons_of(check, &reasons);
	size_t rest = 0;

	if (count > 0) {
		/* Most cells first, equal ones in the order of their first cells: an insertion sort is stable. */
		for (size_t i = 0; i < count; i++)
			for (size_t k = i; k > 0 && reasons[k - 1].cells < reasons[k].cells; k--) {
				struct reason swap = reasons[k];

				reasons[k] = reasons[k - 1];
				reasons[k - 1] = swap;
			}
		puts("  the known differences, and why:");
		for (size_t i = 0; i < count && i < REASONS_SHOWN; i++)
			print_reason(&reasons[i]);
		for (size_t i = REASONS_SHOWN; i < count; i++)
			rest += reasons[i].cells;
		if (rest > 0)
			printf("  %5zu more, with reasons of their own; `ptxseal derive --check --verbose` lists every cell\n", rest);
	}
	free(reasons);
}

static void print_derivation(const struct options *options, const struct standing *standing)
{
	const struct table_totals *total = &standing->check.total;

	printf("\nRung 2, derivation: %s\n", standing_derives(standing) ? "HOLDS" : "DOES NOT HOLD");
	printf("  tables and figures in %s, each as .csv, .md and .tex: %zu\n", options->out,
	       standing->derivation.catalogue.table_count);
	printf("  published cells %zu = %zu SAME + %zu DIFFERS + %zu NOT DERIVABLE\n", total->published, total->same, total->differs,
	       total->not_derivable);
	if (total->unknown > 0 || standing->check.vanished > 0)
		printf("  UNKNOWN differences: %zu; listed ones that are gone: %zu; `ptxseal derive --check` lists them\n", total->unknown,
		       standing->check.vanished);
	if (standing->check.incomplete.count > 0)
		printf("  NOT COMPLETE: %zu; `ptxseal derive --check` lists all of them\n", standing->check.incomplete.count);
	report_findings(&standing->check.incomplete, FINDINGS_SHOWN, stdout);
	print_reasons(&standing->check);
}

/* One line: as many of the numbers as it holds. */
static void print_decision(const struct decision *decision)
{
	struct bytes line = {0};
	struct bytes numbers = {0};

	claim_numbers(decision, &numbers);
	bytes_format(&line, "  %-4s %-13s %s%s: %s", decision->claim->id, claim_verdict_name(decision->verdict),
	             decision->as_expected ? "" : "(NOT AS EXPECTED) ", decision->claim->table.title,
	             numbers.data == NULL ? "" : numbers.data);
	if (line.len > PAGE_WIDTH) {
		/* Cut before a number that does not fit, or else where a character begins. */
		size_t len = PAGE_WIDTH - 4;

		while (len > 0 && ((unsigned char)line.data[len] & 0xC0u) == 0x80)
			len--;
		for (size_t i = len; i > PAGE_WIDTH / 2; i--) {
			if (line.data[i] == ',') {
				len = i + 1;
				break;
			}
		}
		line.data[len] = '\0';
		report_text(line.data, stdout);
		fputs(" ...", stdout);
	} else {
		report_text(line.data, stdout);
	}
	putchar('\n');
	bytes_free(&line);
	bytes_free(&numbers);
}

static void print_claims(const struct standing *standing, bool findings, const char *title)
{
	size_t shown = 0;

	for (size_t i = 0; i < standing->derivation.catalogue.claim_count; i++) {
		const struct decision *decision = &standing->decisions[i];
		if (decision->claim->is_finding != findings)
			continue;
		if (shown++ == 0)
			printf("\n%s\n", title);
		print_decision(decision);
	}
}

static void print_closing(const struct standing *standing)
{
	fputs("\nNot looked at here: rungs 3 to 5 (rebuild, replay, fresh); the published figures come without kernels.\n"
	      "How to go on: `ptxseal claims`, `ptxseal explain TABLE ROW COLUMN`, AE.md.\n\n",
	      stdout);
	if (standing_holds(standing)) {
		puts("Verdict: HOLDS. The bundle is the one that was signed, its tables follow from its records, and every\n"
		     "difference and every claim is as the artifact says.");
		return;
	}
	fputs("Verdict: DOES NOT HOLD", stdout);
	if (standing->integrity != OK)
		fputs("; the bundle is not, byte for byte, one that was signed", stdout);
	if (standing->derived != OK)
		fputs("; the tables could not be derived", stdout);
	if (standing->check.total.unknown > 0 || standing->check.vanished > 0)
		fputs("; the tables do not compare with the published ones as listed", stdout);
	if (standing->check.incomplete.count > 0)
		fputs("; records, published cells, tables or claims are missing", stdout);
	if (standing->derived == OK && !standing_decides(standing))
		fputs("; a claim is decided otherwise than expected", stdout);
	puts(".");
}

static void print_page(const struct options *options, const struct standing *standing)
{
	print_integrity(options, standing);
	if (standing->derived == OK) {
		print_derivation(options, standing);
		print_claims(standing, false, "Claims; a verdict that the artifact does not expect would be marked (`ptxseal claims` says more)");
		print_claims(standing, true, "What the data says against itself");
	} else {
		puts("\nRung 2, derivation: DOES NOT HOLD: it could not be done");
		fflush(stdout);
		error_print(&standing->why);
	}
	print_closing(standing);
}

static void print_json(const struct options *options, const struct standing *standing)
{
	const struct verify_report *report = &standing->verified;
	cJSON *tree = cJSON_CreateObject();
	cJSON *integrity = cJSON_AddObjectToObject(tree, "integrity");

	cJSON_AddBoolToObject(integrity, "holds", standing->integrity == OK);
	cJSON_AddNumberToObject(integrity, "files", (double)report->files);
	cJSON_AddNumberToObject(integrity, "bytes", (double)report->bytes);
	cJSON_AddStringToObject(integrity, "root_key", report->root_key);
	cJSON_AddBoolToObject(integrity, "pinned", options->pin.hex[0] != '\0');
	cJSON_AddItemToObject(integrity, "findings", findings_json(&report->findings));
	if (standing->derived == OK) {
		cJSON_AddStringToObject(tree, "out", options->out);
		cJSON_AddNumberToObject(tree, "tables", (double)standing->derivation.catalogue.table_count);
		cJSON_AddItemToObject(tree, "check", report_check_json(&standing->check));
		cJSON_AddItemToObject(tree, "claims",
		                      report_claims_json(standing->decisions, standing->derivation.catalogue.claim_count));
	}
	cJSON_AddBoolToObject(tree, "derived", standing->derived == OK);
	cJSON_AddStringToObject(tree, "verdict", standing_holds(standing) ? "HOLDS" : "DOES NOT HOLD");
	report_json(tree, stdout);
	cJSON_Delete(tree);
}

static enum status run_evaluate(int argc, char **argv)
{
	struct options options;
	struct standing standing = {.derivation = {.bundle = {.fd = -1}}};
	struct products published = {.dir = {.fd = -1}};
	struct error err = {0};
	enum status reported = OK;
	enum status status = parse_options(argc, argv, &options, &err);

	if (status == OK)
		status = publish_place(options.out, &err);
	if (status == OK && options.report != NULL)
		status = publish_place(options.report, &err);
	if (status == OK)
		status = standing_make(options.bundle, options.pin.hex[0] != '\0' ? options.pin.hex : NULL, options.json, &standing, &err);
	if (status != OK) {
		if (err.status != OK) /* else the usage has been told */
			error_print(&err);
		standing_free(&standing);
		return status;
	}
	if (standing.derived == OK)
		standing.derived = publish(standing.derivation.tables, standing.derivation.catalogue.table_count, options.out, &published,
		                             &standing.why);
	if (options.json) {
		print_json(&options, &standing);
		if (standing.derived != OK)
			error_print(&standing.why);
	} else {
		print_page(&options, &standing);
	}
	status = standing_status(&standing);
	if (options.report != NULL)
		reported = report_publish(&standing, options.report, &err);
	if (reported != OK)
		error_print(&err);
	else if (options.report != NULL && !options.json)
		printf("\nThe report, for a browser: %s/" REPORT_PAGE "\n", options.report);
	products_free(&published);
	standing_free(&standing);
	return status != OK ? status : reported;
}

const struct command command_evaluate = {
	.name = "evaluate",
	.run = run_evaluate,
	.usage = "evaluate [--out DIR] [--report DIR] [--key PEMFILE | --fingerprint HEX] [--json] [BUNDLE]",
	.summary = "verify, derive, compare and decide, with a verdict",
	.help = "All that a reviewer without a GPU can check, in one go: verify every byte and\n"
	        "signature of the bundle (default: the current directory), derive every table into\n"
	        "DIR (default: " DEFAULT_OUT "), set them beside the published cells, decide every\n"
	        "claim, and print a page that says what holds, what differs and why.\n"
	        "\n"
	        "  --out DIR          write the tables there\n"
	        "  --report DIR       write a report for people there too, as `report` does\n"
	        "  --fingerprint HEX  the bundle has to be sealed by the key of this fingerprint\n"
	        "  --key PEMFILE      the same, by this public key\n"
	        "  --json             report for machines\n"
	        "\n"
	        "Exit code 0 when the bundle verifies, every record and published cell that the import\n"
	        "counted is there, every difference is listed with its reason and every claim is\n"
	        "decided as its file expects; 1 when not; 3 when the bundle verifies but is malformed.\n",
};
