/* The shared object that nvcc made of a stranger's host code, made such that loading it runs nothing of it. No CUDA types. */
#ifndef PTXSEAL_MEASURE_CAPTURE_OBJECT_H
#define PTXSEAL_MEASURE_CAPTURE_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What it wants called when it is loaded: kept from the loader until the last layer is on. */
struct initialisers {
	uint64_t array; /* address in the object, of addresses that the loader relocates */
	size_t count;
};

/*
 * Takes the list of initialisers (DT_INIT_ARRAY; System V ABI, chapter 5) and DT_INIT out of the dynamic section, in place. False, and *why, for an object that is not to be
 * read, or whose relocations call its functions while it is loaded (R_..._IRELATIVE, STT_GNU_IFUNC). code is aligned to 8.
 */
bool object_hold_back(char *code, size_t len, struct initialisers *initialisers, const char **why);

#endif
