/* The log as files: what stands where, whole or not at all, and every change found. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "log/append.h"
#include "log/audit.h"
#include "log/proof.h"

#define ORIGIN "example.org/log"

static struct key key;
static char scratch[512];
static struct root root;

static int set_up(void **state)
{
	struct error err;

	(void)state;
	/* In memory where that can be, for the disk is waited for after each write; PTXSEAL_SCRATCH names another directory. */
	const char *named = getenv("PTXSEAL_SCRATCH");

	snprintf(scratch, sizeof scratch, "%s/ptxseal-test-tlog-XXXXXX", named != NULL ? named : access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	return mkdtemp(scratch) != NULL && root_open(scratch, &root, &err) == OK && key_generate(&key, &err) == OK ? 0 : -1;
}

static void empty_scratch(void)
{
	struct file_list list;
	struct error err;

	assert_int_equal(root_list(&root, "", &list, &err), OK);
	for (size_t i = list.count; i > 0; i--)
		assert_int_equal(root_remove(&root, list.at[i - 1].path, &err), OK);
	file_list_free(&list);
}

static int tear_down(void **state)
{
	(void)state;
	empty_scratch();
	root_close(&root);
	key_free(&key);
	return rmdir(scratch);
}

static struct tlog begin(void)
{
	struct tlog log;
	struct error err;

	assert_int_equal(tlog_create(&root, "log/", ORIGIN, &key, &err), OK);
	assert_int_equal(tlog_open(&root, "log/", NULL, &log, &err), OK);
	return log;
}

/* Append "entry N" for the next count numbers, in one go. */
static void grow(struct tlog *log, size_t count)
{
	struct entry *entries = calloc(count, sizeof *entries);
	char (*texts)[24] = calloc(count, sizeof *texts);
	struct error err;
	uint64_t index, first = log->head.size;

	for (size_t i = 0; i < count; i++)
		entries[i] = (struct entry){texts[i], (size_t)snprintf(texts[i], sizeof texts[i], "entry %" PRIu64, first + i)};
	assert_int_equal(tlog_append(log, entries, count, &key, &index, &err), OK);
	assert_int_equal(index, first);
	free(entries);
	free(texts);
}

static size_t audit(struct tlog *log, const struct checkpoint *old, struct tlog_audit *report)
{
	tlog_audit(log, old, "old", report);
	return report->findings.count;
}

static void assert_holds(struct tlog *log)
{
	struct tlog_audit report;
	struct bytes text = {0};

	audit(log, NULL, &report);
	findings_text(&report.findings, &text);
	assert_string_equal(text.len > 0 ? text.data : "", "");
	assert_int_equal(report.entries, log->head.size);
	findings_free(&report.findings);
	bytes_free(&text);
}

static bool exists(const char *path)
{
	char *full = mem_format("%s/log/%s", scratch, path);
	bool there = access(full, F_OK) == 0;

	free(full);
	return there;
}

static void a_new_log_is_empty(void **state)
{
	struct tlog log = begin();
	struct error err;
	bool found;
	uint64_t index;
	struct bytes out = {0};

	(void)state;
	assert_int_equal(log.head.size, 0);
	assert_string_equal(log.head.origin, ORIGIN);
	assert_holds(&log);
	assert_int_equal(tlog_find(&log, "", 0, &found, &index, &err), OK);
	assert_false(found);
	assert_int_equal(tlog_prove(&log, 0, &out, &err), USAGE);
	assert_int_equal(err.rule, R_LOG_INDEX);
	assert_int_equal(tlog_entry(&log, 0, &out, &err), USAGE);
	assert_int_equal(tlog_create(&root, "log/", ORIGIN, &key, &err), USAGE);
	assert_int_equal(err.rule, R_LOG_EXISTS);
	assert_int_equal(tlog_create(&root, "other/", "no name", &key, &err), USAGE == rule_info(R_LOG_NAME)->status ? USAGE : MALFORMED);
	assert_int_equal(err.rule, R_LOG_NAME);
	tlog_close(&log);
}

/* The example of c2sp.org/tlog-tiles; the root hash is what golang.org/x/mod/sumdb/tlog 0.7.0 computes of the entries "entry 0" to "entry 69999". */
static void seventy_thousand_entries_make_the_tiles_of_the_specification(void **state)
{
	struct tlog log = begin();
	struct tlog_audit report;
	char hex[SHA256_HEX + 1];

	(void)state;
	grow(&log, 70000);
	sha256_hex(&log.head.root, hex);
	assert_string_equal(hex, "a3920fba7f239a071a9bd10721f1341addefbaededb41c7e24437a9d16bdf00a");
	assert_int_equal(audit(&log, NULL, &report), 0);
	findings_free(&report.findings);
	/* 273 + 1 of level 0, 1 + 1 of level 1, 1 of level 2, as many bundles as tiles of level 0, checkpoint and vkey. */
	assert_int_equal(report.files, 274 + 2 + 1 + 274 + 2);
	assert_true(exists("tile/0/272") && exists("tile/0/273.p/112") && exists("tile/1/000") && exists("tile/1/001.p/17") &&
	            exists("tile/2/000.p/1") && exists("tile/entries/273.p/112"));
	tlog_close(&log);
}

/* However the entries came, the tree is the same; partial tiles of earlier checkpoints stay until their tile is full. */
static void one_by_one_or_at_once_is_the_same(void **state)
{
	struct tlog log = begin();
	struct sha256 at_once;

	(void)state;
	grow(&log, 600);
	at_once = log.head.root;
	tlog_close(&log);
	empty_scratch();
	log = begin();
	for (size_t i = 0; i < 250; i++)
		grow(&log, 1);
	assert_true(exists("tile/0/000.p/1") && exists("tile/entries/000.p/249"));
	assert_holds(&log);
	grow(&log, 5);
	grow(&log, 1);
	assert_false(exists("tile/0/000.p") || exists("tile/entries/000.p"));
	assert_true(exists("tile/1/000.p/1") && exists("tile/0/000"));
	grow(&log, 256);
	grow(&log, 88);
	assert_true(exists("tile/1/000.p/1") && exists("tile/1/000.p/2"));
	assert_memory_equal(&log.head.root, &at_once, sizeof at_once);
	assert_holds(&log);
	tlog_close(&log);
}

static void every_entry_is_proven_and_read_back(void **state)
{
	struct tlog log = begin();
	struct error err;

	(void)state;
	grow(&log, 300);
	for (uint64_t i = 0; i < 300; i++) {
		struct bytes proof = {0}, entry = {0};
		struct checkpoint head;
		uint64_t index;
		bool found;

		assert_int_equal(tlog_prove(&log, i, &proof, &err), OK);
		assert_int_equal(tlog_entry(&log, i, &entry, &err), OK);
		assert_int_equal(tlog_verify_proof(proof.data, proof.len, "p", entry.data, entry.len, &log.verifier, &index, &head, &err), OK);
		assert_int_equal(index, i);
		assert_int_equal(head.size, 300);
		checkpoint_free(&head);
		assert_int_equal(tlog_verify_proof(proof.data, proof.len, "p", "entry x", 7, &log.verifier, &index, NULL, &err), FAILS);
		assert_int_equal(err.rule, R_LOG_INCLUSION);
		assert_int_equal(tlog_find(&log, entry.data, entry.len, &found, &index, &err), OK);
		assert_true(found);
		assert_int_equal(index, i);
		bytes_free(&proof);
		bytes_free(&entry);
	}
	tlog_close(&log);
}

/* R-LOG-008 and others: a proof is refused whatever byte of it is another. */
static void no_other_proof_is_taken(void **state)
{
	struct tlog log = begin();
	struct bytes proof = {0};
	struct error err;
	uint64_t index;

	(void)state;
	grow(&log, 5);
	assert_int_equal(tlog_prove(&log, 2, &proof, &err), OK);
	for (size_t i = 0; i < proof.len; i++) {
		proof.data[i] ^= 1;
		assert_int_not_equal(tlog_verify_proof(proof.data, proof.len, "p", "entry 2", 7, &log.verifier, &index, NULL, &err), OK);
		proof.data[i] ^= 1;
		assert_int_not_equal(tlog_verify_proof(proof.data, i, "p", "entry 2", 7, &log.verifier, &index, NULL, &err), OK);
	}
	/* With a line of extra data, which the specification allows, it is the same proof. */
	struct bytes more = {0};

	bytes_text(&more, PROOF_HEAD "\nextra AAAA\n");
	bytes_text(&more, proof.data + strlen(PROOF_HEAD "\n"));
	assert_int_equal(tlog_verify_proof(more.data, more.len, "p", "entry 2", 7, &log.verifier, &index, NULL, &err), OK);
	more.data[strlen(PROOF_HEAD "\nextra ")] = '!';
	assert_int_equal(tlog_verify_proof(more.data, more.len, "p", "entry 2", 7, &log.verifier, &index, NULL, &err), MALFORMED);
	assert_int_equal(err.rule, R_LOG_PROOF);
	bytes_free(&more);
	bytes_free(&proof);
	tlog_close(&log);
}

static struct bytes copy_note(const struct tlog *log)
{
	struct bytes copy = {0};

	bytes_add(&copy, log->note.data, log->note.len);
	return copy;
}

static void between_any_two_checkpoints_growth_is_proven(void **state)
{
	struct tlog log = begin();
	struct bytes notes[40];
	struct error err;

	(void)state;
	for (size_t i = 0; i < 40; i++) {
		notes[i] = copy_note(&log);
		grow(&log, 13);
	}
	for (size_t i = 0; i < 40; i++) {
		struct bytes proof = {0};

		assert_int_equal(tlog_prove_growth(&log, notes[i].data, notes[i].len, "old", &proof, &err), OK);
		for (size_t j = 0; j < 40; j++)
			assert_int_equal(tlog_verify_growth(proof.data, proof.len, "p", notes[j].data, notes[j].len, "old", &log.verifier, NULL, &err),
			                 j == i ? OK : MALFORMED);
		bytes_free(&proof);
	}
	/* R-LOG-010: a log that went back. */
	struct bytes newest = copy_note(&log), proof = {0};

	assert_int_equal(root_write(&root, "log/checkpoint", notes[39].data, notes[39].len, &err), OK);
	assert_int_equal(tlog_refresh(&log, &err), OK);
	assert_int_equal(tlog_prove_growth(&log, newest.data, newest.len, "old", &proof, &err), FAILS);
	assert_int_equal(err.rule, R_LOG_GROWTH);
	for (size_t i = 0; i < 40; i++)
		bytes_free(&notes[i]);
	bytes_free(&newest);
	tlog_close(&log);
}

/* R-LOG-010: the log's own key signs another history: each is sound in itself, and only who has an old checkpoint sees it. */
static void a_rewritten_history_is_found(void **state)
{
	struct tlog log = begin();
	struct checkpoint old;
	struct bytes note, proof = {0}, before = {0};
	struct tlog_audit report;
	struct error err;
	uint64_t index;
	const struct entry other = {"another", 7};

	(void)state;
	grow(&log, 4);
	note = copy_note(&log);
	assert_int_equal(checkpoint_open(note.data, note.len, "old", &log.verifier, &old, &err), OK);
	grow(&log, 2);
	assert_int_equal(audit(&log, &old, &report), 0);
	findings_free(&report.findings);
	assert_int_equal(tlog_prove_growth(&log, note.data, note.len, "old", &before, &err), OK);
	tlog_close(&log);
	empty_scratch();

	log = begin();
	grow(&log, 3);
	assert_int_equal(tlog_append(&log, &other, 1, &key, &index, &err), OK);
	assert_int_equal(audit(&log, &old, &report), 1); /* of the same size */
	assert_int_equal(report.findings.at[0].rule, R_LOG_GROWTH);
	findings_free(&report.findings);
	grow(&log, 2);
	assert_holds(&log);
	assert_int_equal(audit(&log, &old, &report), 1);
	assert_int_equal(report.findings.at[0].rule, R_LOG_GROWTH);
	assert_string_equal(report.findings.at[0].file, "old");
	findings_free(&report.findings);
	assert_int_equal(tlog_prove_growth(&log, note.data, note.len, "old", &proof, &err), FAILS);
	assert_int_equal(err.rule, R_LOG_GROWTH);
	checkpoint_free(&old);
	bytes_free(&note);
	bytes_free(&before);
	tlog_close(&log);
}

/* Every file, any byte of it changed, cut, grown or gone: audit names that file, and of tiles and bundles nothing else. */
static void every_changed_file_is_named(void **state)
{
	struct tlog log = begin();
	struct file_list list;
	struct error err;
	unsigned tried = 0;

	(void)state;
	grow(&log, 3);
	grow(&log, 253);
	grow(&log, 300);
	grow(&log, 1);
	assert_holds(&log);
	assert_int_equal(root_list(&root, "log", &list, &err), OK);
	for (size_t i = 0; i < list.count; i++) {
		const char *path = list.at[i].path;
		struct bytes data = {0};

		if (list.at[i].kind != FILE_REGULAR || strstr(path, "/tile/") == NULL)
			continue;
		assert_int_equal(root_read(&root, path, TILE_BYTES_MAX, &data, &err), OK);
		for (unsigned change = 0; change < 8; change++) {
			struct tlog_audit report;
			size_t at = data.len * change / 5;

			if (change < 5) {
				data.data[at] ^= 4;
				assert_int_equal(root_write_product(&root, path, data.data, data.len, &err), OK);
				data.data[at] ^= 4;
			} else if (change == 7) {
				assert_int_equal(root_remove(&root, path, &err), OK);
			} else {
				bytes_char(&data, 'x');
				data.len--;
				assert_int_equal(root_write_product(&root, path, data.data, change == 5 ? data.len - 1 : data.len + 1, &err), OK);
			}
			assert_int_equal(tlog_refresh(&log, &err), OK);
			/* One thing may be gone without fault: a partial tile of an earlier checkpoint that none needs to have been. */
			bool spare = change == 7 && (strstr(path, ".p/44") != NULL || strcmp(path, "log/tile/1/000.p/1") == 0);

			assert_int_equal(audit(&log, NULL, &report), spare ? 0 : 1);
			if (!spare)
				assert_string_equal(report.findings.at[0].file, path);
			findings_free(&report.findings);
			tried++;
		}
		assert_int_equal(root_write_product(&root, path, data.data, data.len, &err), OK);
		bytes_free(&data);
	}
	assert_true(tried >= 8 * 10);
	file_list_free(&list);
	assert_int_equal(tlog_refresh(&log, &err), OK);
	assert_holds(&log);
	tlog_close(&log);
}

static void expect_finding(struct tlog *log, enum rule rule, const char *path)
{
	struct tlog_audit report;
	struct error err;

	assert_int_equal(tlog_refresh(log, &err), OK);
	assert_int_equal(audit(log, NULL, &report), 1);
	assert_int_equal(report.findings.at[0].rule, rule);
	assert_string_equal(report.findings.at[0].file, path);
	findings_free(&report.findings);
}

static void what_else_stands_there_is_named(void **state)
{
	static const char *const extra[] = {"log/notes.txt", "log/tile/0/000.p/7", "log/tile/0/001", "log/tile/3/000.p/1", "log/tile/0/0", "log/tile/entries/000"};
	struct tlog log = begin();
	struct error err;

	(void)state;
	grow(&log, 5);
	for (size_t i = 0; i < sizeof extra / sizeof extra[0]; i++) {
		assert_int_equal(root_write(&root, extra[i], "x", 1, &err), OK);
		expect_finding(&log, R_LOG_EXTRA, extra[i]);
		assert_int_equal(root_remove(&root, extra[i], &err), OK);
	}
	assert_int_equal(symlinkat("vkey", root.fd, "log/link"), 0);
	expect_finding(&log, R_IO_KIND, "log/link");
	assert_int_equal(root_remove(&root, "log/link", &err), OK);
	assert_int_equal(root_write(&root, "log/vkey", "x\n", 2, &err), OK);
	expect_finding(&log, R_LOG_VKEY, "log/vkey");
	tlog_close(&log);
}

/* R-LOG-013: checkpoint, tiles and entries that are each well formed, and not of one log. */
static void a_checkpoint_of_other_entries_is_named(void **state)
{
	struct tlog log = begin();
	struct checkpoint lie = {.origin = (char *)ORIGIN, .size = 5};
	struct bytes note = {0}, proof = {0};
	struct error err;
	uint64_t index;
	const struct entry entry = {"x", 1};
	bool found;

	(void)state;
	grow(&log, 5);
	assert_int_equal(checkpoint_sign(&lie, &key, &note, &err), OK);
	assert_int_equal(root_write(&root, "log/checkpoint", note.data, note.len, &err), OK);
	expect_finding(&log, R_LOG_ROOT, "log/checkpoint");
	/* Nothing is built on it. */
	assert_int_equal(tlog_append(&log, &entry, 1, &key, &index, &err), FAILS);
	assert_int_equal(err.rule, R_LOG_ROOT);
	assert_int_equal(tlog_prove(&log, 0, &proof, &err), FAILS);
	assert_int_equal(tlog_find(&log, "entry 1", 7, &found, &index, &err), FAILS);
	bytes_free(&note);
	tlog_close(&log);
}

static void what_cannot_be_appended_is_refused_before_a_write(void **state)
{
	static char large[ENTRY_BYTES_MAX + 1];
	struct tlog log = begin();
	struct entry entry = {large, sizeof large};
	struct error err;
	struct key other;
	uint64_t index;

	(void)state;
	assert_int_equal(tlog_append(&log, &entry, 1, &key, &index, &err), MALFORMED);
	assert_int_equal(err.rule, R_LOG_ENTRY);
	entry.len--;
	assert_int_equal(key_generate(&other, &err), OK);
	assert_int_equal(tlog_append(&log, &entry, 1, &other, &index, &err), FAILS);
	assert_int_equal(err.rule, R_LOG_KEY);
	key_free(&other);
	int fd = openat(root.fd, "log", O_RDONLY | O_DIRECTORY);

	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(tlog_append(&log, &entry, 1, &key, &index, &err), UNAVAILABLE);
	assert_int_equal(err.rule, R_LOG_BUSY);
	close(fd);
	assert_holds(&log);
	assert_int_equal(tlog_append(&log, &entry, 1, &key, &index, &err), OK);
	assert_holds(&log);
	tlog_close(&log);
}

/* Two who have opened the log at one checkpoint: the second appends after the first, not beside it. */
static void a_stale_log_catches_up(void **state)
{
	struct tlog log = begin(), other;
	const struct entry entry = {"other", 5};
	struct error err;
	uint64_t index;

	(void)state;
	assert_int_equal(tlog_open(&root, "log/", NULL, &other, &err), OK);
	grow(&log, 255);
	assert_int_equal(tlog_append(&other, &entry, 1, &key, &index, &err), OK);
	assert_int_equal(index, 255);
	assert_holds(&other);
	/* And a reader at the older checkpoint still proves from what has become full tiles. */
	struct bytes proof = {0};

	assert_int_equal(tlog_prove(&log, 7, &proof, &err), OK);
	assert_int_equal(tlog_verify_proof(proof.data, proof.len, "p", "entry 7", 7, &log.verifier, &index, NULL, &err), OK);
	bytes_free(&proof);
	tlog_close(&other);
	tlog_close(&log);
}

static void once_is_once(void **state)
{
	struct tlog log = begin();
	struct error err;
	uint64_t index;
	bool appended;

	(void)state;
	grow(&log, 300);
	assert_int_equal(tlog_append_once(&log, "entry 7", 7, &key, &index, &appended, &err), OK);
	assert_int_equal(index, 7);
	assert_false(appended);
	assert_int_equal(tlog_append_once(&log, "new", 3, &key, &index, &appended, &err), OK);
	assert_int_equal(index, 300);
	assert_true(appended);
	assert_int_equal(tlog_append_once(&log, "new", 3, &key, &index, &appended, &err), OK);
	assert_int_equal(index, 300);
	assert_false(appended);
	assert_int_equal(log.head.size, 301);
	assert_holds(&log);
	tlog_close(&log);
}

/* One entry more reads and writes a tile a level, whatever the size: here what is written besides the bundle of entries. */
static void one_entry_writes_a_tile_a_level(void **state)
{
	struct tlog log = begin();
	struct file_list before, after;
	struct error err;
	size_t more = 0;

	(void)state;
	grow(&log, 66000);
	assert_int_equal(root_list(&root, "log", &before, &err), OK);
	grow(&log, 1);
	assert_int_equal(root_list(&root, "log", &after, &err), OK);
	for (size_t i = 0; i < after.count; i++)
		more += after.at[i].kind == FILE_REGULAR;
	for (size_t i = 0; i < before.count; i++)
		more -= before.at[i].kind == FILE_REGULAR;
	assert_int_equal(more, 2); /* a tile and a bundle; on levels 1 and 2 nothing is new */
	file_list_free(&before);
	file_list_free(&after);
	tlog_close(&log);
}

/* No space: every write beyond so many bytes of a file fails. The old state stands, nothing is left, and later it goes on. */
static void without_space_the_old_state_stands(void **state)
{
	static const rlim_t limits[] = {0, 16, 40, 100, 200, 5000, 9000};
	struct tlog log = begin();
	struct rlimit all, some;
	unsigned failed = 0;

	(void)state;
	grow(&log, 250);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &all), 0);
	for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
		const size_t counts[] = {1, 20, 300};
		const struct entry *entries = NULL;
		static char text[300][8];
		static struct entry several[300];
		struct sha256 root_before = log.head.root;
		struct error err;
		uint64_t index;

		for (size_t n = 0; n < 300; n++)
			several[n] = (struct entry){text[n], (size_t)snprintf(text[n], sizeof text[n], "%zu.%zu", i, n)};
		entries = several;
		some = (struct rlimit){limits[i], all.rlim_max};
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &some), 0);
		enum status status = tlog_append(&log, entries, counts[i % 3], &key, &index, &err);

		assert_int_equal(setrlimit(RLIMIT_FSIZE, &all), 0);
		if (status != OK) {
			failed++;
			assert_int_equal(status, UNAVAILABLE);
			assert_int_equal(err.rule, R_IO_WRITE);
			assert_memory_equal(&log.head.root, &root_before, sizeof root_before);
		}
		assert_holds(&log);
	}
	assert_in_range(failed, 4, 7);
	grow(&log, 1);
	assert_holds(&log);
	tlog_close(&log);
}

/* This process will be killed within so many nanoseconds. By its own timer: another process would often be late. */
static void be_killed(long most_ns)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
	struct itimerspec when = {.it_value = {.tv_nsec = 1 + random() % most_ns}};
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &when, NULL) != 0)
		_exit(99);
}

/* Killed at random moments and run again: the log is consistent, and what was to be appended stands there once. PTXSEAL_KILLS says how often. */
static void killed_and_run_again_nothing_is_lost_or_doubled(void **state)
{
	const char *wish = getenv("PTXSEAL_KILLS");
	const unsigned kills = wish != NULL ? (unsigned)strtoul(wish, NULL, 10) : 60;
	struct tlog log = begin();
	unsigned cut = 0, unfinished = 0;
	struct timespec start, end;

	(void)state;
	srandom(20261130);
	grow(&log, 180);
	/* How long one takes in a process of its own. */
	clock_gettime(CLOCK_MONOTONIC, &start);
	for (int i = 0; i < 20; i++) {
		struct error err;
		uint64_t index;
		const struct entry entry = {"before", 6};
		pid_t child = fork();

		if (child == 0)
			_exit((int)tlog_append(&log, &entry, 1, &key, &index, &err));
		assert_int_equal(waitpid(child, NULL, 0), child);
		assert_int_equal(tlog_refresh(&log, &err), OK);
		assert_int_equal(log.head.size, 181 + i);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	const long whole = ((end.tv_sec - start.tv_sec) * 1000000000 + end.tv_nsec - start.tv_nsec) / 20;

	for (unsigned i = 0; i < kills; i++) {
		char text[32];
		const size_t len = (size_t)snprintf(text, sizeof text, "killed %u", i);
		struct error err;
		uint64_t index;
		bool appended, found;
		int exit_status;

		(void)random(); /* each child its own moment */
		pid_t child = fork();

		if (child == 0) {
			be_killed(whole);
			_exit((int)tlog_append_once(&log, text, len, &key, &index, &appended, &err));
		}
		assert_true(child > 0);
		assert_int_equal(waitpid(child, &exit_status, 0), child);
		cut += WIFSIGNALED(exit_status);

		/* What a reader meets meanwhile: the old log or the new one. */
		unfinished += exists("unfinished");
		assert_int_equal(tlog_refresh(&log, &err), OK);
		assert_int_equal(tlog_find(&log, text, len, &found, &index, &err), OK);
		assert_int_equal(log.head.size, 200 + i + found);
		/* And after running it again. */
		assert_int_equal(tlog_append_once(&log, text, len, &key, &index, &appended, &err), OK);
		assert_int_equal(appended, !found);
		assert_int_equal(index, 200 + i);
		assert_int_equal(log.head.size, 200 + i + 1);
		assert_holds(&log);
	}
	print_message("%u of %u were cut short, %u of them while they wrote\n", cut, kills, unfinished);
	assert_true(unfinished > 0);
	tlog_close(&log);
}

/* R-LOG-015: what a killed append leaves is told of as one thing, and the next one clears it away, whatever it is of. */
static void remains_are_one_finding_and_go_away(void **state)
{
	static const char *const left[] = {"log/unfinished", "log/tile/0/000.p/6", "log/tile/0/x001/000", "log/tile/entries/000", "log/tile/1/.ptxseal-0123456789abcdef.tmp",
	                                   "log/.ptxseal-0123456789abcdef.tmp"};
	struct tlog log = begin();
	struct error err;

	(void)state;
	grow(&log, 5);
	for (size_t i = 0; i < sizeof left / sizeof left[0]; i++)
		assert_int_equal(root_write(&root, left[i], "x", 1, &err), OK);
	expect_finding(&log, R_LOG_UNFINISHED, "log/unfinished");
	/* Not what no append leaves. */
	assert_int_equal(root_write(&root, "log/mine", "x", 1, &err), OK);
	struct tlog_audit report;

	assert_int_equal(audit(&log, NULL, &report), 2);
	findings_free(&report.findings);
	assert_int_equal(root_remove(&root, "log/mine", &err), OK);
	grow(&log, 1);
	assert_holds(&log);
	assert_false(exists("tile/1") || exists("tile/0/x001"));
	tlog_close(&log);
}

/* R-LOG-003: a checkpoint, good by its signature, may speak of more entries than anybody could go through; what is missing is told by stretches. */
static void a_size_beyond_all_files_ends(void **state)
{
	static const uint64_t sizes[] = {6 * TILE_WIDTH, UINT64_C(1) << 40, INT64_MAX};
	struct tlog log = begin();
	struct tlog_audit report;
	struct error err;

	(void)state;
	grow(&log, 2 * TILE_WIDTH + 3);
	/* Something stands far behind, too. */
	assert_int_equal(root_write(&root, "log/tile/0/004", "x", 1, &err), OK);
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
		struct checkpoint head = {.origin = log.head.origin, .size = sizes[i], .root = log.head.root};
		struct bytes note = {0};
		struct tlog large;
		size_t stretches = 0;

		assert_int_equal(checkpoint_sign(&head, &key, &note, &err), OK);
		assert_int_equal(root_write(&root, "log/checkpoint", note.data, note.len, &err), OK);
		bytes_free(&note);
		assert_int_equal(tlog_open(&root, "log/", NULL, &large, &err), OK);
		assert_in_range(audit(&large, NULL, &report), 3, 12);
		for (size_t j = 0; j < report.findings.count; j++)
			stretches += strstr(report.findings.at[j].what, "and so are") != NULL;
		assert_int_equal(stretches, sizes[i] == 6 * TILE_WIDTH ? 0 : 1);
		findings_free(&report.findings);
		tlog_close(&large);
	}
	tlog_close(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_new_log_is_empty, set_up, tear_down),
		cmocka_unit_test_setup_teardown(seventy_thousand_entries_make_the_tiles_of_the_specification, set_up, tear_down),
		cmocka_unit_test_setup_teardown(one_by_one_or_at_once_is_the_same, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_size_beyond_all_files_ends, set_up, tear_down),
		cmocka_unit_test_setup_teardown(every_entry_is_proven_and_read_back, set_up, tear_down),
		cmocka_unit_test_setup_teardown(no_other_proof_is_taken, set_up, tear_down),
		cmocka_unit_test_setup_teardown(between_any_two_checkpoints_growth_is_proven, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_rewritten_history_is_found, set_up, tear_down),
		cmocka_unit_test_setup_teardown(every_changed_file_is_named, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_else_stands_there_is_named, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_checkpoint_of_other_entries_is_named, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_cannot_be_appended_is_refused_before_a_write, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_stale_log_catches_up, set_up, tear_down),
		cmocka_unit_test_setup_teardown(once_is_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(one_entry_writes_a_tile_a_level, set_up, tear_down),
		cmocka_unit_test_setup_teardown(without_space_the_old_state_stands, set_up, tear_down),
		cmocka_unit_test_setup_teardown(killed_and_run_again_nothing_is_lost_or_doubled, set_up, tear_down),
		cmocka_unit_test_setup_teardown(remains_are_one_finding_and_go_away, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
