/* The command table, and nothing that a command could do itself. */
#include "command.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct command *const commands[] = {
	&command_evaluate,
	&command_report,
	&command_verify,
	&command_derive,
	&command_claims,
	&command_table,
	&command_explain,
	&command_replay,
	&command_compare,
	&command_rebuild,
	&command_lower,
	&command_query,
	&command_inspect,
	&command_record,
	&command_mcp,
	&command_settle,
	&command_import,
	&command_export,
	&command_submit,
	&command_admit,
	&command_seal,
	&command_sign,
	&command_trust,
	&command_swhid,
	&command_log,
	&command_pack,
	&command_unpack,
	&command_bag,
	&command_keygen,
	&command_rules,
#ifdef PTXSEAL_CUDA
	&command_worker,
	&command_recorder,
#endif
	NULL,
};

static void print_list(FILE *out)
{
	fputs("usage: ptxseal COMMAND [OPTION...] [ARGUMENT...]\n"
	      "       ptxseal help COMMAND\n"
	      "\n"
	      "Evidence for LLM-written GPU kernels that a stranger can check.\n"
	      "\n",
	      out);
	for (size_t i = 0; commands[i] != NULL; i++)
		if (commands[i]->summary != NULL)
			fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\nExit codes: 0 it holds, 1 it does not, 2 wrong command line, 3 malformed input,\n"
	      "4 could not be tried here, 5 device unhealthy, 75 stopped half-way on request.\n",
	      out);
}

static const struct command *find(const char *name)
{
	for (size_t i = 0; commands[i] != NULL; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

enum status command_usage(const struct command *command, const char *fmt, ...)
{
	va_list args;

	fprintf(stderr, "ptxseal %s: ", command->name);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fprintf(stderr, "\nusage: ptxseal %s\nSee `ptxseal help %s`.\n", command->usage, command->name);
	return USAGE;
}

const char *command_option(int argc, char **argv)
{
	const char *word = optind < argc ? argv[optind] : "";
	const char *letter = word[0] == '-' && word[1] != '-' && optopt > 0 && optopt <= CHAR_MAX ? strchr(word + 1, optopt) : NULL;

	/* Within a word of several letters getopt has not passed it yet. */
	return letter != NULL && letter[1] != '\0' ? word : argv[optind - 1];
}

bool command_number(const char *text, uint32_t most, uint32_t *value)
{
	char *end;
	const unsigned long long read = strtoull(text, &end, 10);

	*value = (uint32_t)read;
	return text[0] >= '0' && text[0] <= '9' && *end == '\0' && read <= most;
}

static enum status help(int argc, char **argv)
{
	if (argc < 2) {
		print_list(stdout);
		return OK;
	}
	const struct command *command = find(argv[1]);

	if (command == NULL) {
		fprintf(stderr, "ptxseal: there is no command '%s'; `ptxseal help` lists them\n", argv[1]);
		return USAGE;
	}
	printf("usage: ptxseal %s\n\n%s", command->usage, command->help);
	return OK;
}

static enum status dispatch(int argc, char **argv)
{
	if (argc < 2) {
		print_list(stderr);
		return USAGE;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("ptxseal " PTXSEAL_VERSION);
		return OK;
	}
	if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return help(argc - 1, argv + 1);
	const struct command *command = find(argv[1]);

	if (command == NULL) {
		fprintf(stderr, "ptxseal: there is no command '%s'; `ptxseal help` lists them\n", argv[1]);
		return USAGE;
	}
	if (argc > 2 && strcmp(argv[2], "--help") == 0)
		return help(2, argv);
	return command->run(argc - 1, argv + 1);
}

/* Asked of standard output itself: errno may be of something later than the write that failed. */
static bool reader_left(void)
{
	struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
	const int error = errno;
	const bool left = poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;

	errno = error;
	return left;
}

int main(int argc, char **argv)
{
	/* A pipe without a reader, or a file that may not grow, does not end what is half-way through writing a bundle. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	enum status status = dispatch(argc, argv);

	/* A report that did not reach its reader is not a success; a reader that left, as head does, knows. */
	if (fflush(stdout) != 0 || ferror(stdout)) {
		if (!reader_left())
			fprintf(stderr, "ptxseal: the report could not be written: %s\n", strerrordesc_np(errno));
		return status == OK ? UNAVAILABLE : (int)status;
	}
	return (int)status;
}
