/*
 * The published figure cells: a JSON file of numbers read off Figures 1 and 2 of arXiv 2608.17379.
 *
 * {"source": TEXT,
 *  "figure1_best_speedup": {"models": [NAME...], "null_means": TEXT,
 *      ARCH: {"any": {TASK: [SPEEDUP or null, one a model]...}, "target": {the same tasks}}...},
 *  "figure2_sft_s1_hopper": {"columns": ["percent_of_turns_correct", "best_speedup"], TASK: [PERCENT, SPEEDUP]...}}
 *
 * Speedups of Figure 1 are published with three decimals, percentages with one, speedups of Figure 2 with two.
 */
#ifndef PTXSEAL_MODEL_FIGURES_H
#define PTXSEAL_MODEL_FIGURES_H

#include "../base/bytes.h"
#include "../base/error.h"

enum { FIGURES_FILE_MAX = 1 << 20 };

struct figures {
	char *source;         /* what the file says of where the numbers were read */
	struct bytes figure1; /* JSON Lines, rows "ARCH/TASK/MODEL", cells any and target */
	struct bytes figure2; /* rows "TASK", cells percent_correct and best_speedup */
};

/* figures_free unless refused; file is for messages. */
enum status figures_parse(const char *text, size_t len, const char *file, struct figures *figures, struct error *err);
void figures_free(struct figures *figures);

#endif
