/*
 * The ledger: what was planned and what became of every turn. One directory a run,
 * artifact/runs/<run>/run.json (struct run) and turns.jsonl (one struct turn a line), both canonical JSON.
 * Schemas with every field: docs/records.md.
 */
#ifndef PTXSEAL_BUNDLE_LEDGER_H
#define PTXSEAL_BUNDLE_LEDGER_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/error.h"
#include "../base/file.h"

enum {
	LEDGER_TURNS_FILE_MAX = 1 << 30, /* bytes of one turns.jsonl */
	LEDGER_LINE_MAX = 1 << 20,       /* bytes of one record */
};

/* What shows that target instructions did the work (docs/design.md, "Evidence"). Never mixed in one table. */
enum evidence { EVIDENCE_REPORTED, EVIDENCE_STATIC, EVIDENCE_EXECUTED, EVIDENCE_UNKNOWN, EVIDENCE_REFUSED, EVIDENCE_COUNT };
const char *evidence_name(enum evidence evidence);

/* What became of a turn. The published nine labels, verbatim, for reported turns. */
enum outcome {
	OUTCOME_CORRECT,                 /* "Correct" */
	OUTCOME_NUMERICAL,               /* "Numerical error" */
	OUTCOME_COMPILATION,             /* "Compilation error" */
	OUTCOME_SANITIZE_TIMEOUT,        /* "Sanitize Timeout" */
	OUTCOME_PROFILING_TIMEOUT,       /* "Profiling Service Timeout" */
	OUTCOME_EXECUTION_TIMEOUT,       /* "Kernel Execution Timeout" */
	OUTCOME_EXTRACTION,              /* "Extraction error" */
	OUTCOME_RUNTIME,                 /* "Runtime error" */
	OUTCOME_OTHER,                   /* "Other error" */
	OUTCOME_COUNT
};
const char *outcome_name(enum outcome outcome);
bool outcome_parse(const char *text, size_t len, enum outcome *outcome);

/* All text is owned by the struct; run_free. */
struct run {
	char *run;           /* its directory's name: [A-Za-z0-9._-]+, first character a letter or digit */
	char *source;        /* artifact/sources/<source>/, e.g. "ptxbench" */
	uint64_t position;   /* order of the runs in their source, from 1 */
	char *model;         /* as the source writes it */
	char *arch;          /* "hopper" | "blackwell" */
	char *task;          /* the definition's name */
	char *workload;      /* UUID */
	char *workload_name; /* as the source writes it */
	char *required_tag;  /* the letter of the target architecture in arch_tag: "H" | "B" */
	char *date;          /* the source's release date of the model, YYYY-MM-DD */
	/* What the run's name hides; "unsaid" where it says nothing: */
	char *checklist;     /* "patched" | "nopatched" | "unsaid": the extra prompt checklist */
	char *retrieval;     /* "none" | "notes" | "notes and kernel" */
	char *variant;       /* what else the name carries ("w48-g8", "prompt-ablation", "full", ...), "" if nothing */
	uint64_t planned_trajectories;
	uint64_t planned_turns; /* turns a trajectory may have (the turn limit) */
};
void run_free(struct run *run);

struct turn {
	uint32_t trajectory;     /* from 0 */
	uint32_t turn;           /* from 0 */
	enum outcome outcome;
	enum evidence evidence;
	double speedup;          /* baseline time / candidate time; 0 if none */
	char speedup_text[32];   /* the same as the source wrote it */
	char arch_tag[16];       /* letters found in the PTX text: "", "A", "H, B", ... as the source wrote it */
	int64_t reasoning_tokens; /* -1 if unknown */
	char reasoning_source[64]; /* the usage field they were read from, "" if unknown */
	uint64_t source_line;    /* line in the source's file, 0 if there is none */
};

/* Append the record as one line of turns.jsonl, newline included. */
void turn_write(const struct turn *turn, struct bytes *out);
/* The run as run.json, newline included. */
void run_write(const struct run *run, struct bytes *out);

/* Read the whole ledger beneath root ("artifact/runs"), runs in the order (source, position), turns in file order. on_turn gets the
 * 1-based line in turns.jsonl. A return other than OK stops and is passed up. Refused: unknown or missing fields,
 * duplicate or out-of-order (trajectory, turn), a trajectory or turn beyond what was planned, a directory that is not its run's name,
 * Correct without a speedup or a speedup without Correct. */
struct ledger_visitor {
	enum status (*on_run)(void *context, const struct run *run, struct error *err);
	enum status (*on_turn)(void *context, const struct run *run, const struct turn *turn, uint64_t line,
	                       struct error *err);
	void *context;
};
enum status ledger_read(const struct root *root, const struct ledger_visitor *visitor, struct error *err);

#endif
