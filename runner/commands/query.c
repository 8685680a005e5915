/* Ask a model; or play a run that asked one from its record. */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../base/json.h"
#include "../base/name.h"
#include "../base/plural.h"
#include "../bundle/layout.h"
#include "../bundle/training_set.h"
#include "../command.h"
#include "../measure/play.h"
#include "measuring.h"
#include "query_report.h"

enum { TRAJECTORIES = 12, TURNS = 8, HEADERS_MAX = 16, SECONDS_MAX = 604800 };

struct options {
	const char *bundle, *run, *source, *task, *workload, *model;
	struct query_plan plan; /* numbers and words; its texts are set by plan_make */
	const char *template, *target;
	cJSON *parameters;
	struct endpoint_options endpoint;
	const char *headers[HEADERS_MAX + 1];
	size_t header_count;
	const char *key_variable, *key_file;
	const char *prices, *training_set;
	struct spend spend;
	unsigned evaluators;
	struct measuring measuring; /* --measure itself is part of the plan */
	bool frozen, json, quiet;
};

/* ---- stopping ---- */

static volatile sig_atomic_t told_to_stop;

static void on_signal(int number)
{
	(void)number;
	told_to_stop = 1;
	measuring_stop();
}

static bool stopped(void)
{
	return told_to_stop != 0;
}

/* Once: a second one ends the process, and what is kept is enough to go on from. */
static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
	struct sigaction before;

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	/* A terminal that is closed; nohup ignores that, and it stays so. */
	if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
		sigaction(SIGHUP, &action, NULL);
}

/* ---- a run ---- */

/* All that a live run takes. */
struct session {
	const struct options *options;
	struct root bundle;
	struct query_plan plan;
	struct template template;
	struct prompt_values values;
	struct keeper *keeper;
	struct freezer *freezer;
	struct journal *journal;
	struct bytes training_set; /* of the model, as it was named; empty: nothing is said */
	struct assessor assessor;
	evaluator *evaluate;
	void *evaluate_context;
	struct measuring measuring;
	struct secret *key;
	struct prices prices;
	struct spend spend;
	struct endpoint *endpoint;
};

static enum status open_record(struct session *session, struct error *err)
{
	const char *run = session->options->run;
	enum status status = keeper_open(&session->bundle, run, KEEPER_EXCHANGES | KEEPER_EVALUATIONS, &session->keeper, NULL, err);

	if (status == OK)
		status = freezer_open(&session->bundle, run, session->keeper, &session->freezer, err);
	if (status == OK)
		status = journal_open(&session->bundle, run, session->plan.trajectories, session->plan.turns, session->keeper, &session->journal, err);
	return status;
}

static void close_session(struct session *session)
{
	bytes_free(&session->training_set);
	endpoint_close(session->endpoint);
	secret_free(session->key);
	prices_free(&session->prices);
	measuring_close(&session->measuring);
	assessor_close(&session->assessor);
	journal_close(session->journal);
	freezer_close(session->freezer);
	keeper_close(session->keeper);
	prompt_values_free(&session->values);
	template_free(&session->template);
	query_plan_free(&session->plan);
	root_close(&session->bundle);
}

static struct query_report report_of(const struct session *session)
{
	const struct options *options = session->options;

	return (struct query_report){
		.plan = &session->plan,
		.spend = &session->spend,
		.currency = session->spend.price != NULL ? session->prices.currency : NULL,
		.json = options->json,
		.quiet = options->quiet,
	};
}

static enum status converse(struct session *session, struct query_report *report, struct conversation_result *result, struct error *err)
{
	const struct conversation_options how = {
		.bundle = &session->bundle,
		.run = session->options->run,
		.plan = &session->plan,
		.template = &session->template,
		.values = &session->values,
		.keeper = session->keeper,
		.freezer = session->freezer,
		.journal = session->journal,
		.endpoint = session->endpoint,
		.evaluate = session->evaluate,
		.evaluate_context = session->evaluate_context,
		/* The device is one. */
		.evaluators = session->plan.measured ? 1 : session->options->evaluators,
		.event = query_report_event,
		.event_context = report,
		.stop = stopped,
	};

	query_report_begin(report);
	const enum status status = conversation_run(&how, result, err);

	query_report_end(report);
	return status;
}

/* ---- frozen ---- */

static enum status play(const struct options *options)
{
	struct root bundle = {.fd = -1};
	struct play play = {0};
	struct query_report report = {.plan = &play.plan, .json = options->json, .quiet = options->quiet};
	struct conversation_result result = {0};
	struct error err = {0};
	enum status status = root_open(options->bundle, &bundle, &err);

	if (status == OK)
		status = play_open(&bundle, &bundle, options->run, &play, &err);
	if (status == OK)
		status = play_check_record(&play, &bundle, &err);
	/* Of nothing everything holds. */
	if (status == OK && freezer_count(play.freezer) == 0)
		status = error_set(&err, R_EXC_NONE, "", "the run '%s' was begun, and has no exchange", options->run);
	if (status == OK) {
		query_report_begin(&report);
		status = play_run(&play, query_report_event, &report, &result, &err);
		query_report_end(&report);
	}
	if (status == OK)
		query_report_summary(&report, options->run, &result, play.freezer);
	if (status == OK && !options->json)
		printf("played from its record: %llu turn%s, %s\n", (unsigned long long)result.done, plural(result.done), result.done > 0 ? "the same bytes" : "as many as its turns.jsonl has");
	if (status != OK)
		error_print(&err);
	conversation_result_free(&result);
	play_close(&play);
	root_close(&bundle);
	return status;
}

/* ---- live ---- */

/* From the options, the task and the template. */
static enum status make_plan(struct session *session, struct error *err)
{
	const struct options *options = session->options;
	struct query_plan *plan = &session->plan;
	struct bytes parameters = {0};
	const enum status status = jcs_write(options->parameters, &parameters, err);

	*plan = options->plan;
	plan->model = mem_text(options->model);
	plan->parameters = parameters.data;
	plan->template = mem_text(session->template.id);
	plan->template_hash = session->template.hash;
	plan->target = mem_text(options->target);
	plan->task = mem_text(session->assessor.problem.task);
	plan->workload = mem_text(session->assessor.problem.workload);
	plan->arch = mem_text("hopper");
	return status;
}

static enum status read_key(struct session *session, struct error *err)
{
	const struct options *options = session->options;

	if (options->key_variable != NULL)
		return secret_from_environment(options->key_variable, &session->key, err);
	return options->key_file != NULL ? secret_from_file(options->key_file, &session->key, err) : OK;
}

static enum status read_prices(struct session *session, struct error *err)
{
	const enum status status = session->options->prices != NULL ? prices_read(session->options->prices, &session->prices, err) : OK;

	session->spend = session->options->spend;
	if (status != OK || session->options->prices == NULL)
		return status;
	session->spend.price = prices_of(&session->prices, session->options->model);
	return session->spend.price != NULL ? OK : error_set(err, R_SPD_MODEL, session->options->prices, "there is no price of '%s'", session->options->model);
}

static enum status open_endpoint(struct session *session, struct error *err)
{
	struct endpoint_options how = session->options->endpoint;

	how.api = session->plan.api;
	how.headers = session->options->headers;
	how.key = session->key;
	how.spend = &session->spend;
	return endpoint_open(&how, &session->endpoint, err);
}

/* Before the first byte of the run is written. */
static enum status keep_keys_out(const struct session *session, struct error *err)
{
	const struct options *options = session->options;
	const struct {
		const char *what, *text;
	} names[] = {{"the name of the run", options->run}, {"the name of the source", options->source}, {LAYOUT_RUN, options->workload != NULL ? options->workload : ""}};
	struct bytes plan = {0};
	enum status status = query_plan_text(&session->plan, &plan, err);

	if (status == OK)
		status = endpoint_check_written(session->endpoint, LAYOUT_QUERY, plan.data, plan.len, err);
	for (size_t i = 0; i < sizeof names / sizeof names[0] && status == OK; i++)
		status = endpoint_check_written(session->endpoint, names[i].what, names[i].text, strlen(names[i].text), err);
	if (status == OK && session->training_set.len > 0)
		status = endpoint_check_written(session->endpoint, "the manifest of the training set", session->training_set.data, session->training_set.len, err);
	bytes_wipe(&plan);
	return status;
}

static enum status open_evaluator(struct session *session, struct error *err)
{
	session->measuring = session->options->measuring;
	session->measuring.wanted = session->options->plan.measured;
	return measuring_open(&session->measuring, &session->assessor, &session->evaluate, &session->evaluate_context, err);
}

static const char *template_id(const struct options *options)
{
	return options->template != NULL ? options->template : options->plan.form == FORM_KERNEL ? "kernel-1" : "ptx-1";
}

/* Everything that can be wrong is found before the first request. */
static enum status open_live(struct session *session, struct error *err)
{
	const struct options *options = session->options;
	char date[16];

	measuring_date(date);
	enum status status = name_check(options->model, "model", "", err);

	if (status == OK)
		status = read_key(session, err);
	if (status == OK)
		status = read_prices(session, err);
	if (status == OK && options->training_set != NULL)
		status = training_set_load(options->training_set, &session->training_set, err);
	if (status == OK)
		status = assessor_open(&session->bundle, options->run, options->model, options->task, options->workload, "hopper", options->plan.form, &session->assessor, err);
	if (status == OK)
		status = open_evaluator(session, err);
	if (status == OK)
		status = template_read(&session->bundle, template_id(options), "hopper", &session->template, err);
	if (status == OK)
		status = assess_values(&session->bundle, &session->assessor.problem, &session->values, err);
	if (status == OK)
		status = make_plan(session, err);
	if (status == OK)
		status = query_plan_check(&session->plan, &session->spend, err);
	if (status == OK)
		status = open_endpoint(session, err);
	if (status == OK)
		status = keep_keys_out(session, err);
	if (status == OK)
		status = query_run_begin(&session->bundle, options->run, options->source, &session->plan, options->workload != NULL ? options->workload : "published", date, err);
	if (status == OK)
		status = training_set_keep(&session->bundle, options->run, &session->training_set, err);
	if (status == OK)
		status = open_record(session, err);
	return status == OK ? query_run_recall(&session->bundle, session->freezer, &session->plan, &session->spend, err) : status;
}

/* What is missing, and why. */
static enum status unfinished(const struct conversation_result *result, struct error *err)
{
	if (result->why == NULL)
		return OK;
	return error_set(err, result->why_rule, "", "%llu of %llu turns are missing; trajectory %lu stopped at turn %lu: %s", (unsigned long long)result->missing, (unsigned long long)result->planned,
	                 (unsigned long)result->why_trajectory, (unsigned long)result->why_turn, result->why);
}

static enum status ask(const struct options *options)
{
	struct session session = {.options = options, .bundle = {.fd = -1}};
	struct conversation_result result = {0};
	struct error err = {0}, later = {0};

	if (options->key_variable != NULL || options->key_file != NULL || options->header_count > 0)
		secret_guard_process();
	enum status status = root_open(options->bundle, &session.bundle, &err);

	if (status == OK)
		status = open_live(&session, &err);
	struct query_report report = report_of(&session);

	if (status == OK) {
		catch_signals();
		status = converse(&session, &report, &result, &err);
		/* Whatever ended it: what is done stands in the ledger. A record that is damaged takes nothing out of it. */
		if (result.recalled && query_run_write_turns(&session.bundle, options->run, &result.turns, &later) != OK && status == OK) {
			err = later;
			status = later.status;
		}
		if (status == OK || status == STOPPED)
			query_report_summary(&report, options->run, &result, session.freezer);
		if (status == OK)
			status = unfinished(&result, &err);
	}
	if (status != OK)
		error_print(&err);
	conversation_result_free(&result);
	close_session(&session);
	return status;
}

/* ---- options ---- */

static bool whole(const char *text, int64_t least, int64_t most, int64_t *value)
{
	char *end;

	if (text[0] < '0' || text[0] > '9')
		return false;
	*value = strtoll(text, &end, 10);
	return *end == '\0' && *value >= least && *value <= most;
}

/* A number as JSON writes one. */
static bool add_number(struct options *options, const char *name, const char *text)
{
	cJSON *number = NULL;
	const bool is = json_parse(text, strlen(text), "", &number, NULL) == OK && cJSON_IsNumber(number);

	if (is) {
		cJSON_DeleteItemFromObjectCaseSensitive(options->parameters, name);
		cJSON_AddItemToObject(options->parameters, name, number);
	} else {
		cJSON_Delete(number);
	}
	return is;
}

static bool add_parameters(struct options *options, const char *text)
{
	cJSON *object = NULL;

	if (json_parse(text, strlen(text), "", &object, NULL) != OK || !cJSON_IsObject(object)) {
		cJSON_Delete(object);
		return false;
	}
	while (object->child != NULL) {
		cJSON *item = cJSON_DetachItemViaPointer(object, object->child);
		char *name = mem_text(item->string);

		cJSON_DeleteItemFromObjectCaseSensitive(options->parameters, name);
		cJSON_AddItemToObject(options->parameters, name, item);
		free(name);
	}
	cJSON_Delete(object);
	return true;
}

static bool money_of(const char *text, int64_t *money)
{
	int64_t millionths;

	if (!prices_decimal(text, &millionths) || millionths <= 0 || millionths > INT64_MAX / (SPEND_UNIT / 1000000))
		return false;
	*money = millionths * (SPEND_UNIT / 1000000);
	return true;
}

enum letter { ENDPOINT = 256, MODEL, TASK, WORKLOAD, INTO, RUN, NAME, TRAJECTORIES_, TURNS_, POLICY, FORM, TEMPLATE, TARGET, TEMPERATURE, TOP_P, MAX_TOKENS, SEED, PARAMETERS, API, STREAM, KEY_ENV, KEY_FILE,
	HEADER, PROXY, UNIX_SOCKET, CA, CONCURRENCY, TRY_SECONDS, DEADLINE, TRIES, MAX_REQUESTS, MAX_TOTAL, MAX_MONEY, PRICES, TRAINING_SET, RECORD_HOST, EVALUATORS, MEASURE, TRIALS, SECONDS, MEMCHECK, FROZEN, JSON_, QUIET };

static const struct option long_options[] = {
	{"endpoint", required_argument, NULL, ENDPOINT},
	{"model", required_argument, NULL, MODEL},
	{"task", required_argument, NULL, TASK},
	{"workload", required_argument, NULL, WORKLOAD},
	{"into", required_argument, NULL, INTO},
	{"run", required_argument, NULL, RUN},
	{"name", required_argument, NULL, NAME},
	{"trajectories", required_argument, NULL, TRAJECTORIES_},
	{"turns", required_argument, NULL, TURNS_},
	{"policy", required_argument, NULL, POLICY},
	{"form", required_argument, NULL, FORM},
	{"template", required_argument, NULL, TEMPLATE},
	{"target-speedup", required_argument, NULL, TARGET},
	{"temperature", required_argument, NULL, TEMPERATURE},
	{"top-p", required_argument, NULL, TOP_P},
	{"max-tokens", required_argument, NULL, MAX_TOKENS},
	{"seed", required_argument, NULL, SEED},
	{"parameters", required_argument, NULL, PARAMETERS},
	{"api", required_argument, NULL, API},
	{"stream", no_argument, NULL, STREAM},
	{"key-env", required_argument, NULL, KEY_ENV},
	{"key-file", required_argument, NULL, KEY_FILE},
	{"header", required_argument, NULL, HEADER},
	{"proxy", required_argument, NULL, PROXY},
	{"unix-socket", required_argument, NULL, UNIX_SOCKET},
	{"ca", required_argument, NULL, CA},
	{"concurrency", required_argument, NULL, CONCURRENCY},
	{"try-seconds", required_argument, NULL, TRY_SECONDS},
	{"deadline-seconds", required_argument, NULL, DEADLINE},
	{"tries", required_argument, NULL, TRIES},
	{"max-requests", required_argument, NULL, MAX_REQUESTS},
	{"max-total-tokens", required_argument, NULL, MAX_TOTAL},
	{"max-money", required_argument, NULL, MAX_MONEY},
	{"prices", required_argument, NULL, PRICES},
	{"training-set", required_argument, NULL, TRAINING_SET},
	{"record-host", no_argument, NULL, RECORD_HOST},
	{"evaluators", required_argument, NULL, EVALUATORS},
	{"measure", no_argument, NULL, MEASURE},
	{"trials", required_argument, NULL, TRIALS},
	{"seconds", required_argument, NULL, SECONDS},
	{"memcheck", required_argument, NULL, MEMCHECK},
	{"frozen", no_argument, NULL, FROZEN},
	{"json", no_argument, NULL, JSON_},
	{"quiet", no_argument, NULL, QUIET},
	{0},
};

/* Options that are kept as they are; false if it is none of them. */
static bool take_text(struct options *options, int letter)
{
	const struct {
		int letter;
		const char **to;
	} texts[] = {{ENDPOINT, &options->endpoint.url}, {MODEL, &options->model}, {TASK, &options->task}, {INTO, &options->bundle}, {RUN, &options->run}, {NAME, &options->source}, {TEMPLATE, &options->template},
	             {KEY_ENV, &options->key_variable}, {KEY_FILE, &options->key_file}, {PROXY, &options->endpoint.proxy}, {UNIX_SOCKET, &options->endpoint.unix_socket}, {CA, &options->endpoint.ca_file},
	             {PRICES, &options->prices}, {TRAINING_SET, &options->training_set}};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		if (texts[i].letter != letter)
			continue;
		*texts[i].to = optarg;
		return true;
	}
	return false;
}

/* Numbers: *ok says whether it is one of its range. */
static bool take_number(struct options *options, int letter, bool *ok)
{
	const struct {
		int letter;
		int64_t least, most, times;
	} numbers[] = {{TRAJECTORIES_, 1, QUERY_TRAJECTORIES_MAX, 1}, {TURNS_, 1, QUERY_TURNS_MAX, 1}, {SEED, 0, INT32_MAX, 1}, {CONCURRENCY, 1, 1000, 1}, {TRY_SECONDS, 1, SECONDS_MAX, 1000},
	               {DEADLINE, 1, SECONDS_MAX, 1000}, {TRIES, 1, 100, 1}, {MAX_REQUESTS, 1, INT32_MAX, 1}, {MAX_TOTAL, 1, INT64_MAX / 4, 1}, {EVALUATORS, 1, 64, 1}};
	int64_t value = 0;
	size_t i = 0;

	while (i < sizeof numbers / sizeof numbers[0] && numbers[i].letter != letter)
		i++;
	if (i == sizeof numbers / sizeof numbers[0])
		return false;
	*ok = whole(optarg, numbers[i].least, numbers[i].most, &value);
	value *= numbers[i].times;
	switch (letter) {
	case TRAJECTORIES_: options->plan.trajectories = (uint32_t)value; break;
	case TURNS_: options->plan.turns = (uint32_t)value; break;
	case SEED: options->plan.seed = value; break;
	case CONCURRENCY: options->endpoint.concurrency = (unsigned)value; break;
	case TRY_SECONDS: options->endpoint.try_ms = value; break;
	case DEADLINE: options->endpoint.deadline_ms = value; break;
	case TRIES: options->endpoint.retry.tries = (unsigned)value; break;
	case MAX_REQUESTS: options->spend.cap.requests = value; break;
	case MAX_TOTAL: options->spend.cap.tokens = value; break;
	default: options->evaluators = (unsigned)value; break;
	}
	return true;
}

static bool take_other(struct options *options, int letter)
{
	double target;

	switch (letter) {
	case WORKLOAD:
		options->workload = strcmp(optarg, "published") == 0 ? NULL : optarg;
		return true;
	case POLICY:
		return policy_parse(optarg, &options->plan.policy);
	case FORM:
		return form_parse(optarg, &options->plan.form);
	case TARGET:
		options->target = optarg;
		return decimal_parse(optarg, strlen(optarg), &target) && target > 0;
	case TEMPERATURE:
		return add_number(options, "temperature", optarg);
	case TOP_P:
		return add_number(options, "top_p", optarg);
	case PARAMETERS:
		return add_parameters(options, optarg);
	case API:
		options->plan.api = strcmp(optarg, "responses") == 0 ? API_RESPONSES : API_CHAT;
		return strcmp(optarg, "responses") == 0 || strcmp(optarg, "chat") == 0;
	case HEADER:
		if (options->header_count == HEADERS_MAX)
			return false;
		options->headers[options->header_count++] = optarg;
		return true;
	case MAX_MONEY:
		return money_of(optarg, &options->spend.cap.money);
	case TRIALS: return measuring_trials(&options->measuring, optarg);
	case SECONDS: return measuring_seconds(&options->measuring, optarg);
	case MEMCHECK: return measuring_memcheck(&options->measuring, optarg);
	case MEASURE: options->plan.measured = true; return true;
	case STREAM: options->plan.stream = true; return true;
	case RECORD_HOST: options->endpoint.record_host = true; return true;
	case FROZEN: options->frozen = true; return true;
	case JSON_: options->json = true; return true;
	default: options->quiet = true; return true;
	}
}

/* The most tokens of an answer have another name in each interface. */
static bool set_max_tokens(struct options *options, const char *text)
{
	int64_t value;

	return text == NULL || (whole(text, 1, INT32_MAX, &value) && add_number(options, options->plan.api == API_CHAT ? "max_tokens" : "max_output_tokens", text));
}

static enum status check(const struct options *options)
{
	if (options->run == NULL || !ledger_name_valid(options->run, strlen(options->run)) || strlen(options->run) > QUERY_RUN_MAX)
		return command_usage(&command_query, "--run names the run: at most %d letters, digits, '.', '_' and '-'", QUERY_RUN_MAX);
	if (options->frozen && (options->endpoint.url != NULL || options->model != NULL || options->task != NULL))
		return command_usage(&command_query, "--frozen takes endpoint, model and task from the run's record");
	if (options->frozen)
		return OK;
	if (options->endpoint.url == NULL || options->model == NULL || options->task == NULL)
		return command_usage(&command_query, "--endpoint, --model and --task are needed (or --frozen)");
	if (strlen(options->model) > LEDGER_TEXT_MAX)
		return command_usage(&command_query, "the model's name is longer than %d bytes", LEDGER_TEXT_MAX);
	if (!ledger_name_valid(options->source, strlen(options->source)))
		return command_usage(&command_query, "'%s' cannot name a source", options->source);
	if (options->key_variable != NULL && options->key_file != NULL)
		return command_usage(&command_query, "--key-env and --key-file name one key each; one is enough");
	if (options->spend.cap.money > 0 && options->prices == NULL)
		return command_usage(&command_query, "--max-money needs the prices: --prices FILE");
	if (options->target[0] != '\0' && !options->plan.measured)
		return command_usage(&command_query, "--target-speedup: nothing is timed where nothing is measured (--measure)");
	return OK;
}

static enum status parse(int argc, char **argv, struct options *options)
{
	const char *max_tokens = NULL;
	int letter, index = 0;

	opterr = 0;
	while ((letter = getopt_long(argc, argv, ":", long_options, &index)) != -1) {
		bool ok = true;

		if (letter == '?' || letter == ':')
			return command_usage(&command_query, letter == '?' ? "'%s' is no option" : "'%s' lacks its value", command_option(argc, argv));
		if (letter == MAX_TOKENS)
			max_tokens = optarg;
		else if (!take_text(options, letter) && !take_number(options, letter, &ok))
			ok = take_other(options, letter);
		if (!ok)
			return command_usage(&command_query, "--%s: '%s' is none of its values", long_options[index].name, optarg);
	}
	if (!set_max_tokens(options, max_tokens))
		return command_usage(&command_query, "--max-tokens: '%s' is no whole number from 1", max_tokens);
	if (argc - optind > 1)
		return command_usage(&command_query, "one bundle at most");
	if (optind < argc)
		options->bundle = argv[optind];
	return check(options);
}

static enum status run(int argc, char **argv)
{
	struct options options = {
		.bundle = ".",
		.source = "query",
		.target = "",
		.plan = {.trajectories = TRAJECTORIES, .turns = TURNS, .seed = -1},
		.parameters = cJSON_CreateObject(),
		.evaluators = cores(),
		.measuring = MEASURING_DEFAULTS,
	};
	enum status status = parse(argc, argv, &options);

	if (status == OK)
		status = options.frozen ? play(&options) : ask(&options);
	cJSON_Delete(options.parameters);
	return status;
}

const struct command command_query = {
	.name = "query",
	.run = run,
	.usage = "query --endpoint URL --model NAME --task TASK --run RUN [OPTION...] [BUNDLE]\n"
		 "       ptxseal query --frozen --run RUN [--json] [BUNDLE]",
	.summary = "ask a model for kernels; or play such a run again from its record",
	.help =
		"Asks a model for kernels of a task, in trajectories of turns: each answer is compiled and\n"
		"looked at, and the model is told what came of it. Every request, reply and evaluation is in\n"
		"a file in artifact/runs/RUN of BUNDLE (the current directory) before it is used. The same\n"
		"command takes a run up again that was stopped or killed, and asks only for what is missing.\n"
		"With --frozen nothing is asked: the run is played from its record, every prompt has to be\n"
		"the recorded one, and turns.jsonl has to come out with the same bytes.\n"
		"\n"
		"  --endpoint URL       base of an OpenAI-compatible endpoint, http://127.0.0.1:8080/v1\n"
		"  --api chat|responses Chat Completions (the default) or the Responses API\n"
		"  --stream             ask for a stream of events\n"
		"  --model NAME         as the endpoint calls it\n"
		"  --task TASK, --workload published|small|UUID\n"
		"  --run RUN            name of the run; --name SOURCE: of its source (query)\n"
		"  --into BUNDLE        the bundle, as the last argument\n"
		"  --form kernel.cu|ptx what is asked for: a file with host code, or PTX and its launches\n"
		"  --template ID        of tasks/prompts/ (kernel-1, ptx-1)\n"
		"  --trajectories N, --turns N\n"
		"                       12 and 8\n"
		"  --policy full|latest-pair|single-user\n"
		"                       what of a conversation is sent with the next turn\n"
		MEASURING_HELP
		"  --target-speedup X   a correct turn of that speedup ends its trajectory\n"
		"  --temperature X, --top-p X, --max-tokens N, --parameters JSON\n"
		"                       sampling; an object of whatever else the endpoint knows\n"
		"  --seed N             of the first turn; every further turn has a seed of its own\n"
		"  --key-env VARIABLE, --key-file FILE\n"
		"                       the key; it is written nowhere\n"
		"  --header 'NAME: VALUE', --proxy URL, --unix-socket PATH, --ca FILE\n"
		"                       ways to the endpoint\n"
		"  --concurrency N      requests at once (16)\n"
		"  --try-seconds N, --deadline-seconds N, --tries N\n"
		"                       limits of a try, of a request, and on tries (600, 3600, 6)\n"
		"  --max-requests N, --max-total-tokens N, --max-money X, --prices FILE\n"
		"                       caps on what the run costs\n"
		"  --training-set FILE.manifest.json\n"
		"                       the repair set that the model was tuned on (export repairs), kept with\n"
		"                       the run: tables mark the tasks that it has pairs of\n"
		"  --record-host        write the endpoint's host into the records\n"
		"  --evaluators N       kernels that are compiled at once (a core each)\n"
		"  --json               an event a line, and a summary; --quiet: no line of progress\n"
		"\n"
		"Exits 0 if every trajectory came to its end, 1 if a run leaves its record, 4 if something is\n"
		"missing (run again), 75 if it was stopped or reached a cap (run again).\n",
};
