/* Sessions do not wait for a flush, up to a bound; nothing comes to its place before it is flushed, by a session or by what settles after it; a flush that fails ends the session (R_IO_WRITE). */
#include "unit.h"

#include "keeping.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>

/* The library's flush, in the place of the system's: it can be held up, and fail. */
static atomic_bool flush_waits, flush_fails;
static atomic_uint flushes;

int fdatasync(int fd)
{
	flushes++;
	while (flush_waits)
		usleep(200);
	if (flush_fails) {
		errno = EIO;
		return -1;
	}
	return (int)syscall(SYS_fdatasync, fd);
}

/* Whether the request of the number-th exchange has come to its place. */
static bool is_placed(unsigned number)
{
	char *text = text_of(number);
	const struct sha256 id = sha256_of(text, strlen(text));
	char *path = object_path(&id);
	const bool is = root_has(&root, path);

	free(path);
	free(text);
	return is;
}

/* Nobody waits for the disk to go on; but nothing stands in its place that the disk does not have in the write-ahead file. */
static void nothing_in_its_place_before_it_is_flushed(void **state)
{
	struct keeper *keeper = open_both(NULL);

	(void)state;
	flushes = 0;
	flush_waits = true;
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(keep(keeper, i, NULL), OK);
	while (flushes == 0)
		usleep(200);
	usleep(20000); /* time enough to do the wrong thing */
	assert_int_equal(count_of(EXCHANGES) + count_of(EVALUATIONS), 0);
	assert_false(is_placed(0) || is_placed(1) || is_placed(2));
	flush_waits = false;
	keeper_close(keeper);
	holds(3);
}

/* It goes on no further than UNFLUSHED_MAX, 4 MiB, beyond what the disk has. */
static void *let_go_later(void *context)
{
	usleep(100000);
	*(bool *)context = true;
	flush_waits = false;
	return NULL;
}

static void no_further_than_a_bound(void **state)
{
	enum { SIZE = 1 << 20 };
	struct keeper *keeper = open_both(NULL);
	char *much = mem_alloc(SIZE);
	bool let_go = false;
	pthread_t thread;
	unsigned before = 0;

	(void)state;
	flush_waits = true;
	pthread_create(&thread, NULL, let_go_later, &let_go);
	for (unsigned i = 0; i < 8; i++) {
		memset(much, 'a' + (int)i, SIZE);
		const struct sha256 id = sha256_of(much, SIZE);

		assert_int_equal(keeper_object(keeper, much, SIZE, &id, NULL), OK);
		assert_int_equal(keeper_commit(keeper, NULL), OK);
		before += flush_waits;
	}
	pthread_join(thread, NULL);
	assert_true(let_go);
	assert_int_equal(before, 4); /* 1 MiB and a head each: the fourth goes beyond the bound, and the fifth waits */
	keeper_close(keeper);
	free(much);
}

/* The disk fails: nothing comes to its place, the session is told with its next commit, for good, and what it had kept is in the write-ahead file still. */
static void a_failing_disk(void **state)
{
	struct keeper *keeper = open_both(NULL);
	struct error err = {0}, again = {0};
	unsigned kept = 0;

	(void)state;
	flush_fails = true;
	while (keep(keeper, kept, &err) == OK) {
		assert_true(++kept < 1000);
		usleep(1000);
	}
	assert_true(kept > 0);
	assert_int_equal(err.rule, R_IO_WRITE);
	assert_string_equal(err.file, AHEAD);
	flush_fails = false;
	assert_int_equal(keep(keeper, kept, &again), UNAVAILABLE);
	assert_string_equal(err.what, again.what);
	assert_int_equal(keeper_settle(keeper, &again), UNAVAILABLE);
	assert_int_equal(count_of(EXCHANGES) + count_of(EVALUATIONS), 0);
	keeper_close(keeper);
	keeper_close(open_both(NULL));
	holds(kept);
}

/* Killed before the disk had anything of what it kept. That goes there first when the next one opens the run: nothing stands in its place that power could take from the write-ahead file. */
static void left_without_a_flush(void **state)
{
	struct keeper_left left;
	struct keeper *keeper;
	struct error err = {0};
	const pid_t child = fork();
	int status;

	(void)state;
	assert_true(child >= 0);
	if (child == 0) {
		flush_waits = true;
		if (keeper_open(&root, "r", BOTH, &keeper, NULL, NULL) != OK || keep(keeper, 0, NULL) != OK)
			_exit(1);
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_true(root_has(&root, AHEAD));
	flush_fails = true;
	assert_int_equal(keeper_open(&root, "r", BOTH, &keeper, NULL, &err), UNAVAILABLE);
	flush_fails = false;
	assert_int_equal(err.rule, R_IO_WRITE);
	assert_string_equal(err.file, AHEAD);
	assert_false(is_placed(0));
	assert_int_equal(count_of(EXCHANGES) + count_of(EVALUATIONS), 0);
	keeper_close(open_both(&left));
	assert_int_equal(left.exchanges, 1);
	holds(1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(nothing_in_its_place_before_it_is_flushed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(no_further_than_a_bound, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_failing_disk, set_up, tear_down),
		cmocka_unit_test_setup_teardown(left_without_a_flush, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
