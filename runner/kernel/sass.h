/*
 * One SASS instruction of Volta and later (16 bytes), as far as it matters for evidence: the guard, the base mnemonic,
 * and for the families below shape, data types and whether it does anything at all. Families are read as sm_90a and
 * sm_100a encode them. NVIDIA publishes no encodings: every field was found by experiment, docs/kernel.md says how.
 */
#ifndef PTXSEAL_KERNEL_SASS_H
#define PTXSEAL_KERNEL_SASS_H

#include <stdbool.h>
#include <stdint.h>

enum { SASS_BYTES = 16, SASS_TEXT_MAX = 96, SASS_REGISTER_ZERO = 255, SASS_PREDICATE_TRUE = 7 };

enum sass_family {
	SASS_OTHER,
	/* warpgroup multiplies (sm_90a) */
	SASS_HGMMA,
	SASS_QGMMA,
	SASS_IGMMA,
	SASS_BGMMA,
	/* tensor-map copies, and what goes with them */
	SASS_UTMALDG,
	SASS_UTMASTG,
	SASS_UTMAREDG,
	SASS_UTMAPF,
	SASS_UTMACCTL,
	SASS_UTMACMDFLUSH,
	/* bulk copies without a map */
	SASS_UBLKCP,
	SASS_UBLKRED,
	SASS_UBLKPF,
	/* tensor memory (sm_100a) */
	SASS_UTCHMMA,
	SASS_UTCQMMA,
	SASS_UTCIMMA,
	SASS_UTCOMMA,
	SASS_UTCCP,
	SASS_UTCSHIFT,
	SASS_UTCBAR,
	SASS_UTCATOMSWS,
	SASS_LDTM,
	SASS_STTM,
	/* multiplies by one warp, copies and matrix moves of sm_80 */
	SASS_HMMA,
	SASS_IMMA,
	SASS_BMMA,
	SASS_DMMA,
	SASS_LDGSTS,
	SASS_LDSM,
	SASS_STSM,
	SASS_FAMILY_COUNT
};

/* What a family is evidence of. */
enum sass_group {
	SASS_GROUP_NONE,
	SASS_GROUP_GMMA,   /* wgmma: a warpgroup of four warps executes it together */
	SASS_GROUP_TMA,    /* loads, stores and reductions through a tensor map */
	SASS_GROUP_BULK,   /* UBLKCP */
	SASS_GROUP_TCGEN,  /* tcgen05: multiplies, copies, and moves between registers and tensor memory */
	SASS_GROUP_SERVICE, /* stands around the others and moves no data: barriers, allocation, prefetch, flush */
	SASS_GROUP_WARP,   /* the older way: multiplies by a warp, copies without TMA */
	SASS_GROUP_COUNT
};

struct sass {
	uint64_t low, high;      /* bits 0-63 and 64-127 */
	uint16_t number;         /* bits 0-8: the opcode */
	uint8_t form;            /* bits 9-11: which operands are registers, constants, uniform registers */
	const char *name;        /* base mnemonic, NULL if the number is not in opcode.def */
	enum sass_family family;

	uint8_t guard;           /* predicate; SASS_PREDICATE_TRUE = always */
	bool guard_not;          /* with SASS_PREDICATE_TRUE: never */
	bool guard_uniform;      /* a predicate of the uniform datapath */

	bool known;              /* family is not SASS_OTHER and every field read has a value seen in experiments */
	bool null;               /* a multiply whose destination is RZ: it executes and does no work */
	bool overwrite;          /* GMMA: scale-d is constantly false, the old sum is dropped; full work all the same */
	bool sparse;             /* half of what k counts is left out */
	uint16_t m, n, k;        /* per instruction; 0 = not a multiply, or not in the instruction (UTC*MMA) */
	uint8_t dimensions;      /* tensor-map copies: 1 to 5 */
	uint16_t width;          /* LDGSTS: bytes a thread copies; LDTM, STTM: repetitions; LDSM, STSM: 8x8 matrices; 0 if unknown */
	bool multicast;          /* UTMALDG, UBLKCP, UTCBAR */
	bool pair;               /* UTC*, UTMALDG: two CTAs work together */
	/* Mnemonic with modifiers as the disassembler prints it, '?' for a value without a meaning; for LDGSTS, LDSM,
	 * STSM and SASS_OTHER the base mnemonic, or "0x1ff" where that is not known. */
	char text[SASS_TEXT_MAX];
};

/* Reads SASS_BYTES bytes; every 16 bytes are some instruction to it. sm is the architecture, such as 90. */
void sass_read(const uint8_t *bytes, unsigned sm, struct sass *sass);

/* "@!UP3 " or "" */
void sass_guard_text(const struct sass *sass, char out[8]);

bool sass_never(const struct sass *sass); /* guarded by a predicate that is constantly false */

/*
 * Floating-point (or integer, or bit) operations of one execution by one warp: 2 m n k (a multiply and an add each),
 * halved if sparse, a quarter of it for a GMMA, which four warps execute together (PTX ISA, wgmma.mma_async: "the
 * collective operation of a warpgroup"). 0 for what is no multiply, null or never executed. False where the
 * instruction does not tell: UTC*MMA takes its shape from a descriptor in a register, or the shape is not known.
 */
bool sass_operations(const struct sass *sass, uint64_t *operations);

const char *sass_family_name(enum sass_family family); /* "HGMMA"; SASS_OTHER: "other" */
enum sass_group sass_group_of(enum sass_family family);
const char *sass_group_name(enum sass_group group);    /* "gmma" */

#endif
