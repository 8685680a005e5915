/*
 * Between the process in which host code is recorded (capture_serve.c) and the shared object that stands in for the CUDA runtime and driver there. The object is
 * loaded before the candidate's; nothing of it is in any process that measures. No CUDA types.
 */
#ifndef PTXSEAL_MEASURE_RECORDER_H
#define PTXSEAL_MEASURE_RECORDER_H

#include <stddef.h>
#include <stdint.h>

enum { RECORDER_TEXT_MAX = 8 << 20 }; /* bytes of a record */

/* An entry of the PTX: how many bytes of each argument a launch takes. */
struct recorder_function {
	const char *name;
	const uint32_t *sizes;
	size_t count;
};

/* What is answered, by CUdevice_attribute. */
struct recorder_attribute {
	int attribute, value;
};

struct recorder_setup {
	const struct recorder_function *functions;
	size_t function_count;
	const struct recorder_attribute *attributes;
	size_t attribute_count;
	const char *device; /* its name */
	uint64_t heap;      /* address of the first allocation */
	uint64_t seed;      /* of what stands for tensor maps; another in each recording */
	int to;             /* descriptor for the record */
};

/*
 * recorder_open before the candidate is loaded; recorder_begin before run is called: what is called earlier is refused. recorder_end writes the record and ends the process.
 * How it ended: "returned", "raised" (run reported an error), "refused" (a call that cannot be data; the recorder ends the process itself then), "unloadable",
 * "unexported", "unsafe" (a layer of the sandbox is not in force). kind: of a refusal, else "".
 */
void recorder_open(const struct recorder_setup *setup);
void recorder_begin(void);
_Noreturn void recorder_end(const char *how, const char *kind, const char *text);

#endif
