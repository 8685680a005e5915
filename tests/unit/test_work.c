/* Counts joined with code (R-EVD-001): the kernels are tests/kernel's, whose instructions `ptxseal inspect` lists. Run by tests/unit/run, which sets REPO. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "measure/work.h"

struct code {
	struct bytes data;
	struct cubin cubin;
};

static void open_code(struct code *code, const char *name)
{
	const char *repo = getenv("REPO");
	char *file = mem_format("%s/tests/kernel/%s", repo != NULL ? repo : ".", name);
	struct error err = {0};

	*code = (struct code){0};
	if (file_read(file, 1 << 24, &code->data, &err) != OK ||
	    cubin_read((const uint8_t *)code->data.data, code->data.len, "kernel.cubin", &code->cubin, &err) != OK)
		fail_msg("%s", err.what);
	free(file);
}

static void close_code(struct code *code)
{
	cubin_free(&code->cubin);
	bytes_free(&code->data);
}

/* Every instruction of the function executed so often, by warps and threads. */
static struct counts everything(const struct code *code, const char *function, uint64_t executed, uint64_t threads)
{
	const struct cubin_function *found = cubin_find(&code->cubin, function);

	assert_non_null(found);
	struct counts counts = {.state = COUNTS_EXECUTED, .function = mem_text(function), .count = found->size / 16};

	counts.at = mem_array(NULL, counts.count, sizeof *counts.at);
	for (size_t i = 0; i < counts.count; i++)
		counts.at[i] = (struct instruction_count){i * 16, executed, threads};
	return counts;
}

static const struct plan no_plan;

static double share(cJSON *facts, const char *group)
{
	const cJSON *item = cJSON_GetObjectItem(cJSON_GetObjectItem(facts, "operations_share"), group);

	return cJSON_IsNumber(item) ? item->valuedouble : -1;
}

/* Three wgmma of 64 x 8, 128, 256 x 16, ten warpgroups: 10 * 2 * 64 * 392 * 16 operations, all of the task's. */
static void multiplies(void **state)
{
	(void)state;
	struct code code;
	struct work work = {0};
	struct error err = {0};
	const struct problem problem = {.flops = 10.0 * 2 * 64 * (8 + 128 + 256) * 16, .bytes = 1};
	bool known;

	open_code(&code, "wgmma_half.cubin");
	struct counts counts = everything(&code, "half_sums", 40, 40 * 32);

	if (work_add(&work, &counts, &code.cubin, &no_plan, &err) != OK)
		fail_msg("%s", err.what);
	assert_int_equal(work.lines, 3);
	assert_string_equal(work.line[0].text, "HGMMA.64x128x16.F16");
	assert_int_equal(work.line[0].effective, 40);
	assert_true(work_operations(&work, SASS_GROUP_GMMA, &known) == problem.flops);
	assert_true(known);
	cJSON *facts = work_facts(&work, &problem);

	assert_true(share(facts, "gmma") == 1);
	assert_true(share(facts, "warp") == 0);
	cJSON_Delete(facts);
	work_free(&work);
	counts_free(&counts);
	close_code(&code);
}

/* A warp that comes by with its predicate off does no work. */
static void guarded_off(void **state)
{
	(void)state;
	struct code code;
	struct work work = {0};
	struct error err = {0};
	bool known;

	open_code(&code, "wgmma_half.cubin");
	struct counts counts = everything(&code, "half_sums", 40, 0);

	assert_int_equal(work_add(&work, &counts, &code.cubin, &no_plan, &err), OK);
	assert_int_equal(work.line[0].executed, 40);
	assert_true(work_operations(&work, SASS_GROUP_GMMA, &known) == 0);
	work_free(&work);
	counts_free(&counts);
	close_code(&code);
}

/* A bare wgmma.commit_group is an HGMMA without destination: executed, and no work. */
static void null_multiply(void **state)
{
	(void)state;
	struct code code;
	struct work work = {0};
	struct error err = {0};
	bool known;

	open_code(&code, "wgmma_null.cubin");
	struct counts counts = everything(&code, "bare_commit", 16, 512);

	assert_int_equal(work_add(&work, &counts, &code.cubin, &no_plan, &err), OK);
	assert_int_equal(work.lines, 1);
	assert_int_equal(work.line[0].executed, 16);
	assert_int_equal(work.line[0].null, 16);
	assert_int_equal(work.line[0].effective, 0);
	assert_true(work_operations(&work, SASS_GROUP_GMMA, &known) == 0);
	assert_true(known);
	work_free(&work);
	counts_free(&counts);
	close_code(&code);
}

/* One thread each, through maps of 4096 and 16384 bytes a box. */
static void copies(void **state)
{
	(void)state;
	struct code code;
	struct work work = {0};
	struct error err = {0};
	struct plan_parameter parameters[] = {{.kind = PARAMETER_MAP, .index = 0}, {.kind = PARAMETER_MAP, .index = 1}};
	const struct plan plan = {
		.maps = {{.element = ELEMENT_BF16, .rank = 2, .box = {64, 32}}, {.element = ELEMENT_BF16, .rank = 2, .box = {64, 128}}},
		.map_count = 2,
		.launches = {{.function = "tensor_load_guarded", .parameters = parameters, .parameter_count = 2}},
		.launch_count = 1,
	};
	const struct problem problem = {.flops = 1, .bytes = 16384};

	open_code(&code, "tma.cubin");
	struct counts counts = everything(&code, "tensor_load_guarded", 7, 7);

	assert_int_equal(work_add(&work, &counts, &code.cubin, &plan, &err), OK);
	assert_int_equal(work.lines, 2);
	assert_int_equal(work.line[0].effective, 7);
	assert_true(work.line[0].bytes_least == 7.0 * 4096);
	assert_true(work.line[0].bytes_most == 7.0 * 16384);
	cJSON *facts = work_facts(&work, &problem);
	const cJSON *bytes = cJSON_GetObjectItem(facts, "bytes_share");

	assert_true(cJSON_GetNumberValue(cJSON_GetObjectItem(bytes, "least")) == 3.5); /* a load and a store */
	assert_true(cJSON_GetNumberValue(cJSON_GetObjectItem(bytes, "most")) == 14);
	cJSON_Delete(facts);
	work_free(&work);
	counts_free(&counts);
	close_code(&code);
}

/* Shapes of tcgen05.mma stand in registers: the share is not known, and is not said. */
static void unknown_shapes(void **state)
{
	(void)state;
	struct code code;
	struct work work = {0};
	struct error err = {0};
	const struct problem problem = {.flops = 1, .bytes = 1};

	open_code(&code, "tcgen05_mma.cubin");
	struct counts counts = everything(&code, code.cubin.at[0].name, 1, 32);

	assert_int_equal(work_add(&work, &counts, &code.cubin, &no_plan, &err), OK);
	cJSON *facts = work_facts(&work, &problem);

	assert_true(share(facts, "tcgen") == -1);
	cJSON_Delete(facts);
	work_free(&work);
	counts_free(&counts);
	close_code(&code);
}

/* A function that could not be counted takes every share away, whichever comes first. */
static void incomplete(void **state)
{
	(void)state;
	struct code code;
	const struct problem problem = {.flops = 1, .bytes = 1};

	open_code(&code, "wgmma_half.cubin");
	for (int first = 0; first < 2; first++) {
		struct work work = {0};
		struct error err = {0};
		struct counts counted = everything(&code, "half_sums", 4, 128);
		struct counts refused = {.state = COUNTS_REFUSED, .function = mem_text("half_wide")};

		assert_int_equal(work_add(&work, first == 0 ? &counted : &refused, &code.cubin, &no_plan, &err), OK);
		assert_int_equal(work_add(&work, first == 0 ? &refused : &counted, &code.cubin, &no_plan, &err), OK);
		cJSON *facts = work_facts(&work, &problem);

		assert_true(cJSON_IsFalse(cJSON_GetObjectItem(facts, "complete")));
		assert_true(share(facts, "gmma") == -1);
		assert_true(cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetObjectItem(facts, "bytes_share"), "least")));
		assert_true(cJSON_IsNull(cJSON_GetObjectItem(cJSON_GetObjectItem(facts, "bytes_share"), "most")));
		cJSON_Delete(facts);
		work_free(&work);
		counts_free(&counted);
		counts_free(&refused);
	}
	close_code(&code);
}

static void does_not_join(void **state)
{
	(void)state;
	struct code code;
	struct work work = {0};
	struct error err = {0};

	open_code(&code, "wgmma_half.cubin");
	struct counts counts = everything(&code, "half_sums", 4, 128);

	counts.at[counts.count - 1].offset += 16;
	assert_int_equal(work_add(&work, &counts, &code.cubin, &no_plan, &err), FAILS);
	assert_int_equal(err.rule, R_EVD_JOIN);
	counts.at[counts.count - 1].offset -= 8;
	assert_int_equal(work_add(&work, &counts, &code.cubin, &no_plan, &err), FAILS);
	counts.function[0] = 'x';
	assert_int_equal(work_add(&work, &counts, &code.cubin, &no_plan, &err), FAILS);
	cJSON *facts = work_facts(&work, &(const struct problem){.flops = 1, .bytes = 1});

	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(facts, "complete")));
	cJSON_Delete(facts);
	work_free(&work);
	counts_free(&counts);
	close_code(&code);
}

static void counts_from_a_worker(void **state)
{
	(void)state;
	static const char *const bad[] = {
		"{}",
		"{\"function\":\"f\",\"records\":[],\"state\":\"fine\",\"text\":\"\"}",
		"{\"function\":\"f\",\"records\":[[0,\"1\"]],\"state\":\"executed\",\"text\":\"\"}",
		"{\"function\":\"f\",\"records\":[[0,1,2]],\"state\":\"executed\",\"text\":\"\"}",
		"{\"function\":\"f\",\"records\":[[-16,\"1\",\"2\"]],\"state\":\"executed\",\"text\":\"\"}",
		"{\"function\":\"f\",\"records\":[[0.5,\"1\",\"2\"]],\"state\":\"executed\",\"text\":\"\"}",
		"{\"function\":\"f\",\"records\":[[16,\"1\",\"2\"],[16,\"1\",\"2\"]],\"state\":\"executed\",\"text\":\"\"}",
		"{\"function\":\"f\",\"records\":[[0,\"99999999999999999999\",\"2\"]],\"state\":\"executed\",\"text\":\"\"}",
		"{\"function\":\"f\",\"more\":1,\"records\":[],\"state\":\"executed\",\"text\":\"\"}",
	};
	struct counts counts;
	struct error err;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		cJSON *message = cJSON_Parse(bad[i]);

		assert_non_null(message);
		if (counts_read(message, &counts, &err) != MALFORMED)
			fail_msg("%s", bad[i]);
		counts_free(&counts);
		cJSON_Delete(message);
	}
	cJSON *message = cJSON_Parse("{\"function\":\"f\",\"records\":[[0,\"1\",\"32\"],[32,\"18446744073709551615\",\"0\"]],\"state\":\"executed\",\"text\":\"\"}");

	assert_int_equal(counts_read(message, &counts, &err), OK);
	assert_int_equal(counts.count, 2);
	assert_int_equal(counts.at[1].offset, 32);
	assert_true(counts.at[1].executed == UINT64_MAX);
	assert_int_equal(counts.at[0].threads_true, 32);
	counts_free(&counts);
	cJSON_Delete(message);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(multiplies),     cmocka_unit_test(guarded_off), cmocka_unit_test(null_multiply),
		cmocka_unit_test(copies),         cmocka_unit_test(unknown_shapes), cmocka_unit_test(incomplete),
		cmocka_unit_test(does_not_join), cmocka_unit_test(counts_from_a_worker),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
