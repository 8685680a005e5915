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
#include "../base/sha256.h"

#define LEDGER_DIRECTORY "artifact/runs"

enum {
	LEDGER_TURNS_FILE_MAX = 1 << 30, /* bytes of one turns.jsonl */
	LEDGER_RUN_FILE_MAX = 64 << 10,  /* bytes of one run.json */
	LEDGER_LINE_MAX = 1 << 20,       /* bytes of one record */
	LEDGER_NAME_MAX = 128,           /* bytes of a run's or a source's name */
	LEDGER_TEXT_MAX = 256,           /* bytes of any other text of a run */
	LEDGER_TRAJECTORIES_MAX = 1000000,
	LEDGER_TURNS_MAX = 10000,        /* of one trajectory */
	LEDGER_PLANNED_MAX = 1000000,    /* turns of all trajectories that a run plans: what a reader has room for, it has by this */
};

/* So many may be planned; what is more no reader takes (R_LED_RUN). */
bool ledger_can_plan(uint64_t trajectories, uint64_t turns);

/* What shows that target instructions did the work (docs/design.md, "Evidence"). Never mixed in one table. */
enum evidence { EVIDENCE_REPORTED, EVIDENCE_STATIC, EVIDENCE_EXECUTED, EVIDENCE_UNKNOWN, EVIDENCE_REFUSED, EVIDENCE_COUNT };
const char *evidence_name(enum evidence evidence);
bool evidence_parse(const char *text, size_t len, enum evidence *evidence);

/* What became of a turn. The published nine labels, verbatim, for reported turns; ours for turns that this program measured. */
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
	OUTCOME_PUBLISHED_COUNT,
	OUTCOME_MEASURED_CORRECT = OUTCOME_PUBLISHED_COUNT, /* "correct" */
	OUTCOME_MEASURED_WRONG,          /* "wrong_result": an output is off, or not finite */
	OUTCOME_MEASURED_COMPILATION,    /* "compile_error": ptxas refuses the PTX, or it is not what candidate.json says */
	OUTCOME_MEASURED_RUNTIME,        /* "runtime_error": a launch fails, traps, or the worker dies */
	OUTCOME_MEASURED_MEMORY,         /* "memory_error": an illegal address, or a write beside a tensor */
	OUTCOME_MEASURED_TIMEOUT,        /* "timeout" */
	OUTCOME_MEASURED_REJECTED,       /* "rejected": a rule of the benchmark is broken; the record names it */
	OUTCOME_MEASURED_INFRASTRUCTURE, /* "infrastructure": could not be tried here */
	OUTCOME_MEASURED_UNKNOWN,        /* "unknown" */
	OUTCOME_MEASURED_EXTRACTION,     /* "extraction_error": no answer, or none with a kernel in it */
	OUTCOME_COUNT
};
const char *outcome_name(enum outcome outcome);
bool outcome_is_measured(enum outcome outcome);
bool outcome_is_correct(enum outcome outcome); /* "Correct" or "correct" */
bool outcome_parse(const char *text, size_t len, enum outcome *outcome);

/* The letters of an arch_tag (docs/records.md): "" or some of A, H, B in this order joined by ", ", or G
 * alone. */
bool arch_tag_valid(const char *text, size_t len);
/* Whether the letter stands in a valid tag. */
bool arch_tag_has(const char *tag, char letter);

/* A name a run or a source may have: [A-Za-z0-9._-]+, first character a letter or digit, at most
 * LEDGER_NAME_MAX. */
bool ledger_name_valid(const char *text, size_t len);

/* A decimal as records carry it in a string: JSON's number grammar without a minus sign, finite, at most
 * 31 characters. */
bool decimal_parse(const char *text, size_t len, double *value);

/* All text is owned by the struct; run_free. */
struct run {
	char *run;           /* its directory's name: ledger_name_valid */
	char *source;        /* artifact/sources/<source>/, e.g. "ptxbench" */
	uint64_t position;   /* order of the runs in their source, from 1 */
	char *model;         /* as the source writes it */
	char *arch;          /* "hopper" | "blackwell" */
	char *task;          /* the definition's name */
	char *workload;      /* UUID */
	char *workload_name; /* as the source writes it */
	char *required_tag;  /* the letter of the target architecture in arch_tag: "H" (hopper) | "B" (blackwell) */
	char *date;          /* the source's release date of the model, YYYY-MM-DD, "" where it is not known */
	/* What the run's name hides; "unsaid" where it says nothing: */
	char *checklist;     /* "patched" | "nopatched" | "unsaid": the extra prompt checklist */
	char *retrieval;     /* "none" | "notes" | "notes and kernel" | "unsaid" */
	char *variant;       /* what else the name carries ("w48-g8", "prompt-ablation", "full", ...), "" if nothing */
	uint64_t planned_trajectories;
	uint64_t planned_turns; /* turns a trajectory may have (the turn limit) */
};
void run_free(struct run *run); /* its fields, not the struct */

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
	/* Objects (objects.h) by their SHA-256, "" where not known. A record names all three or none. */
	char prompt[SHA256_HEX + 1];   /* what the model was asked: the conversation up to this turn */
	char response[SHA256_HEX + 1]; /* what it answered */
	char feedback[SHA256_HEX + 1]; /* what it was told of its answer */
};

/* Append the record as one line of turns.jsonl, newline included. */
void turn_write(const struct turn *turn, struct bytes *out);
/* Whether its model, task, workload, workload_name and variant are names (base/name.h). run_read asks; whoever is about to write one asks before any work. */
enum status run_check_names(const struct run *run, const char *file, struct error *err);
/* The run as run.json, newline included. */
void run_write(const struct run *run, struct bytes *out);

/* Read one run.json beneath root (a bundle); name is its directory's. *run is empty unless OK is returned;
 * run_free. */
enum status run_read(const struct root *root, const char *name, struct run *run, struct error *err);

/* The runs of a source come one after the other: the position that none of them has yet. Sessions of other runs may go on; whoever takes the position writes run.json under the
 * lock (lock.h) that this was called under, or another run gets it too. */
enum status ledger_next_position(const struct root *root, const char *source, uint64_t *position, struct error *err);

/* Read the whole ledger of the bundle at root (LEDGER_DIRECTORY), runs in the order (source, position),
 * turns in file order. on_turn gets the 1-based line in turns.jsonl; err->file is relative to the bundle.
 * A return other than OK stops and is passed up. Refused (rules R-LED): unknown or missing fields,
 * duplicate or out-of-order (trajectory, turn), a gap in a trajectory, a trajectory or turn beyond what
 * was planned, a directory that is not its run's name, Correct without a speedup or a speedup without
 * Correct. A bundle without runs gives none. */
struct ledger_visitor {
	enum status (*on_run)(void *context, const struct run *run, struct error *err);
	enum status (*on_turn)(void *context, const struct run *run, const struct turn *turn, uint64_t line,
	                       struct error *err);
	void *context;
};
enum status ledger_read(const struct root *root, const struct ledger_visitor *visitor, struct error *err);

/* The same over one turns.jsonl that is already in memory; file is for messages. */
enum status turns_read(const char *text, size_t len, const char *file, const struct run *run,
                       const struct ledger_visitor *visitor, struct error *err);

#endif
