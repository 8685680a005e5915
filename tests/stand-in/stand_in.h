/* Known times of the stand-in device: a speedup of 0.8. */
#ifndef PTXSEAL_STAND_IN_H
#define PTXSEAL_STAND_IN_H

#include <stdbool.h>
#include <stdint.h>

#define STAND_IN_RIGHT_NS 1.5e6    /* gemm_right */
#define STAND_IN_BASELINE_NS 1.2e6 /* cublasLtMatmul */

/* C[M,N] = A[M,K] B[N,K]^T in bfloat16, taking STAND_IN_BASELINE_NS. In libcuda.so.1, for libcublasLt.so.13. */
void stand_in_gemm(const void *a, const void *b, void *c, uint64_t m, uint64_t n, uint64_t k);

/* For libcupti.so.13: count the first candidate that is launched from now on; its name, "" while there is none. */
void stand_in_count(bool on);
const char *stand_in_counted(void);

#endif
