/* One candidate replayed: its code, its trials, its speed beside the library's, its instructions, and what is made of all that. */
#ifndef PTXSEAL_MEASURE_REPLAY_H
#define PTXSEAL_MEASURE_REPLAY_H

#include "../bundle/ledger.h"
#include "../kernel/image.h"
#include "memcheck.h"
#include "race.h"
#include "work.h"

#define REPLAY_SECONDS_DEFAULT 5.0

#define DECOY_SHARE 0.01

/* Relative RMS error of a result of the right size: what a kernel that ignores the values' scale or sign misses by far, and any rounding keeps. */
#define RIGHT_SIZE_RMS 0.05

enum { REPLAY_FUNCTIONS_MAX = CANDIDATE_LAUNCHES_MAX, REPLAY_TEXT_MAX = FATE_FUNCTION_MAX + FATE_TEXT_MAX + 8 };

struct replay_options {
	double seconds; /* budget of timing; 0: it is not timed */
	bool no_evidence;
	bool require_sandbox;
	bool quiet; /* no progress line */
	int device;
	const char *program; /* of workers; NULL: this one */
	enum memcheck_mode memcheck;
	const struct sanitizer *sanitizer; /* NULL or empty: there is none */
};

/* Milliseconds of the host's clock that a part took, for the record. */
struct replay_times {
	uint64_t code, start, trials, timing, counting, memcheck, all;
};

struct replay {
	const struct problem *problem;
	const struct candidate *candidate;
	enum outcome outcome; /* a measured label */
	enum rule rule;       /* that was broken, where outcome is not OUTCOME_MEASURED_CORRECT */
	char text[REPLAY_TEXT_MAX];
	/* Strict: of all trials together; it decides what is correct, as far as there is a library to compare with. Published: of the trials whose values are
	 * the paper's (normal), kept in numbers, since in 10^8 elements the library itself breaks that rule now and then. */
	enum mark published, strict;
	struct published {
		uint64_t trials, passed, library_passed; /* the last: 0 of 0 known where there is no library */
		bool has_library;
	} rule_of_paper;
	bool has_code;        /* image and cubin are set */
	struct image image;
	struct cubin cubin;   /* of image.cubin */
	struct plan plan;
	struct trial_results trials;
	bool raced;
	struct race race;
	struct roofline roofline;
	unsigned suspicions;  /* enum suspicion; 0 where it was not timed */
	struct counts counts[REPLAY_FUNCTIONS_MAX];
	struct trial_result called[REPLAY_FUNCTIONS_MAX]; /* the call that was counted, looked at as every trial is, but for guard zones; no outputs if it did not come to its end */
	size_t functions;     /* counted or tried to */
	struct work work;
	enum counts_state state; /* the weakest of the functions': executed or not_executed only if all were counted */
	double share;         /* of the task's FLOPs by wgmma and tcgen05; -1 if not known */
	bool has_target;      /* instructions of the target families that could do something stand in the code */
	bool names_target;    /* instructions of the target families stand in it at all, null ones too: those are enough for a test of presence */
	bool decoy;           /* so they do, and they did under DECOY_SHARE of the FLOPs */
	struct memcheck memcheck;
	cJSON *worker_facts;  /* of the worker of the trials; NULL if none started */
	struct nvml_state before, after;
	struct replay_times times;
};

/* The judge is set to the problem; the plan's first trials may be kept already. OK: outcome says it all. UNHEALTHY or any other error: the session has to stop; what was measured
 * until then is in *replay, with the outcome `infrastructure`. replay_free in every case. */
enum status replay_run(struct judge *judge, const struct root *root, const struct problem *problem, const struct candidate *candidate,
                       const struct trial_plan *plan, const struct replay_options *options, struct replay *replay, struct error *err);
void replay_free(struct replay *replay);

/* It has a speedup. */
bool replay_is_timed(const struct replay *replay);

/* What the evidence is, for the ledger; and the tag: "H" for Hopper's instructions executed with effect, "G" for none, "" for not looked at. */
enum evidence replay_evidence(const struct replay *replay);
const char *replay_arch_tag(const struct replay *replay);
/* Trials that were right, that were not, and that were planned and not run. */
struct accounting {
	uint64_t planned, passed, failed, not_run;
};
void replay_account(const struct replay *replay, struct accounting *accounting);

#endif
