/*
 * NVIDIA's compute-sanitizer: where it is, which one, and what its memcheck tool says in its report. Needs no GPU, knows no CUDA types.
 * https://docs.nvidia.com/compute-sanitizer/ComputeSanitizer/
 */
#ifndef PTXSEAL_MEASURE_SANITIZER_H
#define PTXSEAL_MEASURE_SANITIZER_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/error.h"
#include "../base/sha256.h"

struct sanitizer {
	char *path;         /* NULL: none was found */
	char *version;      /* "2025.3.1.0" */
	const char *place;  /* by which of the places below; static text */
	struct sha256 hash; /* of the file at path: in a toolkit that is a short script beside the program */
};

/* Looks in $CUDA_HOME/bin, $CUDA_PATH/bin, the directories of $PATH, /usr/local/cuda/bin, /usr/local/cuda-*\/bin (the highest version first), and in pip's package
 * (nvidia/<any>/bin and .../compute-sanitizer beneath the site-packages of $VIRTUAL_ENV and of each python3 on $PATH). UNAVAILABLE with R_MEM_TOOL if there is none. */
enum status sanitizer_find(struct sanitizer *sanitizer, struct error *err);
void sanitizer_free(struct sanitizer *sanitizer); /* fine on an empty one */

enum { SANITIZER_TEXT_MAX = 256, SANITIZER_FUNCTION_MAX = 128 };

struct sanitizer_report {
	bool whole;                            /* it has its last line, the summary */
	uint64_t errors;                       /* by that line */
	char first[SANITIZER_TEXT_MAX];        /* the first error, or what the tool says of itself; "" if nothing */
	char function[SANITIZER_FUNCTION_MAX]; /* where the first error is said to be, "" if nowhere */
};

/*
 * Reads a report in the tool's plain form: lines that begin with "=========". What stands right behind it is a message; what is indented belongs to the message above ("at FUNCTION+0x10",
 * "at 0x10 in FUNCTION"). The last one is "ERROR SUMMARY: N errors". Lines that it does not know are passed over; no report is too strange for it.
 */
void sanitizer_read(const char *text, size_t len, struct sanitizer_report *report);

#endif
