/* A directory of a test's own, and what is in it. */
#ifndef PTXSEAL_TESTS_SCRATCH_H
#define PTXSEAL_TESTS_SCRATCH_H

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file.h"

/* Made anew; free() the name after scratch_remove. */
static inline char *scratch_make(void)
{
	char *name = mem_text("/tmp/ptxseal-test-XXXXXX");

	assert_non_null(mkdtemp(name));
	return name;
}

static inline void scratch_remove(char *name)
{
	char *command = mem_format("rm -rf -- %s", name);

	assert_int_equal(system(command), 0);
	free(command);
	free(name);
}

/* How many of its files hold these bytes. */
static inline size_t scratch_holding(const char *name, const char *text)
{
	struct root root;
	struct file_list list = {0};
	size_t count = 0;

	assert_int_equal(root_open(name, &root, NULL), OK);
	assert_int_equal(root_list(&root, "", &list, NULL), OK);
	for (size_t i = 0; i < list.count; i++) {
		struct bytes bytes = {0};

		if (list.at[i].kind != FILE_REGULAR)
			continue;
		assert_int_equal(root_read(&root, list.at[i].path, 1 << 30, &bytes, NULL), OK);
		count += bytes.len > 0 && memmem(bytes.data, bytes.len, text, strlen(text)) != NULL;
		bytes_free(&bytes);
	}
	file_list_free(&list);
	root_close(&root);
	return count;
}

#endif
