/* A tiny bundle in a scratch directory for the tests of derive/: two runs, five trajectories, literal turns. */
#ifndef PTXSEAL_TESTS_TINY_H
#define PTXSEAL_TESTS_TINY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file.h"
#include "bundle/ledger.h"
#include "derive/database.h"

struct tiny {
	char directory[64];
	struct root root;
};

static inline void tiny_put(const struct tiny *tiny, const char *path, const char *text)
{
	struct error err = {0};

	assert_int_equal(root_write_product(&tiny->root, path, text, strlen(text), &err), OK);
}

/* One turn record a line of text: "trajectory turn outcome speedup tag tokens", outcome a letter (C Correct, N numerical,
 * X compilation), speedup and tag - for none, tokens - for unknown. */
static inline void tiny_turns(const struct tiny *tiny, const char *run, enum evidence evidence, const char *lines)
{
	struct bytes out = {0};
	char *path = mem_format("artifact/runs/%s/turns.jsonl", run);
	uint64_t source_line = 2;

	while (*lines != '\0') {
		struct turn turn = {.evidence = evidence, .source_line = source_line++, .reasoning_tokens = -1};
		char outcome, tag[16], tokens[16];

		assert_int_equal(sscanf(lines, "%u %u %c %31s %15s %15s", &turn.trajectory, &turn.turn, &outcome, turn.speedup_text, tag,
		                        tokens),
		                 6);
		turn.outcome = outcome == 'C' ? OUTCOME_CORRECT : outcome == 'N' ? OUTCOME_NUMERICAL : OUTCOME_COMPILATION;
		if (strcmp(turn.speedup_text, "-") == 0)
			strcpy(turn.speedup_text, "0.0");
		turn.speedup = strtod(turn.speedup_text, NULL);
		/* "A+H" stands for "A, H". */
		if (tag[0] != '-')
			snprintf(turn.arch_tag, sizeof turn.arch_tag, tag[1] == '+' ? "%c, %c" : "%c", tag[0], tag[2]);
		if (strcmp(tokens, "-") != 0) {
			turn.reasoning_tokens = strtol(tokens, NULL, 10);
			strcpy(turn.reasoning_source, "usage");
		}
		turn_write(&turn, &out);
		lines += strcspn(lines, "\n");
		lines += *lines == '\n';
	}
	tiny_put(tiny, path, out.data);
	bytes_free(&out);
	free(path);
}

static inline void tiny_run(const struct tiny *tiny, const char *name, uint64_t position, const char *model, const char *arch,
                            uint64_t trajectories)
{
	struct run run = {.run = (char *)name,
	                  .source = (char *)"made",
	                  .position = position,
	                  .model = (char *)model,
	                  .arch = (char *)arch,
	                  .task = (char *)"gemm",
	                  .workload = (char *)"w-1",
	                  .workload_name = (char *)"gemm_M1",
	                  .required_tag = (char *)(arch[0] == 'h' ? "H" : "B"),
	                  .date = (char *)"2026-01-31",
	                  .checklist = (char *)"unsaid",
	                  .retrieval = (char *)"none",
	                  .variant = (char *)"",
	                  .planned_trajectories = trajectories,
	                  .planned_turns = 8};
	struct bytes out = {0};
	char *path = mem_format("artifact/runs/%s/run.json", name);

	run_write(&run, &out);
	tiny_put(tiny, path, out.data);
	bytes_free(&out);
	free(path);
}

/*
 * run h-one (hopper, 3 trajectories)         run b-two (blackwell, 2 trajectories)
 *   0: X, C 0.25 "A", N "H", C 0.5 "A, H"      0: C 0.125 "H" (the other architecture's letter)
 *   1: C 0.75 "A"                              1: N, N, N, N, C 1.5 "H, B"
 *   2: N
 */
static inline void tiny_make(struct tiny *tiny)
{
	struct error err = {0};

	strcpy(tiny->directory, "/tmp/ptxseal-test-XXXXXX");
	assert_non_null(mkdtemp(tiny->directory));
	assert_int_equal(root_open(tiny->directory, &tiny->root, &err), OK);
	tiny_run(tiny, "h-one", 1, "M 1", "hopper", 3);
	tiny_turns(tiny, "h-one", EVIDENCE_REPORTED,
	           "0 0 X - - 10\n0 1 C 0.25 A 20\n0 2 N - H 40\n0 3 C 0.5 A+H -\n1 0 C 0.75 A 7\n2 0 N - - 9\n");
	tiny_run(tiny, "b-two", 2, "M 2", "blackwell", 2);
	tiny_turns(tiny, "b-two", EVIDENCE_REPORTED,
	           "0 0 C 0.125 H 1\n1 0 N - - 2\n1 1 N - - 3\n1 2 N - - 4\n1 3 N - - 5\n1 4 C 1.5 H+B 6\n");
}

static inline void tiny_free(struct tiny *tiny)
{
	char *command = mem_format("rm -rf '%s'", tiny->directory);

	root_close(&tiny->root);
	assert_int_equal(system(command), 0);
	free(command);
}

static inline struct database *tiny_open(const struct tiny *tiny)
{
	struct error err = {0};
	struct database *db = NULL;
	enum status status = database_open(&tiny->root, &db, &err);

	if (status != OK)
		fail_msg("%s: %s", err.file, err.what);
	return db;
}

#endif
