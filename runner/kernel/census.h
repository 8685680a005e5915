/* How many instructions of which kind stand in a cubin, function by function. Static: what is counted here may never
 * run, and a loop runs what stands once; how often each ran is measured on a GPU and joined by (function, offset). */
#ifndef PTXSEAL_KERNEL_CENSUS_H
#define PTXSEAL_KERNEL_CENSUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cubin.h"
#include "sass.h"

/* All instructions of one text ("HGMMA.64x256x16.F32.BF16") that are alike in what follows. */
struct census_line {
	enum sass_family family;
	char text[SASS_TEXT_MAX];
	uint64_t count;
	uint64_t null;         /* of them: destination RZ, no work */
	uint64_t never;        /* of them: guard constantly false */
	uint64_t guarded;      /* of them: under a guard that is decided when it runs */
	bool operations_known; /* false: the instruction does not tell its shape */
	uint64_t operations;   /* of one execution by one warp, of those neither null nor never */
};

struct census_opcode {
	uint16_t number;
	char name[SASS_TEXT_MAX]; /* base mnemonic or "0x1ff" */
	uint64_t count;
};

struct census {
	uint64_t instructions;
	uint64_t unnamed; /* of them: opcode not in opcode.def */
	struct census_line *line;   /* families only, by family, then text */
	size_t lines;
	struct census_opcode *opcode; /* all instructions, most frequent first, then by name */
	size_t opcodes;
};

/* Free with census_free. */
void census_function(const struct cubin *cubin, const struct cubin_function *function, struct census *census);
void census_cubin(const struct cubin *cubin, struct census *census);
void census_free(struct census *census); /* fine on an empty one */

/* Instructions of a group that do something: neither null nor never. */
uint64_t census_group(const struct census *census, enum sass_group group);

#endif
