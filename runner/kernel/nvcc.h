/* nvcc: what it makes of a kernel.cu with host code after upstream's contract (run exported through TVM-FFI). It needs no GPU. */
#ifndef PTXSEAL_KERNEL_NVCC_H
#define PTXSEAL_KERNEL_NVCC_H

#include "../base/bytes.h"
#include "toolchain.h"
#include "tvm_ffi.h"

enum { NVCC_DEADLINE_S = 300 };

struct nvcc {
	struct toolchain toolchain; /* ptxas, in whose folder nvcc has to be */
	struct tvm_ffi tvm;
	char *path;
	char *version;      /* "13.0.88" */
	struct sha256 hash; /* of the program file */
	char *compiler;     /* the first line of what the C++ compiler that nvcc calls says of its version */
};

/* R_TLC_* without ptxas, R_LOW_TOOLS without the rest. nvcc_free in every case. */
enum status nvcc_find(struct nvcc *nvcc, struct error *err);
void nvcc_free(struct nvcc *nvcc);

struct build {
	struct bytes code; /* the shared object, linked to no CUDA runtime */
	struct bytes ptx;  /* that went into it */
	char *flags;       /* as given, without the directories of this machine */
	struct bytes complaints; /* where it does not compile (complaints.h) */
};

/* source is the text of kernel.cu, arch "sm_90a"; file is for messages. R_LOW_COMPILE with the compiler's first complaint. build_free in every case. */
enum status nvcc_build(const struct nvcc *nvcc, const struct bytes *source, const char *file, const char *arch, struct build *build, struct error *err);
void build_free(struct build *build);

#endif
