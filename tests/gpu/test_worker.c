/*
 * Workers on a GPU: every layer of the sandbox with the real driver, fates of kernels that misbehave (worker.ptx, worker.cubin), and for GEMM's candidates of the bundle run, counts
 * and times beside cuBLASLt.
 * usage: test_worker [CHECKOUT]. Exit 0 all holds, 1 something does not (each fault a line), 77 there is no GPU here. It is its own worker.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/jcs.h"
#include "kernel/image.h"
#include "measure/message.h"
#include "measure/sandbox.h"
#include "measure/serve.h"
#include "measure/work.h"
#include "measure/worker.h"

static struct root bundle;
static struct problem small, large;
static unsigned without; /* layers that this driver does not bear */
static int checks, faults;

static void check(bool holds, const char *what, const char *detail)
{
	checks++;
	if (!holds) {
		faults++;
		printf("FAIL %s: %s\n", what, detail);
	}
}

static void print_json(const char *head, const cJSON *tree)
{
	struct bytes text = {0};

	if (jcs_write(tree, &text, NULL) == OK)
		printf("%s %s\n", head, text.data);
	bytes_free(&text);
}

/* ---- kernels that misbehave ---- */

static const char all[] = "{\"tensor\":\"A\"},{\"tensor\":\"B\"},{\"tensor\":\"C\"},{\"u32\":\"M\"},{\"u32\":\"N\"},{\"u32\":\"K\"}";
static const char buffer[] = "{\"buffer\":\"work\"}";
static struct bytes worker_cubin;

/* functions: names parted by spaces, launched in order. */
static struct candidate *make(const char *functions)
{
	struct bytes json = {0};
	struct candidate *candidate = NULL;
	struct error err = {0};
	char *list = mem_text(functions), *rest = NULL;
	const char *comma = "";

	bytes_text(&json, "{\"schema\":\"ptxseal-candidate/1\",\"task\":\"t\",\"name\":\"n\",\"label\":\"test\",\"arch\":\"sm_90a\",\"ptx\":\"worker.ptx\",\"origin\":\"test\","
	                  "\"buffers\":[{\"name\":\"work\",\"bytes\":\"4096\",\"fill\":0}],\"maps\":[],\"launches\":[");
	for (char *name = strtok_r(list, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest)) {
		bytes_format(&json, "%s{\"function\":\"%s\",\"grid\":[\"1\",\"1\",\"1\"],\"block\":[\"32\",\"1\",\"1\"],\"cluster\":[\"1\",\"1\",\"1\"],\"shared\":\"0\",\"parameters\":[%s]}",
		             comma, name, strcmp(name, "steps") == 0 ? buffer : all);
		comma = ",";
	}
	bytes_text(&json, "]}");
	if (candidate_parse("t/n", json.data, json.len, "", 0, &candidate, &err) != OK) {
		error_print(&err);
		exit(FAILS);
	}
	bytes_free(&json);
	free(list);
	return candidate;
}

static const struct trial trial = {.seed = 20261130, .values = VALUES_NORMAL, .number = 1};

static void expect(const char *functions, enum fate_kind kind, int launch)
{
	struct candidate *candidate = make(functions);
	const struct worker_options options = {.run_ms = kind == FATE_TIMEOUT ? 1500 : 0, .without = without};
	struct worker *worker = NULL;
	struct guards guards = {0};
	struct fate fate;
	struct error err = {0};
	const uint64_t start = clock_ms();
	enum status status = worker_start(&options, &small, candidate, &worker_cubin, &worker, &fate, &err);
	char *seen = NULL;

	if (status == OK && fate.kind == FATE_DONE)
		status = worker_run(worker, &trial, &guards, &fate, &err);
	seen = status != OK ? mem_text(err.what) : mem_format("%s, launch %d: %s", fate_name(fate.kind), fate.launch, fate.text);
	check(status == OK && fate.kind == kind && fate.launch == launch, functions, seen);
	printf("fate of %s: %s (%" PRIu64 " ms)\n", functions, seen, clock_ms() - start);
	if (status == OK && strcmp(functions, "overrun") == 0)
		check(guards.changed[0] > 0 && guards.changed[1] == 0 && guards.changed[2] > 0, functions, "guards do not show where it wrote");
	if (status == OK && strcmp(functions, "mutate") == 0)
		check(((uint16_t *)worker_tensor(worker, 0))[3] == (bf16_from_float(philox_value(trial.seed, 0, 3, trial.values)) ^ 1), functions,
		      "the change of A does not show");
	free(seen);
	worker_close(worker);
	candidate_free(candidate);
}

/* ---- the sandbox ---- */

static bool starts(unsigned left_out, bool print)
{
	struct candidate *candidate = make("mutate");
	const struct worker_options options = {.without = left_out};
	struct worker *worker = NULL;
	struct fate fate;
	struct error err = {0};
	const uint64_t start = clock_ms();
	const enum status status = worker_start(&options, &small, candidate, &worker_cubin, &worker, &fate, &err);

	if (print && status == OK) {
		printf("a worker starts in %" PRIu64 " ms\n", clock_ms() - start);
		print_json("facts", worker_facts(worker));
	} else if (status != OK) {
		printf("without layers %x a worker does not start: %s\n", left_out, err.what);
	}
	worker_close(worker);
	candidate_free(candidate);
	return status == OK && fate.kind == FATE_DONE;
}

/* If the whole sandbox is too much for the driver, say which layer is. */
static void find_sandbox(void)
{
	const bool whole = starts(0, true);

	check(whole, "the whole sandbox", "a worker does not start in it");
	for (unsigned layer = 0; layer < LAYER_COUNT && !whole; layer++) {
		if (starts(1u << layer, true)) {
			without = 1u << layer;
			return;
		}
	}
	if (!whole)
		without = (1u << LAYER_COUNT) - 1;
}

/* ---- counts ---- */

static uint64_t most_executed(const struct counts *counts)
{
	uint64_t most = 0;

	for (size_t i = 0; i < counts->count; i++)
		most = counts->at[i].executed > most ? counts->at[i].executed : most;
	return most;
}

static enum status count(const struct candidate *candidate, const struct bytes *code, const struct problem *problem, const char *function,
                         struct counts *counts, struct error *err)
{
	const struct worker_options options = {.count = function, .without = without};
	struct worker *worker = NULL;
	struct fate fate;
	cJSON *message = NULL;
	enum status status = worker_start(&options, problem, candidate, code, &worker, &fate, err);

	if (status == OK && fate.kind == FATE_DONE)
		status = worker_count(worker, &trial, &message, &fate, err);
	if (status == OK && message == NULL)
		status = error_set(err, R_WRK_PROTOCOL, "", "%s: %s", fate_name(fate.kind), fate.text);
	if (status == OK)
		status = counts_read(message, counts, err);
	cJSON_Delete(message);
	worker_close(worker);
	return status;
}

/* A function launched twice: is the second launch counted too? */
static void count_steps(void)
{
	static const char *const lists[] = {"steps", "steps steps", "mutate steps mutate steps"};
	static const uint64_t want[] = {100, 200, 200};

	for (int i = 0; i < 3; i++) {
		struct candidate *candidate = make(lists[i]);
		struct counts counts = {0};
		struct error err = {0};
		const enum status status = count(candidate, &worker_cubin, &small, "steps", &counts, &err);
		char *seen = status != OK ? mem_text(err.what)
		                          : mem_format("%s %s, most executed %" PRIu64, counts_state_name(counts.state), counts.text, most_executed(&counts));

		printf("counts of %s: %s\n", lists[i], seen);
		check(status == OK && most_executed(&counts) == want[i], lists[i], seen);
		free(seen);
		counts_free(&counts);
		candidate_free(candidate);
	}
}

/* ---- candidates of the bundle ---- */

static double median(double *values, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t j = i; j > 0 && values[j] < values[j - 1]; j--) {
			const double swap = values[j];

			values[j] = values[j - 1];
			values[j - 1] = swap;
		}
	return values[n / 2];
}

enum { PAIRS = 20 };

static void time_candidate(const struct candidate *candidate, const struct bytes *code, const char *name)
{
	const struct worker_options options = {.baseline = true, .without = without};
	struct worker *worker = NULL;
	struct fate fate;
	struct error err = {0};
	struct guards guards;
	struct sample sample;
	double ratios[PAIRS], mine[PAIRS], theirs[PAIRS], walls[PAIRS];
	const uint64_t start = clock_ms();
	enum status status = worker_start(&options, &large, candidate, code, &worker, &fate, &err);
	const uint64_t started = clock_ms();

	if (status == OK && fate.kind == FATE_DONE)
		status = worker_run(worker, &trial, &guards, &fate, &err);
	const uint64_t ran = clock_ms();

	for (uint32_t i = 0; i < PAIRS + 2 && status == OK && fate.kind == FATE_DONE; i++) {
		const struct trial now = {.seed = 1000 + i, .values = VALUES_NORMAL, .number = i};

		status = worker_time(worker, &now, false, i % 2 == 0, i % 8 == 0, &sample, &fate, &err);
		if (i >= 2) {
			ratios[i - 2] = sample.baseline_ms / sample.candidate_ms;
			mine[i - 2] = sample.candidate_ms;
			theirs[i - 2] = sample.baseline_ms;
			walls[i - 2] = sample.candidate_wall_ms;
		}
	}
	check(status == OK && fate.kind == FATE_DONE, name, status != OK ? err.what : fate.text);
	if (status == OK && fate.kind == FATE_DONE)
		printf("time of %s: %.4f ms, baseline %.4f, ratio %.4f, wall %.3f, clock %.0f and %.0f MHz; start %" PRIu64 " ms, run %" PRIu64
		       ", %d pairs %" PRIu64 "\n",
		       name, median(mine, PAIRS), median(theirs, PAIRS), median(ratios, PAIRS), median(walls, PAIRS), sample.candidate_hz / 1e6,
		       sample.baseline_hz / 1e6, started - start, ran - started, PAIRS + 2, clock_ms() - ran);
	worker_close(worker);
}

static void count_candidate(const struct candidate *candidate, const struct bytes *code, const char *name)
{
	struct work work = {0};
	struct plan plan;
	struct cubin cubin = {0};
	struct counts counts = {0};
	struct error err = {0};
	const char *function = candidate->launches[0].function;
	const uint64_t start = clock_ms();
	enum status status = count(candidate, code, &large, function, &counts, &err);

	if (status == OK)
		status = plan_make(candidate, &large, &plan, &err);
	if (status == OK)
		status = cubin_read((const uint8_t *)code->data, code->len, name, &cubin, &err);
	if (status == OK)
		status = work_add(&work, &counts, &cubin, &plan, &err);
	check(status == OK && counts.state == COUNTS_EXECUTED, name, status != OK ? err.what : counts.text);
	if (status == OK) {
		cJSON *facts = work_facts(&work, &large);

		printf("counts of %s: %s %s, %zu records, %" PRIu64 " ms\n", name, counts_state_name(counts.state), counts.text, counts.count,
		       clock_ms() - start);
		print_json("work", facts);
		cJSON_Delete(facts);
		plan_free(&plan);
	}
	work_free(&work);
	cubin_free(&cubin);
	counts_free(&counts);
}

static void try_candidate(const char *name)
{
	struct candidate *candidate = NULL;
	struct image image = {0};
	struct error err = {0};
	char *directory = mem_format("artifact/candidates/gemm_n7168_k5120/%s", name);
	enum status status = candidate_read(&bundle, directory, &candidate, &err);

	if (status == OK)
		status = image_make(&bundle, candidate, false, &image, &err);
	check(status == OK, name, err.what);
	if (status == OK) {
		time_candidate(candidate, &image.cubin, name);
		count_candidate(candidate, &image.cubin, name);
	}
	image_free(&image);
	candidate_free(candidate);
	free(directory);
}

static void need(enum status status, const struct error *err)
{
	if (status == OK)
		return;
	error_print(err);
	exit(err->rule == R_GPU_DRIVER || err->rule == R_GPU_DEVICE ? 77 : FAILS);
}

static void need_device(void)
{
	struct worker *worker = NULL;
	struct fate fate;
	struct error err = {0};

	need(worker_start(&(const struct worker_options){.without = (1u << LAYER_COUNT) - 1}, &small, NULL, NULL, &worker, &fate, &err), &err);
	worker_close(worker);
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"plain", "wgmma-tma", "decoy", "commit-only"};
	struct error err = {0};

	if (argc == 2 && strcmp(argv[1], "worker") == 0)
		_exit((int)worker_serve());
	setvbuf(stdout, NULL, _IOLBF, 0);
	need(root_open(argc > 1 ? argv[1] : ".", &bundle, &err), &err);
	need(problem_read(&bundle, "gemm_n7168_k5120", "small", &small, &err), &err);
	need(problem_read(&bundle, "gemm_n7168_k5120", NULL, &large, &err), &err);
	need(root_read(&bundle, "tests/gpu/worker.cubin", 1 << 20, &worker_cubin, &err), &err);
	need_device();
	find_sandbox();
	expect("mutate", FATE_DONE, -1);
	expect("overrun", FATE_DONE, -1);
	expect("illegal", FATE_MEMORY_ERROR, 0);
	expect("misaligned", FATE_MEMORY_ERROR, 0);
	expect("broken", FATE_RUNTIME_ERROR, 0);
	expect("steps illegal steps", FATE_MEMORY_ERROR, 1);
	expect("hang", FATE_TIMEOUT, 0);
	expect("steps hang steps", FATE_TIMEOUT, 1);
	count_steps();
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		try_candidate(names[i]);
	bytes_free(&worker_cubin);
	root_close(&bundle);
	printf("%d checks, %d faults\n", checks, faults);
	return faults == 0 ? 0 : FAILS;
}
