/* What `query` and `mcp` share: --measure and the options that belong to it. */
#ifndef PTXSEAL_COMMANDS_MEASURING_H
#define PTXSEAL_COMMANDS_MEASURING_H

#include "../measure/assess.h"
#ifdef PTXSEAL_CUDA
#include "../measure/appraise.h"
#endif

struct measuring {
	bool wanted;
	int64_t trials;
	double seconds;
	const char *memcheck;
#ifdef PTXSEAL_CUDA
	struct appraiser appraiser; /* after measuring_open */
#endif
};

enum { MEASURING_TRIALS = 30, MEASURING_SECONDS = 5 }; /* as of a replay */
#define MEASURING_DEFAULTS {.trials = MEASURING_TRIALS, .seconds = MEASURING_SECONDS, .memcheck = "auto"}

#define MEASURING_HELP                                                                             \
	"  --measure            run what compiles on this machine's GPU, as replay does; without it the\n" \
	"                       model is told of the compiling only\n"                              \
	"  --trials N, --seconds S, --memcheck auto|off|require\n"                                     \
	"                       of that, as for replay (30, 5, auto)\n"

/* Values of the options; false if the text is none. */
bool measuring_trials(struct measuring *measuring, const char *text);
bool measuring_seconds(struct measuring *measuring, const char *text);
bool measuring_memcheck(struct measuring *measuring, const char *text);

/* The evaluator of a run: the assessor alone, or what measures. Keeps what compiles. measuring_close in every case. */
enum status measuring_open(struct measuring *measuring, struct assessor *assessor, evaluator **evaluate, void **context, struct error *err);
void measuring_close(struct measuring *measuring);

/* End what is being measured soon; for signal handlers. */
void measuring_stop(void);

/* Of today, UTC: 2026-01-31. */
void measuring_date(char date[16]);

#endif
