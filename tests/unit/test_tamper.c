/*
 * Whatever is done to a sealed bundle, verify says so and names the file: one byte flipped in, a line cut from, every file; every
 * file deleted, renamed, swapped with another, replaced by a link; a file added beside every one; 2,000 random bits.
 * Done to a small bundle that has every kind of file, one at a time, and to a copy of the sealed bundle in the working
 * directory, where there is one, sixteen at a time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bundle/layout.h"
#include "bundle/seal.h"

enum { RANDOM_FLIPS = 2000, BATCH_MAX = 16 };

struct file {
	char *path;
	struct bytes text;
	size_t at;   /* the byte that is flipped, and which bit of it */
	char bit;
	char *other; /* the path of a file that is made beside it */
};

static char scratch[] = "/tmp/ptxseal-test-tamper-XXXXXX";
static char *bundle; /* in scratch, so that there is an outside */
static struct root root;
static struct file *files;
static size_t count;
static uint64_t total;
static size_t batch; /* files that are tampered with before one verify, each of which has to be named */

/* A fixed sequence (xorshift64, Marsaglia 2003): the same bits in every run. */
static uint64_t seed = 0x9E3779B97F4A7C15u;

static uint64_t random_below(uint64_t limit)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % limit;
}

static void put(const char *path, const struct bytes *text)
{
	/* Not root_write: an attacker does not fsync, and this is done thousands of times. */
	int fd = openat(root.fd, path, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text->data, text->len), text->len);
	close(fd);
}

static enum status verify(struct verify_report *report)
{
	return bundle_verify(&root, &(struct verify_options){.threads = 1, .quiet = true}, report);
}

static void expect_clean(void)
{
	struct verify_report report;

	if (verify(&report) != OK)
		fail_msg("%s: %s", report.findings.at[0].file, report.findings.at[0].what);
	verify_report_free(&report);
}

static bool names(const struct verify_report *report, const char *path)
{
	for (size_t i = 0; i < report->findings.count; i++)
		if (strcmp(report->findings.at[i].file, path) == 0)
			return true;
	return false;
}

static void expect_named(struct file **some, size_t n, bool other, const char *done)
{
	struct verify_report report;

	assert_int_equal(verify(&report), FAILS);
	for (size_t i = 0; i < n; i++) {
		const char *path = other ? some[i]->other : some[i]->path;

		if (!names(&report, path))
			fail_msg("%s was %s, and verify names only %s", path, done, report.findings.at[0].file);
	}
	verify_report_free(&report);
}

/* A signature that does not hold may keep verify from looking further, so these are tampered with one by one. */
static bool stands_alone(const struct file *file)
{
	return strncmp(file->path, "manifests/", 10) == 0 || strncmp(file->path, "checksums/", 10) == 0;
}

typedef void act(struct file *file);

static void tamper(struct file **some, size_t n, act *apply, act *undo, bool other, const char *done)
{
	if (n == 0)
		return;
	for (size_t i = 0; i < n; i++)
		apply(some[i]);
	expect_named(some, n, other, done);
	for (size_t i = 0; i < n; i++)
		undo(some[i]);
}

static void tamper_with_each(act *apply, act *undo, bool other, const char *done)
{
	struct file *some[BATCH_MAX];
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		struct file *file = &files[i];

		if (stands_alone(file)) {
			tamper(&file, 1, apply, undo, other, done);
			continue;
		}
		some[n++] = file;
		if (n == batch) {
			tamper(some, n, apply, undo, other, done);
			n = 0;
		}
	}
	tamper(some, n, apply, undo, other, done);
	expect_clean();
}

static void load(void)
{
	static const char *const tops[] = {"artifact", "checksums", "manifests", "tasks"};
	struct error err;

	for (size_t t = 0; t < 4; t++) {
		struct file_list list;

		assert_int_equal(root_list(&root, tops[t], &list, &err), OK);
		files = mem_array(files, count + list.count, sizeof *files);
		for (size_t i = 0; i < list.count; i++) {
			if (list.at[i].kind != FILE_REGULAR)
				continue;
			files[count] = (struct file){
				.path = mem_text(list.at[i].path),
				.other = mem_format("%s.other", list.at[i].path),
			};
			assert_int_equal(root_read(&root, files[count].path, 64 << 20, &files[count].text, &err), OK);
			total += files[count++].text.len;
		}
		file_list_free(&list);
	}
	assert_true(count > 4);
}

static void unload(void)
{
	for (size_t i = 0; i < count; i++) {
		free(files[i].path);
		free(files[i].other);
		bytes_free(&files[i].text);
	}
	free(files);
	files = NULL;
	count = 0;
	total = 0;
}

static void restore(struct file *file)
{
	put(file->path, &file->text);
}

static void flip(struct file *file)
{
	struct bytes one = {0};

	if (file->text.len == 0) { /* no bit to flip: one byte more */
		bytes_char(&one, 'x');
		put(file->path, &one);
		bytes_free(&one);
		return;
	}
	file->text.data[file->at] ^= file->bit;
	put(file->path, &file->text);
	file->text.data[file->at] ^= file->bit;
}

static void flip_somewhere(struct file *file)
{
	file->at = file->text.len > 0 ? random_below(file->text.len) : 0;
	file->bit = (char)(1 << random_below(8));
	flip(file);
}

static void a_flipped_bit_in_every_file_is_named(void **state)
{
	(void)state;
	tamper_with_each(flip_somewhere, restore, false, "changed by one bit");
}

static bool holds(struct file **some, size_t n, const struct file *file)
{
	for (size_t i = 0; i < n; i++)
		if (some[i] == file)
			return true;
	return false;
}

static void random_flipped_bits_are_named(void **state)
{
	struct file *some[BATCH_MAX];
	size_t n = 0;
	(void)state;

	for (int done = 0; done < RANDOM_FLIPS; done++) {
		uint64_t at = random_below(total);
		size_t i = 0;

		while (at >= files[i].text.len)
			at -= files[i++].text.len;
		struct file *file = &files[i];

		if (n == batch || stands_alone(file) || holds(some, n, file)) {
			tamper(some, n, flip, restore, false, "changed by one bit");
			n = 0;
		}
		file->at = at;
		file->bit = (char)(1 << random_below(8));
		some[n++] = file;
		if (stands_alone(file)) {
			tamper(some, n, flip, restore, false, "changed by one bit");
			n = 0;
		}
	}
	tamper(some, n, flip, restore, false, "changed by one bit");
	expect_clean();
}

/* The last byte may be a line end: without it, or back to the end of the line before. */
static void cut_byte(struct file *file)
{
	struct bytes cut = file->text;

	if (cut.len == 0) {
		flip(file);
		return;
	}
	cut.len--;
	put(file->path, &cut);
}

static void cut_line(struct file *file)
{
	struct bytes cut = file->text;

	if (cut.len == 0) {
		flip(file);
		return;
	}
	do
		cut.len--;
	while (cut.len > 0 && cut.data[cut.len - 1] != '\n');
	put(file->path, &cut);
}

static void a_cut_line_of_every_file_is_named(void **state)
{
	(void)state;
	tamper_with_each(cut_byte, restore, false, "cut by one byte");
	tamper_with_each(cut_line, restore, false, "cut by its last line");
}

static void delete(struct file *file)
{
	assert_int_equal(unlinkat(root.fd, file->path, 0), 0);
}

static void every_deleted_file_is_named(void **state)
{
	(void)state;
	tamper_with_each(delete, restore, false, "deleted");
}

static void move_away(struct file *file)
{
	assert_int_equal(renameat(root.fd, file->path, root.fd, file->other), 0);
}

static void move_back(struct file *file)
{
	assert_int_equal(renameat(root.fd, file->other, root.fd, file->path), 0);
}

static void every_renamed_file_is_named(void **state)
{
	(void)state;
	tamper_with_each(move_away, move_back, false, "renamed");
}

static void add(struct file *file)
{
	put(file->other, &file->text);
}

static void remove_added(struct file *file)
{
	assert_int_equal(unlinkat(root.fd, file->other, 0), 0);
}

static void every_added_file_is_named(void **state)
{
	(void)state;
	tamper_with_each(add, remove_added, true, "added");
}

static bool same_bytes(const struct file *a, const struct file *b)
{
	return a->text.len == b->text.len && memcmp(a->text.data, b->text.data, a->text.len) == 0;
}

static void swap(struct file **pair)
{
	put(pair[0]->path, &pair[1]->text);
	put(pair[1]->path, &pair[0]->text);
}

static void swap_and_expect(struct file **some, size_t n)
{
	if (n == 0)
		return;
	for (size_t i = 0; i < n; i += 2)
		swap(&some[i]);
	expect_named(some, n, false, "swapped");
	for (size_t i = 0; i < n; i++)
		restore(some[i]);
}

/* One by one with any other, in batches with the next. */
static void every_swapped_file_is_named(void **state)
{
	struct file *some[BATCH_MAX];
	size_t n = 0;
	(void)state;

	for (size_t i = 0; i < count; i += batch == 1 ? 1 : 2) {
		struct file *pair[] = {&files[i], &files[batch == 1 ? (i + 1 + random_below(count - 1)) % count : (i + 1) % count]};

		if (same_bytes(pair[0], pair[1]))
			continue; /* swapping equal bytes changes nothing */
		if (batch == 1 || i + 1 == count || stands_alone(pair[0]) || stands_alone(pair[1])) {
			swap_and_expect(pair, 2);
			continue;
		}
		some[n++] = pair[0];
		some[n++] = pair[1];
		if (n == BATCH_MAX) {
			swap_and_expect(some, n);
			n = 0;
		}
	}
	swap_and_expect(some, n);
	expect_clean();
}

/* The very same bytes, but through a link: what it points to is outside the seal. */
static void link_outside(struct file *file)
{
	char *outside = mem_format("%s/outside-%zu", scratch, (size_t)(file - files));
	int fd = open(outside, O_WRONLY | O_CREAT | O_TRUNC, 0644);

	assert_int_equal(write(fd, file->text.data, file->text.len), file->text.len);
	close(fd);
	delete(file);
	assert_int_equal(symlinkat(outside, root.fd, file->path), 0);
	free(outside);
}

static void unlink_outside(struct file *file)
{
	delete(file);
	restore(file);
}

static void every_linked_file_is_named(void **state)
{
	(void)state;
	tamper_with_each(link_outside, unlink_outside, false, "replaced by a link");
}

/* Bundles. */


static void shell(const char *format, const char *argument)
{
	char *command = mem_format(format, argument);

	assert_int_equal(system(command), 0);
	free(command);
}

static void seal_as(const char *role, const struct key *key)
{
	struct verify_report report;
	struct error err;
	struct seal_options options = {.role = role, .key = key, .quiet = true};

	assert_int_equal(bundle_seal(&root, &options, &report, &err), OK);
	verify_report_free(&report);
}

static void write_text(const char *path, const char *text)
{
	struct error err;

	assert_int_equal(root_write(&root, path, text, strlen(text), &err), OK);
}

static int make_small(void **state)
{
	struct key import = {0}, whole = {0};
	struct error err;
	(void)state;

	bundle = mem_format("%s/bundle", scratch);
	assert_int_equal(root_create(bundle, &root, &err), OK);
	write_text("artifact/sources/demo/source.json", "{\"commit\":\"0123abc\",\"files\":[]}\n");
	write_text("artifact/expected/demo/best.jsonl", "{\"row\":\"1\"}\n{\"row\":\"2\"}\n");
	write_text("artifact/expected/known.jsonl", "");
	write_text("artifact/runs/first/run.json", "{\"run\":\"first\",\"source\":\"demo\"}\n");
	write_text("artifact/runs/first/turns.jsonl", "{\"turn\":0}\n{\"turn\":1}\n");
	write_text("artifact/runs/second/run.json", "{\"run\":\"second\",\"source\":\"demo\"}\n");
	write_text("artifact/runs/second/turns.jsonl", "{\"turn\":0}\n");
	write_text("artifact/tables/odd \\ name\n.sql", "SELECT 1;\n");
	write_text("tasks/gemm/task.json", "{\"name\":\"gemm\"}\n");
	assert_int_equal(key_generate(&import, &err), OK);
	assert_int_equal(key_generate(&whole, &err), OK);
	seal_as(ROLE_IMPORT, &import);
	seal_as(ROLE_ROOT, &whole);
	key_free(&import);
	key_free(&whole);
	load();
	batch = 1;
	expect_clean();
	return 0;
}

static int copy_committed(void **state)
{
	struct error err;
	(void)state;

	if (access(LAYOUT_SUMS, F_OK) != 0)
		return 0;
	bundle = mem_format("%s/bundle", scratch);
	assert_int_equal(root_create(bundle, &root, &err), OK);
	shell("cp -R artifact tasks manifests checksums '%s'", bundle);
	load();
	batch = BATCH_MAX;
	expect_clean();
	return 0;
}

static int clean_up(void **state)
{
	(void)state;
	unload();
	if (root.fd > 0) {
		root_close(&root);
		shell("rm -rf '%s'", bundle);
		free(bundle);
	}
	return 0;
}

#define ALL(test)                                                                                            \
	static void committed_##test(void **state)                                                           \
	{                                                                                                    \
		if (count == 0) {                                                                            \
			print_message("skipped: no sealed bundle in the working directory\n");               \
			skip();                                                                              \
		}                                                                                            \
		test(state);                                                                                 \
	}
ALL(a_flipped_bit_in_every_file_is_named)
ALL(random_flipped_bits_are_named)
ALL(a_cut_line_of_every_file_is_named)
ALL(every_deleted_file_is_named)
ALL(every_renamed_file_is_named)
ALL(every_added_file_is_named)
ALL(every_swapped_file_is_named)
ALL(every_linked_file_is_named)

int main(void)
{
	const struct CMUnitTest small[] = {
		cmocka_unit_test(a_flipped_bit_in_every_file_is_named),
		cmocka_unit_test(random_flipped_bits_are_named),
		cmocka_unit_test(a_cut_line_of_every_file_is_named),
		cmocka_unit_test(every_deleted_file_is_named),
		cmocka_unit_test(every_renamed_file_is_named),
		cmocka_unit_test(every_added_file_is_named),
		cmocka_unit_test(every_swapped_file_is_named),
		cmocka_unit_test(every_linked_file_is_named),
	};
	const struct CMUnitTest committed[] = {
		cmocka_unit_test(committed_a_flipped_bit_in_every_file_is_named),
		cmocka_unit_test(committed_random_flipped_bits_are_named),
		cmocka_unit_test(committed_a_cut_line_of_every_file_is_named),
		cmocka_unit_test(committed_every_deleted_file_is_named),
		cmocka_unit_test(committed_every_renamed_file_is_named),
		cmocka_unit_test(committed_every_added_file_is_named),
		cmocka_unit_test(committed_every_swapped_file_is_named),
		cmocka_unit_test(committed_every_linked_file_is_named),
	};

	if (mkdtemp(scratch) == NULL)
		return 1;
	int failed = cmocka_run_group_tests(small, make_small, clean_up);

	failed += cmocka_run_group_tests(committed, copy_committed, clean_up);
	shell("rm -rf '%s'", scratch);
	return failed;
}
