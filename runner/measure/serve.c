#include "serve.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "baseline.h"
#include "count.h"
#include "message.h"
#include "pair.h"
#include "sandbox.h"
#include "stage.h"

struct server {
	const struct package *package;
	struct sandbox sandbox;
	struct stage stage;
	struct baseline *baseline;
	cJSON *baseline_facts;
	struct pair *pair;
	struct counter *counter;
	bool ended;
};

static cJSON *reply(const char *type)
{
	cJSON *message = cJSON_CreateObject();

	cJSON_AddStringToObject(message, "type", type);
	return message;
}

/* An error of the machine, by its rule. */
static cJSON *reply_error(const struct error *err)
{
	cJSON *message = reply("error");

	cJSON_AddStringToObject(message, "rule", rule_info(err->rule)->id);
	cJSON_AddStringToObject(message, "what", err->what);
	cJSON_AddStringToObject(message, "file", err->file);
	return message;
}

static cJSON *reply_fate(const struct fate *fate)
{
	cJSON *message = reply("failed");

	cJSON_AddStringToObject(message, "kind", fate_name(fate->kind));
	cJSON_AddStringToObject(message, "text", fate->text);
	cJSON_AddNumberToObject(message, "launch", fate->launch);
	return message;
}

static enum status send_reply(cJSON *message, struct error *err)
{
	const enum status status = message_send(SHARE_SOCKET, message, err);

	cJSON_Delete(message);
	return status;
}

static cJSON *device_facts(const struct stage *stage)
{
	cJSON *facts = cJSON_CreateObject();
	char name[256] = "";
	CUdevice device = 0;

	if (stage->cuda.cuCtxGetDevice(&device) == CUDA_SUCCESS && stage->cuda.cuDeviceGetName(name, sizeof name, device) == CUDA_SUCCESS)
		cJSON_AddStringToObject(facts, "name", name);
	const char *slash = strrchr(stage->cuda.path, '/');

	cJSON_AddStringToObject(facts, "driver_library", slash != NULL ? slash + 1 : stage->cuda.path);
	cJSON_AddBoolToObject(facts, "pinned_exchange", stage->pinned);
	/* The tests' driver says so in its device's name; every record repeats it. */
	cJSON_AddBoolToObject(facts, "stand_in", strstr(name, "stand-in") != NULL);
	return facts;
}

/* Vendor libraries are trusted as the driver is, and load what they need before the last layers are on. */
static enum status open_libraries(struct server *server, bool baseline, const char *count, int64_t device, struct error *err)
{
	enum status status = OK;

	if (baseline) {
		status = baseline_open(&server->stage.cuda, server->stage.problem, server->stage.stream, BASELINE_BEST,
		                       &server->baseline, &server->baseline_facts, err);
		if (status == OK) {
			/* Of this process, since it is the one that is timed; later the sandbox lets it read no files. */
			cJSON_AddItemToObject(server->baseline_facts, "files", baseline_files(server->baseline));
			status = pair_open(&server->stage, server->baseline, &server->pair, err);
		}
	}
	if (status == OK && count[0] != '\0')
		counter_open(server->stage.context, (int)device, count, &server->counter);
	return status;
}

static enum status open_device(struct server *server, const cJSON *message, struct error *err)
{
	int64_t device = 0, without = 0;
	bool baseline = false, required = false, exact = false;
	const char *count = "";
	void *exchange = NULL;
	enum status status = message_integer(message, "device", 0, 1024, &device, err);

	if (status == OK)
		status = message_integer(message, "without", 0, (1 << LAYER_COUNT) - 1, &without, err);
	if (status == OK)
		status = message_bool(message, "baseline", &baseline, err);
	if (status == OK)
		status = message_bool(message, "require_sandbox", &required, err);
	if (status == OK)
		status = message_bool(message, "exact", &exact, err);
	if (status == OK)
		status = message_text(message, "count", &count, err);
	if (status == OK)
		status = package_map(SHARE_PACKAGE, &server->package, err);
	if (status == OK)
		status = exchange_map(SHARE_EXCHANGE, &server->package->problem, &exchange, err);
	if (status != OK)
		return status;
	server->sandbox.without = (unsigned)without;
	sandbox_before_driver(&server->sandbox);
	status = stage_open(&server->stage, exact, (int)device, &server->package->problem, exchange, err);
	if (status == OK)
		status = open_libraries(server, baseline, count, device, err);
	sandbox_before_code(&server->sandbox);
	if (status == OK && required && !sandbox_whole(&server->sandbox))
		return error_set(err, R_WRK_SANDBOX, "", "not every layer of the sandbox is in force here");
	return status;
}

static enum status handle_open(struct server *server, const cJSON *message, cJSON **answer, struct error *err)
{
	const enum status status = open_device(server, message, err);

	/* Leaving root took the signal of the judge's death away, and asking for it again is no right. */
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (status != OK)
		return status;
	*answer = reply("opened");
	cJSON_AddItemToObject(*answer, "sandbox", sandbox_facts(&server->sandbox));
	cJSON_AddItemToObject(*answer, "device", device_facts(&server->stage));
	cJSON_AddItemToObject(*answer, "baseline", server->baseline_facts != NULL ? server->baseline_facts : cJSON_CreateNull());
	server->baseline_facts = NULL;
	return OK;
}

/* What is wrong with the candidate is its fate; a device that cannot take it (wrong architecture, PTX too new, no memory) is an error. */
static enum status handle_load(struct server *server, const cJSON *message, cJSON **answer, struct error *err)
{
	struct error why = {0};
	bool reload = false;
	enum status status = message_bool(message, "reload", &reload, err);

	if (status != OK)
		return status;
	status = stage_load(&server->stage, server->package, reload, &why);

	if (status == FAILS || status == MALFORMED) {
		struct fate fate = {.kind = FATE_REFUSED, .launch = -1};

		strcpy(fate.text, why.what);
		*answer = reply_fate(&fate);
		return OK;
	}
	if (status != OK) {
		*err = why;
		return status;
	}
	*answer = reply("loaded");
	cJSON_AddItemToObject(*answer, "functions", program_facts(server->stage.program));
	return OK;
}

static enum status read_trial(const struct server *server, const cJSON *message, struct trial *trial, struct error *err)
{
	int64_t values = 0, number = 0;
	enum status status = message_u64(message, "seed", &trial->seed, err);

	if (status == OK && server->stage.program == NULL)
		return error_set(err, R_WRK_PROTOCOL, "", "no candidate is loaded");
	if (status == OK)
		status = message_u64(message, "base_seed", &trial->base_seed, err);
	if (status == OK)
		status = message_integer(message, "values", 0, VALUES_COUNT - 1, &values, err);
	if (status == OK)
		status = message_integer(message, "number", 0, UINT32_MAX, &number, err);
	trial->values = (enum value_set)values;
	trial->number = (uint32_t)number;
	return status;
}

/* Each launch announced, run and waited for: the one that fails is to blame; one that hangs is the last announced. */
static enum status run_one_by_one(struct stage *stage, struct fate *fate, struct error *err)
{
	CUresult result = program_fill(stage->program, stage->stream);
	size_t launch = 0;

	for (; launch < program_launches(stage->program) && result == CUDA_SUCCESS; launch++) {
		cJSON *message = reply("launching");

		cJSON_AddNumberToObject(message, "launch", (double)launch);
		const enum status status = send_reply(message, err);

		if (status != OK)
			return status;
		result = program_launch(stage->program, launch, stage->stream);
		if (result == CUDA_SUCCESS)
			result = stage->cuda.cuCtxSynchronize();
	}
	return stage_fate(stage, result, (int)launch - 1, true, fate, err);
}

static enum status run_all(struct stage *stage, struct fate *fate, struct error *err)
{
	int launch = -1;
	CUresult result = program_run(stage->program, stage->stream, &launch);

	if (result == CUDA_SUCCESS)
		result = stage->cuda.cuCtxSynchronize();
	return stage_fate(stage, result, launch, false, fate, err);
}

static enum status put_guards(struct server *server, cJSON *answer, struct error *err)
{
	uint64_t changed[ARENA_PLACES_MAX];
	size_t count = 0;
	const enum status status = arena_guards(server->stage.arena, changed, &count, err);
	cJSON *guards = cJSON_AddArrayToObject(answer, "guards");

	for (size_t i = 0; i < count && status == OK; i++)
		cJSON_AddItemToArray(guards, cJSON_CreateNumber((double)changed[i]));
	return status;
}

static enum status handle_run(struct server *server, const cJSON *message, cJSON **answer, struct error *err)
{
	struct trial trial = {0};
	bool one_by_one = false;
	struct fate fate = {0};
	enum status status = read_trial(server, message, &trial, err);

	if (status == OK)
		status = message_bool(message, "one_by_one", &one_by_one, err);
	if (status == OK)
		status = stage_take_computed(&server->stage, err);
	if (status == OK)
		status = stage_set(&server->stage, &trial, err);
	if (status == OK)
		status = one_by_one ? run_one_by_one(&server->stage, &fate, err) : run_all(&server->stage, &fate, err);
	if (status == OK && fate.kind != FATE_DONE) {
		*answer = reply_fate(&fate);
		return OK;
	}
	if (status == OK) {
		*answer = reply("done");
		status = put_guards(server, *answer, err);
	}
	return status == OK ? stage_give_back(&server->stage, err) : status;
}

static void put_sample(cJSON *answer, const struct sample *sample)
{
	cJSON_AddNumberToObject(answer, "candidate_ms", sample->candidate_ms);
	cJSON_AddNumberToObject(answer, "baseline_ms", sample->baseline_ms);
	cJSON_AddNumberToObject(answer, "candidate_wall_ms", sample->candidate_wall_ms);
	cJSON_AddNumberToObject(answer, "baseline_wall_ms", sample->baseline_wall_ms);
	cJSON_AddNumberToObject(answer, "candidate_hz", sample->candidate_hz);
	cJSON_AddNumberToObject(answer, "baseline_hz", sample->baseline_hz);
}

static enum status time_pair(struct server *server, const cJSON *message, struct sample *sample, struct fate *fate, struct error *err)
{
	struct trial trial = {0};
	bool new_base = false, candidate_first = false, control = false;
	enum status status = read_trial(server, message, &trial, err);

	if (status == OK && server->pair == NULL)
		return error_set(err, R_WRK_PROTOCOL, "", "this worker has no baseline");
	if (status == OK)
		status = message_bool(message, "new_base", &new_base, err);
	if (status == OK)
		status = message_bool(message, "candidate_first", &candidate_first, err);
	if (status == OK)
		status = message_bool(message, "control", &control, err);
	if (status == OK && new_base)
		status = stage_take_computed(&server->stage, err);
	if (status == OK)
		status = stage_set(&server->stage, &trial, err);
	return status == OK ? pair_time(server->pair, candidate_first, control, sample, fate, err) : status;
}

static enum status handle_time(struct server *server, const cJSON *message, cJSON **answer, struct error *err)
{
	struct sample sample = {0};
	struct fate fate = {0};
	bool checked = false;
	enum status status = message_bool(message, "check", &checked, err);

	if (status == OK)
		status = time_pair(server, message, &sample, &fate, err);
	if (status != OK)
		return status;
	if (fate.kind != FATE_DONE) {
		*answer = reply_fate(&fate);
		return OK;
	}
	*answer = reply("timed");
	put_sample(*answer, &sample);
	if (checked)
		status = put_guards(server, *answer, err);
	return status == OK && checked ? stage_give_back(&server->stage, err) : status;
}

/* The launches before the counted function's first run uncounted; from there on the counter is on. */
static enum status run_counted(struct server *server, struct fate *fate, struct error *err)
{
	struct stage *stage = &server->stage;
	const size_t count = program_launches(stage->program);
	CUresult result = program_fill(stage->program, stage->stream);
	bool counting = false;
	size_t launch = 0;

	for (; launch < count && result == CUDA_SUCCESS; launch++) {
		if (!counting && strcmp(program_function(stage->program, launch), counter_function(server->counter)) == 0) {
			result = stage->cuda.cuCtxSynchronize();
			if (result != CUDA_SUCCESS)
				break;
			counter_enable(server->counter);
			counting = true;
		}
		result = program_launch(stage->program, launch, stage->stream);
	}
	if (result == CUDA_SUCCESS)
		result = stage->cuda.cuCtxSynchronize();
	return stage_fate(stage, result, -1, false, fate, err);
}

static enum status handle_count(struct server *server, const cJSON *message, cJSON **answer, struct error *err)
{
	struct trial trial = {0};
	struct fate fate = {0};
	enum status status = read_trial(server, message, &trial, err);

	if (status == OK && server->counter == NULL)
		return error_set(err, R_WRK_PROTOCOL, "", "this worker has no counter");
	if (status == OK)
		status = stage_take_computed(&server->stage, err);
	if (status == OK)
		status = stage_set(&server->stage, &trial, err);
	if (status == OK)
		status = run_counted(server, &fate, err);
	if (status != OK)
		return status;
	*answer = fate.kind != FATE_DONE ? reply_fate(&fate) : reply("counted");
	if (fate.kind != FATE_DONE)
		return OK;
	cJSON_AddItemToObject(*answer, "counts", counter_read(server->counter));
	/* Guard zones would take kernels of ours, beside CUPTI. */
	return stage_give_back(&server->stage, err);
}

static enum status handle_quit(struct server *server, const cJSON *message, cJSON **answer, struct error *err)
{
	(void)message;
	(void)err;
	server->ended = true;
	*answer = reply("bye");
	return OK;
}

static enum status handle(struct server *server, const cJSON *message, cJSON **answer, struct error *err)
{
	static const struct {
		const char *type;
		enum status (*with)(struct server *, const cJSON *, cJSON **, struct error *);
	} handlers[] = {{"open", handle_open}, {"load", handle_load},   {"run", handle_run},
	                {"time", handle_time}, {"count", handle_count}, {"quit", handle_quit}};
	const char *type = message_type(message);

	for (size_t i = 0; i < sizeof handlers / sizeof handlers[0]; i++) {
		const bool first = i == 0;

		/* Everything but the first word needs a device; the first word is said once. */
		if (strcmp(handlers[i].type, type) == 0 && first == (server->package == NULL))
			return handlers[i].with(server, message, answer, err);
	}
	return error_set(err, R_WRK_PROTOCOL, "", "'%s' is no word of the protocol here", type);
}

static enum status answer_one(struct server *server, const cJSON *message, struct error *err)
{
	cJSON *answer = NULL;
	struct error why = {0};

	if (handle(server, message, &answer, &why) != OK) {
		cJSON_Delete(answer);
		answer = reply_error(&why);
	}
	return send_reply(answer, err);
}

static void close_all(struct server *server)
{
	counter_close(server->counter);
	pair_close(server->pair);
	baseline_close(server->baseline);
	if (server->package != NULL)
		stage_close(&server->stage);
	cJSON_Delete(server->baseline_facts);
}

enum status worker_serve(void)
{
	struct server server = {0};
	enum status status = OK;
	struct error err = {0};

	/* A worker ends when its judge says so, whatever the terminal or a supervisor tells their whole group; and it must not outlive its judge. */
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	while (status == OK && !server.ended) {
		cJSON *message = NULL;

		if (message_receive(SHARE_SOCKET, 0, &message, &err) != MESSAGE_HERE)
			return UNAVAILABLE;
		status = answer_one(&server, message, &err);
		cJSON_Delete(message);
	}
	close_all(&server);
	return status;
}
