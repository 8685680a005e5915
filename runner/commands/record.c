/* ptxseal record: a recording proxy before an agent, and the agent's session played from its record. */
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "../base/plural.h"
#include "../command.h"
#include "../measure/problem.h"
#include "../model/agent_run.h"
#include "../model/proxy.h"
#include "text.h"

struct asked {
	const char *bundle, *workload;
	struct agent_plan plan;
	struct proxy_options proxy;
	bool json;
};

/* Can be read once the process is to stop. */
static int stop_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void on_event(void *context, const struct proxy_event *event)
{
	(void)context;
	if (event->refused != NULL)
		error_print(event->refused);
}

static void print_json(const struct asked *asked, const struct proxy_result *result)
{
	cJSON *tree = cJSON_CreateObject();

	cJSON_AddStringToObject(tree, "run", asked->plan.run);
	cJSON_AddNumberToObject(tree, "trajectory", asked->proxy.trajectory);
	cJSON_AddBoolToObject(tree, "frozen", asked->proxy.frozen);
	cJSON_AddNumberToObject(tree, "exchanges", (double)result->exchanges);
	cJSON_AddNumberToObject(tree, "answers", (double)result->answers);
	cJSON_AddNumberToObject(tree, "refused", (double)result->refused);
	cJSON_AddNumberToObject(tree, "cut", (double)result->cut);
	if (asked->proxy.frozen) {
		cJSON_AddNumberToObject(tree, "recorded", (double)result->recorded);
		cJSON_AddNumberToObject(tree, "unplayed", (double)result->unplayed);
	}
	report_json(tree, stdout);
	cJSON_Delete(tree);
}

static void print_text(const struct asked *asked, const struct proxy_result *result)
{
	if (asked->proxy.frozen)
		printf("played run %s, trajectory %lu: %" PRIu64 " of %zu recorded exchange%s; %" PRIu64 " request%s refused\n", asked->plan.run, (unsigned long)asked->proxy.trajectory,
		       result->exchanges, result->recorded, plural(result->recorded), result->refused, plural(result->refused));
	else
		printf("recorded in run %s, trajectory %lu: %" PRIu64 " exchange%s, %" PRIu64 " answer%s; %" PRIu64 " request%s refused, %" PRIu64 " cut off\n", asked->plan.run,
		       (unsigned long)asked->proxy.trajectory, result->exchanges, plural(result->exchanges), result->answers, plural(result->answers), result->refused,
		       plural(result->refused), result->cut);
}

static enum status serve(const struct asked *asked)
{
	struct error err = {0};
	const int stop = stop_signals();
	struct proxy *proxy = NULL;
	struct proxy_result result = {0};
	enum status status = proxy_open(&asked->proxy, &proxy, &err);

	if (status == OK) {
		/* Whoever starts the agent waits for this line. */
		if (asked->json)
			printf("{\"listening\":\"%s\"}\n", proxy_url(proxy));
		else
			printf("listening: set the agent's base URL to %s\n", proxy_url(proxy));
		fflush(stdout);
		status = proxy_run(proxy, stop, &result, &err);
		if (asked->json)
			print_json(asked, &result);
		else
			print_text(asked, &result);
		fflush(stdout);
	}
	if (status != OK && !result.left) /* what left the record was told as it came */
		error_print(&err);
	proxy_close(proxy);
	close(stop);
	return status;
}

/* The task's workload, and the run that the record goes into. */
static enum status open_run(struct asked *asked, const struct root *bundle, struct error *err)
{
	struct problem problem;
	enum status status = problem_read(bundle, asked->plan.task, asked->workload, &problem, err);

	if (status != OK)
		return status;
	asked->plan.workload = problem.workload;
	asked->plan.workload_name = asked->workload != NULL ? asked->workload : "published";
	return agent_run_open(bundle, &asked->plan, err);
}

static enum status record(struct asked *asked)
{
	struct root bundle = {.fd = -1};
	struct run run = {0};
	struct keeper *keeper = NULL;
	struct freezer *freezer = NULL;
	struct error err = {0};
	enum status status = root_open(asked->bundle, &bundle, &err);

	if (status == OK)
		status = asked->proxy.frozen ? OK : open_run(asked, &bundle, &err);
	if (status == OK)
		status = run_read(&bundle, asked->plan.run, &run, &err);
	if (status == OK && !asked->proxy.frozen)
		status = keeper_open(&bundle, asked->plan.run, KEEPER_EXCHANGES, &keeper, NULL, &err);
	if (status == OK)
		status = asked->proxy.frozen ? freezer_open_frozen(&bundle, asked->plan.run, &freezer, &err) : freezer_open(&bundle, asked->plan.run, keeper, &freezer, &err);
	if (status == OK) {
		asked->proxy.bundle = &bundle;
		asked->proxy.freezer = freezer;
		asked->proxy.model = run.model;
		asked->proxy.told = on_event;
		status = serve(asked);
		if (keeper != NULL && keeper_settle(keeper, &err) != OK) {
			error_print(&err);
			status = err.status;
		}
	} else {
		error_print(&err);
	}
	freezer_close(freezer);
	keeper_close(keeper);
	run_free(&run);
	root_close(&bundle);
	return status;
}

static enum status parse(int argc, char **argv, struct asked *asked)
{
	static const struct option longs[] = {
		{"agent", required_argument, NULL, 'a'},       {"anywhere", no_argument, NULL, 'A'},          {"arch", required_argument, NULL, 'r'},
		{"ca", required_argument, NULL, 'c'},     {"frozen", no_argument, NULL, 'f'},            {"into", required_argument, NULL, 'i'},
		{"json", no_argument, NULL, 'j'},              {"listen", required_argument, NULL, 'l'},      {"model", required_argument, NULL, 'm'},
		{"proxy", required_argument, NULL, 'p'},       {"record-host", no_argument, NULL, 'h'},       {"run", required_argument, NULL, 'R'},
		{"source", required_argument, NULL, 's'},      {"task", required_argument, NULL, 't'},        {"trajectories", required_argument, NULL, 'T'},
		{"training-set", required_argument, NULL, 'S'},
		{"trajectory", required_argument, NULL, 'n'},  {"try-seconds", required_argument, NULL, 'y'}, {"turns", required_argument, NULL, 'u'},
		{"unix-socket", required_argument, NULL, 'x'}, {"upstream", required_argument, NULL, 'U'},    {"workload", required_argument, NULL, 'w'},
		{0},
	};
	uint32_t seconds = 600;
	bool fine = true;
	int option;

	optind = 0; /* glibc: scan anew */
	opterr = 0;
	while ((option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		switch (option) {
		case 'a': asked->plan.variant = optarg; break;
		case 'A': asked->proxy.anywhere = true; break;
		case 'r': asked->plan.arch = optarg; break;
		case 'c': asked->proxy.upstream.ca_file = optarg; break;
		case 'f': asked->proxy.frozen = true; break;
		case 'i': asked->bundle = optarg; break;
		case 'j': asked->json = true; break;
		case 'l': asked->proxy.listen = optarg; break;
		case 'm': asked->plan.model = optarg; break;
		case 'p': asked->proxy.upstream.proxy = optarg; break;
		case 'h': asked->proxy.upstream.record_host = true; break;
		case 'R': asked->plan.run = optarg; break;
		case 's': asked->plan.source = optarg; break;
		case 'S': asked->plan.training_set = optarg; break;
		case 't': asked->plan.task = optarg; break;
		case 'T': fine = command_number(optarg, LEDGER_TRAJECTORIES_MAX, &asked->plan.trajectories); break;
		case 'n': fine = command_number(optarg, LEDGER_TRAJECTORIES_MAX - 1, &asked->proxy.trajectory); break;
		case 'y': fine = command_number(optarg, 86400, &seconds) && seconds > 0; break;
		case 'u': fine = command_number(optarg, LEDGER_TURNS_MAX, &asked->plan.turns); break;
		case 'x': asked->proxy.upstream.unix_socket = optarg; break;
		case 'U': asked->proxy.upstream.url = optarg; break;
		case 'w': asked->workload = optarg; break;
		default: return command_usage(&command_record, "'%s' is no option, or lacks its value", command_option(argc, argv));
		}
		if (!fine)
			return command_usage(&command_record, "'%s' is no number that the option takes", optarg);
	}
	asked->proxy.upstream.try_ms = (int64_t)seconds * 1000;
	if (asked->proxy.listen == NULL || asked->plan.run == NULL)
		return command_usage(&command_record, "--listen and --run are needed");
	if (asked->proxy.frozen && (argc - optind > 1 || asked->bundle != NULL || asked->proxy.upstream.url != NULL || asked->plan.task != NULL || asked->plan.model != NULL))
		return command_usage(&command_record, "--frozen takes the run from a bundle, and nothing else");
	if (!asked->proxy.frozen && (argc != optind || asked->bundle == NULL || asked->proxy.upstream.url == NULL || asked->plan.task == NULL || asked->plan.model == NULL))
		return command_usage(&command_record, "--upstream, --into, --task and --model are needed, or --frozen");
	if (asked->proxy.frozen)
		asked->bundle = optind < argc ? argv[optind] : ".";
	else if (asked->proxy.trajectory >= asked->plan.trajectories)
		return command_usage(&command_record, "trajectory %lu is none of the %lu planned ones", (unsigned long)asked->proxy.trajectory, (unsigned long)asked->plan.trajectories);
	return OK;
}

static enum status run_record(int argc, char **argv)
{
	struct asked asked = {.plan = {.source = AGENT_SOURCE, .arch = "hopper", .variant = "", .trajectories = 1, .turns = 8}};
	const enum status status = parse(argc, argv, &asked);

	if (status != OK)
		return status;
	secret_guard_process(); /* agents' keys pass through */
	return record(&asked);
}

const struct command command_record = {
	.name = "record",
	.run = run_record,
	.usage = "record --listen ADDRESS:PORT --upstream URL --into BUNDLE --run RUN --task TASK --model MODEL [OPTION...]\n"
		 "       ptxseal record --frozen --listen ADDRESS:PORT --run RUN [--trajectory N] [BUNDLE]",
	.summary = "record an agent's talk with its model, or play it again",
	.help =
		"Listens as an OpenAI-compatible endpoint, passes what an agent asks on to URL, with\n"
		"the agent's own key, and freezes every exchange in BUNDLE: bodies byte for byte, and\n"
		"a record each in artifact/runs/RUN/exchanges.jsonl. Keys are stored nowhere. Set the\n"
		"agent's base URL to the one that is printed. SIGTERM or SIGINT ends it; what is under\n"
		"way then is recorded as cut off, and the exit code is 75. The same command goes on\n"
		"with the run.\n"
		"\n"
		"With --frozen the agent gets the recorded answers and there is no endpoint: each of\n"
		"its requests has to be a recorded one, byte for byte. One that is not is refused with\n"
		"status 409 and the place where it leaves the record.\n"
		"\n"
		"  --listen ADDRESS:PORT  numbers; port 0 takes a free one\n"
		"  --anywhere             the address need not be a loopback one: whoever reaches it\n"
		"                         can ask in your name\n"
		"  --upstream URL         base of the endpoint, e.g. https://HOST/v1\n"
		"  --unix-socket PATH, --proxy URL, --ca FILE\n"
		"                         how it is reached; PEM of the authorities to trust\n"
		"  --try-seconds N        time that a reply may take (600)\n"
		"  --record-host          records say the endpoint's host\n"
		"  --task TASK, --workload UUID, --arch hopper|blackwell\n"
		"                         what the agent works at (published, hopper)\n"
		"  --model MODEL          the model; requests for another one are refused\n"
		"  --agent TEXT           what agent it is, for run.json (nothing)\n"
		"  --source NAME          source of the run (agents)\n"
		"  --training-set FILE.manifest.json\n"
		"                         the repair set that the model was tuned on (export repairs)\n"
		"  --trajectory N         which session it is, from 0 (0)\n"
		"  --trajectories N, --turns N\n"
		"                         what is planned: sessions, evaluations of each (1, 8)\n"
		"  --json                 print the address and the summary as JSON\n"
		"\n"
		"Exits 0 when nothing was under way, and with --frozen if all was played; 1 if the\n"
		"agent left the record or did not ask for all of it; 75 if something was cut off.\n",
};
