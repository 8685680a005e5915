/* R-ADM-015, where a log is long: an admission that fills a tile removes the partial ones before it, which the seal lists. That follows from it, and nothing else that is missing does. */
#include "unit.h"

#include "scratch.h"

#include "bundle/layout.h"
#include "log/append.h"
#include "submission/awaiting.h"

#define ID "0123456789abcdef"
#define SUMS "0000000000000000000000000000000000000000000000000000000000000000  artifact/runs/r/run.json\n"

static char *name;
static struct root root;

/* A bundle with a log of so many entries and a submission in it. */
static void begin(size_t entries)
{
	struct tlog log;
	struct key key = {0};
	struct error err;
	uint64_t index;

	name = scratch_make();
	assert_int_equal(root_open(name, &root, &err), OK);
	assert_int_equal(key_generate(&key, &err), OK);
	char *trust = mem_format("{\"keys\":[{\"file\":\"keys/log.pem\",\"fingerprint\":\"%s\",\"predicates\":[],\"purpose\":\"signs the log\",\"roles\":[\"log\"]}]}\n", key.fingerprint);

	assert_int_equal(root_write(&root, LAYOUT_TRUST, trust, strlen(trust), &err), OK);
	assert_int_equal(root_write(&root, LAYOUT_SUBMISSIONS ID "/" LAYOUT_SUMS, SUMS, strlen(SUMS), &err), OK);
	assert_int_equal(tlog_create(&root, LAYOUT_LOG, "example.org/log", &key, &err), OK);
	assert_int_equal(tlog_open(&root, LAYOUT_LOG, NULL, &log, &err), OK);
	struct entry *all = mem_array(NULL, entries, sizeof *all);

	for (size_t i = 0; i < entries; i++)
		all[i] = (struct entry){"entry", 5};
	assert_int_equal(tlog_append(&log, all, entries, &key, &index, &err), OK);
	free(all);
	free(trust);
	tlog_close(&log);
	key_free(&key);
}

static void end(void)
{
	root_close(&root);
	scratch_remove(name);
}

static void assert_folded(struct findings *findings, const char *expected)
{
	struct bytes text = {0};

	awaiting_fold(&root, findings);
	findings_sort(findings);
	for (size_t i = 0; i < findings->count; i++)
		bytes_format(&text, "%s %s: %s\n", rule_info(findings->at[i].rule)->id, findings->at[i].file, findings->at[i].what);
	assert_string_equal(text.data != NULL ? text.data : "", expected);
	bytes_free(&text);
	findings_free(findings);
}

static void partial_tiles_go_with_the_tile_that_fills(void **state)
{
	struct findings findings = {0};

	(void)state;
	begin(256);
	findings_add(&findings, R_BND_EXTRA, LAYOUT_SUBMISSIONS ID "/" LAYOUT_ENTRY, "extra");
	findings_add(&findings, R_BND_EXTRA, "artifact/runs/r/run.json", "extra");
	findings_add(&findings, R_BND_EXTRA, LAYOUT_LOG "tile/0/000", "extra");
	findings_add(&findings, R_BND_MISSING, LAYOUT_LOG "tile/0/000.p/255", "missing");
	findings_add(&findings, R_BND_MISSING, LAYOUT_LOG "tile/entries/000.p/255", "missing");
	findings_add(&findings, R_BND_MISSING, LAYOUT_LOG "tile/0/000", "missing");
	findings_add(&findings, R_BND_MISSING, LAYOUT_LOG "tile/0/001.p/7", "missing");
	findings_add(&findings, R_BND_MISSING, "artifact/runs/r/run.json", "missing");
	findings_add(&findings, R_BND_CHANGED, LAYOUT_LOG TLOG_VKEY, "changed");
	findings_add(&findings, R_BND_CHANGED, LAYOUT_LOG TLOG_CHECKPOINT, "changed");
	assert_folded(&findings, "R-BND-001 artifact/runs/r/run.json: missing\n"
	                         "R-BND-001 manifests/log/tile/0/000: missing\n"
	                         "R-BND-001 manifests/log/tile/0/001.p/7: missing\n"
	                         "R-BND-003 manifests/log/vkey: changed\n"
	                         "R-ADM-015 manifests/submissions/: 1 submission is admitted and awaits the root seal, with 6 new or changed files: " ID "\n");
	end();
}

static void a_seal_that_was_killed_is_told_as_that(void **state)
{
	struct findings findings = {0};

	(void)state;
	begin(1);
	findings_add(&findings, R_BND_UNFINISHED, LAYOUT_UNFINISHED, "begun");
	findings_add(&findings, R_BND_EXTRA, "artifact/runs/r/run.json", "extra");
	assert_folded(&findings, "R-BND-002 artifact/runs/r/run.json: extra\n"
	                         "R-BND-008 checksums/unfinished: begun\n");
	end();
}

static void no_more_than_four_are_named(void **state)
{
	static const char *const ids[] = {"0000000000000001", "0000000000000002", "0000000000000003", "0000000000000004", "0000000000000005"};
	struct findings findings = {0};

	(void)state;
	begin(5);
	for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
		char *path = mem_format(LAYOUT_SUBMISSIONS "%s/" LAYOUT_ENTRY, ids[i]);

		findings_add(&findings, R_BND_EXTRA, path, "extra");
		free(path);
	}
	assert_folded(&findings, "R-ADM-015 manifests/submissions/: 5 submissions are admitted and await the root seal, with 5 new or changed files: "
	                         "0000000000000001, 0000000000000002, 0000000000000003, 0000000000000004 and 1 more\n");
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(partial_tiles_go_with_the_tile_that_fills),
		cmocka_unit_test(a_seal_that_was_killed_is_told_as_that),
		cmocka_unit_test(no_more_than_four_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
