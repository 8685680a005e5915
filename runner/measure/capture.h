/*
 * Host code run to be recorded: a child process without GPU, files, network and rights, in which stand-ins for CUDA's functions write down what is called
 * (recorder/). The record comes from a process that a stranger's code shares: it is read as hostile, and what it says is data to be judged, nothing more.
 */
#ifndef PTXSEAL_MEASURE_CAPTURE_H
#define PTXSEAL_MEASURE_CAPTURE_H

#include <cjson/cJSON.h>

#include "../base/bytes.h"
#include "../kernel/ptx.h"
#include "device_table.h"
#include "problem.h"

/* Descriptors in the child: 0 to 2 are /dev/null. */
enum { CAPTURE_RECORD = 3, CAPTURE_REQUEST = 4, CAPTURE_CODE = 5, CAPTURE_END = 6, CAPTURE_DEADLINE_MS = 20000 };

struct capture_options {
	const char *program;     /* started with the one argument "recorder"; NULL = /proc/self/exe */
	unsigned deadline_ms;    /* 0 = CAPTURE_DEADLINE_MS */
	const char *tvm_library; /* libtvm_ffi.so */
	int cuda_major;          /* of the headers that the code was compiled with */
	const struct device_table *device;
	const struct ptx *ptx;
	const struct bytes *code; /* the shared object */
	unsigned take;            /* 0 and 1: each has other addresses */
};

/* The address of problem->tensors[tensor], and of the first allocation (tensor = tensor_count), in a take. */
uint64_t capture_address(const struct problem *problem, unsigned take, size_t tensor);

/* record: the text as it was read. FAILS with R_LOW_END, _REACH or _RECORD if there is none; UNAVAILABLE if the child could not be started. bytes_free in every case. */
enum status capture_run(const struct capture_options *options, const struct problem *problem, struct bytes *record, struct error *err);

#endif
