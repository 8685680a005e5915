/*
 * Judge and worker, against the stand-in for the driver (tests/stand-in): what a candidate does is its fate, the right launch is blamed, and the judge goes on. This
 * program is its own worker. Without the CUDA toolkit there is nothing to test.
 */
#include "unit.h"

#ifndef PTXSEAL_CUDA

static void needs_the_toolkit(void **state)
{
	(void)state;
	print_message("skipped: built without the CUDA toolkit\n");
	skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(needs_the_toolkit)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "measure/evidence.h"
#include "measure/race.h"
#include "measure/serve.h"
#include "measure/worker.h"

enum { M = 48, N = 32, K = 64 };

static const struct problem problem = {
	.task = "gemm",
	.family = FAMILY_GEMM,
	.axes = {{"M", M}, {"N", N}, {"K", K}},
	.axis_count = 3,
	.tensors = {{.name = "A", .rank = 2, .dims = {M, K}, .count = M * K, .bytes = M * K * 2},
                    {.name = "B", .rank = 2, .dims = {N, K}, .count = N * K, .bytes = N * K * 2},
                    {.name = "C", .output = true, .rank = 2, .dims = {M, N}, .count = M * N, .bytes = M * N * 2}},
	.tensor_count = 3,
};

static const char gemm_parameters[] = "{\"tensor\":\"A\"},{\"tensor\":\"B\"},{\"tensor\":\"C\"},{\"u32\":\"M\"},{\"u32\":\"N\"},{\"u32\":\"K\"}";
static const struct bytes cubin = {.data = (char[]){"\x7f" "ELF"}, .len = 4};
static char state_file[] = "/tmp/ptxseal-test-worker-XXXXXX";

/* The stand-in looks into this file when a device is opened. */
static void set_device(const char *word)
{
	FILE *file = fopen(state_file, "w");

	assert_non_null(file);
	fprintf(file, "%s\n", word);
	assert_int_equal(fclose(file), 0);
}

struct launch {
	const char *function, *parameters;
};

/* A candidate of these launches, the last one without a name, and a buffer "work" of 64 bytes. */
static struct candidate *make(const char *fill, const struct launch *launches)
{
	struct bytes json = {0};
	struct candidate *candidate = NULL;
	struct error err = {0};

	bytes_format(&json,
	             "{\"schema\":\"ptxseal-candidate/1\",\"task\":\"gemm\",\"name\":\"test\",\"label\":\"test\",\"arch\":\"sm_90a\",\"ptx\":\"kernel.ptx\","
	             "\"origin\":\"test\",\"buffers\":[{\"name\":\"work\",\"bytes\":\"64\",\"fill\":%s}],\"maps\":[{\"name\":\"map\",\"tensor\":\"A\",\"dtype\":"
	             "\"bfloat16\",\"dims\":[\"K\",\"M\"],\"strides\":[\"K*2\"],\"box\":[\"64\",\"16\"],\"swizzle\":128,\"interleave\":0,\"l2\":0}],\"launches\":[",
	             fill);
	for (size_t i = 0; launches[i].function != NULL; i++)
		bytes_format(&json,
		             "%s{\"function\":\"%s\",\"grid\":[\"M/16\",\"1\",\"1\"],\"block\":[\"128\",\"1\",\"1\"],\"cluster\":[\"1\",\"1\",\"1\"],"
		             "\"shared\":\"0\",\"parameters\":[%s]}",
		             i > 0 ? "," : "", launches[i].function, launches[i].parameters);
	bytes_text(&json, "]}");
	if (candidate_parse("gemm/test", json.data, json.len, "", 0, &candidate, &err) != OK)
		fail_msg("%s", err.what);
	bytes_free(&json);
	return candidate;
}

static struct candidate *make_one(const char *function)
{
	return make("null", (const struct launch[]){{function, gemm_parameters}, {0}});
}

/* A worker that has to start; the candidate may be refused. */
static struct worker *start(const struct candidate *candidate, const struct worker_options *options, struct fate *fate)
{
	struct worker *worker = NULL;
	struct error err = {0};

	if (worker_start(options, &problem, candidate, &cubin, &worker, fate, &err) != OK)
		fail_msg("%s: %s", rule_info(err.rule)->id, err.what);
	return worker;
}

static const struct trial trial = {.seed = 77, .values = VALUES_NORMAL, .number = 5};

/* One run of one candidate, from start to end. Returned: what the worker gave back of C, A and guards. */
struct result {
	struct fate fate;
	struct guards guards;
	uint16_t a[M * K], c[M * N];
};

static void run(struct candidate *candidate, unsigned ms, struct result *result)
{
	const struct worker_options options = {.run_ms = ms};
	struct error err = {0};
	struct worker *worker = start(candidate, &options, &result->fate);

	assert_int_equal(result->fate.kind, FATE_DONE);
	if (worker_run(worker, &trial, &result->guards, &result->fate, &err) != OK)
		fail_msg("%s: %s", rule_info(err.rule)->id, err.what);
	memcpy(result->a, worker_tensor(worker, 0), sizeof result->a);
	memcpy(result->c, worker_tensor(worker, 2), sizeof result->c);
	worker_close(worker);
	candidate_free(candidate);
}

static float input(uint32_t tensor, uint64_t i)
{
	return bf16_to_float(bf16_from_float(philox_value(trial.seed, tensor, i, trial.values)));
}

static uint16_t product(uint64_t row, uint64_t column)
{
	float sum = 0;

	for (uint64_t i = 0; i < K; i++)
		sum += input(0, row * K + i) * input(1, column * K + i);
	return bf16_from_float(sum);
}

static void expect_product(const uint16_t *c, size_t rows)
{
	for (size_t i = 0; i < rows * N; i++)
		if (c[i] != product(i / N, i % N))
			fail_msg("element %zu is %04x, not %04x", i, c[i], product(i / N, i % N));
}

static void expect_inputs(const uint16_t *a)
{
	for (size_t i = 0; i < M * K; i++)
		assert_int_equal(a[i], bf16_from_float(philox_value(trial.seed, 0, i, trial.values)));
}

static void right(void **state)
{
	(void)state;
	struct result result;

	run(make_one("gemm_right"), 0, &result);
	assert_int_equal(result.fate.kind, FATE_DONE);
	expect_product(result.c, M);
	expect_inputs(result.a);
	assert_int_equal(result.guards.count, 4); /* A, B, C, work */
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(result.guards.changed[i], 0);
	assert_true(result.guards.zone_bytes >= 1 << 20);
}

static void wrong(void **state)
{
	(void)state;
	struct result result;

	run(make_one("gemm_wrong"), 0, &result);
	assert_int_equal(result.fate.kind, FATE_DONE);
	assert_int_not_equal(result.c[0], product(0, 0));
}

/* What a kernel does not write stays poison: NaN. */
static void unwritten(void **state)
{
	(void)state;
	struct result result;

	run(make_one("gemm_half"), 0, &result);
	expect_product(result.c, M / 2);
	for (size_t i = M / 2 * N; i < M * N; i++)
		assert_int_equal(result.c[i], 0xFFFF);
}

static void guard_overwritten(void **state)
{
	(void)state;
	struct result result;

	run(make_one("overrun"), 0, &result);
	assert_int_equal(result.fate.kind, FATE_DONE);
	expect_product(result.c, M);
	assert_int_equal(result.guards.changed[0], 0);
	assert_int_equal(result.guards.changed[1], 0);
	assert_in_range(result.guards.changed[2], 1, 2);
	assert_int_equal(result.guards.changed[3], 0);
}

static void input_changed(void **state)
{
	(void)state;
	struct result result;

	run(make_one("mutate"), 0, &result);
	assert_int_equal(result.fate.kind, FATE_DONE);
	assert_int_equal(result.a[3], bf16_from_float(philox_value(trial.seed, 0, 3, trial.values)) ^ 1);
	result.a[3] ^= 1;
	expect_inputs(result.a);
}

static void expect_fate(const struct fate *fate, enum fate_kind kind, int launch, const char *function)
{
	if (fate->kind != kind)
		fail_msg("%s (%s)", fate_name(fate->kind), fate->text);
	assert_int_equal(fate->launch, launch);
	assert_string_equal(fate->function, function);
	assert_true(fate->text[0] != '\0');
}

static void hangs(void **state)
{
	(void)state;
	struct result result;

	run(make_one("hang"), 300, &result);
	expect_fate(&result.fate, FATE_TIMEOUT, 0, "hang");
}

static void breaks(void **state)
{
	(void)state;
	struct result result;

	run(make_one("illegal"), 0, &result);
	expect_fate(&result.fate, FATE_MEMORY_ERROR, 0, "illegal");
	assert_non_null(strstr(result.fate.text, "CUDA_ERROR_ILLEGAL_ADDRESS"));
	run(make_one("misaligned"), 0, &result);
	expect_fate(&result.fate, FATE_MEMORY_ERROR, 0, "misaligned");
	run(make_one("trap"), 0, &result);
	expect_fate(&result.fate, FATE_RUNTIME_ERROR, 0, "trap");
}

static void worker_dies(void **state)
{
	(void)state;
	struct result result;

	run(make_one("kill"), 0, &result);
	expect_fate(&result.fate, FATE_CRASH, 0, "kill");
	assert_int_equal(result.fate.signal, SIGKILL);
}

/* Only a second run, launch by launch, can tell. */
static void blames_the_right_launch(void **state)
{
	(void)state;
	struct result result;

	run(make("null", (const struct launch[]){{"gemm_right", gemm_parameters}, {"step", ""}, {"step_illegal", ""}, {"step", ""}, {0}}), 0, &result);
	expect_fate(&result.fate, FATE_MEMORY_ERROR, 2, "step_illegal");
	run(make("null", (const struct launch[]){{"step", ""}, {"step_hang", ""}, {"step", ""}, {0}}), 300, &result);
	expect_fate(&result.fate, FATE_TIMEOUT, 1, "step_hang");
}

static void refuse(struct candidate *candidate, const char *text)
{
	struct fate fate;
	struct worker *worker = start(candidate, &(const struct worker_options){0}, &fate);

	assert_int_equal(fate.kind, FATE_REFUSED);
	if (strstr(fate.text, text) == NULL)
		fail_msg("%s", fate.text);
	worker_close(worker);
	candidate_free(candidate);
}

static void refuses(void **state)
{
	(void)state;
	refuse(make_one("not_there"), "'not_there'");
	refuse(make("null", (const struct launch[]){{"gemm_right", "{\"tensor\":\"A\"}"}, {0}}), "it has more");
	refuse(make("null", (const struct launch[]){{"step", "{\"tensor\":\"A\"}"}, {0}}), "it has 0");
	refuse(make("null", (const struct launch[]){{"scratch", "{\"buffer\":\"work\"},{\"tensor\":\"C\"},{\"u64\":\"M\"},{\"u32\":\"N\"}"}, {0}}),
	       "parameter 2 of 'scratch' has 4 bytes; 8 are given");
}

/* fill 0: cleared before every call; null: poisoned. */
static void buffers(void **state)
{
	(void)state;
	static const char parameters[] = "{\"buffer\":\"work\"},{\"tensor\":\"C\"},{\"u32\":\"M\"},{\"u32\":\"N\"}";
	struct result result;

	run(make("0", (const struct launch[]){{"scratch", parameters}, {0}}), 0, &result);
	assert_int_equal(result.c[0], bf16_from_float(1));
	run(make("null", (const struct launch[]){{"scratch", parameters}, {0}}), 0, &result);
	assert_int_equal(result.c[0], bf16_from_float(2));
}

/* R-GPU-013: a device that does not recover from a candidate stops the run. */
static void sick_device(void **state)
{
	(void)state;
	struct candidate *candidate = make_one("illegal");
	struct guards guards;
	struct fate fate;
	struct error err = {0};
	struct worker *worker = start(candidate, &(const struct worker_options){0}, &fate);

	set_device("sick");
	assert_int_equal(worker_run(worker, &trial, &guards, &fate, &err), UNHEALTHY);
	assert_int_equal(err.rule, R_GPU_SICK);
	set_device("well");
	worker_close(worker);
	candidate_free(candidate);
}

/* The worker of a candidate that failed is gone, and says so. */
static void gone_after_failure(void **state)
{
	(void)state;
	struct candidate *candidate = make_one("trap");
	struct guards guards;
	struct fate fate;
	struct error err = {0};
	struct worker *worker = start(candidate, &(const struct worker_options){0}, &fate);

	assert_int_equal(worker_run(worker, &trial, &guards, &fate, &err), OK);
	assert_int_equal(fate.kind, FATE_RUNTIME_ERROR);
	assert_int_equal(worker_run(worker, &trial, &guards, &fate, &err), UNAVAILABLE);
	assert_int_equal(err.rule, R_WRK_PROTOCOL);
	worker_close(worker);
	candidate_free(candidate);
}

static void no_worker(void **state)
{
	(void)state;
	const char *const programs[] = {"/nonexistent/program", "/bin/true"};

	for (size_t i = 0; i < 2; i++) {
		struct candidate *candidate = make_one("gemm_right");
		struct worker *worker = NULL;
		struct fate fate;
		struct error err = {0};

		assert_int_equal(worker_start(&(const struct worker_options){.program = programs[i]}, &problem, candidate, &cubin, &worker, &fate, &err),
		                 UNAVAILABLE);
		assert_int_equal(err.rule, R_WRK_START);
		worker_close(worker);
		candidate_free(candidate);
	}
}

/* Known times: 1.5 ms beside 1.2 ms, at 1.98 GHz. */
static void times(void **state)
{
	(void)state;
	struct candidate *candidate = make_one("gemm_right");
	struct fate fate;
	struct error err = {0};
	struct worker *worker = start(candidate, &(const struct worker_options){.baseline = true}, &fate);
	const char *library = NULL;

	for (int i = 0; i < 6; i++) {
		struct trial now = trial;
		struct sample sample;

		now.number = (uint32_t)i;
		memset(worker_tensor(worker, 2), 0, problem.tensors[2].bytes);
		if (worker_time(worker, &now, false, i % 2 == 0, i == 3, &sample, &fate, &err) != OK)
			fail_msg("%s", err.what);
		assert_int_equal(fate.kind, FATE_DONE);
		assert_true(sample.candidate_ms > 1.4999 && sample.candidate_ms < 1.5001);
		assert_true(sample.baseline_ms > 1.1999 && sample.baseline_ms < 1.2001);
		assert_true(sample.candidate_hz > 1.97e9 && sample.candidate_hz < 1.99e9);
		assert_true(sample.candidate_wall_ms > 0 && sample.baseline_wall_ms > 0);
		assert_int_equal(sample.candidate_first, i % 2 == 0);
		assert_int_equal(sample.seed, trial.seed);
		assert_int_equal(sample.guard_changed, 0);
		if (i == 3)
			expect_product(worker_tensor(worker, 2), M);
		else
			assert_int_equal(*(uint16_t *)worker_tensor(worker, 2), 0);
	}
	library = cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetObjectItem(worker_facts(worker), "baseline"), "library"));
	assert_string_equal(library, "cublasLt");
	worker_close(worker);
	candidate_free(candidate);
}

/* The baseline in both places: equal times, and no output of the candidate's. */
static void times_the_baseline_beside_itself(void **state)
{
	(void)state;
	struct candidate *candidate = make_one("hang");
	struct sample sample;
	struct fate fate;
	struct error err = {0};
	struct worker *worker = start(candidate, &(const struct worker_options){.baseline = true}, &fate);

	for (int i = 0; i < 2; i++) {
		if (worker_control(worker, &trial, false, i == 0, &sample, &fate, &err) != OK)
			fail_msg("%s", err.what);
		assert_int_equal(fate.kind, FATE_DONE);
		assert_true(sample.candidate_ms > 1.1999 && sample.candidate_ms < 1.2001);
		assert_true(sample.baseline_ms > 1.1999 && sample.baseline_ms < 1.2001);
		assert_int_equal(sample.candidate_first, i == 0);
	}
	worker_close(worker);
	candidate_free(candidate);
}

static void fails_while_timed(void **state)
{
	(void)state;
	struct candidate *candidate = make_one("hang");
	struct sample sample;
	struct fate fate;
	struct error err = {0};
	struct worker *worker = start(candidate, &(const struct worker_options){.baseline = true, .run_ms = 300}, &fate);

	assert_int_equal(worker_time(worker, &trial, false, true, false, &sample, &fate, &err), OK);
	expect_fate(&fate, FATE_TIMEOUT, 0, "hang");
	worker_close(worker);
	candidate_free(candidate);
}

/* There is no CUPTI for the stand-in: that is a state, not an error. */
static void counts_nothing(void **state)
{
	(void)state;
	struct candidate *candidate = make_one("gemm_right");
	struct fate fate;
	struct error err = {0};
	cJSON *message = NULL;
	struct counts counts;
	struct worker *worker = start(candidate, &(const struct worker_options){.count = "gemm_right"}, &fate);

	if (worker_count(worker, &trial, &message, &fate, &err) != OK)
		fail_msg("%s", err.what);
	assert_int_equal(counts_read(message, &counts, &err), OK);
	assert_true(counts.state == COUNTS_UNKNOWN || counts.state == COUNTS_FAILED);
	assert_int_equal(counts.count, 0);
	assert_true(counts.text[0] != '\0');
	counts_free(&counts);
	cJSON_Delete(message);
	worker_close(worker);
	candidate_free(candidate);
}

/* With the stand-in for CUPTI: what it says of the function is what comes back, and so do the tensors. */
static enum counts_state count(const char *device, struct counts *counts)
{
	struct candidate *candidate = make("null", (const struct launch[]){{"step", ""}, {"gemm_right", gemm_parameters}, {0}});
	struct fate fate;
	struct error err = {0};
	cJSON *message = NULL;

	set_device(device);
	struct worker *worker = start(candidate, &(const struct worker_options){.count = "gemm_right"}, &fate);

	if (worker_count(worker, &trial, &message, &fate, &err) != OK)
		fail_msg("%s", err.what);
	assert_int_equal(fate.kind, FATE_DONE);
	assert_int_equal(counts_read(message, counts, &err), OK);
	assert_string_equal(counts->function, "gemm_right");
	expect_product(worker_tensor(worker, 2), M);
	expect_inputs(worker_tensor(worker, 0));
	cJSON_Delete(message);
	worker_close(worker);
	candidate_free(candidate);
	set_device("well");
	return counts->state;
}

static void counts(void **state)
{
	(void)state;
	char *usual = mem_text(getenv("PTXSEAL_CUDA_LIBS"));
	char *libraries = mem_format("%s/counts:%s", usual, usual);
	struct counts counts;

	setenv("PTXSEAL_CUDA_LIBS", libraries, 1);
	assert_int_equal(count("well 32 0 0 16 8 256 48 5 1", &counts), COUNTS_EXECUTED);
	assert_int_equal(counts.count, 3);
	for (size_t i = 0; i < 3; i++) {
		static const struct instruction_count wanted[] = {{16, 8, 256}, {32, 0, 0}, {48, 5, 1}};

		assert_memory_equal(&counts.at[i], &wanted[i], sizeof wanted[i]);
	}
	counts_free(&counts);
	assert_int_equal(count("well nothing", &counts), COUNTS_NOT_EXECUTED);
	counts_free(&counts);
	assert_int_equal(count("well 0 8 256 drops", &counts), COUNTS_FAILED);
	assert_string_equal(counts.text, "CUPTI dropped records");
	counts_free(&counts);
	assert_int_equal(count("well refuses", &counts), COUNTS_REFUSED);
	assert_string_equal(counts.text, "choosing CUPTI's metrics: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES");
	assert_int_equal(counts.count, 0);
	counts_free(&counts);
	setenv("PTXSEAL_CUDA_LIBS", usual, 1);
	free(libraries);
	free(usual);
}

/* Variables of the code are as at first in every call, where that was asked for; what the candidate is may show otherwise. */
static void code_is_loaded_anew(void **state)
{
	(void)state;
	for (int reload = 0; reload < 2; reload++) {
		struct candidate *candidate = make_one("first_by_variable");
		struct sample sample;
		struct guards guards;
		struct fate fate;
		struct error err = {0};
		struct worker *worker = start(candidate, &(const struct worker_options){.baseline = true, .reload = reload == 1}, &fate);

		for (int i = 0; i < 3; i++) {
			if (worker_run(worker, &trial, &guards, &fate, &err) != OK)
				fail_msg("%s", err.what);
			assert_int_equal(fate.kind, FATE_DONE);
			if (i == 0 || reload == 1)
				expect_product(worker_tensor(worker, 2), M);
			else
				assert_int_equal(*(uint16_t *)worker_tensor(worker, 2), 0xFFFF);
		}
		assert_int_equal(worker_time(worker, &trial, false, false, true, &sample, &fate, &err), OK);
		assert_int_equal(fate.kind, FATE_DONE);
		assert_int_equal(*(uint16_t *)worker_tensor(worker, 2), reload == 1 ? product(0, 0) : 0xFFFF);
		worker_close(worker);
		candidate_free(candidate);
	}
}

/* The library's results on the same inputs do not lie around when the candidate runs, whichever goes first. */
static void results_are_not_to_be_had(void **state)
{
	(void)state;
	struct candidate *candidate = make_one("thief");
	struct fate fate;
	struct error err = {0};
	struct worker *worker = start(candidate, &(const struct worker_options){.baseline = true}, &fate);

	for (int i = 0; i < 6; i++) {
		struct trial now = trial;
		struct sample sample;

		now.seed = 100 + (uint64_t)i;
		now.number = (uint32_t)i;
		assert_int_equal(worker_time(worker, &now, false, i % 2 == 0, false, &sample, &fate, &err), OK);
		assert_int_equal(fate.kind, FATE_DONE);
		if (!(sample.candidate_ms > 1.4999))
			fail_msg("pair %d: %f ms", i, sample.candidate_ms);
	}
	worker_close(worker);
	candidate_free(candidate);
}

/* Inputs of a timed call that is checked come back as they are then. */
static void input_changed_while_timed(void **state)
{
	(void)state;
	struct candidate *candidate = make_one("mutate");
	struct sample sample;
	struct fate fate;
	struct error err = {0};
	struct worker *worker = start(candidate, &(const struct worker_options){.baseline = true}, &fate);
	uint16_t *a = worker_tensor(worker, 0);

	assert_int_equal(worker_time(worker, &trial, false, true, true, &sample, &fate, &err), OK);
	assert_int_equal(a[3], bf16_from_float(philox_value(trial.seed, 0, 3, trial.values)) ^ 1);
	a[3] ^= 1;
	expect_inputs(a);
	worker_close(worker);
	candidate_free(candidate);
}

/* No timed call finds its tensors where a trial had them: 64 of each, before and after timing are fewer. */
static void addresses_of_timed_calls_are_new(void **state)
{
	(void)state;
	enum { CALLS = 64 };
	uintptr_t seen[2 * CALLS][3];
	struct candidate *candidate = make_one("where");
	struct fate fate;
	struct error err = {0};
	struct worker *worker = start(candidate, &(const struct worker_options){.baseline = true}, &fate);

	for (uint32_t i = 0; i < 2 * CALLS; i++) {
		struct trial now = trial;
		struct sample sample;
		struct guards guards;

		now.number = i < CALLS ? i : RACE_FIRST_NUMBER + i - CALLS;
		assert_int_equal(i < CALLS ? worker_run(worker, &now, &guards, &fate, &err) : worker_time(worker, &now, false, true, true, &sample, &fate, &err), OK);
		assert_int_equal(fate.kind, FATE_DONE);
		memcpy(seen[i], worker_tensor(worker, 2), sizeof seen[i]);
		for (uint32_t j = 0; j < i; j++)
			for (size_t tensor = 0; tensor < 3; tensor++)
				if (seen[i][tensor] == seen[j][tensor])
					fail_msg("tensor %zu of call %u lies where it lay in call %u", tensor, i, j);
	}
	worker_close(worker);
	candidate_free(candidate);
}

static void facts(void **state)
{
	(void)state;
	struct candidate *candidate = make_one("gemm_right");
	struct fate fate;
	struct worker *worker = start(candidate, &(const struct worker_options){.without = 1u << 3}, &fate);
	const cJSON *said = worker_facts(worker);
	const cJSON *sandbox = cJSON_GetObjectItem(said, "sandbox");

	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(said, "stand_in")));
	assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetObjectItem(said, "device"), "name")), "ptxseal stand-in");
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(said, "functions")), 1);
	assert_int_equal(cJSON_GetArraySize(sandbox), 6);
	assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(sandbox, "landlock")), "left out");
	assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(sandbox, "no_new_privs")), "in force");
	worker_close(worker);
	candidate_free(candidate);
}

/* R-WRK-003 */
static void sandbox_required(void **state)
{
	(void)state;
	struct candidate *candidate = make_one("gemm_right");
	struct worker *worker = NULL;
	struct fate fate;
	struct error err = {0};

	assert_int_equal(worker_start(&(const struct worker_options){.without = 1u << 3, .require_sandbox = true}, &problem, candidate, &cubin, &worker,
	                              &fate, &err),
	                 UNAVAILABLE);
	assert_int_equal(err.rule, R_WRK_SANDBOX);
	worker_close(worker);
	candidate_free(candidate);
}

static void seeds_of_inputs(void **state)
{
	(void)state;
	const struct problem backward = {
		.tensors = {{.name = "Q"}, {.name = "K"}, {.name = "V"}, {.name = "O", .computed = true}, {.name = "dO"}, {.name = "L", .computed = true}},
		.tensor_count = 6};

	assert_int_equal(input_seed(&problem, 0, 1, 2), 2);
	assert_int_equal(input_seed(&problem, 1, 1, 2), 2);
	assert_int_equal(input_seed(&backward, 0, 1, 2), 1);
	assert_int_equal(input_seed(&backward, 2, 1, 2), 1);
	assert_int_equal(input_seed(&backward, 4, 1, 2), 2);
}

/* Beside this program: build/tests/test_worker, build/stand-in/. */
static void set_paths(void)
{
	char self[4096];
	const ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);

	self[len > 0 ? len : 0] = '\0';
	for (int i = 0; i < 2; i++)
		if (strrchr(self, '/') != NULL)
			*strrchr(self, '/') = '\0';
	char *libraries = mem_format("%s/stand-in", self);
	char *driver = mem_format("%s/libcuda.so.1", libraries);

	setenv("PTXSEAL_LIBCUDA", driver, 1);
	setenv("PTXSEAL_CUDA_LIBS", libraries, 1);
	setenv("PTXSEAL_STAND_IN", state_file, 1);
	free(driver);
	free(libraries);
}

static int set_up(void **state)
{
	(void)state;
	const int fd = mkstemp(state_file);

	if (fd < 0)
		return -1;
	close(fd);
	chmod(state_file, 0644);
	set_paths();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	return unlink(state_file);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(right),
		cmocka_unit_test(wrong),
		cmocka_unit_test(unwritten),
		cmocka_unit_test(guard_overwritten),
		cmocka_unit_test(input_changed),
		cmocka_unit_test(hangs),
		cmocka_unit_test(breaks),
		cmocka_unit_test(worker_dies),
		cmocka_unit_test(blames_the_right_launch),
		cmocka_unit_test(refuses),
		cmocka_unit_test(buffers),
		cmocka_unit_test(sick_device),
		cmocka_unit_test(gone_after_failure),
		cmocka_unit_test(no_worker),
		cmocka_unit_test(times),
		cmocka_unit_test(times_the_baseline_beside_itself),
		cmocka_unit_test(fails_while_timed),
		cmocka_unit_test(counts_nothing),
		cmocka_unit_test(counts),
		cmocka_unit_test(code_is_loaded_anew),
		cmocka_unit_test(results_are_not_to_be_had),
		cmocka_unit_test(input_changed_while_timed),
		cmocka_unit_test(addresses_of_timed_calls_are_new),
		cmocka_unit_test(facts),
		cmocka_unit_test(sandbox_required),
		cmocka_unit_test(seeds_of_inputs),
	};

	if (argc == 2 && strcmp(argv[1], "worker") == 0)
		_exit((int)worker_serve());
	return cmocka_run_group_tests(tests, set_up, tear_down);
}

#endif
