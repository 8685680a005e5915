#include <getopt.h>
#include <stdio.h>

#include "../bundle/swhid.h"
#include "../command.h"

static enum status run(int argc, char **argv)
{
	static const struct option options[] = {{0}};
	static const char *const bundle[] = {"artifact", "checksums", "manifests", "tasks", NULL};
	char text[SWHID_TEXT + 1];
	struct root root;
	struct error err;

	opterr = 0;
	if (getopt_long(argc, argv, "", options, NULL) != -1)
		return command_usage(&command_swhid, "'%s' is no option", command_option(argc, argv));
	if (argc - optind > 1)
		return command_usage(&command_swhid, "one directory at most");
	enum status status = root_open(optind < argc ? argv[optind] : ".", &root, &err);

	if (status == OK) {
		status = swhid_of(&root, bundle, text, &err);
		root_close(&root);
	}
	if (status == OK)
		puts(text);
	else
		error_print(&err);
	return status;
}

const struct command command_swhid = {
	.name = "swhid",
	.run = run,
	.usage = "swhid [DIR]",
	.summary = "print the bundle's Software Heritage identifier",
	.help =
		"Prints the SWHID of the bundle in DIR (the current directory): swh:1:dir: and the name of\n"
		"the git tree that holds artifact/, checksums/, manifests/ and tasks/ and nothing else.\n"
		"It is what git itself says of a directory that holds just these:\n"
		"\n"
		"  git init -q && git add -A && git write-tree\n"
		"\n"
		"and of a commit in which they stand among others:\n"
		"\n"
		"  git ls-tree HEAD artifact checksums manifests tasks | git mktree\n"
		"\n"
		"Exits 0 when printed, 1 if something stands there that git would not keep, 3 if DIR\n"
		"cannot be read.\n",
};
