/* Each layer that is in force forbids what sandbox.h says. A child process per case tries it. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "measure/sandbox.h"

enum { FORBIDDEN, ALLOWED, NOT_IN_FORCE };

/* What a child that put the sandbox on sees of a try: errno, or 0. */
static int try_in_sandbox(enum sandbox_layer layer, int (*attempt)(void))
{
	int status = 0;
	const pid_t child = fork();

	if (child == 0) {
		struct sandbox sandbox = {0};

		sandbox_before_driver(&sandbox);
		sandbox_before_code(&sandbox);
		_exit(!sandbox.in_force[layer] ? NOT_IN_FORCE : attempt() == 0 ? ALLOWED : FORBIDDEN);
	}
	assert_true(child > 0 && waitpid(child, &status, 0) == child);
	if (!WIFEXITED(status))
		fail_msg("the child was ended by signal %d", WTERMSIG(status));
	if (WEXITSTATUS(status) == NOT_IN_FORCE) {
		print_message("skipped: the host refuses the layer\n");
		skip();
	}
	return WEXITSTATUS(status);
}

static int make_file(void)
{
	char name[] = "/tmp/ptxseal-test-sandbox-XXXXXX";
	const int fd = mkstemp(name);

	if (fd < 0)
		return -1;
	unlink(name);
	return close(fd);
}

static int read_file(void)
{
	const int fd = open("/proc/self/exe", O_RDONLY);

	return fd < 0 ? -1 : close(fd);
}

static int write_device(void)
{
	const int fd = open("/dev/null", O_WRONLY);

	return fd < 0 ? -1 : close(fd);
}

static int write_own_name(void)
{
	const int fd = open("/proc/self/comm", O_WRONLY);

	return fd < 0 ? -1 : write(fd, "worker", 6) == 6 ? close(fd) : -1;
}

static int make_shared(void)
{
	const int fd = open("/dev/shm/ptxseal-test", O_CREAT | O_WRONLY, 0600);

	return fd < 0 ? -1 : unlink("/dev/shm/ptxseal-test");
}

static int make_socket(void)
{
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	return fd < 0 ? -1 : close(fd);
}

static int make_process(void)
{
	const pid_t child = fork();

	if (child == 0)
		_exit(0);
	return child < 0 ? -1 : waitpid(child, NULL, 0) == child ? 0 : -1;
}

static int run_program(void)
{
	/* Only comes back where it fails. */
	execl("/bin/true", "true", NULL);
	return -1;
}

static int signal_parent(void)
{
	return kill(getppid(), 0);
}

static void *nothing(void *argument)
{
	return argument;
}

static int make_thread(void)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, nothing, NULL) == 0 ? pthread_join(thread, NULL) : -1;
}

static int be_root(void)
{
	return geteuid() == 0 || setuid(0) == 0 ? 0 : -1;
}

static int core_files(void)
{
	struct rlimit limit = {0};

	return getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_max == 0 ? -1 : 0;
}

static int gain_rights(void)
{
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? -1 : 0;
}

/* Only lo is there, and it is down. */
static int see_network(void)
{
	FILE *file = fopen("/proc/self/net/dev", "r");
	char line[512];
	int interfaces = 0;

	while (file != NULL && fgets(line, sizeof line, file) != NULL)
		interfaces += strchr(line, ':') != NULL;
	if (file != NULL)
		fclose(file);
	return interfaces > 1 ? 0 : -1;
}

static void files(void **state)
{
	(void)state;
	assert_int_equal(try_in_sandbox(LAYER_LANDLOCK, make_file), FORBIDDEN);
	assert_int_equal(try_in_sandbox(LAYER_LANDLOCK, make_shared), FORBIDDEN);
	assert_int_equal(try_in_sandbox(LAYER_LANDLOCK, run_program), FORBIDDEN);
	assert_int_equal(try_in_sandbox(LAYER_LANDLOCK, read_file), ALLOWED);
	assert_int_equal(try_in_sandbox(LAYER_LANDLOCK, write_device), ALLOWED);
	assert_int_equal(try_in_sandbox(LAYER_LANDLOCK, write_own_name), ALLOWED);
}

static void system_calls(void **state)
{
	(void)state;
	assert_int_equal(try_in_sandbox(LAYER_SECCOMP, make_socket), FORBIDDEN);
	assert_int_equal(try_in_sandbox(LAYER_SECCOMP, make_process), FORBIDDEN);
	assert_int_equal(try_in_sandbox(LAYER_SECCOMP, run_program), FORBIDDEN);
	assert_int_equal(try_in_sandbox(LAYER_SECCOMP, signal_parent), FORBIDDEN);
	assert_int_equal(try_in_sandbox(LAYER_SECCOMP, make_thread), ALLOWED);
}

static void identity(void **state)
{
	(void)state;
	assert_int_equal(try_in_sandbox(LAYER_IDENTITY, be_root), FORBIDDEN);
}

static void limits(void **state)
{
	(void)state;
	assert_int_equal(try_in_sandbox(LAYER_LIMITS, core_files), FORBIDDEN);
}

static void rights(void **state)
{
	(void)state;
	assert_int_equal(try_in_sandbox(LAYER_NO_NEW_RIGHTS, gain_rights), FORBIDDEN);
}

static void network(void **state)
{
	(void)state;
	assert_int_equal(try_in_sandbox(LAYER_NAMESPACES, see_network), FORBIDDEN);
}

/* What was left out is said, and is no whole sandbox. */
static void left_out(void **state)
{
	(void)state;
	int status = 0;
	const pid_t child = fork();

	if (child == 0) {
		struct sandbox sandbox = {.without = (1u << LAYER_COUNT) - 1};

		sandbox_before_driver(&sandbox);
		sandbox_before_code(&sandbox);
		cJSON *facts = sandbox_facts(&sandbox);
		const bool said = strcmp(cJSON_GetStringValue(cJSON_GetObjectItem(facts, "seccomp")), "left out") == 0;

		cJSON_Delete(facts);
		_exit(said && !sandbox_whole(&sandbox) && make_socket() == 0 && make_file() == 0 ? 0 : 1);
	}
	assert_true(child > 0 && waitpid(child, &status, 0) == child);
	assert_int_equal(status, 0);
}

/* The two layers for code that has no business with the system. */
static int in_child(bool (*layer)(void), int (*attempt)(void))
{
	int status = 0;
	const pid_t child = fork();

	if (child == 0) {
		if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !layer())
			_exit(NOT_IN_FORCE);
		_exit(attempt() == 0 ? ALLOWED : FORBIDDEN);
	}
	assert_true(child > 0 && waitpid(child, &status, 0) == child);
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_IN_FORCE) {
		print_message("skipped: the host refuses the layer\n");
		skip();
	}
	return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static int use_memory(void)
{
	char *bytes = malloc(1 << 20);

	free(bytes);
	return bytes == NULL ? -1 : (int)write(STDOUT_FILENO, "", 0);
}

static void no_files(void **state)
{
	(void)state;
	assert_int_equal(in_child(sandbox_no_files, read_file), FORBIDDEN);
	assert_int_equal(in_child(sandbox_no_files, use_memory), ALLOWED);
}

static void memory_only(void **state)
{
	(void)state;
	assert_int_equal(in_child(sandbox_memory_only, read_file), -SIGSYS);
	assert_int_equal(in_child(sandbox_memory_only, use_memory), ALLOWED);
}

static int tell_time(void)
{
	return time(NULL) > 1 ? 0 : -1;
}

static int tell_time_finely(void)
{
	struct timespec now;

	return clock_gettime(CLOCK_MONOTONIC, &now);
}

static int ask_for_time(void)
{
	struct timespec now;

	return (int)syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
}

static int count_cycles(void)
{
#if defined(__x86_64__)
	return __builtin_ia32_rdtsc() != 0 ? 0 : -1;
#else
	return raise(SIGSEGV);
#endif
}

static void no_clocks(void **state)
{
	(void)state;
	assert_int_equal(in_child(sandbox_no_clocks, tell_time), -SIGSEGV);
	assert_int_equal(in_child(sandbox_no_clocks, tell_time_finely), -SIGSEGV);
	assert_int_equal(in_child(sandbox_no_clocks, count_cycles), -SIGSEGV);
	assert_int_equal(in_child(sandbox_memory_only, ask_for_time), -SIGSYS);
	assert_int_equal(in_child(sandbox_no_clocks, use_memory), ALLOWED);
}

static int limit_parent(void)
{
	const struct rlimit limit = {1 << 20, 1 << 20};
	struct rlimit was;

	return prlimit(getppid(), RLIMIT_CORE, &limit, &was);
}

static int limit_self(void)
{
	struct rlimit was;

	return prlimit(getpid(), RLIMIT_CORE, NULL, &was) == 0 && prlimit(0, RLIMIT_CORE, NULL, &was) == 0 ? 0 : -1;
}

static int signal_thread_of_parent(void)
{
	return (int)syscall(SYS_tgkill, getppid(), getppid(), 0);
}

static int signal_own_thread(void)
{
	return (int)syscall(SYS_tgkill, getpid(), gettid(), 0);
}

static int slow_parent(void)
{
	return setpriority(PRIO_PROCESS, (id_t)getppid(), 1);
}

static int change_rights(void)
{
	/* fchmodat2, of a name that is not there: refused before it is looked for. */
	return syscall(452, AT_FDCWD, "/nonesuch", 0777, 0) != 0 && errno == EPERM ? -1 : 0;
}

/* Others' limits, signals, priorities and files' rights; its own are its own. */
static void other_processes(void **state)
{
	(void)state;
	assert_int_equal(try_in_sandbox(LAYER_SECCOMP, limit_parent), FORBIDDEN);
	assert_int_equal(try_in_sandbox(LAYER_SECCOMP, limit_self), ALLOWED);
	assert_int_equal(try_in_sandbox(LAYER_SECCOMP, signal_thread_of_parent), FORBIDDEN);
	assert_int_equal(try_in_sandbox(LAYER_SECCOMP, signal_own_thread), ALLOWED);
	assert_int_equal(try_in_sandbox(LAYER_SECCOMP, slow_parent), FORBIDDEN);
	assert_int_equal(try_in_sandbox(LAYER_SECCOMP, change_rights), FORBIDDEN);
	assert_int_equal(in_child(sandbox_loading_only, limit_parent), -SIGSYS);
	assert_int_equal(in_child(sandbox_loading_only, read_file), ALLOWED);
	assert_int_equal(in_child(sandbox_loading_only, make_socket), -SIGSYS);
	assert_int_equal(in_child(sandbox_memory_only, signal_parent), -SIGSYS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_files), cmocka_unit_test(no_clocks), cmocka_unit_test(other_processes),
		cmocka_unit_test(memory_only), cmocka_unit_test(files),  cmocka_unit_test(system_calls), cmocka_unit_test(identity), cmocka_unit_test(limits),
		cmocka_unit_test(rights), cmocka_unit_test(network),      cmocka_unit_test(left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
