/*
 * compute-sanitizer's memcheck on a GPU: it finds nothing in right candidates and something in those that write or read elsewhere; and which layers of the sandbox it bears,
 * each tried alone, as MEMCHECK_WITHOUT (memcheck.h) has them.
 * usage: test_memcheck [CHECKOUT]. Exit 0 all holds, 1 something does not (each fault a line), 77 there is no GPU or no compute-sanitizer here. It is its own worker.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/image.h"
#include "measure/cuda.h"
#include "measure/memcheck.h"
#include "measure/serve.h"

static struct root bundle;
static struct sanitizer sanitizer;
static int checks, faults;

static void need(enum status status, const struct error *err)
{
	if (status == OK)
		return;
	error_print(err);
	exit(status == UNAVAILABLE ? 77 : FAILS);
}

static enum memcheck_state try(const char *directory, unsigned without, bool told)
{
	const struct memcheck_options options = {.without = without, .start_ms = told ? 0 : 8000, .run_ms = told ? 0 : 8000};
	struct candidate *candidate = NULL;
	struct problem problem;
	struct image image = {0};
	struct memcheck memcheck = {0};
	struct error err = {0};

	need(candidate_read(&bundle, directory, &candidate, &err), &err);
	need(image_make(&bundle, candidate, false, &image, &err), &err);
	need(problem_read(&bundle, candidate->task, "small", &problem, &err), &err);
	need(memcheck_run(&sanitizer, &problem, candidate, &image.cubin, &options, &memcheck, &err), &err);
	const enum memcheck_state state = memcheck.state;

	if (told)
		printf("%s: %s, %" PRIu64 " errors, first '%s' in '%s', %s (%" PRIu64 " ms)\n", directory, memcheck_state_name(state), memcheck.report.errors,
		       memcheck.report.first, memcheck.report.function, memcheck.text, memcheck.took_ms);
	else
		printf("  %s: %s (%" PRIu64 " ms)\n", memcheck_state_name(state), memcheck.text, memcheck.took_ms);
	fflush(stdout);
	memcheck_free(&memcheck);
	image_free(&image);
	candidate_free(candidate);
	return state;
}

static void expect(const char *directory, enum memcheck_state state)
{
	checks++;
	if (try(directory, 0, true) == state)
		return;
	faults++;
	printf("FAIL %s is not '%s'\n", directory, memcheck_state_name(state));
}

/* All layers but one left out: does the tool bear it, with a kernel that is right and one that is not? */
static void try_layers(const char *clean, const char *bad)
{
	for (unsigned layer = 0; layer < LAYER_COUNT; layer++) {
		const unsigned without = (1u << LAYER_COUNT) - 1 - (1u << layer);

		printf("layer %u in force alone:\n", layer);
		const bool borne = try(clean, without, false) == MEMCHECK_CLEAN && try(bad, without, false) == MEMCHECK_ERRORS;

		if (borne != ((MEMCHECK_WITHOUT & 1u << layer) == 0))
			printf("note: layer %u is %s\n", layer, borne ? "borne, and left out" : "not borne, and not left out");
	}
}

int main(int argc, char **argv)
{
	struct error err = {0};
	struct cuda cuda;

	if (argc == 2 && strcmp(argv[1], "worker") == 0)
		return (int)worker_serve();
	need(root_open(argc > 1 ? argv[1] : ".", &bundle, &err), &err);
	need(cuda_open(&cuda, &err), &err);
	need(sanitizer_find(&sanitizer, &err), &err);
	printf("compute-sanitizer %s, by %s\n", sanitizer.version, sanitizer.place);
	expect("artifact/candidates/gemm_n7168_k5120/plain", MEMCHECK_CLEAN);
	expect("artifact/candidates/gemm_n7168_k5120/wgmma-tma", MEMCHECK_CLEAN);
	expect("artifact/candidates/gemm_fp8_1d2d_n4096_k7168/plain", MEMCHECK_CLEAN);
	expect("artifact/candidates/gemm_fp8_1d2d_n4096_k7168/wgmma-tma", MEMCHECK_CLEAN);
	expect("artifact/candidates/mha_bwd_d128/plain", MEMCHECK_CLEAN);
	expect("artifact/candidates/mha_bwd_d128_causal/wgmma-tma", MEMCHECK_CLEAN);
	expect("tests/candidates/gemm_n7168_k5120/writes-beyond", MEMCHECK_ERRORS);
	expect("tests/candidates/gemm_n7168_k5120/illegal-address", MEMCHECK_ERRORS);
	try_layers("artifact/candidates/gemm_n7168_k5120/plain", "tests/candidates/gemm_n7168_k5120/writes-beyond");
	sanitizer_free(&sanitizer);
	root_close(&bundle);
	printf("%d checks, %d faults\n", checks, faults);
	return faults == 0 ? 0 : FAILS;
}
