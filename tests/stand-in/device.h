/* What the parts of the stand-in device know of each other. */
#ifndef PTXSEAL_STAND_IN_DEVICE_H
#define PTXSEAL_STAND_IN_DEVICE_H

#include <cuda.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef CUresult kernel(void **parameters);

#define TAKE(type, i) (*(type *)parameters[i])

/* Memory: an access outside of all blocks is what a GPU calls an illegal address. Block i, or NULL. */
enum { DEVICE_BLOCKS_MAX = 4096 };
bool device_has(const void *at, size_t bytes);
unsigned char *device_block(int i, size_t *bytes);

void device_pass(double ns); /* besides what the kernel's row in its table says */
void device_hang(void);

/* A candidate's variable in global memory: 0 when its code is loaded, and then what kernels make of it. */
extern uint32_t device_variable;
/* The stand-in for CUPTI counts. */
extern bool device_counting;

/* A kernel: a C function. */
struct CUfunc_st {
	const char *name;
	kernel *run;
	double ns;         /* how long it takes */
	const char *sizes; /* of a candidate's parameters, a digit each */
};
extern const struct CUfunc_st candidates[];
extern const size_t candidate_count;

#endif
