/* What main.c and commands/ share. A command gets its own arguments (argv[0] is its name), prints its report to standard output and
 * errors to standard error, and returns the exit code. */
#ifndef PTXSEAL_COMMAND_H
#define PTXSEAL_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct command {
	const char *name;
	enum status (*run)(int argc, char **argv);
	const char *usage;   /* "verify [--json] [--key FILE] [DIR]" */
	const char *summary; /* one line for the list; NULL for what the program itself starts */
	const char *help;    /* the text of `ptxseal help NAME`, wrapped at 80 columns, newline ended */
};

extern const struct command command_import, command_export, command_derive, command_claims, command_explain,
	command_verify, command_seal, command_keygen, command_rules, command_inspect, command_evaluate, command_replay, command_compare,
	command_rebuild, command_log, command_pack, command_unpack, command_bag, command_worker;
extern const struct command command_report, command_lower, command_recorder, command_query, command_table;
extern const struct command command_sign, command_trust, command_swhid, command_submit, command_admit, command_record, command_mcp, command_settle;

/* All commands in the order of the list, NULL-terminated. */
extern const struct command *const commands[];

/* Print "ptxseal NAME: MESSAGE" and the usage to standard error; returns USAGE. */
enum status command_usage(const struct command *command, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The word of the command line at which getopt_long just gave up. */
const char *command_option(int argc, char **argv);

/* An option's value: a whole number of at most so much, in digits; false if it is none. */
bool command_number(const char *text, uint32_t most, uint32_t *value);

#endif
