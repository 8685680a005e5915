/*
 * A cubin: the ELF file that ptxas makes of PTX. NVIDIA documents no more of it than that it is ELF; what is read
 * here was found by experiment (docs/kernel.md, "Cubin").
 *
 * Every byte that can execute must stand in a section .text.NAME that this reader lists: a cubin with executable
 * bytes elsewhere is refused, or a count of its instructions would leave some out.
 */
#ifndef PTXSEAL_KERNEL_CUBIN_H
#define PTXSEAL_KERNEL_CUBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/error.h"
#include "../base/sha256.h"
#include "elf.h"

enum { CUBIN_ARCH_TEXT = 16, CUBIN_INSTRUCTION_BYTES = 16 };

/* One section of code: a kernel with the functions it calls (ptxas puts them behind it), or one device function of
 * its own. CUPTI's functionName and pcOffset are this name and an offset into these bytes. */
struct cubin_function {
	const char *name;    /* in the cubin's bytes */
	bool entry;          /* it can be launched */
	uint64_t offset;     /* of its code in the cubin */
	uint64_t size;       /* bytes, a multiple of CUBIN_INSTRUCTION_BYTES */
	size_t inner;        /* functions behind the first one in the same section */
	bool has_registers;
	uint32_t registers;  /* per thread */
	uint64_t shared;     /* static shared memory in bytes, with the 1024 that the toolchain reserves since sm_90 */
	bool has_parameters;
	uint32_t parameters; /* bytes in the constant bank */
};

struct cubin {
	struct elf elf;
	unsigned sm;            /* 90 */
	bool specific;          /* sm_90a: code for this architecture alone. A family ("f") is not marked in a cubin */
	char arch[CUBIN_ARCH_TEXT]; /* "sm_90a" */
	bool relocatable;       /* not linked yet */
	bool has_variables;     /* in global memory: they keep their values from one launch to the next */
	struct sha256 hash;     /* of all bytes */
	struct cubin_function *at; /* in the order of the file */
	size_t count;
};

/* data is kept by the caller and must outlive *cubin, as must file. Free with cubin_free. */
enum status cubin_read(const uint8_t *data, size_t len, const char *file, struct cubin *cubin, struct error *err);
void cubin_free(struct cubin *cubin); /* fine on an empty one */

/* The function's bytes. */
const uint8_t *cubin_code(const struct cubin *cubin, const struct cubin_function *function);

/* The function of that name, or NULL. */
const struct cubin_function *cubin_find(const struct cubin *cubin, const char *name);

#endif
