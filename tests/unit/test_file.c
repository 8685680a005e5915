/* R-PTH-001, R-PTH-002, R-IO-001, R-IO-003, R-IO-004, R-IO-005: files beneath a directory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static char scratch[] = "/tmp/ptxseal-test-file-XXXXXX";
static struct root root;

static int set_up(void **state)
{
	(void)state;
	struct error err;

	return mkdtemp(scratch) != NULL && root_open(scratch, &root, &err) == OK ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	char *command = mem_format("rm -rf '%s'", scratch);
	int rc = system(command);

	free(command);
	root_close(&root);
	return rc;
}

static void path_rule_refuses_every_bad_form(void **state)
{
	(void)state;
	static const char *const good[] = {"a", "a/b", "a/..b", ".hidden", "...", "a b", "a\\b", "a\nb", "\xC3\xA9"};
	static const char *const bad[] = {"",       "/a",  "a/",   "a//b", ".",    "..",       "a/.",
	                                  "./a",    "a/../b", "../a", "a/..", "\xFF", "\xC0\xAF"};
	char longest[PATH_BYTES_MAX + 2];

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		assert_true(path_valid(good[i], strlen(good[i])));
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(path_valid(bad[i], strlen(bad[i])));
	assert_false(path_valid("a\0b", 3));
	memset(longest, 'a', sizeof longest);
	assert_true(path_valid(longest, PATH_BYTES_MAX));
	assert_false(path_valid(longest, PATH_BYTES_MAX + 1));
}

static void written_file_reads_back_and_leaves_no_temporary(void **state)
{
	(void)state;
	struct error err;
	struct bytes out = {0};
	struct file_list list;

	assert_int_equal(root_write(&root, "w/x/one.txt", "first", 5, &err), OK);
	assert_int_equal(root_write(&root, "w/x/one.txt", "second", 6, &err), OK);
	assert_int_equal(root_read(&root, "w/x/one.txt", 6, &out, &err), OK);
	assert_int_equal(out.len, 6);
	assert_string_equal(out.data, "second");
	bytes_free(&out);
	assert_int_equal(root_list(&root, "w", &list, &err), OK);
	assert_int_equal(list.count, 2);
	assert_string_equal(list.at[0].path, "w/x");
	assert_string_equal(list.at[1].path, "w/x/one.txt");
	assert_int_equal(list.at[1].size, 6);
	file_list_free(&list);
}

static void failed_write_keeps_what_stood_there(void **state)
{
	(void)state;
	struct error err;
	struct file_list list;

	/* The target is a directory: rename fails after the temporary file was written. */
	assert_int_equal(root_write(&root, "d/target/inner", "x", 1, &err), OK);
	assert_int_equal(root_write(&root, "d/target", "y", 1, &err), UNAVAILABLE);
	assert_int_equal(err.rule, R_IO_WRITE);
	assert_int_equal(root_list(&root, "d", &list, &err), OK);
	assert_int_equal(list.count, 2);
	assert_string_equal(list.at[1].path, "d/target/inner");
	file_list_free(&list);
}

/* Only where nothing is; what is there stays, nothing is made on the way, no link is followed; of a write that fails a part may stay. */
static void a_new_file_is_new(void **state)
{
	(void)state;
	const struct rlimit little = {4, RLIM_INFINITY};
	struct rlimit before;
	struct bytes out = {0};
	struct file_list list;

	assert_int_equal(root_write(&root, "n/old", "old", 3, NULL), OK);
	assert_int_equal(symlinkat("n", root.fd, "to-n"), 0);
	assert_int_equal(symlinkat("new", root.fd, "n/link"), 0);
	assert_true(root_write_new(&root, "n/new", "new", 3));
	assert_false(root_write_new(&root, "n/old", "new", 3));
	assert_false(root_write_new(&root, "n/link", "new", 3));
	assert_false(root_write_new(&root, "n/none/file", "new", 3));
	assert_false(root_write_new(&root, "to-n/through", "new", 3));
	assert_false(root_write_new(&root, "n/../up", "new", 3));
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	setrlimit(RLIMIT_FSIZE, &little);
	assert_false(root_write_new(&root, "n/too-long", "12345", 5));
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(root_list(&root, "n", &list, NULL), OK);
	assert_int_equal(list.count, 4);
	assert_string_equal(list.at[0].path, "n/link");
	assert_string_equal(list.at[1].path, "n/new");
	assert_string_equal(list.at[2].path, "n/old");
	assert_string_equal(list.at[3].path, "n/too-long");
	assert_int_equal(root_read(&root, "n/old", 10, &out, NULL), OK);
	assert_int_equal(root_read(&root, "n/new", 10, &out, NULL), OK);
	assert_int_equal(root_read(&root, "n/too-long", 10, &out, NULL), OK);
	assert_string_equal(out.data, "oldnew1234");
	bytes_free(&out);
	file_list_free(&list);
}

static void larger_than_the_limit_is_refused(void **state)
{
	(void)state;
	struct error err;
	struct bytes out = {0};

	assert_int_equal(root_write(&root, "big", "12345", 5, &err), OK);
	assert_int_equal(root_read(&root, "big", 4, &out, &err), MALFORMED);
	assert_int_equal(err.rule, R_IO_SIZE);
	assert_string_equal(err.file, "big");
	bytes_free(&out);
}

static void links_lead_nowhere(void **state)
{
	(void)state;
	struct error err;
	struct bytes out = {0};
	static const char *const through[] = {"real/link", "alias/file", "etc/passwd"};

	assert_int_equal(root_write(&root, "real/file", "x", 1, &err), OK);
	assert_int_equal(symlinkat("file", root.fd, "real/link"), 0);
	assert_int_equal(symlinkat("real", root.fd, "alias"), 0);
	assert_int_equal(symlinkat("/etc", root.fd, "etc"), 0);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(root_read(&root, through[i], 1 << 20, &out, &err), MALFORMED);
		assert_int_equal(err.rule, R_PATH_ESCAPE);
	}
	assert_int_equal(root_read(&root, "../file", 10, &out, &err), MALFORMED);
	assert_int_equal(err.rule, R_PATH_FORM);
	assert_int_not_equal(root_write(&root, "alias/new", "x", 1, &err), OK);
	assert_int_equal(err.rule, R_PATH_ESCAPE);
	assert_int_equal(root_read(&root, "real/new", 10, &out, &err), MALFORMED);
	assert_int_equal(err.rule, R_IO_OPEN);
	bytes_free(&out);
}

static void pipes_and_directories_are_no_files(void **state)
{
	(void)state;
	struct error err;
	struct bytes out = {0};
	struct file_list list;

	assert_int_equal(mkdirat(root.fd, "kinds", 0777), 0);
	assert_int_equal(mkfifoat(root.fd, "kinds/pipe", 0600), 0);
	assert_int_equal(root_read(&root, "kinds/pipe", 10, &out, &err), MALFORMED); /* and does not hang */
	assert_int_equal(err.rule, R_IO_KIND);
	assert_int_equal(root_read(&root, "kinds", 10, &out, &err), MALFORMED);
	assert_int_equal(err.rule, R_IO_KIND);
	assert_int_equal(root_list(&root, "kinds", &list, &err), OK);
	assert_int_equal(list.count, 1);
	assert_int_equal(list.at[0].kind, FILE_OTHER);
	file_list_free(&list);
	bytes_free(&out);
}

static void listing_is_sorted_by_bytes(void **state)
{
	(void)state;
	struct error err;
	struct file_list list;
	static const char *const names[] = {"s/b", "s/a/z", "s/a.c", "s/B", "s/\xC3\xA9"};
	static const char *const sorted[] = {"s/B", "s/a", "s/a.c", "s/a/z", "s/b", "s/\xC3\xA9"};

	for (size_t i = 0; i < 5; i++)
		assert_int_equal(root_write(&root, names[i], "", 0, &err), OK);
	assert_int_equal(root_list(&root, "s", &list, &err), OK);
	assert_int_equal(list.count, 6);
	for (size_t i = 0; i < 6; i++)
		assert_string_equal(list.at[i].path, sorted[i]);
	file_list_free(&list);
	assert_int_equal(root_list(&root, "not there", &list, &err), OK);
	assert_int_equal(list.count, 0);
}

static void private_file_gets_its_mode(void **state)
{
	(void)state;
	struct error err;
	struct stat st;
	char *name = mem_format("%s/secret", scratch);

	assert_int_equal(file_write(name, 0600, "s", 1, &err), OK);
	assert_int_equal(stat(name, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	free(name);
}

/* One directory that nests too deep hides what is beneath it, and nothing else. */
static void a_faulty_directory_hides_itself_alone(void **state)
{
	(void)state;
	struct error err;
	struct file_list list;
	struct bytes deep = {0};
	size_t faults = 0;

	bytes_text(&deep, "past");
	for (int i = 0; i < 70; i++)
		bytes_text(&deep, "/d");
	bytes_text(&deep, "/file");
	assert_int_equal(root_write(&root, deep.data, "x", 1, &err), OK);
	assert_int_equal(root_write(&root, "past/z", "x", 1, &err), OK);
	assert_int_equal(root_list(&root, "past", &list, &err), MALFORMED);
	assert_int_equal(err.rule, R_PATH_FORM);
	assert_int_equal(list.count, 0);
	root_list_past(&root, "past", &list);
	assert_int_equal(list.count, 66); /* 65 directories and z */
	assert_string_equal(list.at[65].path, "past/z");
	for (size_t i = 0; i < list.count; i++)
		faults += list.at[i].fault != NULL;
	assert_int_equal(faults, 1);
	assert_int_equal(list.at[64].fault->rule, R_PATH_FORM);
	assert_string_equal(list.at[64].fault->file, list.at[64].path);
	file_list_free(&list);
	/* The listed directory itself. */
	root_list_past(&root, "past/z", &list);
	assert_int_equal(list.count, 1);
	assert_string_equal(list.at[0].path, "past/z");
	assert_int_equal(list.at[0].fault->rule, R_IO_OPEN);
	file_list_free(&list);
	bytes_free(&deep);
}

/* R-IO-007, wherever a name comes from the command line. */
static void an_empty_name_is_refused(void **state)
{
	(void)state;
	struct root none;
	struct bytes out = {0};
	struct error err;

	assert_int_equal(root_open("", &none, &err), USAGE);
	assert_int_equal(err.rule, R_IO_NAME);
	assert_int_equal(none.fd, -1);
	assert_int_equal(root_create("", &none, &err), USAGE);
	assert_int_equal(err.rule, R_IO_NAME);
	assert_int_equal(none.fd, -1);
	/* A FIFO is not waited for, and a device without end not read. */
	char name[] = "/tmp/ptxseal-test-fifo-XXXXXX";

	assert_non_null(mkdtemp(name));
	char *fifo = mem_format("%s/fifo", name);

	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(file_read(fifo, 10, &out, &err), MALFORMED);
	assert_int_equal(err.rule, R_IO_KIND);
	assert_int_equal(file_read("/dev/zero", 10, &out, &err), MALFORMED);
	assert_int_equal(err.rule, R_IO_KIND);
	unlink(fifo);
	rmdir(name);
	free(fifo);
	assert_int_equal(file_read("", 10, &out, &err), USAGE);
	assert_int_equal(err.rule, R_IO_NAME);
	assert_int_equal(file_write("", 0600, "s", 1, &err), USAGE);
	assert_int_equal(err.rule, R_IO_NAME);
	bytes_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(path_rule_refuses_every_bad_form),
		cmocka_unit_test(written_file_reads_back_and_leaves_no_temporary),
		cmocka_unit_test(failed_write_keeps_what_stood_there),
		cmocka_unit_test(a_new_file_is_new),
		cmocka_unit_test(larger_than_the_limit_is_refused),
		cmocka_unit_test(links_lead_nowhere),
		cmocka_unit_test(pipes_and_directories_are_no_files),
		cmocka_unit_test(listing_is_sorted_by_bytes),
		cmocka_unit_test(private_file_gets_its_mode),
		cmocka_unit_test(a_faulty_directory_hides_itself_alone),
		cmocka_unit_test(an_empty_name_is_refused),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
