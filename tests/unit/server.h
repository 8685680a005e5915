/* A server of tests/servers as a child: it ends when its standard input is closed, at the latest with this process. */
#ifndef PTXSEAL_TESTS_SERVER_H
#define PTXSEAL_TESTS_SERVER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct server {
	pid_t pid;
	int input;
	char told[256]; /* its first line: port or path */
};

/* arguments: script first, NULL-terminated. */
static inline void server_start(struct server *server, const char *const *arguments)
{
	const char *command[16] = {getenv("PYTHON") != NULL ? getenv("PYTHON") : "python3"};
	int in[2], out[2];

	for (size_t i = 0; arguments[i] != NULL && i < 14; i++)
		command[i + 1] = arguments[i];
	assert_int_equal(pipe(in), 0);
	assert_int_equal(pipe(out), 0);
	server->pid = fork();
	assert_true(server->pid >= 0);
	if (server->pid == 0) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		close(in[1]);
		close(out[0]);
		execvp(command[0], (char *const *)(uintptr_t)command);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	server->input = in[1];
	FILE *told = fdopen(out[0], "r");

	if (fgets(server->told, sizeof server->told, told) == NULL)
		fail_msg("the server %s did not start", arguments[0]);
	server->told[strcspn(server->told, "\n")] = '\0';
	fclose(told);
}

static inline void server_stop(struct server *server)
{
	int status;

	close(server->input);
	assert_int_equal(waitpid(server->pid, &status, 0), server->pid);
}

#endif
