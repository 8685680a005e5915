/* ptxas: where it is, which one it is, and what it makes of a PTX text. It needs no GPU. */
#ifndef PTXSEAL_KERNEL_TOOLCHAIN_H
#define PTXSEAL_KERNEL_TOOLCHAIN_H

#include <stddef.h>

#include "../base/bytes.h"
#include "../base/error.h"
#include "../base/sha256.h"

enum { TOOLCHAIN_DEADLINE_S = 120, TOOLCHAIN_FLAGS_MAX = 32 };

struct toolchain {
	char *ptxas;        /* path */
	char *version;      /* "13.0.88" */
	struct sha256 hash; /* of the program file: two builds of one version differ here */
};

/* A script that starts the toolkit's program of its name (distributions, conda and module systems install such): the program behind it, as the nvcc beside it names its
 * toolkit (`nvcc --dryrun`: "#$ TOP="), to be freed. NULL for what is no script, or leads nowhere. The program is what a record's hash has to be of, and its folders are
 * what compiling may read. program is an absolute path. */
char *toolchain_behind(const char *program);

/* Looks in $CUDA_HOME/bin, $CUDA_PATH/bin, the directories of $PATH, /usr/local/cuda/bin and /opt/cuda/bin, in this order;
 * R_TLC_MISSING (UNAVAILABLE) if there is none. Free with toolchain_free. */
enum status toolchain_find(struct toolchain *toolchain, struct error *err);
void toolchain_free(struct toolchain *toolchain); /* fine on an empty one */

struct assembly {
	const char *const *flags; /* in: besides those always given (-arch, -v, -o); NULL-terminated, NULL for none */
	unsigned deadline_s;      /* in: 0 = TOOLCHAIN_DEADLINE_S */
	struct bytes cubin;       /* out */
	struct bytes report;      /* out: what ptxas said of registers, memory, spills; without its own running time */
};

/*
 * Assembles text for arch ("sm_90a"). file is for messages. It runs in an empty directory of its own on a file named
 * kernel.ptx, so the same text, flags and ptxas give the same bytes wherever the text came from. R_TLC_REFUSED with
 * ptxas' first complaint, R_TLC_DEADLINE, or R_TLC_DIED; *assembly's outputs are then empty but for the report.
 */
enum status toolchain_assemble(const struct toolchain *toolchain, const char *text, size_t len, const char *file,
                               const char *arch, struct assembly *assembly, struct error *err);
/* Of a program file, in constant memory. */
enum status toolchain_hash(const char *path, struct sha256 *hash, struct error *err);
void assembly_free(struct assembly *assembly); /* outputs */

#endif
