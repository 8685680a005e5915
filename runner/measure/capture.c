#include "capture.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/jcs.h"
#include "recorder/recorder.h"

/*
 * Addresses of a device that is not there. Linux on x86-64 and aarch64 maps nothing between a program's own place and its libraries', terabytes apart, unless asked to, so that the
 * host that touches one of them dies. Two takes share no address, and differ in their lower and upper halves; both are aligned as cuMemAlloc promises and no more.
 */
static const uint64_t bases[2] = {UINT64_C(0x200012340000), UINT64_C(0x3000A5C3E100)};
enum { GAP = 64 << 20 };

uint64_t capture_address(const struct problem *problem, unsigned take, size_t tensor)
{
	uint64_t address = bases[take];

	for (size_t i = 0; i < tensor; i++)
		address += (problem->tensors[i].bytes / GAP + 2) * GAP + 256 * take * (i + 1);
	return address;
}

/* ---- the request ---- */

static void add_number(cJSON *object, const char *key, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof text, "%" PRIu64, value);
	if (key != NULL)
		cJSON_AddStringToObject(object, key, text);
	else
		cJSON_AddItemToArray(object, cJSON_CreateString(text));
}

static void add_functions(cJSON *request, const struct ptx *ptx)
{
	cJSON *list = cJSON_AddArrayToObject(request, "functions");

	for (size_t i = 0; i < ptx->entries; i++) {
		cJSON *function = cJSON_CreateObject();
		cJSON *sizes = cJSON_AddArrayToObject(function, "sizes");

		cJSON_AddStringToObject(function, "name", ptx->entry[i].name);
		for (size_t j = 0; j < ptx->entry[i].parameters; j++)
			add_number(sizes, NULL, ptx->entry[i].parameter[j].size);
		cJSON_AddItemToArray(list, function);
	}
}

static void add_device(cJSON *request, const struct device_table *device)
{
	cJSON *list = cJSON_AddArrayToObject(request, "attributes");

	cJSON_AddStringToObject(request, "device", device->name);
	for (size_t i = 0; i < device->count; i++) {
		cJSON *one = cJSON_CreateObject();

		add_number(one, "attribute", (uint64_t)device->at[i].attribute);
		add_number(one, "value", (uint64_t)device->at[i].value);
		cJSON_AddItemToArray(list, one);
	}
}

/* dlpack.h: DLDataTypeCode. */
static uint64_t type_code(enum dtype dtype)
{
	static const uint64_t codes[DTYPE_COUNT] = {[DTYPE_BF16] = 4, [DTYPE_F32] = 2, [DTYPE_E4M3] = 10};

	return codes[dtype];
}

static void add_tensors(cJSON *request, const struct problem *problem, unsigned take)
{
	cJSON *list = cJSON_AddArrayToObject(request, "tensors");

	for (size_t i = 0; i < problem->tensor_count; i++) {
		const struct tensor *tensor = &problem->tensors[i];
		cJSON *one = cJSON_CreateObject();
		cJSON *dims = cJSON_AddArrayToObject(one, "dims");

		add_number(one, "address", capture_address(problem, take, i));
		add_number(one, "code", type_code(tensor->dtype));
		add_number(one, "bits", 8 * dtype_bytes(tensor->dtype));
		for (unsigned j = 0; j < tensor->rank; j++)
			add_number(dims, NULL, tensor->dims[j]);
		cJSON_AddItemToArray(list, one);
	}
}

static enum status make_request(const struct capture_options *options, const struct problem *problem, struct bytes *text, struct error *err)
{
	cJSON *request = cJSON_CreateObject();

	add_functions(request, options->ptx);
	add_device(request, options->device);
	add_tensors(request, problem, options->take);
	add_number(request, "heap", capture_address(problem, options->take, problem->tensor_count));
	add_number(request, "seed", UINT64_C(0x5EA1) << 32 | (uint64_t)options->take << 31);
	add_number(request, "cuda", (uint64_t)options->cuda_major);
	cJSON_AddStringToObject(request, "tvm", options->tvm_library);
	const enum status status = jcs_write(request, text, err);

	cJSON_Delete(request);
	return status;
}

/* ---- the child ---- */

static enum status memory_of(const char *name, const struct bytes *bytes, int *fd, struct error *err)
{
	const int made = memfd_create(name, MFD_CLOEXEC);

	*fd = made >= 0 ? fcntl(made, F_DUPFD_CLOEXEC, CAPTURE_END) : -1;
	if (made >= 0)
		close(made);
	if (*fd < 0)
		return error_errno(err, R_WRK_START, "", "making memory for the recorder");
	for (size_t done = 0; done < bytes->len;) {
		const ssize_t n = write(*fd, bytes->data + done, bytes->len - done);

		if (n <= 0)
			return error_errno(err, R_WRK_START, "", "filling memory for the recorder");
		done += (size_t)n;
	}
	return lseek(*fd, 0, SEEK_SET) == 0 ? OK : error_errno(err, R_WRK_START, "", "rewinding memory");
}

static int plan_descriptors(posix_spawn_file_actions_t *actions, int record, int request, int code)
{
	int rc = 0;

	for (int fd = 0; fd < 3 && rc == 0; fd++)
		rc = posix_spawn_file_actions_addopen(actions, fd, "/dev/null", fd == 0 ? O_RDONLY : O_WRONLY, 0);
	if (rc == 0)
		rc = posix_spawn_file_actions_adddup2(actions, record, CAPTURE_RECORD);
	if (rc == 0)
		rc = posix_spawn_file_actions_adddup2(actions, request, CAPTURE_REQUEST);
	if (rc == 0)
		rc = posix_spawn_file_actions_adddup2(actions, code, CAPTURE_CODE);
	return rc == 0 ? posix_spawn_file_actions_addclosefrom_np(actions, CAPTURE_END) : rc;
}

/* Nothing of our environment but what sanitizers of test builds read; what they would do at the end asks more of the system than the child may. */
static enum status spawn(const struct capture_options *options, int record, int request, int code, pid_t *child, struct error *err)
{
	const char *program = options->program != NULL ? options->program : "/proc/self/exe";
	const char *sanitizer = getenv("ASAN_OPTIONS");
	char *const argv[] = {(char[]){"ptxseal"}, (char[]){"recorder"}, NULL};
	char *extra = sanitizer != NULL ? mem_format("ASAN_OPTIONS=%s:detect_leaks=0:handle_segv=0:handle_abort=0", sanitizer) : NULL;
	char *const environment[] = {(char[]){"LC_ALL=C"}, extra, NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;

	sigemptyset(&none);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawn_file_actions_init(&actions);
	int rc = plan_descriptors(&actions, record, request, code);

	if (rc == 0)
		rc = posix_spawn(child, program, &actions, &attributes, argv, environment);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	free(extra);
	if (rc == 0)
		return OK;
	errno = rc;
	return error_errno(err, R_WRK_START, program, "starting the recorder");
}

enum ending { ENDED, LATE, FLOODED };

/* Until the child's end of the pipe is closed, time is up, or it is too much. */
static enum ending read_record(int from, int64_t stop, struct bytes *record)
{
	for (;;) {
		struct pollfd poller = {.fd = from, .events = POLLIN};
		const int64_t left = stop - (int64_t)clock_ms();
		char part[65536];

		if (left <= 0)
			return LATE;
		if (poll(&poller, 1, (int)left) <= 0)
			continue;
		const ssize_t n = read(from, part, sizeof part);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return ENDED;
		if (record->len + (size_t)n > RECORDER_TEXT_MAX + 4096)
			return FLOODED;
		bytes_add(record, part, (size_t)n);
	}
}

/* It may have closed its descriptors and live on. */
static bool wait_for(pid_t child, int64_t stop, int *state)
{
	while (waitpid(child, state, WNOHANG) != child) {
		if ((int64_t)clock_ms() >= stop) {
			kill(child, SIGKILL);
			while (waitpid(child, state, 0) < 0 && errno == EINTR)
				;
			return false;
		}
		nanosleep(&(const struct timespec){.tv_nsec = 1000000}, NULL);
	}
	return true;
}

static enum status judge(enum ending ending, int state, const struct bytes *record, unsigned deadline_ms, struct error *err)
{
	if (ending == LATE)
		return error_set(err, R_LOW_END, "", "host code was not at its end after %u ms", deadline_ms);
	if (ending == FLOODED)
		return error_set(err, R_LOW_RECORD, "", "the record has more than %d bytes", RECORDER_TEXT_MAX);
	if (WIFSIGNALED(state) && WTERMSIG(state) == SIGSYS)
		return error_set(err, R_LOW_REACH, "", "host code asked the system for something other than memory (a file, a socket, a thread, a program)");
	if (WIFSIGNALED(state))
		return error_set(err, R_LOW_END, "", "host code was ended by signal %d (%s)", WTERMSIG(state), sigabbrev_np(WTERMSIG(state)));
	if (WEXITSTATUS(state) != 0 || record->len == 0)
		return error_set(err, R_LOW_END, "", "host code ended the process, with code %d", WEXITSTATUS(state));
	return OK;
}

static enum status listen_to(const struct capture_options *options, pid_t child, int from, struct bytes *record, struct error *err)
{
	const unsigned deadline = options->deadline_ms != 0 ? options->deadline_ms : CAPTURE_DEADLINE_MS;
	const int64_t stop = (int64_t)clock_ms() + deadline;
	enum ending ending = read_record(from, stop, record);
	int state = 0;

	/* What has said too much, or nothing in time, is ended now. */
	if (!wait_for(child, ending == ENDED ? stop : 0, &state) && ending == ENDED)
		ending = LATE;
	return judge(ending, state, record, deadline, err);
}

enum status capture_run(const struct capture_options *options, const struct problem *problem, struct bytes *record, struct error *err)
{
	struct bytes request = {0};
	int fd_request = -1, fd_code = -1, ends[2] = {-1, -1};
	pid_t child = 0;

	*record = (struct bytes){0};
#ifndef PTXSEAL_CUDA
	return error_set(err, R_LOW_TOOLS, "", "this program was built without CUDA's headers, of which the recorder is made");
#endif
	enum status status = make_request(options, problem, &request, err);

	if (status == OK)
		status = memory_of("request", &request, &fd_request, err);
	if (status == OK)
		status = memory_of("code", options->code, &fd_code, err);
	if (status == OK && pipe2(ends, O_CLOEXEC) != 0)
		status = error_errno(err, R_WRK_START, "", "making a pipe");
	if (status == OK) {
		const int to = fcntl(ends[1], F_DUPFD_CLOEXEC, CAPTURE_END);

		status = spawn(options, to, fd_request, fd_code, &child, err);
		close(to);
	}
	if (ends[1] >= 0)
		close(ends[1]);
	if (status == OK)
		status = listen_to(options, child, ends[0], record, err);
	if (ends[0] >= 0)
		close(ends[0]);
	if (fd_request >= 0)
		close(fd_request);
	if (fd_code >= 0)
		close(fd_code);
	bytes_free(&request);
	return status;
}
