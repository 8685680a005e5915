/* R-OBJ-001 to R-OBJ-003: objects are kept and read by their content. */
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bundle/layout.h"
#include "bundle/objects.h"

/* SHA-256 of "abc": FIPS 180-4's first example. */
#define ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define ABC_PATH "artifact/objects/sha256/ba/" ABC
#define FULL_PATH "artifact/objects/sha256/a1/a18b869b2e81c0c529552a3c4fa5c92ed08b98a4e146aed778d71d27517f83ac" /* of "full" */
#define EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static char scratch[] = "/tmp/ptxseal-test-objects-XXXXXX";
static struct root root;

static int set_up(void **state)
{
	(void)state;
	return mkdtemp(scratch) != NULL && root_open(scratch, &root, NULL) == OK ? 0 : -1;
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

static void what_is_put_is_got_by_its_name(void **state)
{
	(void)state;
	struct sha256 id, same;
	struct bytes out = {0};
	struct error err;

	assert_int_equal(object_put(&root, "abc", 3, &id, &err), OK);
	char *path = object_path(&id);

	assert_string_equal(path, ABC_PATH);
	free(path);
	assert_int_equal(object_get(&root, &id, &out, &err), OK);
	assert_int_equal(out.len, 3);
	assert_memory_equal(out.data, "abc", 3);
	bytes_free(&out);

	assert_int_equal(object_put(&root, "abc", 3, &same, &err), OK);
	assert_memory_equal(&same, &id, sizeof id);
	assert_int_equal(object_put(&root, "", 0, &id, &err), OK);
	assert_int_equal(object_get(&root, &id, &out, &err), OK);
	assert_int_equal(out.len, 0);
	bytes_free(&out);
}

/* The library's write, in the place of the system's: a disk that is full amid an object, which another process puts there at that moment. */
static enum { DISK_HAS_ROOM, DISK_FILLS, DISK_IS_FULL } disk;

ssize_t write(int fd, const void *data, size_t len)
{
	if (disk == DISK_FILLS) {
		disk = DISK_HAS_ROOM;
		assert_int_equal(root_write_product(&root, FULL_PATH, "full", 4, NULL), OK);
		disk = DISK_IS_FULL;
	}
	if (disk == DISK_HAS_ROOM)
		return (ssize_t)syscall(SYS_write, fd, data, len);
	errno = ENOSPC;
	return -1;
}

int mkdirat(int dir, const char *name, mode_t mode)
{
	if (disk == DISK_HAS_ROOM)
		return (int)syscall(SYS_mkdirat, dir, name, mode);
	errno = ENOSPC;
	return -1;
}

/* Where there is no room for the directory either, that is said, and not that it is not there. */
static void a_directory_without_room(void **state)
{
	(void)state;
	struct sha256 id = sha256_of("no room", 7);
	struct error err = {0};

	disk = DISK_IS_FULL;
	assert_int_equal(object_place(&root, "no room", 7, &id, &err), UNAVAILABLE);
	assert_string_equal(err.what, "cannot make its directory: No space left on device");
	assert_int_equal(object_put(&root, "no room", 7, &id, &err), UNAVAILABLE);
	assert_string_equal(err.what, "cannot make its directory: No space left on device");
	disk = DISK_HAS_ROOM;
}

/* Sessions of several runs place the same object at once: one that has no room takes it from no other. */
static void what_another_has_placed_stays(void **state)
{
	(void)state;
	const struct sha256 id = sha256_of("full", 4);
	struct bytes out = {0};
	struct error err = {0};

	assert_int_equal(root_write(&root, "artifact/objects/sha256/a1/other", "", 0, NULL), OK);
	disk = DISK_FILLS;
	assert_int_equal(object_place(&root, "full", 4, &id, &err), OK);
	disk = DISK_HAS_ROOM;
	assert_int_equal(object_get(&root, &id, &out, &err), OK);
	bytes_free(&out);
}

static void what_was_changed_is_refused_and_mended(void **state)
{
	(void)state;
	struct sha256 id;
	struct bytes out = {0};
	struct error err;

	assert_int_equal(object_put(&root, "abc", 3, &id, &err), OK);
	assert_int_equal(root_write(&root, ABC_PATH, "abd", 3, &err), OK);
	assert_int_equal(object_get(&root, &id, &out, &err), FAILS);
	assert_string_equal(rule_info(err.rule)->id, "R-OBJ-001");
	assert_string_equal(err.file, ABC_PATH);
	assert_int_equal(out.len, 0);
	assert_int_equal(object_put(&root, "abc", 3, &id, &err), OK);
	assert_int_equal(object_get(&root, &id, &out, &err), OK);
	bytes_free(&out);
	id.byte[0] ^= 1;
	assert_int_equal(object_get(&root, &id, &out, &err), MALFORMED);
	assert_string_equal(rule_info(err.rule)->id, "R-IO-001");
}

static void too_large_an_object_is_refused(void **state)
{
	(void)state;
	struct sha256 id;
	struct error err;
	char *much = mem_alloc((size_t)OBJECT_MAX + 1);

	assert_int_equal(object_put(&root, much, (size_t)OBJECT_MAX + 1, &id, &err), MALFORMED);
	assert_string_equal(rule_info(err.rule)->id, "R-OBJ-003");
	free(much);
}

static void only_the_form_of_an_object_is_a_place(void **state)
{
	(void)state;
	static const char *const elsewhere[] = {
		"artifact/objects/sha256/" ABC,
		"artifact/objects/sha256/bb/" ABC,
		"artifact/objects/sha256/ba/" ABC "0",
		"artifact/objects/sha256/ba/BA7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
		"artifact/objects/sha256/ba/ba/" ABC,
		"artifact/objects/sha1/ba/" ABC,
		"artifact/objects/notes",
	};
	const char *hex;

	assert_true(layout_is_placed(ABC_PATH));
	assert_true(layout_object(ABC_PATH, &hex));
	assert_string_equal(hex, ABC);
	for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
		assert_false(layout_is_placed(elsewhere[i]));
}

static void a_turn_names_what_is_known(void **state)
{
	(void)state;
	struct sha256 ids[TURN_OBJECTS];
	char hex[SHA256_HEX + 1];

	assert_int_equal(objects_of_turn(&(struct turn){0}, ids), 0);
	assert_int_equal(objects_of_turn(&(struct turn){.prompt = EMPTY, .feedback = ABC}, ids), 2);
	sha256_hex(&ids[0], hex);
	assert_string_equal(hex, EMPTY);
	sha256_hex(&ids[1], hex);
	assert_string_equal(hex, ABC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_put_is_got_by_its_name),
		cmocka_unit_test(what_was_changed_is_refused_and_mended),
		cmocka_unit_test(what_another_has_placed_stays),
		cmocka_unit_test(a_directory_without_room),
		cmocka_unit_test(too_large_an_object_is_refused),
		cmocka_unit_test(only_the_form_of_an_object_is_a_place),
		cmocka_unit_test(a_turn_names_what_is_known),
	};

	return cmocka_run_group_tests_name("objects", tests, set_up, tear_down);
}
