/*
 * What a session keeps stays through kills and full disks, and through lost power what was flushed (R_AHD_UNFINISHED, R_AHD_DAMAGED, R_AHD_LOST, R_EXC_LOCKED, R_MCP_LOCKED): committed is committed,
 * whatever of it had come to its place; and nothing is changed where something is wrong. (What waits for a flush: test_keeper_flush.c.)
 */
#include "unit.h"

#include "keeping.h"

#include <stdio.h>
#include <sys/resource.h>

#include "model/freeze.h"
#include "model/journal.h"
#include "model/settle.h"

/* ---- what is kept ---- */

static void what_is_kept_comes_to_its_place(void **state)
{
	struct keeper_left left;
	struct keeper *keeper = open_both(&left), *second;
	struct error err = {0};

	(void)state;
	assert_int_equal(left.objects + left.exchanges + left.evaluations, 0);
	assert_false(root_has(&root, AHEAD));
	assert_int_equal(keep(keeper, 0, NULL), OK);
	assert_true(root_has(&root, AHEAD));
	/* Who reads the run is told that it is not all there, and what to do. */
	struct freezer *freezer;
	struct journal *journal;

	assert_int_equal(freezer_open_frozen(&root, "r", &freezer, &err), FAILS);
	assert_int_equal(err.rule, R_AHD_UNFINISHED);
	assert_string_equal(err.file, AHEAD);
	assert_int_equal(journal_open(&root, "r", 100, 1, NULL, &journal, &err), FAILS);
	assert_int_equal(err.rule, R_AHD_UNFINISHED);
	/* One session at a time. */
	assert_int_equal(keeper_open(&root, "r", BOTH, &second, NULL, &err), UNAVAILABLE);
	assert_int_equal(err.rule, R_EXC_LOCKED);
	assert_int_equal(keeper_open(&root, "r", KEEPER_EVALUATIONS, &second, NULL, &err), UNAVAILABLE);
	assert_int_equal(err.rule, R_MCP_LOCKED);
	assert_int_equal(keeper_settle(keeper, NULL), OK);
	holds(1);
	/* It goes on after that; closing settles too. */
	assert_int_equal(keep(keeper, 1, NULL), OK);
	assert_int_equal(keep(keeper, 2, NULL), OK);
	keeper_close(keeper);
	holds(3);
	assert_int_equal(freezer_open_frozen(&root, "r", &freezer, NULL), OK);
	assert_int_equal(freezer_count(freezer), 3);
	freezer_close(freezer);
	assert_int_equal(journal_open(&root, "r", 100, 1, NULL, &journal, NULL), OK);
	assert_int_equal(journal_count(journal), 3);
	journal_close(journal);
}

/* A session of the proxy and one of the tool, at once, of one run. */
static void two_kinds_of_session(void **state)
{
	struct keeper *talk, *tool;
	struct bytes line = {0};

	(void)state;
	assert_int_equal(keeper_open(&root, "r", KEEPER_EXCHANGES, &talk, NULL, NULL), OK);
	assert_int_equal(keeper_open(&root, "r", KEEPER_EVALUATIONS, &tool, NULL, NULL), OK);
	char *text = text_of(0);
	const struct sha256 hash = sha256_of(text, strlen(text));

	write_exchange(0, &line);
	keeper_lines(talk, KEEPER_EXCHANGES, line.data, line.len);
	line.len = 0;
	write_evaluation(0, &line);
	keeper_lines(tool, KEEPER_EVALUATIONS, line.data, line.len);
	assert_int_equal(keeper_object(talk, text, strlen(text), &hash, NULL), OK);
	assert_int_equal(keeper_commit(talk, NULL), OK);
	assert_int_equal(keeper_commit(tool, NULL), OK);
	assert_true(root_has(&root, AHEAD) && root_has(&root, RUN "evaluations.ahead"));
	keeper_close(talk);
	/* Evaluations are of either kind of session. */
	struct error err;

	assert_int_equal(keeper_check_settled(&root, "r", KEEPER_EXCHANGES, NULL), OK);
	assert_int_equal(keeper_check_settled(&root, "r", KEEPER_EVALUATIONS, &err), FAILS);
	assert_string_equal(err.file, RUN "evaluations.ahead");
	keeper_close(tool);
	holds(1);
	free(text);
	bytes_free(&line);
}

/* ---- killed ---- */

/* SIGKILL at any moment, many times over: whatever was told to be kept is there afterwards, whole, once, in order. */
static void killed_at_any_moment(void **state)
{
	const char *kills = getenv("PTXSEAL_KILLS");
	const int rounds = kills != NULL ? atoi(kills) : 25;
	unsigned told = 0;
	int half_done = 0;

	(void)state;
	for (int round = 0; round < rounds; round++) {
		int line[2];

		assert_int_equal(pipe(line), 0);
		const pid_t child = fork();

		if (child == 0) {
			struct keeper *keeper;

			close(line[0]);
			if (keeper_open(&root, "r", BOTH, &keeper, NULL, NULL) != OK)
				_exit(1);
			for (unsigned i = (unsigned)count_of(EXCHANGES);; i++) {
				if (keep(keeper, i, NULL) != OK || write(line[1], "x", 1) != 1)
					_exit(2);
				/* At times everything is settled, and it goes on: kills fall into that, too. */
				if (i % 7 == 6 && keeper_settle(keeper, NULL) != OK)
					_exit(3);
			}
		}
		close(line[1]);
		usleep((useconds_t)(1000 + 900 * (round % 31)));
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		char bytes[4096];

		for (ssize_t n; (n = read(line[0], bytes, sizeof bytes)) > 0;)
			told += (unsigned)n;
		close(line[0]);
		half_done += root_has(&root, AHEAD);
		/* Every other time the next session finds it as it was left. */
		if (round % 2 == 0) {
			keeper_close(open_both(NULL));
			const unsigned count = (unsigned)count_of(EXCHANGES);

			assert_true(count >= told && count <= told + 2); /* of two kills, what was kept and not told of any more */
			holds(count);
			told = count;
		}
	}
	keeper_close(open_both(NULL));
	assert_true(count_of(EXCHANGES) >= told && told > 0 && half_done > 0);
	holds((unsigned)count_of(EXCHANGES));
	printf("# %d kills, %d with something half done, %u kept\n", rounds, half_done, told);
}

/* Everything was in its place, and the disk may have any of it: each file as it is, or gone, or cut, or of zeros. */
static void power_lost(void **state)
{
	enum { SETTLED = 2, ALL = 5, OBJECTS = ALL - SETTLED, WAYS = 4 };
	struct bytes ahead = {0}, exchanges = {0}, evaluations = {0};
	char *paths[OBJECTS];

	(void)state;
	struct keeper *keeper = open_both(NULL);

	for (unsigned i = 0; i < SETTLED; i++)
		assert_int_equal(keep(keeper, i, NULL), OK);
	keeper_close(keeper);
	assert_int_equal(root_read(&root, EXCHANGES, 1 << 20, &exchanges, NULL), OK);
	assert_int_equal(root_read(&root, EVALUATIONS, 1 << 20, &evaluations, NULL), OK);
	const size_t settled[] = {exchanges.len, evaluations.len};

	killed_session(SETTLED, ALL);
	exchanges.len = evaluations.len = 0;
	assert_int_equal(root_read(&root, AHEAD, AHEAD_FILE_MAX, &ahead, NULL), OK);
	assert_int_equal(root_read(&root, EXCHANGES, 1 << 20, &exchanges, NULL), OK);
	assert_int_equal(root_read(&root, EVALUATIONS, 1 << 20, &evaluations, NULL), OK);
	for (unsigned i = 0; i < OBJECTS; i++) {
		char *text = text_of(SETTLED + i);
		const struct sha256 id = sha256_of(text, strlen(text));

		paths[i] = object_path(&id);
		free(text);
	}
	/* A way for each file: 4^5 of them. */
	for (unsigned way = 0; way < 1024; way++) {
		assert_int_equal(root_write_product(&root, AHEAD, ahead.data, ahead.len, NULL), OK);
		for (unsigned i = 0; i < OBJECTS; i++) {
			const unsigned how = way >> 2 * i & 3;
			char *text = text_of(SETTLED + i);

			if (how == 1)
				assert_int_equal(root_remove(&root, paths[i], NULL), OK);
			else if (how == 2)
				assert_int_equal(root_write_product(&root, paths[i], text, 5, NULL), OK);
			else if (how == 3)
				assert_int_equal(root_write_product(&root, paths[i], memset(text, 0, strlen(text)), 25, NULL), OK);
			free(text);
		}
		for (unsigned i = 0; i < 2; i++) {
			const unsigned how = way >> (2 * OBJECTS + 2 * i) & 3;
			struct bytes text = {0};

			bytes_add(&text, (i == 0 ? &exchanges : &evaluations)->data, (i == 0 ? &exchanges : &evaluations)->len);
			if (how == 1)
				text.len = settled[i];
			else if (how == 2)
				text.len -= 20;
			else if (how == 3)
				memset(text.data + settled[i], 0, text.len - settled[i]);
			assert_int_equal(root_write_product(&root, i == 0 ? EXCHANGES : EVALUATIONS, text.data, text.len, NULL), OK);
			bytes_free(&text);
		}
		struct keeper_left left;

		keeper_close(open_both(&left));
		assert_int_equal(left.objects, 3);
		assert_int_equal(left.exchanges, 3);
		assert_int_equal(left.evaluations, 3);
		holds(ALL);
	}
	for (unsigned i = 0; i < OBJECTS; i++)
		free(paths[i]);
	bytes_free(&ahead);
	bytes_free(&exchanges);
	bytes_free(&evaluations);
}

/* The file's last group torn, whatever came to its place; sessions one after the other, each killed. */
static void sessions_after_sessions(void **state)
{
	struct bytes ahead = {0}, text = {0};

	(void)state;
	killed_session(0, 3);
	killed_session(3, 4);
	killed_session(4, 6);
	assert_int_equal(root_read(&root, AHEAD, AHEAD_FILE_MAX, &ahead, NULL), OK);
	/* The last group is torn, and so is the last line: what stands whole in its place stays. */
	ahead.len = AHEAD_BLOCK + 100;
	assert_int_equal(root_write_product(&root, AHEAD, ahead.data, ahead.len, NULL), OK);
	assert_int_equal(root_read(&root, EXCHANGES, 1 << 20, &text, NULL), OK);
	bytes_text(&text, "{\"api\":\"ch");
	assert_int_equal(root_write_product(&root, EXCHANGES, text.data, text.len, NULL), OK);
	keeper_close(open_both(NULL));
	holds(6);
	bytes_free(&ahead);
	bytes_free(&text);
}

/* ---- what cannot be put in its place ---- */

/* All that stands in the run and in the store, as one text. */
static void everything(struct bytes *out)
{
	struct file_list list;

	assert_int_equal(root_list(&root, "", &list, NULL), OK);
	out->len = 0;
	for (size_t i = 0; i < list.count; i++) {
		bytes_format(out, "%s ", list.at[i].path);
		if (list.at[i].kind == FILE_REGULAR)
			assert_int_equal(root_read(&root, list.at[i].path, 1 << 26, out, NULL), OK);
	}
	file_list_free(&list);
}

static void refused(unsigned files, enum rule rule)
{
	struct bytes before = {0}, after = {0};
	struct error err = {0};
	struct keeper *keeper;

	everything(&before);
	assert_int_not_equal(keeper_open(&root, "r", files, &keeper, NULL, &err), OK);
	if (err.rule != rule)
		fail_msg("%s: %s: %s", rule_info(err.rule)->id, err.file, err.what);
	everything(&after);
	assert_int_equal(after.len, before.len);
	assert_memory_equal(after.data, before.data, before.len);
	bytes_free(&before);
	bytes_free(&after);
}

static void nothing_changes_where_something_is_wrong(void **state)
{
	struct bytes ahead = {0}, text = {0};

	(void)state;
	killed_session(0, 4);
	assert_int_equal(root_read(&root, AHEAD, AHEAD_FILE_MAX, &ahead, NULL), OK);
	/* A byte of a group before the last. */
	ahead.data[AHEAD_BLOCK + 200] ^= 1;
	assert_int_equal(root_write_product(&root, AHEAD, ahead.data, ahead.len, NULL), OK);
	refused(BOTH, R_AHD_DAMAGED);
	ahead.data[AHEAD_BLOCK + 200] ^= 1;
	assert_int_equal(root_write_product(&root, AHEAD, ahead.data, ahead.len, NULL), OK);
	/* Lines of a file that such a session does not write. */
	refused(KEEPER_EXCHANGES, R_AHD_DAMAGED);
	keeper_close(open_both(NULL));
	holds(4);
	/* Lines that were on the disk before are gone, or others stand there. */
	killed_session(4, 6);
	assert_int_equal(root_read(&root, EXCHANGES, 1 << 20, &text, NULL), OK);
	for (size_t lines = 0; lines < 3; lines++) {
		const char *end = text.data;

		for (size_t i = 0; i <= lines; i++)
			end = strchr(end, '\n') + 1;
		assert_int_equal(root_write_product(&root, EXCHANGES, text.data, (size_t)(end - text.data), NULL), OK);
		refused(BOTH, R_AHD_LOST);
	}
	text.data[4] = 'I';
	assert_int_equal(root_write_product(&root, EXCHANGES, text.data, text.len, NULL), OK);
	refused(BOTH, R_EXC_FIELD);
	text.data[4] = 'i';
	assert_int_equal(root_write_product(&root, EXCHANGES, text.data, text.len, NULL), OK);
	keeper_close(open_both(NULL));
	holds(6);
	bytes_free(&ahead);
	bytes_free(&text);
}

/* A group with the right hashes, whose line is no record. */
static void what_is_no_record(void **state)
{
	struct keeper *keeper;
	static const char *const lines[] = {"{}\n", "no JSON\n", "\n"};

	(void)state;
	for (size_t i = 0; i < 3; i++)
		for (int of = 0; of < 2; of++) {
			const pid_t child = fork();

			if (child == 0) {
				if (keeper_open(&root, "r", BOTH, &keeper, NULL, NULL) != OK)
					_exit(1);
				keeper_lines(keeper, of == 0 ? KEEPER_EXCHANGES : KEEPER_EVALUATIONS, lines[i], strlen(lines[i]));
				if (keeper_commit(keeper, NULL) != OK)
					_exit(1);
				raise(SIGKILL);
			}
			waitpid(child, NULL, 0);
			assert_true(root_has(&root, AHEAD));
			assert_int_equal(root_write_product(&root, EXCHANGES, "", 0, NULL), OK);
			assert_int_equal(root_write_product(&root, EVALUATIONS, "", 0, NULL), OK);
			refused(BOTH, i == 0 ? (of == 0 ? R_EXC_FIELD : R_EVL_FIELD) : R_JSON_SYNTAX);
			assert_int_equal(root_remove(&root, AHEAD, NULL), OK);
		}
}

/* ---- much, and too much ---- */

/* Through both areas, several times: more than they hold, and more than waits in memory. An object that no frame takes, lines that one frame does not take. */
static void much_is_kept(void **state)
{
	enum { OBJECTS = 40, SIZE = 1 << 20, LINES = 6000 };
	struct keeper *keeper = open_both(NULL);
	struct bytes lines = {0};
	char *much = mem_alloc(AHEAD_FRAME_MAX + 1);
	struct sha256 ids[OBJECTS + 2];
	const size_t sizes[2] = {AHEAD_FRAME_MAX, AHEAD_FRAME_MAX + 1};

	(void)state;
	for (unsigned i = 0; i < OBJECTS; i++) {
		memset(much, 'a' + (int)i, SIZE);
		ids[i] = sha256_of(much, SIZE);
		assert_int_equal(i % 3 == 2 ? keeper_object_later(keeper, much, SIZE, &ids[i], NULL) : keeper_object(keeper, much, SIZE, &ids[i], NULL), OK);
		if (i % 5 == 4)
			assert_int_equal(keeper_commit(keeper, NULL), OK);
	}
	for (size_t i = 0; i < 2; i++) {
		ids[OBJECTS + i] = sha256_of(much, sizes[i]);
		assert_int_equal(keeper_object(keeper, much, sizes[i], &ids[OBJECTS + i], NULL), OK);
	}
	for (unsigned i = 0; i < LINES; i++)
		write_exchange(i, &lines);
	assert_true(lines.len > AHEAD_FRAME_MAX);
	keeper_lines(keeper, KEEPER_EXCHANGES, lines.data, lines.len);
	assert_int_equal(keeper_commit(keeper, NULL), OK);
	keeper_close(keeper);
	struct bytes object = {0};

	for (unsigned i = 0; i < OBJECTS + 2; i++) {
		assert_int_equal(object_get(&root, &ids[i], &object, NULL), OK);
		assert_int_equal(object.len, i < OBJECTS ? SIZE : sizes[i - OBJECTS]);
		bytes_free(&object);
	}
	assert_int_equal(root_read(&root, EXCHANGES, 1 << 26, &object, NULL), OK);
	assert_int_equal(object.len, lines.len);
	assert_memory_equal(object.data, lines.data, lines.len);
	bytes_free(&object);
	bytes_free(&lines);
	free(much);
}

/* No file may grow beyond 64 KiB: as on a full disk. What was told to be kept is, the error stays, and the next session goes on. */
static void a_full_disk(void **state)
{
	int line[2];

	(void)state;
	assert_int_equal(pipe(line), 0);
	const pid_t child = fork();

	if (child == 0) {
		const struct rlimit little = {64 << 10, 64 << 10};
		struct keeper *keeper;
		struct error err = {0}, again = {0};

		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &little);
		if (keeper_open(&root, "r", BOTH, &keeper, NULL, NULL) != OK)
			_exit(1);
		unsigned kept = 0;

		while (keep(keeper, kept, &err) == OK)
			if (write(line[1], "x", 1) != 1 || ++kept > 100)
				_exit(2);
		if (err.rule != R_IO_WRITE || keep(keeper, kept, &again) != UNAVAILABLE || strcmp(err.what, again.what) != 0 || keeper_settle(keeper, &again) != UNAVAILABLE)
			_exit(3);
		keeper_close(keeper);
		_exit(0);
	}
	close(line[1]);
	char bytes[256];
	int status;
	unsigned told = 0;

	for (ssize_t n; (n = read(line[0], bytes, sizeof bytes)) > 0;)
		told += (unsigned)n;
	close(line[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	/* Each took a block. The zeros that are written ahead may lack the room. */
	assert_int_equal(told, 16);
	keeper_close(open_both(NULL));
	holds(told);
}

/* Full amid what is not committed yet, and there is room for less: no line of it is kept without its object. */
static void a_full_disk_before_the_commit(void **state)
{
	const pid_t child = fork();
	int status;

	(void)state;
	assert_true(child >= 0);
	if (child == 0) {
		enum { SIZE = 1 << 20 };
		const struct rlimit little = {64 << 10, 64 << 10};
		struct bytes exchange = {0};
		struct keeper *keeper;
		char *text = text_of(0), *much = mem_alloc(SIZE);
		struct sha256 hash = sha256_of(text, strlen(text));
		struct error err = {0};

		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &little);
		write_exchange(0, &exchange);
		if (keeper_open(&root, "r", BOTH, &keeper, NULL, NULL) != OK || keeper_object(keeper, text, strlen(text), &hash, NULL) != OK)
			_exit(1);
		keeper_lines(keeper, KEEPER_EXCHANGES, exchange.data, exchange.len);
		hash = sha256_of(much, SIZE);
		for (unsigned i = 0; keeper_object(keeper, much, SIZE, &hash, &err) == OK; i++)
			if (i == 8)
				_exit(2);
		if (err.rule != R_IO_WRITE || keeper_commit(keeper, NULL) != UNAVAILABLE)
			_exit(3);
		keeper_close(keeper);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	keeper_close(open_both(NULL));
	holds(0);
}

/* ---- `ptxseal settle` ---- */

static void on_settled(void *context, const char *path, const struct keeper_left *left, const struct error *why)
{
	if (left == NULL)
		bytes_format(context, "%s %s\n", path, rule_info(why->rule)->id);
	else
		bytes_format(context, "%s %llu %llu %llu\n", path, (unsigned long long)left->objects, (unsigned long long)left->exchanges, (unsigned long long)left->evaluations);
}

static void runs_are_settled(void **state)
{
	struct bytes told = {0};

	(void)state;
	assert_int_equal(settle_all(&root, on_settled, &told, NULL), OK);
	assert_int_equal(told.len, 0);
	killed_session(0, 2);
	/* Only a run that has a plan has both. */
	assert_int_equal(settle_all(&root, on_settled, &told, NULL), MALFORMED);
	assert_string_equal(told.data, AHEAD " R-AHD-002\n");
	told.len = 0;
	assert_int_equal(root_write(&root, RUN "query.json", "{}", 2, NULL), OK);
	assert_int_equal(settle_all(&root, on_settled, &told, NULL), OK);
	assert_string_equal(told.data, AHEAD " 2 2 2\n");
	holds(2);
	struct keeper *keeper = open_both(NULL);

	assert_int_equal(keep(keeper, 2, NULL), OK);
	told.len = 0;
	assert_int_equal(settle_all(&root, on_settled, &told, NULL), UNAVAILABLE);
	assert_string_equal(told.data, AHEAD " R-EXC-007\n");
	keeper_close(keeper);
	holds(3);
	bytes_free(&told);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_kept_comes_to_its_place, set_up, tear_down),
		cmocka_unit_test_setup_teardown(two_kinds_of_session, set_up, tear_down),
		cmocka_unit_test_setup_teardown(killed_at_any_moment, set_up, tear_down),
		cmocka_unit_test_setup_teardown(power_lost, set_up, tear_down),
		cmocka_unit_test_setup_teardown(sessions_after_sessions, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nothing_changes_where_something_is_wrong, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_no_record, set_up, tear_down),
		cmocka_unit_test_setup_teardown(much_is_kept, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_full_disk, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_full_disk_before_the_commit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(runs_are_settled, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
