/*
 * Our own kernels (support.cu, embedded as machine code for sm_90 and as PTX for what is newer): inputs, poison, references, comparison, guards, clocks.
 * Loaded into the current context with support_open. All calls are on the given stream and asynchronous unless said to be synchronous: those wait for
 * everything on the device first.
 */
#ifndef PTXSEAL_MEASURE_SUPPORT_H
#define PTXSEAL_MEASURE_SUPPORT_H

#include "comparison.h"
#include "cuda.h"
#include "philox.h"
#include "problem.h"

struct support; /* the module and its functions, in the current context */

enum status support_open(const struct cuda *cuda, struct support **support, struct error *err);
void support_close(struct support *support); /* NULL is fine */

/* Fill count elements at out: element i is value philox_value(seed, tensor_index, i, values) rounded to dtype (philox.h: the same bytes as on the CPU). */
enum status support_fill(struct support *s, CUstream stream, CUdeviceptr out, enum dtype dtype, uint64_t count, uint64_t seed,
                         uint32_t tensor_index, enum value_set values, struct error *err);

/* Set count bytes to the poison pattern: bf16/fp32 signalling junk that is NaN in every dtype we use (0xFF bytes). */
enum status support_poison(struct support *s, CUstream stream, CUdeviceptr out, uint64_t bytes, struct error *err);

/* Bytes of scratch memory that support_reference needs; 0: none, scratch may be 0. */
uint64_t support_reference_scratch(const struct problem *problem);
/*
 * Reference outputs with fp32 accumulation in a fixed order on fp32 units, from the problem's inputs. inputs: device addresses, in the order of
 * problem->tensors; outputs: fp32 arrays, one an output tensor in order. Deterministic: two calls give the same bytes. MALFORMED with R_PRB_SHAPE where
 * the kernels do not do the shape: K a multiple of 8; D 64, 96, 128 or (forward) 256; at most 65535 heads. Addresses are 16-byte aligned.
 */
enum status support_reference(struct support *s, CUstream stream, const struct problem *problem, const CUdeviceptr *inputs,
                              const CUdeviceptr *outputs, CUdeviceptr scratch, struct error *err);

/* Backward's computed inputs, O (bfloat16) and L, from Q, K and V by the same forward reference. tensors: as inputs above. Nothing to do in other families. */
enum status support_computed_inputs(struct support *s, CUstream stream, const struct problem *problem, const CUdeviceptr *tensors,
                                    struct error *err);

/* Synchronous. candidate has dtype, reference is fp32. Elements counted as not finite enter nothing else. */
enum status support_compare(struct support *s, CUdeviceptr candidate, enum dtype dtype, CUdeviceptr reference, uint64_t count,
                            struct comparison *out, struct error *err);

/* How many of a region's bytes differ from the pattern that a guard zone or a poisoned buffer was set to. Synchronous. */
enum status support_guard(struct support *s, CUdeviceptr region, uint64_t bytes, uint8_t pattern, uint64_t *differing, struct error *err);
/* How many bytes of two buffers differ. Synchronous. */
enum status support_differ(struct support *s, CUdeviceptr a, CUdeviceptr b, uint64_t bytes, uint64_t *differing, struct error *err);

/* Keep the device busy for so many nanoseconds without touching memory, so that the host enqueues what follows before it begins. */
enum status support_linger(struct support *s, CUstream stream, uint64_t ns, struct error *err);

/* Stamp every SM's clock64 and globaltimer into stamps (support_stamp_bytes() bytes): take one before and one after, then support_clock gives the mean
 * SM clock in Hz between them, from the SMs seen in both, and 0 if none was. */
uint64_t support_stamp_bytes(void);
enum status support_stamp(struct support *s, CUstream stream, CUdeviceptr stamps, struct error *err);
enum status support_clock(struct support *s, CUdeviceptr before, CUdeviceptr after, double *hertz, struct error *err); /* synchronous */

#endif
