#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "message.h"
#include "share.h"

enum { START_MS = 60000, LOAD_MS = 60000, RUN_MS = 10000, COUNT_FACTOR = 10, QUIT_MS = 2000, REAP_MS = 10000, WRAPPER_MAX = 20 };

struct worker {
	struct worker_options options;
	const struct problem *problem;
	const struct candidate *candidate;
	const struct bytes *cubin;
	pid_t pid;    /* 0 once it is gone */
	int wait_status;
	int socket;   /* -1 once closed */
	int exchange; /* descriptor; the memory is */
	unsigned char *memory;
	cJSON *facts;
	int launching; /* the last launch it announced; -1 */
};

uint64_t input_seed(const struct problem *problem, size_t tensor, uint64_t base_seed, uint64_t seed)
{
	for (size_t i = 0; i < problem->tensor_count; i++)
		if (problem->tensors[i].computed)
			return tensor < i ? base_seed : seed;
	return seed;
}

/* ---- the process ---- */

/* What CUDA, our own search for libraries, the tests' driver and sanitizers read. Nothing else of the judge's environment goes in. */
static const char *const passed[] = {
	"PATH", "HOME", "LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "CUDA_MPS_PIPE_DIRECTORY",
	"VIRTUAL_ENV", "CONDA_PREFIX", "PTXSEAL_LIBCUDA", "PTXSEAL_CUDA_LIBS", "PTXSEAL_STAND_IN", "ASAN_OPTIONS", "UBSAN_OPTIONS",
};

enum { PASSED_COUNT = sizeof passed / sizeof passed[0] };

struct environment {
	char *at[PASSED_COUNT + 3];
	size_t count;
};

static void make_environment(struct environment *environment)
{
	environment->count = 0;
	environment->at[environment->count++] = mem_text("LC_ALL=C");
	/* Nothing is compiled for later, and nothing read that was. */
	environment->at[environment->count++] = mem_text("CUDA_CACHE_DISABLE=1");
	for (size_t i = 0; i < PASSED_COUNT; i++) {
		const char *value = getenv(passed[i]);

		if (value != NULL)
			environment->at[environment->count++] = mem_format("%s=%s", passed[i], value);
	}
	environment->at[environment->count] = NULL;
}

static void free_environment(struct environment *environment)
{
	for (size_t i = 0; i < environment->count; i++)
		free(environment->at[i]);
}

/* Above those that the child's descriptors are given, so that moving one does not close another. */
static int move_up(int fd)
{
	const int moved = fcntl(fd, F_DUPFD_CLOEXEC, SHARE_END);

	close(fd);
	return moved;
}

static int plan_descriptors(posix_spawn_file_actions_t *actions, int socket, int package, int exchange)
{
	int rc = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);

	if (rc == 0)
		rc = posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	if (rc == 0)
		rc = posix_spawn_file_actions_addopen(actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (rc == 0)
		rc = posix_spawn_file_actions_adddup2(actions, socket, SHARE_SOCKET);
	if (rc == 0)
		rc = posix_spawn_file_actions_adddup2(actions, package, SHARE_PACKAGE);
	if (rc == 0)
		rc = posix_spawn_file_actions_adddup2(actions, exchange, SHARE_EXCHANGE);
	return rc == 0 ? posix_spawn_file_actions_addclosefrom_np(actions, SHARE_END) : rc;
}

static enum status spawn(struct worker *worker, int socket, int package, struct error *err)
{
	const char *program = worker->options.program != NULL ? worker->options.program : "/proc/self/exe";
	char *argv[WRAPPER_MAX + 2] = {(char[]){"ptxseal"}};
	size_t count = 0;
	struct environment environment;
	posix_spawn_file_actions_t actions;

	/* posix_spawn writes into none of them. */
	for (; worker->options.wrapper != NULL && count < WRAPPER_MAX && worker->options.wrapper[count] != NULL; count++)
		argv[count] = (char *)(uintptr_t)worker->options.wrapper[count];
	argv[count == 0 ? 1 : count] = (char[]){"worker"};
	make_environment(&environment);
	posix_spawn_file_actions_init(&actions);
	int rc = plan_descriptors(&actions, socket, package, worker->exchange);

	if (rc == 0)
		rc = posix_spawn(&worker->pid, program, &actions, NULL, argv, environment.at);
	posix_spawn_file_actions_destroy(&actions);
	free_environment(&environment);
	if (rc == 0)
		return OK;
	worker->pid = 0;
	errno = rc;
	return error_errno(err, R_WRK_START, program, "starting a worker");
}

static enum status make_process(struct worker *worker, struct error *err)
{
	int ends[2] = {-1, -1}, package = -1;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return error_errno(err, R_WRK_START, "", "making a socket pair");
	worker->socket = move_up(ends[0]);
	ends[1] = move_up(ends[1]);
	enum status status = package_make(worker->problem, worker->candidate, worker->cubin, &package, err);

	if (status == OK) {
		package = move_up(package);
		status = spawn(worker, ends[1], package, err);
	}
	if (package >= 0)
		close(package);
	close(ends[1]);
	return status;
}

static void pause_briefly(void)
{
	nanosleep(&(const struct timespec){.tv_nsec = 1000000}, NULL);
}

static bool reap(struct worker *worker, unsigned ms)
{
	const uint64_t deadline = clock_ms() + ms;

	for (;;) {
		const pid_t got = waitpid(worker->pid, &worker->wait_status, WNOHANG);

		if (got == worker->pid || (got < 0 && errno == ECHILD)) {
			worker->pid = 0;
			return true;
		}
		if (clock_ms() >= deadline)
			return false;
		pause_briefly();
	}
}

static void close_socket(struct worker *worker)
{
	if (worker->socket >= 0)
		close(worker->socket);
	worker->socket = -1;
}

/* A process that does not go away after SIGKILL sits in the driver, and with it the device. */
static enum status destroy(struct worker *worker, unsigned ms, struct error *err)
{
	close_socket(worker);
	if (worker->pid == 0)
		return OK;
	/* One that is going by itself goes with its own status, and what started it with its report. */
	if (reap(worker, ms))
		return OK;
	kill(worker->pid, SIGKILL);
	if (reap(worker, REAP_MS))
		return OK;
	return error_set(err, R_GPU_SICK, "", "worker %ld does not end %d ms after it was killed", (long)worker->pid, REAP_MS);
}

/* ---- the conversation ---- */

static unsigned given(unsigned ms, unsigned otherwise)
{
	return ms != 0 ? ms : otherwise;
}

/* An error that the worker reports: by its rule, which has to be one of ours. */
static enum status take_error(const cJSON *answer, struct error *err)
{
	const char *id = NULL, *what = NULL;
	enum status status = message_text(answer, "rule", &id, err);

	if (status == OK)
		status = message_text(answer, "what", &what, err);
	if (status != OK)
		return status;
	for (int rule = 0; rule < RULE_COUNT; rule++)
		if (strcmp(rule_info((enum rule)rule)->id, id) == 0)
			return error_set(err, (enum rule)rule, "", "%s", what);
	return error_set(err, R_WRK_PROTOCOL, "", "a worker names a rule '%s'", id);
}

static void blame(const struct worker *worker, int launch, struct fate *fate)
{
	fate->launch = launch;
	fate->function[0] = '\0';
	if (launch >= 0 && worker->candidate != NULL && (size_t)launch < worker->candidate->launch_count)
		snprintf(fate->function, sizeof fate->function, "%s", worker->candidate->launches[launch].function);
}

static enum status take_fate(const struct worker *worker, const cJSON *answer, struct fate *fate, struct error *err)
{
	const char *kind = NULL, *text = NULL;
	int64_t launch = 0;
	enum status status = message_text(answer, "kind", &kind, err);

	if (status == OK)
		status = message_text(answer, "text", &text, err);
	if (status == OK)
		status = message_integer(answer, "launch", -1, CANDIDATE_LAUNCHES_MAX, &launch, err);
	if (status != OK)
		return status;
	*fate = (struct fate){0};
	for (unsigned i = FATE_REFUSED; i < FATE_COUNT; i++)
		if (strcmp(fate_name((enum fate_kind)i), kind) == 0)
			fate->kind = (enum fate_kind)i;
	if (fate->kind == FATE_DONE)
		return error_set(err, R_WRK_PROTOCOL, "", "a worker says it failed by '%s'", kind);
	strncpy(fate->text, text, sizeof fate->text - 1);
	blame(worker, (int)launch, fate);
	return OK;
}

/* The end of a worker that did not answer: who ended it, and how. */
static enum status take_death(struct worker *worker, enum message_end end, unsigned ms, struct fate *fate, struct error *err)
{
	/* Closing its end, a process may need a moment to be gone. */
	if (end == MESSAGE_CLOSED)
		reap(worker, QUIT_MS);
	const enum status status = destroy(worker, end == MESSAGE_CLOSED ? worker->options.end_ms : 0, err);

	*fate = (struct fate){.kind = end == MESSAGE_LATE ? FATE_TIMEOUT : FATE_CRASH};
	blame(worker, worker->launching, fate);
	if (end == MESSAGE_LATE)
		snprintf(fate->text, sizeof fate->text, "not at its end after %u ms", ms);
	else if (end == MESSAGE_BAD)
		snprintf(fate->text, sizeof fate->text, "the worker said what no worker says");
	else if (WIFSIGNALED(worker->wait_status)) {
		fate->signal = WTERMSIG(worker->wait_status);
		snprintf(fate->text, sizeof fate->text, "the worker was ended by signal %d", fate->signal);
	} else
		snprintf(fate->text, sizeof fate->text, "the worker exited with code %d", WEXITSTATUS(worker->wait_status));
	return status;
}

/* Whatever a candidate did, the device has to answer again: a worker without a candidate starts, and runs its test (stage.c). */
static enum status probe(const struct worker *worker, struct error *err)
{
	const struct worker_options options = {
		.program = worker->options.wrapper == NULL ? worker->options.program : NULL, .device = worker->options.device, .without = worker->options.without, .start_ms = worker->options.start_ms};
	struct worker *prober = NULL;
	struct fate fate;
	struct error why = {0};
	enum status status = worker_start(&options, worker->problem, NULL, NULL, &prober, &fate, &why);

	worker_close(prober);
	if (status == OK && fate.kind == FATE_DONE)
		return OK;
	return error_set(err, R_GPU_SICK, "", "after a candidate failed, the device fails a test: %s", status == OK ? fate.text : why.what);
}

/*
 * Say message (which is deleted) and wait for the answer of the wanted type. Other ends: *fate with its worker gone and the device probed (OK, *answer NULL), or an
 * error. Nothing is the candidate's fate before there is one (opening): then the machine is to blame.
 */
static enum status converse(struct worker *worker, cJSON *message, const char *wanted, unsigned ms, cJSON **answer, struct fate *fate,
                            struct error *err)
{
	const uint64_t deadline = clock_ms() + ms;
	enum message_end end = MESSAGE_CLOSED;
	struct error why = {0};

	*answer = NULL;
	*fate = (struct fate){.kind = FATE_DONE, .launch = -1};
	worker->launching = -1;
	if (worker->socket < 0) {
		cJSON_Delete(message);
		return error_set(err, R_WRK_PROTOCOL, "", "this worker is gone already");
	}
	/* A worker that is gone shows when its answer is awaited. */
	message_send(worker->socket, message, &why);
	cJSON_Delete(message);
	for (;;) {
		int64_t launch = 0;

		cJSON_Delete(*answer);
		end = message_receive(worker->socket, deadline, answer, &why);
		if (end != MESSAGE_HERE || strcmp(message_type(*answer), "launching") != 0)
			break;
		if (message_integer(*answer, "launch", 0, CANDIDATE_LAUNCHES_MAX, &launch, &why) != OK) {
			end = MESSAGE_BAD;
			break;
		}
		worker->launching = (int)launch;
	}
	enum status status = OK;
	const char *type = end == MESSAGE_HERE ? message_type(*answer) : "";

	if (strcmp(type, wanted) == 0)
		return OK;
	if (strcmp(type, "error") == 0) {
		status = take_error(*answer, err);
		destroy(worker, worker->options.end_ms, NULL);
	} else if (strcmp(type, "failed") == 0 && (status = take_fate(worker, *answer, fate, err)) == OK) {
		status = destroy(worker, worker->options.end_ms, err);
	} else if (status == OK) {
		status = take_death(worker, end == MESSAGE_HERE ? MESSAGE_BAD : end, ms, fate, err);
	}
	cJSON_Delete(*answer);
	*answer = NULL;
	return status;
}

static cJSON *word(const char *type)
{
	cJSON *message = cJSON_CreateObject();

	cJSON_AddStringToObject(message, "type", type);
	return message;
}

static void take_facts(struct worker *worker, cJSON *answer, const char *const *names)
{
	for (size_t i = 0; names[i] != NULL; i++) {
		cJSON *fact = cJSON_DetachItemFromObjectCaseSensitive(answer, names[i]);

		cJSON_AddItemToObject(worker->facts, names[i], fact != NULL ? fact : cJSON_CreateNull());
	}
}

static enum status open_worker(struct worker *worker, struct error *err)
{
	static const char *const facts[] = {"baseline", "device", "sandbox", NULL};
	const struct worker_options *options = &worker->options;
	const unsigned ms = given(options->start_ms, START_MS);
	cJSON *message = word("open"), *answer = NULL;
	struct fate fate;

	cJSON_AddNumberToObject(message, "device", options->device);
	cJSON_AddNumberToObject(message, "without", options->without);
	cJSON_AddBoolToObject(message, "baseline", options->baseline);
	cJSON_AddBoolToObject(message, "require_sandbox", options->require_sandbox);
	cJSON_AddBoolToObject(message, "exact", options->exact);
	cJSON_AddStringToObject(message, "count", options->count != NULL ? options->count : "");
	enum status status = converse(worker, message, "opened", ms, &answer, &fate, err);

	if (status == OK && answer == NULL)
		status = error_set(err, R_WRK_START, "", "a worker did not open the device: %s", fate.text);
	if (status != OK)
		return status;
	take_facts(worker, answer, facts);
	cJSON_AddBoolToObject(worker->facts, "stand_in",
	                      cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(worker->facts, "device"), "stand_in")));
	cJSON_Delete(answer);
	return OK;
}

static enum status load(struct worker *worker, struct fate *fate, struct error *err)
{
	static const char *const facts[] = {"functions", NULL};
	cJSON *message = word("load"), *answer = NULL;

	cJSON_AddBoolToObject(message, "reload", worker->options.reload);
	enum status status = converse(worker, message, "loaded", given(worker->options.load_ms, LOAD_MS), &answer, fate, err);

	if (status == OK && answer != NULL)
		take_facts(worker, answer, facts);
	cJSON_Delete(answer);
	if (status == OK && (fate->kind == FATE_TIMEOUT || fate->kind == FATE_CRASH))
		status = probe(worker, err);
	return status;
}

enum status worker_start(const struct worker_options *options, const struct problem *problem, const struct candidate *candidate,
                         const struct bytes *cubin, struct worker **worker, struct fate *fate, struct error *err)
{
	struct worker *made = mem_alloc(sizeof *made);

	*made = (struct worker){
		.options = *options, .problem = problem, .candidate = candidate, .cubin = cubin, .socket = -1, .exchange = -1, .launching = -1};
	made->facts = cJSON_CreateObject();
	*fate = (struct fate){.kind = FATE_DONE, .launch = -1};
	*worker = made;
	enum status status = exchange_make(problem, &made->exchange, err);

	if (status == OK) {
		void *memory = NULL;

		made->exchange = move_up(made->exchange);
		status = exchange_map(made->exchange, problem, &memory, err);
		made->memory = memory;
	}
	if (status == OK)
		status = make_process(made, err);
	if (status == OK)
		status = open_worker(made, err);
	return status == OK && candidate != NULL ? load(made, fate, err) : status;
}

/* A polite end first: the worker gives back what it has. */
static void quit(struct worker *worker)
{
	cJSON *answer = NULL;
	struct error err;

	if (worker->socket < 0)
		return;
	cJSON *message = word("quit");

	if (message_send(worker->socket, message, &err) == OK)
		message_receive(worker->socket, clock_ms() + QUIT_MS, &answer, &err);
	cJSON_Delete(message);
	cJSON_Delete(answer);
	close_socket(worker);
	reap(worker, given(worker->options.end_ms, QUIT_MS));
}

void worker_close(struct worker *worker)
{
	if (worker == NULL)
		return;
	if (worker->pid != 0)
		quit(worker);
	destroy(worker, 0, NULL);
	if (worker->memory != NULL)
		munmap(worker->memory, exchange_bytes(worker->problem));
	if (worker->exchange >= 0)
		close(worker->exchange);
	cJSON_Delete(worker->facts);
	free(worker);
}

const cJSON *worker_facts(const struct worker *worker)
{
	return worker->facts;
}

void *worker_tensor(const struct worker *worker, size_t i)
{
	return worker->memory + exchange_offset(worker->problem, i);
}

/* ---- what it is asked to do ---- */

static cJSON *trial_word(const char *type, const struct trial *trial)
{
	cJSON *message = word(type);

	message_put_u64(message, "seed", trial->seed);
	message_put_u64(message, "base_seed", trial->base_seed);
	cJSON_AddNumberToObject(message, "values", trial->values);
	cJSON_AddNumberToObject(message, "number", trial->number);
	return message;
}

static enum status take_guards(const struct worker *worker, const cJSON *answer, struct guards *guards, struct error *err)
{
	const cJSON *array = cJSON_GetObjectItemCaseSensitive(answer, "guards");
	const size_t count = worker->problem->tensor_count + worker->candidate->buffer_count;

	*guards = (struct guards){.zone_bytes = SHARE_GUARD_BYTES};
	if (!cJSON_IsArray(array) || (size_t)cJSON_GetArraySize(array) != count)
		return error_set(err, R_WRK_PROTOCOL, "", "a worker speaks of another number of guard zones");
	for (const cJSON *item = array->child; item != NULL; item = item->next) {
		if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0 && item->valuedouble < 0x1p53))
			return error_set(err, R_WRK_PROTOCOL, "", "a worker's guard zone is no number of bytes");
		guards->changed[guards->count++] = (uint64_t)item->valuedouble;
	}
	return OK;
}

/* Only a second run, launch by launch, tells which of several is to blame. Its inputs are the first one's: computed ones still lie in the exchange. */
static enum status find_culprit(struct worker *worker, const struct trial *trial, struct fate *fate, struct error *err)
{
	struct worker_options options = worker->options;
	struct worker *second = NULL;
	struct fate again;
	cJSON *answer = NULL;

	options.baseline = false;
	options.count = NULL;
	if (options.wrapper != NULL)
		options.program = NULL;
	options.wrapper = NULL;
	enum status status = worker_start(&options, worker->problem, worker->candidate, worker->cubin, &second, &again, err);

	if (status == OK && again.kind == FATE_DONE) {
		cJSON *message = trial_word("run", trial);

		for (size_t i = 0; i < worker->problem->tensor_count; i++)
			if (worker->problem->tensors[i].computed)
				memcpy(worker_tensor(second, i), worker_tensor(worker, i), worker->problem->tensors[i].bytes);
		cJSON_AddBoolToObject(message, "one_by_one", true);
		status = converse(second, message, "done", given(options.run_ms, RUN_MS), &answer, &again, err);
	}
	if (status == OK && again.kind != FATE_DONE && again.launch >= 0)
		blame(worker, again.launch, fate);
	cJSON_Delete(answer);
	worker_close(second);
	return status;
}

/* After a failure: whom to blame, and whether the device still works. */
static enum status look_into(struct worker *worker, const struct trial *trial, struct fate *fate, struct error *err)
{
	enum status status = probe(worker, err);

	if (worker->candidate->launch_count == 1)
		blame(worker, 0, fate);
	else if (status == OK && fate->launch < 0)
		status = find_culprit(worker, trial, fate, err);
	return status;
}

enum status worker_run(struct worker *worker, const struct trial *trial, struct guards *guards, struct fate *fate, struct error *err)
{
	cJSON *message = trial_word("run", trial), *answer = NULL;

	*guards = (struct guards){0};
	cJSON_AddBoolToObject(message, "one_by_one", false);
	enum status status = converse(worker, message, "done", given(worker->options.run_ms, RUN_MS), &answer, fate, err);

	if (status == OK && answer != NULL)
		status = take_guards(worker, answer, guards, err);
	else if (status == OK)
		status = look_into(worker, trial, fate, err);
	cJSON_Delete(answer);
	return status;
}

static enum status take_sample(const struct worker *worker, const cJSON *answer, bool check, struct sample *sample, struct error *err)
{
	const struct {
		const char *key;
		double *value;
	} numbers[] = {{"candidate_ms", &sample->candidate_ms},           {"baseline_ms", &sample->baseline_ms},
	               {"candidate_wall_ms", &sample->candidate_wall_ms}, {"baseline_wall_ms", &sample->baseline_wall_ms},
	               {"candidate_hz", &sample->candidate_hz},           {"baseline_hz", &sample->baseline_hz}};
	struct guards guards = {0};
	enum status status = OK;

	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0] && status == OK; i++)
		status = message_double(answer, numbers[i].key, numbers[i].value, err);
	if (status == OK && check)
		status = take_guards(worker, answer, &guards, err);
	/* Whole nanoseconds and hertz, as records have them: what follows from samples follows from the record. */
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		*numbers[i].value = numbers[i].value < &sample->candidate_hz ? round(*numbers[i].value * 1e6) / 1e6 : round(*numbers[i].value);
	for (size_t i = 0; i < guards.count; i++)
		sample->guard_changed += guards.changed[i];
	return status;
}

static enum status time_pair(struct worker *worker, const struct trial *trial, bool new_base, bool candidate_first, bool check, bool control,
                             struct sample *sample, struct fate *fate, struct error *err)
{
	cJSON *message = trial_word("time", trial), *answer = NULL;

	*sample = (struct sample){.seed = trial->seed, .candidate_first = candidate_first, .checked = check};
	cJSON_AddBoolToObject(message, "new_base", new_base);
	cJSON_AddBoolToObject(message, "candidate_first", candidate_first);
	cJSON_AddBoolToObject(message, "check", check);
	cJSON_AddBoolToObject(message, "control", control);
	enum status status = converse(worker, message, "timed", given(worker->options.run_ms, RUN_MS), &answer, fate, err);

	if (status == OK && answer != NULL)
		status = take_sample(worker, answer, check, sample, err);
	else if (status == OK)
		status = look_into(worker, trial, fate, err);
	cJSON_Delete(answer);
	return status;
}

enum status worker_time(struct worker *worker, const struct trial *trial, bool new_base, bool candidate_first, bool check,
                        struct sample *sample, struct fate *fate, struct error *err)
{
	return time_pair(worker, trial, new_base, candidate_first, check, false, sample, fate, err);
}

enum status worker_control(struct worker *worker, const struct trial *trial, bool new_base, bool first, struct sample *sample, struct fate *fate,
                           struct error *err)
{
	return time_pair(worker, trial, new_base, first, false, true, sample, fate, err);
}

enum status worker_count(struct worker *worker, const struct trial *trial, cJSON **counts, struct fate *fate, struct error *err)
{
	cJSON *answer = NULL;
	const unsigned ms = given(worker->options.run_ms, RUN_MS) * COUNT_FACTOR;
	enum status status = converse(worker, trial_word("count", trial), "counted", ms, &answer, fate, err);

	*counts = NULL;
	if (status == OK && answer != NULL) {
		*counts = cJSON_DetachItemFromObjectCaseSensitive(answer, "counts");
		if (*counts == NULL)
			status = error_set(err, R_WRK_PROTOCOL, "", "a worker counted nothing");
	} else if (status == OK) {
		status = probe(worker, err);
	}
	cJSON_Delete(answer);
	return status;
}
