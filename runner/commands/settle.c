/* Put in its place what killed sessions left. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

#include "../base/plural.h"
#include "../command.h"
#include "../model/settle.h"

static void on_settled(void *context, const char *path, const struct keeper_left *left, const struct error *why)
{
	size_t *count = context;

	(*count)++;
	if (left == NULL) {
		error_print(why);
		return;
	}
	printf("%s: %" PRIu64 " exchange%s, %" PRIu64 " evaluation%s, %" PRIu64 " object%s are in their place\n", path, left->exchanges, plural(left->exchanges), left->evaluations,
	       plural(left->evaluations), left->objects, plural(left->objects));
}

static enum status run(int argc, char **argv)
{
	static const struct option none[] = {{0}};
	struct root bundle = {.fd = -1};
	struct error err = {0};
	size_t count = 0;

	opterr = 0;
	if (getopt_long(argc, argv, "", none, NULL) != -1)
		return command_usage(&command_settle, "'%s' is no option", command_option(argc, argv));
	if (argc - optind > 1)
		return command_usage(&command_settle, "one bundle at most");
	enum status status = root_open(optind < argc ? argv[optind] : ".", &bundle, &err);

	if (status == OK)
		status = settle_all(&bundle, on_settled, &count, &err);
	if (status == OK && count == 0)
		puts("nothing was left to settle");
	if (err.what[0] != '\0')
		error_print(&err);
	root_close(&bundle);
	return status;
}

const struct command command_settle = {
	.name = "settle",
	.run = run,
	.usage = "settle [BUNDLE]",
	.summary = "finish the record of sessions that were killed",
	.help =
		"While `query`, `record` or `mcp` goes on, what it keeps is in one file of the\n"
		"run's directory, exchanges.ahead or evaluations.ahead, and goes to its place from there.\n"
		"Where such a session was killed, this puts all that it kept in its place, and removes the\n"
		"file: exchanges, evaluations and objects. Taking the run up again does the same first.\n"
		"\n"
		"BUNDLE is the current directory where none is named. A session that goes on is left alone\n"
		"(exit 4). Nothing of a run is changed where a file of it is damaged, or has records that\n"
		"its write-ahead file knows nothing of (exit 3). The other runs are settled all the same.\n",
};
