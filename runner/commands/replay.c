/* Candidates run again on a GPU. What is measured stands in measure/session.h; here are the options and the report. */
#include "../command.h"

#ifdef PTXSEAL_CUDA

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../bundle/seal.h"
#include "../measure/session.h"
#include "signer.h"
#include "text.h"

static const char default_into[] = "build/replay";

struct options {
	struct session_options session;
	const char *into, *name;
	struct signer signer;
	bool json, brief;
};

/* ---- report ---- */

static void print_trials(const struct replay *replay)
{
	struct accounting accounting;

	replay_account(replay, &accounting);
	printf("  trials   %" PRIu64 " of %" PRIu64 " passed, %" PRIu64 " failed, %" PRIu64 " not run; strict: %s", accounting.passed,
	       accounting.planned, accounting.failed, accounting.not_run, mark_name(replay->strict));
	if (accounting.failed == 0 && accounting.passed > 0)
		printf("; failure rate at most %.3g", bound_of_failures(accounting.passed));
	printf("\n  paper's  rule: %s, %" PRIu64 " of %" PRIu64 " trials of normal values", mark_name(replay->published), replay->rule_of_paper.passed,
	       replay->rule_of_paper.trials);
	if (replay->rule_of_paper.has_library)
		printf(" (the library: %" PRIu64 ")", replay->rule_of_paper.library_passed);
	puts("");
}

static void print_group(const struct replay *replay, enum sass_group group, const char *what)
{
	bool known;
	const double operations = work_operations(&replay->work, group, &known);

	if (operations > 0)
		printf(", %.4g %% of the FLOPs by %s", 100 * operations / replay->problem->flops, what);
}

static void print_work(const struct replay *replay)
{
	double least = 0, most = 0;

	printf("  work     %s", counts_state_name(replay->state));
	for (size_t i = 0; i < replay->work.lines; i++) {
		least += replay->work.line[i].bytes_least;
		most += replay->work.line[i].bytes_most;
	}
	print_group(replay, SASS_GROUP_GMMA, "wgmma");
	print_group(replay, SASS_GROUP_TCGEN, "tcgen05");
	print_group(replay, SASS_GROUP_WARP, "warp-level multiplies");
	if (most > 0)
		printf(", %.4g to %.4g GB by TMA", least / 1e9, most / 1e9);
	puts(replay->decoy ? ", DECOY: target instructions without the work" : "");
	for (size_t i = 0; i < replay->functions; i++) {
		if (replay->counts[i].state == COUNTS_EXECUTED || replay->counts[i].state == COUNTS_NOT_EXECUTED)
			continue;
		printf("           %s: ", replay->counts[i].function);
		report_text(replay->counts[i].text, stdout);
		puts("");
	}
}

static void print_memcheck(const struct replay *replay)
{
	const struct memcheck *memcheck = &replay->memcheck;

	printf("  memcheck %s", memcheck_state_name(memcheck->state));
	if (memcheck->state == MEMCHECK_ERRORS)
		printf(", %" PRIu64 ": %s", memcheck->report.errors, memcheck->report.first);
	else if (memcheck->text[0] != '\0') {
		printf(": ");
		report_text(memcheck->text, stdout);
	}
	puts("");
}

static void print_speed(const struct replay *replay)
{
	const struct speed *speed = &replay->race.speed;

	if (!replay_is_timed(replay)) {
		puts("  speed    not timed");
		return;
	}
	printf("  speed    %.4f times the library's [%.4f, %.4f]: %.4f ms beside %.4f ms, %zu pairs%s, %.0f MHz", speed->speedup.median,
	       speed->speedup.low, speed->speedup.high, speed->candidate_ms.median, speed->baseline_ms.median, replay->race.count,
	       replay->race.narrow ? "" : " (time was up)", speed->candidate_hz / 1e6);
	if (speed->throttled > 0)
		printf(", %zu throttled", speed->throttled);
	printf("; the library beside itself %.4f", replay->race.control.median);
	for (unsigned bit = SUSPECT_ROOFLINE; bit < SUSPECT_END; bit <<= 1)
		if ((replay->suspicions & bit) != 0)
			printf(", SUSPECT: %s", suspicion_text((enum suspicion)bit));
	puts("");
}

static void print_replay(const struct replay *replay, const char *path)
{
	const struct replay_times *times = &replay->times;

	printf("%s/%s: %s", replay->candidate->task, replay->candidate->name, outcome_name(replay->outcome));
	if (replay->outcome != OUTCOME_MEASURED_CORRECT) {
		printf(" (%s): ", rule_info(replay->rule)->id);
		report_text(replay->text, stdout);
	}
	puts("");
	if (replay->has_code && replay->image.frozen && !replay->image.assembled)
		puts("  note     the frozen cubin was run; there is no ptxas here, or it makes another one (ptxseal rebuild)");
	if (replay->trials.count > 0)
		print_trials(replay);
	if (replay->functions > 0)
		print_work(replay);
	if (replay->trials.count > 0) {
		print_speed(replay);
		print_memcheck(replay);
	}
	printf("  took     %.1f s: code %.1f, worker's start %.1f, trials %.1f, timing %.1f, counting %.1f, memcheck %.1f\n", (double)times->all / 1e3,
	       (double)times->code / 1e3, (double)times->start / 1e3, (double)times->trials / 1e3, (double)times->timing / 1e3,
	       (double)times->counting / 1e3, (double)times->memcheck / 1e3);
	if (path != NULL)
		printf("  recorded %s\n", path);
	fflush(stdout);
}

/* One line. */
static void print_brief(const struct replay *replay)
{
	const struct speed *speed = &replay->race.speed;
	struct accounting accounting;

	replay_account(replay, &accounting);
	printf("%s/%s %s strict %s published %s %" PRIu64 "/%" PRIu64 " (library %" PRIu64 ") %" PRIu64 "/%" PRIu64 " trials", replay->candidate->task,
	       replay->candidate->name, outcome_name(replay->outcome), mark_name(replay->strict), mark_name(replay->published), replay->rule_of_paper.passed,
	       replay->rule_of_paper.trials, replay->rule_of_paper.library_passed, accounting.passed, accounting.planned);
	printf(", %s", counts_state_name(replay->state));
	print_group(replay, SASS_GROUP_GMMA, "wgmma");
	print_group(replay, SASS_GROUP_WARP, "mma");
	if (replay->decoy)
		printf(", decoy");
	if (replay->memcheck.state != MEMCHECK_SKIPPED)
		printf(", memcheck %s", memcheck_state_name(replay->memcheck.state));
	if (replay_is_timed(replay))
		printf(", %.4f [%.4f, %.4f] %.4f/%.4f ms %zu pairs%s %.0f MHz, control %.4f%s", speed->speedup.median, speed->speedup.low, speed->speedup.high,
		       speed->candidate_ms.median, speed->baseline_ms.median, replay->race.count, replay->race.narrow ? "" : " late",
		       speed->candidate_hz / 1e6, replay->race.control.median, replay->suspicions != 0 ? " SUSPECT" : "");
	printf(", %.1f s", (double)replay->times.all / 1e3);
	if (replay->outcome != OUTCOME_MEASURED_CORRECT) {
		printf("; %s: ", rule_info(replay->rule)->id);
		report_text(replay->text, stdout);
	}
	puts("");
	fflush(stdout);
}

struct reporting {
	const struct options *options;
	bool infrastructure;
};

static void report(void *context, const struct replay *replay, const cJSON *record, const char *path)
{
	struct reporting *reporting = context;

	reporting->infrastructure = reporting->infrastructure || replay->outcome == OUTCOME_MEASURED_INFRASTRUCTURE;
	if (reporting->options->json)
		report_json(record, stdout);
	else if (reporting->options->brief)
		print_brief(replay);
	else
		print_replay(replay, path);
}

/* ---- signing ---- */

static enum status sign_run(const struct root *into, const char *run, const struct options *options, const struct key *key,
                            struct error *err)
{
	const struct seal_options how = {.role = ROLE_REPLAY, .run = run, .key = key, .name = options->name, .quiet = true};
	struct verify_report report = {0};
	struct bytes text = {0};
	const enum status status = bundle_seal(into, &how, &report, err);

	if (report.findings.count > 0) {
		findings_text(&report.findings, &text);
		fwrite(text.data, 1, text.len, stderr);
		error_set(err, R_BND_UNSIGNED, run, "the run cannot be signed: see above");
	} else if (status == OK && !options->json) {
		printf("signed manifests/%s.dsse.json\n", run);
	}
	bytes_free(&text);
	verify_report_free(&report);
	return status;
}

static enum status sign_all(const struct root *into, const struct session_result *result, const struct options *options, const struct key *key,
                            struct error *err)
{
	enum status status = OK;

	for (size_t i = 0; i < result->run_count && status == OK; i++)
		status = sign_run(into, result->runs[i], options, key, err);
	return status;
}

/* ---- what is done ---- */

static enum status verdict(const struct session_result *result, const struct reporting *reporting)
{
	if (result->malformed > 0) {
		error_print(&result->first);
		return result->first.status;
	}
	if (result->correct == result->candidates)
		return OK;
	return reporting->infrastructure ? UNAVAILABLE : FAILS;
}

static void stop(int signal)
{
	(void)signal;
	replay_stop = 1;
}

static void catch_signals(void)
{
	const struct sigaction action = {.sa_handler = stop, .sa_flags = SA_RESTART};
	struct sigaction before;

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	/* A terminal that is closed; nohup ignores that, and it stays so. */
	if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &action, NULL);
}

static enum status replay(const char *dir, const struct options *options)
{
	struct root bundle = {.fd = -1}, into = {.fd = -1};
	struct session_result result = {0};
	struct reporting reporting = {.options = options};
	struct key key = {0};
	struct error err = {0};
	enum status status = options->signer.key != NULL ? signer_open(&options->signer, &key, &err) : OK;

	if (status == OK)
		status = root_open(dir, &bundle, &err);
	if (status == OK)
		status = root_create(options->into, &into, &err);
	if (status == OK && options->signer.key != NULL)
		status = seal_key_check(&into, &(struct seal_options){.role = ROLE_REPLAY, .key = &key, .name = options->name}, &err);
	catch_signals();
	if (status == OK)
		status = session_run(&bundle, &into, &options->session, report, &reporting, &result, &err);
	if (status != OK)
		error_print(&err);
	else
		status = verdict(&result, &reporting);
	if (options->signer.key != NULL && result.run_count > 0 && sign_all(&into, &result, options, &key, &err) != OK) {
		error_print(&err);
		status = err.status;
	}
	session_result_free(&result);
	root_close(&into);
	root_close(&bundle);
	key_free(&key);
	return status;
}

static bool parse_seconds(const char *text, double *seconds)
{
	return decimal_parse(text, strlen(text), seconds) && *seconds <= 3600;
}

static bool parse_count(const char *text, size_t *count)
{
	char *end = NULL;
	const unsigned long value = strtoul(text, &end, 10);

	*count = value;
	return text[0] >= '0' && text[0] <= '9' && *end == '\0' && value >= TRIALS_MIN && value <= TRIALS_MAX;
}

static bool parse_memcheck(const char *text, enum memcheck_mode *mode)
{
	for (*mode = MEMCHECK_AUTO; *mode <= MEMCHECK_REQUIRE; ++*mode)
		if (strcmp(text, memcheck_mode_name(*mode)) == 0)
			return true;
	return false;
}

static enum status run(int argc, char **argv)
{
	static const struct option long_options[] = {
		{"task", required_argument, NULL, 't'},  {"candidate", required_argument, NULL, 'c'}, {"workload", required_argument, NULL, 'w'},
		{"trials", required_argument, NULL, 'n'}, {"seconds", required_argument, NULL, 's'},  {"no-evidence", no_argument, NULL, 'e'},
		{"require-sandbox", no_argument, NULL, 'b'}, {"run", required_argument, NULL, 'r'},   {"key", required_argument, NULL, 'k'},
		{"name", required_argument, NULL, 'm'},  {"into", required_argument, NULL, 'i'},      {"json", no_argument, NULL, 'j'},
		{"brief", no_argument, NULL, 'f'},       {"source", required_argument, NULL, 'o'},    {"model", required_argument, NULL, 'l'},
		{"passphrase-file", required_argument, NULL, 'p'}, {"memcheck", required_argument, NULL, 'y'},
		{0},
	};
	struct options options = {
		.session = {.trials = TRIALS_DEFAULT, .replay = {.seconds = REPLAY_SECONDS_DEFAULT}}, .into = default_into};
	struct session_options *session = &options.session;
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, ":", long_options, NULL)) != -1) {
		switch (option) {
		case 't':
			session->task = optarg;
			break;
		case 'c':
			session->candidate = optarg;
			break;
		case 'w':
			session->workload = strcmp(optarg, "published") == 0 ? NULL : optarg;
			break;
		case 'n':
			if (!parse_count(optarg, &session->trials))
				return command_usage(&command_replay, "--trials: '%s' is no whole number from %d, below which nothing could be said of failures, to %d", optarg,
				                     TRIALS_MIN, TRIALS_MAX);
			break;
		case 's':
			if (!parse_seconds(optarg, &session->replay.seconds))
				return command_usage(&command_replay, "--seconds: '%s' is no decimal number from 0, which times nothing, to 3600", optarg);
			break;
		case 'e':
			session->replay.no_evidence = true;
			break;
		case 'b':
			session->replay.require_sandbox = true;
			break;
		case 'r':
			session->run = optarg;
			break;
		case 'o':
			if (!ledger_name_valid(optarg, strlen(optarg)))
				return command_usage(&command_replay, "'%s' cannot name a source", optarg);
			session->source = optarg;
			break;
		case 'l':
			session->model = optarg;
			break;
		case 'k':
			options.signer.key = optarg;
			break;
		case 'p':
			options.signer.passphrase_file = optarg;
			break;
		case 'm':
			options.name = optarg;
			break;
		case 'i':
			options.into = optarg;
			break;
		case 'y':
			if (!parse_memcheck(optarg, &session->replay.memcheck))
				return command_usage(&command_replay, "'%s' is none of auto, off and require", optarg);
			break;
		case 'j':
			options.json = true;
			break;
		case 'f':
			options.brief = true;
			break;
		case ':':
			return command_usage(&command_replay, "'%s' lacks its value", command_option(argc, argv));
		default:
			return command_usage(&command_replay, "'%s' is no option", command_option(argc, argv));
		}
	}
	if (argc - optind > 1)
		return command_usage(&command_replay, "one directory at most");
	if (options.name != NULL && options.signer.key == NULL)
		return command_usage(&command_replay, "--name names the key of --key, and there is none");
	return replay(optind < argc ? argv[optind] : ".", &options);
}

#else

static enum status run(int argc, char **argv)
{
	struct error err;

	(void)argc;
	(void)argv;
	error_set(&err, R_GPU_BUILD, "", "this program was built without the toolkit, so nothing can be replayed");
	error_print(&err);
	return UNAVAILABLE;
}

#endif

const struct command command_replay = {
	.name = "replay",
	.run = run,
	.usage = "replay [--task TASK] [--candidate NAME|DIR] [--workload published|small|UUID] [--trials N] [--seconds S]\n"
		 "               [--no-evidence] [--memcheck auto|off|require] [--require-sandbox] [--run NAME] [--source NAME]\n"
		 "               [--model NAME] [--into DIR] [--key FILE [--name NAME]] [--brief|--json]\n"
		 "               [BUNDLE]",
	.summary = "run candidates on a GPU: right, by which instructions, how fast",
	.help =
		"Runs candidates of BUNDLE (the current directory), which stand in\n"
		"artifact/candidates/TASK/NAME, on the GPU of this machine, and says of each: is it\n"
		"right, by the published rule and by a strict one; which share of the task's work the\n"
		"target instructions did; how fast it is beside cuBLAS or cuDNN. Each candidate runs in\n"
		"a process of its own, without network, files or expected results.\n"
		"\n"
		"  --task TASK       only candidates of that task\n"
		"  --candidate NAME  only that one; with a '/' a directory TASK/NAME beneath BUNDLE,\n"
		"                    which is run but not recorded unless it stands in artifact/candidates\n"
		"  --workload W      published (the default), small (milliseconds), or a UUID\n"
		"  --trials N        trials before timing, and again after it (30; all value sets from 8 on)\n"
		"  --seconds S       budget of timing (5); it ends earlier once the speedup's 95 %\n"
		"                    interval is within 0.5 %. 0: no timing\n"
		"  --no-evidence     do not count instructions\n"
		"  --memcheck MODE   one trial under compute-sanitizer's memcheck, where that is installed\n"
		"                    (auto, the default), off, or require: exit 4 where it is not\n"
		"  --require-sandbox do not run where a layer of the sandbox is not in force\n"
		"  --run NAME        runs are called NAME-TASK (else after the device and the time)\n"
		"  --source NAME     what the runs are of in the ledger (ptxseal); a submission has a\n"
		"                    source of its own (ptxseal help submit)\n"
		"  --model NAME      whose candidates these are (ptxseal's own candidates)\n"
		"  --into DIR        where records go (build/replay); --into . is the bundle itself,\n"
		"                    which has to be sealed again then\n"
		"  --key FILE        sign a manifest for each run with this private key (or URI)\n"
		"  --passphrase-file FILE  its passphrase, as `ptxseal help seal` says\n"
		"  --name NAME       its public half goes to manifests/keys/NAME.pem (replay)\n"
		"  --brief           a line a candidate, instead of the report\n"
		"  --json            a record a line, instead of the report\n"
		"\n"
		"Needs a GPU of the candidate's architecture, NVIDIA's driver, and cuBLASLt or cuDNN for\n"
		"the comparison; CUPTI for counts. What is missing is said, and the rest done without it.\n"
		"\n"
		"Exits 0 if every candidate is correct, 1 if one is not, 3 if one is malformed, 4 if one\n"
		"could not be tried here (no GPU, another architecture), 5 if the device is unhealthy, 75\n"
		"if it was interrupted; the candidates done until then are recorded.\n",
};
