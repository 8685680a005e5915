/* measure OUT COMMAND [ARGUMENT...]: run a command and write "<wall ms> <peak KiB> <exit code> <CPU ms>" to the file OUT.
 * Peak memory is the kernel's ru_maxrss of the command and what it waited for. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	int state;

	if (argc < 3) {
		fputs("usage: measure OUT COMMAND [ARGUMENT...]\n", stderr);
		return 2;
	}
	double start = now_ms();
	pid_t child = fork();

	if (child == 0) {
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &state, 0) != child) {
		perror("measure");
		return 4;
	}
	double wall = now_ms() - start;

	getrusage(RUSAGE_CHILDREN, &usage);
	double cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
	             (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
	FILE *out = fopen(argv[1], "w");
	int code = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);

	if (out == NULL || fprintf(out, "%.1f %ld %d %.1f\n", wall, usage.ru_maxrss, code, cpu) < 0 || fclose(out) != 0) {
		perror(argv[1]);
		return 4;
	}
	return code;
}
