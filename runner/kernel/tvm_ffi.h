/* The package apache-tvm-ffi: its headers, against which kernel.cu is compiled, and its library, which the compiled code calls. */
#ifndef PTXSEAL_KERNEL_TVM_FFI_H
#define PTXSEAL_KERNEL_TVM_FFI_H

#include "../base/error.h"
#include "../base/sha256.h"

struct tvm_ffi {
	char *directory; /* with include/tvm/ffi and lib/libtvm_ffi.so */
	char *include, *library;
	char *version;      /* "0.1.12", as its header says */
	struct sha256 hash; /* of the library */
};

/*
 * Looked for in PTXSEAL_TVM_FFI (the directory, or the one above it); then as tvm_ffi beneath the site-packages and dist-packages of: venv/ beside the program, VIRTUAL_ENV, CONDA_PREFIX,
 * the prefix of every python3 on PATH, ~/.local, /usr/local, /usr. R_LOW_TOOLS if there is none. tvm_ffi_free in every case.
 */
enum status tvm_ffi_find(struct tvm_ffi *tvm, struct error *err);
void tvm_ffi_free(struct tvm_ffi *tvm);

#endif
