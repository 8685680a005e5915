/* Files held in memory in place of a directory, or over one (base/kept.h). */
#include "unit.h"

#include <unistd.h>

#include "scratch.h"

#include "base/kept.h"

static struct bytes text_of(const char *text)
{
	struct bytes bytes = {0};

	bytes_text(&bytes, text);
	return bytes;
}

static void expect_read(const struct root *root, const char *path, const char *text)
{
	struct bytes out = {0};

	assert_int_equal(root_read(root, path, 100, &out, NULL), OK);
	assert_int_equal(out.len, strlen(text));
	assert_memory_equal(out.data, text, out.len);
	bytes_free(&out);
}

static char *names(const struct root *root, const char *path)
{
	struct bytes out = {0};
	struct file_list list;

	root_list_past(root, path, &list);
	for (size_t i = 0; i < list.count; i++)
		bytes_format(&out, "%s%s ", list.at[i].path, list.at[i].kind == FILE_DIRECTORY ? "/" : "");
	bytes_char(&out, '\0');
	file_list_free(&list);
	return out.data;
}

static void expect_names(const struct root *root, const char *path, const char *expected)
{
	char *are = names(root, path);

	assert_string_equal(are, expected);
	free(are);
}

static void in_place_of_a_directory_there_is_nothing_else(void **state)
{
	struct kept_file files[] = {{.path = "a/b", .size = 1, .held = true, .text = text_of("B")}, {.path = "c", .size = 9}};
	const struct kept kept = {.at = files, .count = 2};
	struct bytes out = {0};
	struct root root;
	struct error err;

	(void)state;
	kept_open(&kept, "k", &root);
	expect_names(&root, "", "a/ a/b c ");
	expect_read(&root, "a/b", "B");
	assert_int_not_equal(root_read(&root, "b", 100, &out, &err), OK);
	assert_int_equal(err.rule, R_IO_OPEN);
	/* It is known to be there, and no more. */
	assert_int_not_equal(root_read(&root, "c", 100, &out, &err), OK);
	assert_int_equal(err.rule, R_PCK_KEPT);
	assert_int_not_equal(root_read(&root, "a/b", 0, &out, &err), OK);
	assert_int_equal(err.rule, R_IO_SIZE);
	root_close(&root);
	bytes_free(&files[0].text);
	bytes_free(&out);
}

/* Over a directory: its own files come first, those of another directory are read there, by another name, and what is not kept is the directory's. */
static void over_a_directory_both_are_there(void **state)
{
	char *below = scratch_make(), *beside = scratch_make();
	struct root under, other;
	uint64_t size;
	int fd;

	(void)state;
	assert_int_equal(root_open(below, &under, NULL), OK);
	assert_int_equal(root_open(beside, &other, NULL), OK);
	assert_int_equal(root_write(&under, "a/own", "own", 3, NULL), OK);
	assert_int_equal(root_write(&under, "a/same", "below", 5, NULL), OK);
	assert_int_equal(root_write(&other, "x", "beside", 6, NULL), OK);
	struct kept_file files[] = {{.path = "a/new", .size = 6, .home = &other, .there = "x"},
	                            {.path = "a/same", .size = 5, .held = true, .text = text_of("above")},
	                            {.path = "b/c/d", .size = 1, .held = true, .text = text_of("D")}};
	const struct kept kept = {.at = files, .count = 3};
	const struct root root = kept_over(&kept, &under);

	expect_names(&root, "", "a/ a/new a/own a/same b/ b/c/ b/c/d ");
	expect_names(&root, "b", "b/c/ b/c/d ");
	expect_read(&root, "a/own", "own");
	expect_read(&root, "a/same", "above");
	expect_read(&root, "a/new", "beside");
	assert_int_equal(root_open_file(&root, "a/new", &fd, &size, NULL), OK);
	assert_int_equal(size, 6);
	close(fd);
	assert_non_null(kept_find(&kept, "b/c/d"));
	assert_null(kept_find(&kept, "b/c"));
	/* Nothing of it is on the disk. */
	expect_read(&under, "a/same", "below");
	expect_names(&under, "", "a/ a/own a/same ");
	bytes_free(&files[1].text);
	bytes_free(&files[2].text);
	root_close(&under);
	root_close(&other);
	scratch_remove(below);
	scratch_remove(beside);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_place_of_a_directory_there_is_nothing_else),
		cmocka_unit_test(over_a_directory_both_are_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
