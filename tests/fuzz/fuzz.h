/* What every fuzz target includes. */
#ifndef PTXSEAL_TESTS_FUZZ_H
#define PTXSEAL_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What must hold for every input; the fuzzer keeps the input that breaks it. */
#define REQUIRE(held) ((held) ? (void)0 : abort())

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
