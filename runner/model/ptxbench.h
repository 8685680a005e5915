/*
 * PTXBench's published CSV files, read and checked against each other: everything the import carries over.
 * Nothing is written here (records.h) and nothing is judged (irregularity.h).
 */
#ifndef PTXSEAL_MODEL_PTXBENCH_H
#define PTXSEAL_MODEL_PTXBENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/bytes.h"
#include "../base/date.h"
#include "../base/error.h"
#include "../base/file.h"
#include "../base/sha256.h"
#include "../bundle/ledger.h"
#include "runname.h"

#define PTXBENCH_SOURCE "ptxbench"

enum {
	PTXBENCH_FILE_MAX = 256 << 20, /* bytes of one CSV file */
	PTXBENCH_TURNS = 8,            /* of a trajectory in every published plan */
	PTXBENCH_LIMITS = 3,           /* turn limits 1, 4, 8: three rows a run in each aggregate */
	PTXBENCH_CELL_MAX = 32,        /* bytes of a published number, its end included */
};

extern const unsigned ptxbench_limits[PTXBENCH_LIMITS];

enum ptxbench_file {
	PTXBENCH_EXPERIMENTS,
	PTXBENCH_TURN_FILE,
	PTXBENCH_CORRECTNESS,
	PTXBENCH_SPEEDUP,
	PTXBENCH_TARGET,
	PTXBENCH_MODEL_DATES,
	PTXBENCH_ARCH_DATES,
	PTXBENCH_FLASH_DATES,
	PTXBENCH_FILES
};
const char *ptxbench_file_name(enum ptxbench_file file);

enum date_form { DATE_DASHED /* YYYY-MM-DD */, DATE_PACKED /* YYYY-MMDD */, DATE_FORMLESS };

/* The three aggregates by place: correctness, best speedup, target instruction. */
enum { PTXBENCH_AGGREGATES = 3 };
/* The table each is expected to be derived as: "correctness", "best_speedup", "target_instruction". */
const char *ptxbench_table(int aggregate);
enum ptxbench_file ptxbench_aggregate_file(int aggregate);

/* A file as it came in. */
struct ptxbench_input {
	struct bytes text;
	struct sha256 hash;
	uint64_t lines;
	uint64_t rows; /* records below the header */
};

/* A line of the three files of dates. */
struct release {
	enum ptxbench_file file;
	uint64_t line;
	char *name;
	char *arch;                /* of an architecture or a FlashAttention version, NULL of a model */
	char *published;           /* as written */
	char date[DATE_TEXT + 1];  /* "" where no such day is in the calendar */
};

/* What the three aggregates say of a run at one turn limit. */
struct ptxbench_cells {
	uint64_t line[PTXBENCH_AGGREGATES];
	uint64_t correct;                         /* trajectories */
	char correct_rate[PTXBENCH_CELL_MAX];
	char best_speedup[PTXBENCH_CELL_MAX];
	uint64_t with_target;                     /* trajectories, SASS evidence */
	char with_target_rate[PTXBENCH_CELL_MAX];
	uint64_t correct_turns;
	uint64_t unknown_turns;                   /* of these, those with no conclusive SASS evidence */
};

struct ptxbench_run {
	struct run run;
	struct runname name;
	uint64_t line;            /* in experiments.csv */
	bool has_directory;       /* exp_dir is more than the run's own directory */
	struct turn *turns;       /* source_line is the line in the turn file */
	size_t turn_count;
	struct ptxbench_cells cells[PTXBENCH_LIMITS];
};

struct ptxbench {
	struct ptxbench_input inputs[PTXBENCH_FILES];
	struct release *releases;
	size_t release_count;
	struct ptxbench_run *runs;
	size_t run_count;
	uint64_t turn_count;
	uint64_t trajectory_count;
	uint64_t outcomes[OUTCOME_COUNT];
	enum date_form date_forms[PTXBENCH_AGGREGATES];
	struct bytes expected[PTXBENCH_AGGREGATES]; /* published cells, JSON Lines (docs/design.md, "Compare ...") */
};

/* Read and check dir's eight files. What is refused: docs/records.md, "Import". ptxbench_free in every case. */
enum status ptxbench_read(const struct root *dir, struct ptxbench *data, struct error *err);
/* The same with inputs[].text filled by the caller. */
enum status ptxbench_parse(struct ptxbench *data, struct error *err);
void ptxbench_free(struct ptxbench *data);

/* The form a published date has. out is it as YYYY-MM-DD, "" where it is formless or no such day exists. */
enum date_form ptxbench_date(const char *text, char out[DATE_TEXT + 1]);

#endif
