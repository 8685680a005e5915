/* ptxseal mcp: the evaluation of a kernel as a tool of the Model Context Protocol, over standard input and output. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../command.h"
#include "../model/agent_run.h"
#include "../model/agent_turns.h"
#include "../model/mcp.h"
#include "../model/tool.h"
#include "../bundle/layout.h"
#include "measuring.h"

enum { CHUNK = 64 << 10 };

struct asked {
	const char *bundle, *workload;
	struct agent_plan plan;
	uint32_t trajectory;
	enum form form;
	struct measuring measuring;
	bool frozen;
};

static volatile sig_atomic_t told_to_stop;

static void on_signal(int number)
{
	(void)number;
	told_to_stop = 1;
	measuring_stop();
}

/* No restart: a read that waits has to end. */
static void catch_signals(void)
{
	const struct sigaction action = {.sa_handler = on_signal};
	struct sigaction before;

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	/* A terminal that is closed; nohup ignores that, and it stays so. */
	if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &action, NULL);
}

/* ---- the tool ---- */

struct serving {
	struct agent_turns *turns;
	enum status left; /* of a kernel that was not the recorded one */
};

static enum status on_call(void *context, const char *const *texts, struct bytes *told, cJSON **facts, struct error *err)
{
	struct serving *serving = context;
	const struct evaluation *evaluation = NULL;
	const enum status status = agent_turns_take(serving->turns, texts, &evaluation, told, err);

	if (status != OK) {
		error_print(err);
		if (err->rule == R_MCP_LEAVES)
			serving->left = status;
		return status;
	}
	*facts = cJSON_CreateObject();
	cJSON_AddStringToObject(*facts, "outcome", outcome_name(evaluation->outcome));
	cJSON_AddStringToObject(*facts, "evidence", evidence_name(evaluation->evidence));
	cJSON_AddStringToObject(*facts, "arch_tag", evaluation->arch_tag);
	cJSON_AddStringToObject(*facts, "speedup", evaluation->speedup);
	cJSON_AddNumberToObject(*facts, "trajectory", evaluation->trajectory);
	cJSON_AddNumberToObject(*facts, "turn", evaluation->turn);
	cJSON_AddNumberToObject(*facts, "turns_left", agent_turns_left(serving->turns));
	return OK;
}

static void offer(struct tool *tool, const struct asked *asked, bool measured, const struct problem *problem, struct serving *serving)
{
	tool_make(asked->form, measured, problem->task, tool);
	tool->mcp.call = on_call;
	tool->mcp.context = serving;
}

/* A session that is played was told of a tool that measures, or of one that does not. */
static enum status offer_as_then(struct tool *tool, const struct asked *asked, const struct problem *problem, struct serving *serving, struct error *err)
{
	if (agent_turns_told(serving->turns, tool->text))
		return OK;
	tool_free(tool);
	offer(tool, asked, true, problem, serving);
	if (agent_turns_told(serving->turns, tool->text))
		return OK;
	return error_set(err, R_MCP_LEAVES, "", "the agent of run '%s' was told of the tool in other words, or of another form (--form)", asked->plan.run);
}

/* ---- messages ---- */

/* All of it, or the client is gone. */
static bool send(int out, struct bytes *text)
{
	for (size_t at = 0; at < text->len;) {
		const ssize_t n = write(out, text->data + at, text->len - at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		at += (size_t)n;
	}
	text->len = 0;
	return true;
}

/* Line by line, until the input ends, the client is gone, or a signal comes. */
static void converse(struct mcp *mcp, int in, int out)
{
	struct bytes line = {0}, reply = {0};
	char *chunk = mem_alloc(CHUNK);
	bool too_long = false, open = true;

	while (open && !told_to_stop) {
		const ssize_t n = read(in, chunk, CHUNK);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		for (size_t at = 0; at < (size_t)n && open;) {
			const char *end = memchr(chunk + at, '\n', (size_t)n - at);
			const size_t len = end != NULL ? (size_t)(end - chunk) - at : (size_t)n - at;

			if (!too_long && len > MCP_LINE_MAX - line.len) {
				too_long = true;
				mcp_too_long(&reply);
			}
			if (!too_long)
				bytes_add(&line, chunk + at, len);
			if (end != NULL && !too_long && line.len > 0)
				mcp_message(mcp, line.data, line.len, &reply);
			if (end != NULL || too_long)
				line.len = 0;
			too_long = too_long && end == NULL;
			at += len + (end != NULL);
			open = send(out, &reply) && !told_to_stop;
		}
	}
	free(chunk);
	bytes_free(&line);
	bytes_free(&reply);
}

/* Standard input and output are the protocol's alone: whatever else reads or writes there meets nothing, or standard error. */
static void take_streams(int *in, int *out)
{
	const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	*in = fcntl(0, F_DUPFD_CLOEXEC, 3);
	*out = fcntl(1, F_DUPFD_CLOEXEC, 3);
	dup2(nothing, 0);
	dup2(2, 1);
	close(nothing);
}

static enum status serve(const struct asked *asked, const struct root *bundle, const struct problem *problem, evaluator *evaluate, void *context, struct error *err)
{
	struct serving serving = {0};
	struct tool tool;
	int in, out;

	offer(&tool, asked, asked->measuring.wanted, problem, &serving);
	const struct agent_turns_options how = {
		.bundle = bundle,
		.run = asked->plan.run,
		.trajectory = asked->trajectory,
		.trajectories = asked->plan.trajectories,
		.turns = asked->plan.turns,
		.prompt = asked->frozen ? NULL : tool.text,
		.form = asked->form,
		.evaluate = evaluate,
		.context = context,
	};
	enum status status = agent_turns_open(&how, &serving.turns, err);

	if (status == OK && asked->frozen)
		status = offer_as_then(&tool, asked, problem, &serving, err);
	if (status == OK) {
		struct mcp mcp = {.tool = &tool.mcp};

		take_streams(&in, &out);
		catch_signals();
		converse(&mcp, in, out);
		close(in);
		close(out);
		fprintf(stderr, "ptxseal mcp: run %s, trajectory %lu: %lu of %lu turns\n", asked->plan.run, (unsigned long)asked->trajectory, (unsigned long)agent_turns_done(serving.turns),
		        (unsigned long)asked->plan.turns);
		status = agent_turns_settle(serving.turns, err);
		if (status == OK && asked->frozen && serving.left == OK && agent_turns_unplayed(serving.turns) > 0)
			status = error_set(err, R_MCP_UNPLAYED, "", "%lu more turns of trajectory %lu of the run '%s' are recorded", (unsigned long)agent_turns_unplayed(serving.turns), (unsigned long)asked->trajectory,
			                   asked->plan.run);
	}
	if (status != OK)
		error_print(err);
	else if (serving.left != OK) /* told as it came */
		status = serving.left;
	agent_turns_close(serving.turns);
	tool_free(&tool);
	return status;
}

/* What the run planned, from its record. */
static enum status recall(struct asked *asked, const struct root *bundle, struct run *run, struct problem *problem, struct error *err)
{
	enum status status = run_read(bundle, asked->plan.run, run, err);

	if (status != OK)
		return status;
	asked->plan.trajectories = (uint32_t)run->planned_trajectories;
	asked->plan.turns = (uint32_t)run->planned_turns;
	char *file = mem_format(LAYOUT_RUNS "%s/" LAYOUT_RUN, asked->plan.run);

	status = problem_named_in(file, problem_read(bundle, run->task, run->workload, problem, err), err);
	free(file);
	return status;
}

static enum status open_live(struct asked *asked, const struct root *bundle, struct assessor *assessor, evaluator **evaluate, void **context, struct error *err)
{
	enum status status = assessor_open(bundle, asked->plan.run, asked->plan.model, asked->plan.task, asked->workload, "hopper", asked->form, assessor, err);

	if (status == OK)
		status = measuring_open(&asked->measuring, assessor, evaluate, context, err);
	if (status != OK)
		return status;
	asked->plan.workload = assessor->problem.workload;
	asked->plan.workload_name = asked->workload != NULL ? asked->workload : "published";
	return agent_run_open(bundle, &asked->plan, err);
}

static enum status mcp(struct asked *asked)
{
	struct assessor *assessor = mem_alloc(sizeof *assessor);
	struct root bundle = {.fd = -1};
	struct run run = {0};
	struct error err = {0};
	evaluator *evaluate = NULL;
	void *context = NULL;
	enum status status = root_open(asked->bundle, &bundle, &err);

	if (status == OK)
		status = asked->frozen ? recall(asked, &bundle, &run, &assessor->problem, &err) : open_live(asked, &bundle, assessor, &evaluate, &context, &err);
	if (status == OK)
		status = serve(asked, &bundle, &assessor->problem, evaluate, context, &err);
	else
		error_print(&err);
	measuring_close(&asked->measuring);
	if (!asked->frozen)
		assessor_close(assessor);
	free(assessor);
	run_free(&run);
	root_close(&bundle);
	return status;
}

static enum status parse(int argc, char **argv, struct asked *asked)
{
	static const struct option longs[] = {
		{"agent", required_argument, NULL, 'a'},        {"form", required_argument, NULL, 'F'},       {"frozen", no_argument, NULL, 'f'},    {"into", required_argument, NULL, 'i'},
		{"measure", no_argument, NULL, 'M'},            {"memcheck", required_argument, NULL, 'c'},   {"seconds", required_argument, NULL, 'S'}, {"trials", required_argument, NULL, 'r'},
		{"model", required_argument, NULL, 'm'},        {"run", required_argument, NULL, 'R'},        {"source", required_argument, NULL, 's'}, {"task", required_argument, NULL, 't'},
		{"trajectories", required_argument, NULL, 'T'}, {"trajectory", required_argument, NULL, 'n'}, {"turns", required_argument, NULL, 'u'},  {"workload", required_argument, NULL, 'w'},
		{"training-set", required_argument, NULL, 'G'},
		{0},
	};
	bool fine = true;
	int option;

	optind = 0; /* glibc: scan anew */
	opterr = 0;
	while ((option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		switch (option) {
		case 'a': asked->plan.variant = optarg; break;
		case 'F': fine = form_parse(optarg, &asked->form); break;
		case 'f': asked->frozen = true; break;
		case 'i': asked->bundle = optarg; break;
		case 'M': asked->measuring.wanted = true; break;
		case 'c': fine = measuring_memcheck(&asked->measuring, optarg); break;
		case 'S': fine = measuring_seconds(&asked->measuring, optarg); break;
		case 'r': fine = measuring_trials(&asked->measuring, optarg); break;
		case 'm': asked->plan.model = optarg; break;
		case 'R': asked->plan.run = optarg; break;
		case 's': asked->plan.source = optarg; break;
		case 'G': asked->plan.training_set = optarg; break;
		case 't': asked->plan.task = optarg; break;
		case 'T': fine = command_number(optarg, LEDGER_TRAJECTORIES_MAX, &asked->plan.trajectories); break;
		case 'n': fine = command_number(optarg, LEDGER_TRAJECTORIES_MAX - 1, &asked->trajectory); break;
		case 'u': fine = command_number(optarg, LEDGER_TURNS_MAX, &asked->plan.turns); break;
		case 'w': asked->workload = strcmp(optarg, "published") == 0 ? NULL : optarg; break;
		default: return command_usage(&command_mcp, "'%s' is no option, or lacks its value", command_option(argc, argv));
		}
		if (!fine)
			return command_usage(&command_mcp, "'%s' is no value of this option", optarg);
	}
	if (asked->plan.run == NULL || (!asked->frozen && (asked->bundle == NULL || asked->plan.task == NULL || asked->plan.model == NULL || optind != argc)))
		return command_usage(&command_mcp, "--into, --run, --task and --model are needed, or --frozen and --run");
	if (asked->frozen && (asked->bundle != NULL || asked->measuring.wanted || asked->plan.task != NULL || argc - optind > 1))
		return command_usage(&command_mcp, "--frozen takes the run from a bundle, and nothing else");
	if (asked->frozen)
		asked->bundle = optind < argc ? argv[optind] : ".";
	else if (asked->trajectory >= asked->plan.trajectories)
		return command_usage(&command_mcp, "trajectory %lu is none of the %lu planned ones", (unsigned long)asked->trajectory, (unsigned long)asked->plan.trajectories);
	return OK;
}

static enum status run_mcp(int argc, char **argv)
{
	struct asked asked = {.plan = {.source = AGENT_SOURCE, .arch = "hopper", .variant = "", .trajectories = 1, .turns = 8}, .form = FORM_KERNEL, .measuring = MEASURING_DEFAULTS};
	const enum status status = parse(argc, argv, &asked);

	return status == OK ? mcp(&asked) : status;
}

const struct command command_mcp = {
	.name = "mcp",
	.run = run_mcp,
	.usage = "mcp --into BUNDLE --run RUN --task TASK --model MODEL [OPTION...]\n"
		 "       ptxseal mcp --frozen --run RUN [--form kernel.cu|ptx] [--trajectory N] [BUNDLE]",
	.summary = "the evaluation of a kernel as a tool for agents (MCP)",
	.help =
		"A server of the Model Context Protocol over standard input and output, with one tool,\n"
		"evaluate_kernel: the agent hands in a kernel and is told what became of it. Each call\n"
		"is a turn of the run: what was handed in, what was found and what was told are in\n"
		"BUNDLE before the agent is told. It ends with its input, or at SIGTERM.\n"
		"\n"
		"With --frozen nothing is compiled: the agent is told what it was told then, if it hands\n"
		"in what it handed in then.\n"
		"\n"
		"  --form kernel.cu|ptx   what is handed in: a file with host code (`source`), or PTX\n"
		"                         and its launches (`source`, `launches`)\n"
		MEASURING_HELP
		"  --task TASK, --workload published|small|UUID, --model MODEL\n"
		"                         what the agent works at, and with which model\n"
		"  --agent TEXT           what agent it is, for run.json (nothing)\n"
		"  --source NAME          source of the run (agents)\n"
		"  --training-set FILE.manifest.json\n"
		"                         the repair set that the model was tuned on (export repairs)\n"
		"  --trajectory N         which session it is, from 0 (0)\n"
		"  --trajectories N, --turns N\n"
		"                         what is planned: sessions, turns of each (1, 8)\n"
		"\n"
		"`ptxseal record` with the same run and plan freezes what the agent's model says.\n"
		"Exits 0 at the end, 1 if an agent that is played its record leaves it, or does not come to\n"
		"its end.\n",
};
