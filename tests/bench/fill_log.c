/* fill_log DIR KEYFILE COUNT: append that many entries of 200 bytes to a log, in one go. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/append.h"

enum { LENGTH = 200 };

int main(int argc, char **argv)
{
	struct error err = {0};
	struct root root;
	struct tlog log;
	struct key key;
	uint64_t index;

	if (argc != 4) {
		fputs("usage: fill_log DIR KEYFILE COUNT\n", stderr);
		return 2;
	}
	const size_t count = strtoul(argv[3], NULL, 10);
	struct entry *entries = mem_array(NULL, count, sizeof *entries);
	char(*texts)[LENGTH + 1] = mem_array(NULL, count, sizeof *texts);

	for (size_t i = 0; i < count; i++) {
		snprintf(texts[i], sizeof texts[i], "%0*zu", LENGTH, i);
		entries[i] = (struct entry){texts[i], LENGTH};
	}
	if (key_read_private(argv[2], &key, &err) != OK || root_open(argv[1], &root, &err) != OK || tlog_open(&root, "", NULL, &log, &err) != OK ||
	    tlog_append(&log, entries, count, &key, &index, &err) != OK) {
		error_print(&err);
		return 1;
	}
	tlog_close(&log);
	root_close(&root);
	key_free(&key);
	free(entries);
	free(texts);
	return 0;
}
