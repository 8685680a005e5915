#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../base/clock.h"

enum { FILE_BYTES_MAX = 512 << 20, /* what it may write to one file */ ENVIRONMENT_MAX = 8 };

/* In the child, between fork and exec: only what is safe there. Writes errno to report and ends if it fails. */
static _Noreturn void become(const struct process *process, char *const *environment, int output, int report)
{
	const struct rlimit no_core = {0, 0};
	const struct rlimit file_size = {FILE_BYTES_MAX, FILE_BYTES_MAX};
	const struct rlimit memory = {process->memory, process->memory};
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (setpgid(0, 0) == 0 && chdir(process->directory) == 0 && setrlimit(RLIMIT_CORE, &no_core) == 0 &&
	    setrlimit(RLIMIT_FSIZE, &file_size) == 0 && nothing >= 0 && dup2(nothing, 0) == 0 && dup2(output, 1) == 1 &&
	    dup2(output, 2) == 2 && (process->memory == 0 || setrlimit(RLIMIT_AS, &memory) == 0) &&
	    (process->cage == NULL || cage_enter(process->cage))) {
		signal(SIGPIPE, SIG_DFL);
		execve(process->argv[0], (char *const *)(uintptr_t)process->argv, environment);
	}
	int error = errno;

	_exit(write(report, &error, sizeof error) == (ssize_t)sizeof error ? 127 : 126);
}

static void read_output(struct process *process, int from, pid_t child)
{
	int64_t stop = (int64_t)clock_ms() + (int64_t)process->deadline_s * 1000;
	struct pollfd poller = {.fd = from, .events = POLLIN};

	for (;;) {
		int64_t left = stop - (int64_t)clock_ms();
		int ready = left > 0 ? poll(&poller, 1, (int)(left < 60000 ? left : 60000)) : 0;
		char part[4096];

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready == 0 && stop > (int64_t)clock_ms())
			continue;
		if (ready == 0) {
			process->late = true;
			break;
		}
		ssize_t n = read(from, part, sizeof part);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		if (process->output.len + (size_t)n > PROCESS_OUTPUT_MAX) {
			process->flooded = true;
			break;
		}
		bytes_add(&process->output, part, (size_t)n);
	}
	/* It may have closed its output and live on, and whatever it started goes with it. */
	if (process->late || process->flooded)
		kill(-child, SIGKILL);
}

/* Waits for the child; after the deadline it is killed. Its group is killed before it is reaped, while its number, which is
 * the group's, cannot be another's yet. */
static int reap(struct process *process, pid_t child, int64_t stop)
{
	int state = 0;

	for (;;) {
		siginfo_t info = {0};

		if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child)
			break;
		if ((int64_t)clock_ms() >= stop) {
			process->late = true;
			break;
		}
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	}
	kill(-child, SIGKILL);
	while (waitpid(child, &state, 0) < 0 && errno == EINTR)
		;
	return state;
}

static enum status start(struct process *process, pid_t *child, int *output, struct error *err)
{
	char *temporary = mem_format("TMPDIR=%s", process->directory);
	char path[] = "PATH=/usr/local/bin:/usr/bin:/bin";
	char locale[] = "LC_ALL=C";
	char *environment[ENVIRONMENT_MAX + 4] = {path, locale, temporary};
	int out[2] = {-1, -1};
	int report[2] = {-1, -1};
	int failed = 0;

	for (size_t i = 0; process->environment != NULL && process->environment[i] != NULL && i < ENVIRONMENT_MAX; i++)
		environment[i + 3] = (char *)(uintptr_t)process->environment[i];
	if (pipe2(out, O_CLOEXEC) != 0 || pipe2(report, O_CLOEXEC) != 0)
		failed = errno;
	*child = failed == 0 ? fork() : -1;
	if (*child == 0)
		become(process, environment, out[1], report[1]);
	if (*child < 0 && failed == 0)
		failed = errno;
	free(temporary);
	close(out[1]);
	close(report[1]);
	if (failed == 0 && read(report[0], &failed, sizeof failed) == (ssize_t)sizeof failed)
		waitpid(*child, NULL, 0);
	close(report[0]);
	*output = out[0];
	if (failed == 0)
		return OK;
	if (out[0] >= 0)
		close(out[0]);
	errno = failed;
	return error_errno(err, R_TLC_RUN, process->argv[0], "start it");
}

enum status process_run(struct process *process, struct error *err)
{
	int64_t stop = (int64_t)clock_ms() + (int64_t)process->deadline_s * 1000;
	pid_t child;
	int output;
	enum status status = start(process, &child, &output, err);

	if (status != OK)
		return status;
	read_output(process, output, child);
	close(output);
	int state = reap(process, child, stop);

	process->signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
	process->exit_code = WIFEXITED(state) ? WEXITSTATUS(state) : 0;
	return OK;
}
