/* candidate.json and what it becomes for a workload: R-CAN-001 to R-CAN-009. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/candidate.h"
#include "measure/plan.h"

static const char sound[] =
	"{\"schema\":\"ptxseal-candidate/1\",\"task\":\"gemm\",\"name\":\"plain\",\"label\":\"ptxseal\",\"arch\":\"sm_90a\",\"ptx\":\"kernel.ptx\","
	"\"origin\":\"a test\",\"buffers\":[{\"name\":\"work\",\"bytes\":\"M*N*4\",\"fill\":7}],"
	"\"maps\":[{\"name\":\"mapA\",\"tensor\":\"A\",\"dtype\":\"bfloat16\",\"dims\":[\"K\",\"M\"],\"strides\":[\"K*2\"],\"box\":[\"64\",\"128\"],"
	"\"swizzle\":128,\"interleave\":0,\"l2\":128}],"
	"\"launches\":[{\"function\":\"gemm\",\"grid\":[\"N/128\",\"ceil(M,128)\",\"1\"],\"block\":[\"384\",\"1\",\"1\"],\"cluster\":[\"2\",\"1\",\"1\"],"
	"\"shared\":\"200*1024\",\"parameters\":[{\"map\":\"mapA\"},{\"tensor\":\"C\"},{\"u32\":\"M\"},{\"u64\":\"K\"},{\"f32\":\"-0.5\"},{\"buffer\":\"work\"}]}]}";

/* M 256, N 512, K 1024. */
static const struct problem problem = {
	.task = "gemm",
	.axes = {{"M", 256}, {"N", 512}, {"K", 1024}},
	.axis_count = 3,
	.tensors = {{.name = "A", .rank = 2, .bytes = 256 * 1024 * 2}, {.name = "B", .bytes = 512 * 1024 * 2}, {.name = "C", .output = true, .bytes = 256 * 512 * 2}},
	.tensor_count = 3,
};

/* sound with every old text in it replaced; the caller frees it. */
static char *changed(const char *old, const char *new)
{
	struct bytes out = {0};
	const char *at = sound;

	for (const char *hit; (hit = strstr(at, old)) != NULL; at = hit + strlen(old)) {
		bytes_add(&out, at, (size_t)(hit - at));
		bytes_text(&out, new);
	}
	if (at == sound)
		fail_msg("'%s' does not stand in the sound file", old);
	bytes_text(&out, at);
	return out.data;
}

/* What a change breaks, when read or when made concrete. */
static void breaks(const char *old, const char *new, enum rule rule)
{
	char *json = changed(old, new);
	struct candidate *candidate = NULL;
	struct plan plan = {0};
	struct error err = {0};
	enum status status = candidate_parse("gemm/plain", json, strlen(json), "", 0, &candidate, &err);

	if (status == OK)
		status = plan_make(candidate, &problem, &plan, &err);
	if (status != rule_info(rule)->status || err.rule != rule)
		fail_msg("'%s' as '%s': status %d, rule %s, %s", old, new, status, rule_info(err.rule)->id, err.what);
	assert_string_equal(err.file, "gemm/plain/candidate.json");
	plan_free(&plan);
	candidate_free(candidate);
	free(json);
}

static void reads(void **state)
{
	(void)state;
	struct candidate *candidate = NULL;
	struct error err = {0};

	assert_int_equal(candidate_parse("gemm/plain", sound, strlen(sound), "ptx", 3, &candidate, &err), OK);
	assert_string_equal(candidate->name, "plain");
	assert_string_equal(candidate->arch, "sm_90a");
	assert_int_equal(candidate->map_count, 1);
	assert_int_equal(candidate->launches[0].parameter_count, 6);
	/* The id by hand: length-prefixed PTX, then length-prefixed JSON. */
	struct bytes content = {0};
	const char ptx_head[] = "\x03\0\0\0\0\0\0\0ptx";
	const uint64_t len = strlen(sound);

	bytes_add(&content, ptx_head, 11);
	bytes_add(&content, &len, 8);
	bytes_text(&content, sound);
	const struct sha256 want = sha256_of(content.data, content.len);

	assert_memory_equal(&want, &candidate->id, sizeof want);
	bytes_free(&content);
	candidate_free(candidate);
}

static void becomes_numbers(void **state)
{
	(void)state;
	struct candidate *candidate = NULL;
	struct plan plan;
	struct error err = {0};

	assert_int_equal(candidate_parse("gemm/plain", sound, strlen(sound), "", 0, &candidate, &err), OK);
	if (plan_make(candidate, &problem, &plan, &err) != OK)
		fail_msg("%s", err.what);
	assert_int_equal(plan.buffers[0].bytes, 256 * 512 * 4);
	assert_int_equal(plan.buffers[0].fill, 7);
	const struct plan_map *map = &plan.maps[0];

	assert_int_equal(map->rank, 2);
	assert_int_equal(map->target, 0);
	assert_int_equal(map->dims[0], 1024);
	assert_int_equal(map->dims[1], 256);
	assert_int_equal(map->strides[0], 2048);
	assert_int_equal(map->box[1], 128);
	const struct plan_launch *launch = &plan.launches[0];

	assert_int_equal(launch->grid[0], 4);
	assert_int_equal(launch->grid[1], 2);
	assert_int_equal(launch->block[0], 384);
	assert_int_equal(launch->cluster[0], 2);
	assert_int_equal(launch->shared, 204800);
	assert_int_equal(launch->parameters[1].kind, PARAMETER_TENSOR);
	assert_int_equal(launch->parameters[1].index, 2);
	assert_int_equal(launch->parameters[3].value, 1024);
	assert_int_equal(launch->parameters[4].value, 0xBF000000);
	plan_free(&plan);
	candidate_free(candidate);
}

/* R-JSN-011: fields of other schemas, or of another type. */
static void fields(void **state)
{
	(void)state;
	breaks("\"origin\"", "\"orgin\"", R_JSON_FIELD);
	breaks("\"fill\":7", "\"fill\":256", R_JSON_FIELD);
	breaks(",\"fill\":7", "", R_JSON_FIELD);
	breaks("\"fill\":7", "\"fill\":7,\"more\":1", R_JSON_FIELD);
	breaks("\"swizzle\":128", "\"swizzle\":\"128\"", R_JSON_FIELD);
	breaks("{\"u32\":\"M\"}", "{\"u16\":\"M\"}", R_JSON_FIELD);
	breaks("{\"u32\":\"M\"}", "{\"u32\":5}", R_JSON_FIELD);
	breaks("{\"u32\":\"M\"}", "{}", R_JSON_FIELD);
	breaks("{\"u32\":\"M\"}", "{\"u32\":\"M\",\"u64\":\"M\"}", R_JSON_FIELD);
	breaks("[\"384\",", "[384,", R_JSON_FIELD);
	breaks("\"shared\":\"200*1024\",", "", R_JSON_FIELD);
}

static void head(void **state)
{
	(void)state;
	breaks("candidate/1", "candidate/2", R_CAN_SCHEMA);
	breaks("\"plain\"", "\"..\"", R_CAN_NAME);
	breaks("\"plain\"", "\"a/b\"", R_CAN_NAME);
	breaks("sm_90a", "sm_9", R_CAN_PTX);
	breaks("sm_90a", "sm_90ab", R_CAN_PTX);
	breaks("kernel.ptx", "../kernel.ptx", R_CAN_PTX);
	breaks("\"function\":\"gemm\"", "\"function\":\"\"", R_CAN_NAME);
	breaks("\"name\":\"work\"", "\"name\":\"mapA\"", R_CAN_NAME);
	breaks("\"name\":\"work\"", "\"name\":\"9\"", R_CAN_NAME);
}

static void references(void **state)
{
	(void)state;
	breaks("{\"tensor\":\"C\"}", "{\"tensor\":\"D\"}", R_CAN_REFERENCE);
	breaks("{\"buffer\":\"work\"}", "{\"buffer\":\"mapA\"}", R_CAN_REFERENCE);
	breaks("{\"map\":\"mapA\"}", "{\"map\":\"work\"}", R_CAN_REFERENCE);
	breaks("\"tensor\":\"A\"", "\"tensor\":\"Z\"", R_CAN_REFERENCE);
	breaks("\"tensor\":\"A\"", "\"buffer\":\"Z\"", R_CAN_REFERENCE);
	breaks("\"tensor\":\"A\"", "\"tensor\":\"A\",\"buffer\":\"work\"", R_CAN_REFERENCE);
}

static struct plan made_of(const char *old, const char *new, struct candidate **candidate)
{
	char *json = changed(old, new);
	struct plan plan;
	struct error err = {0};

	if (candidate_parse("gemm/plain", json, strlen(json), "", 0, candidate, &err) != OK || plan_make(*candidate, &problem, &plan, &err) != OK)
		fail_msg("%s", err.what);
	free(json);
	return plan;
}

/* An address may lie within a tensor, or at its end, and within a structure passed by value. */
static void addresses(void **state)
{
	(void)state;
	struct candidate *candidate = NULL;
	struct plan plan = made_of("{\"tensor\":\"C\"}",
	                           "{\"bytes\":\"0011ff00000000000000000000000000\",\"at\":[{\"offset\":8,\"tensor\":\"B\",\"plus\":\"K*2\"}]}", &candidate);
	const struct plan_parameter *parameter = &plan.launches[0].parameters[1];

	assert_int_equal(parameter->size, 16);
	assert_int_equal(parameter->bytes[1], 0x11);
	assert_int_equal(parameter->bytes[2], 0xFF);
	assert_int_equal(parameter->patch_count, 1);
	assert_int_equal(parameter->patches[0].offset, 8);
	assert_int_equal(parameter->patches[0].index, 1);
	assert_int_equal(parameter->patches[0].plus, 2048);
	plan_free(&plan);
	candidate_free(candidate);
	plan = made_of("{\"tensor\":\"C\"}", "{\"tensor\":\"C\",\"plus\":\"M*N*2\"}", &candidate);
	assert_int_equal(plan.launches[0].parameters[1].value, 262144);
	plan_free(&plan);
	candidate_free(candidate);
	plan = made_of("\"tensor\":\"A\",", "\"tensor\":\"B\",\"plus\":\"K*2*M\",", &candidate);
	assert_int_equal(plan.maps[0].plus, 524288);
	plan_free(&plan);
	candidate_free(candidate);
	breaks("{\"tensor\":\"C\"}", "{\"tensor\":\"C\",\"plus\":\"M*N*2+1\"}", R_CAN_RANGE);
	breaks("{\"tensor\":\"C\"}", "{\"tensor\":\"C\",\"at\":[]}", R_JSON_FIELD);
	breaks("{\"u32\":\"M\"}", "{\"u32\":\"M\",\"plus\":\"1\"}", R_JSON_FIELD);
	breaks("\"tensor\":\"A\",", "\"tensor\":\"A\",\"plus\":\"8\",", R_CAN_MAP);
	breaks("\"tensor\":\"A\",", "\"tensor\":\"A\",\"plus\":\"16\",", R_CAN_MAP); /* reaches beyond */
}

/* R-CAN-004, -005, -007: what stands in bytes is aligned, in order and within them. */
static void bytes_with_addresses(void **state)
{
	(void)state;
	static const struct {
		const char *parameter;
		enum rule rule;
	} cases[] = {
		{"{\"bytes\":\"\"}", R_CAN_RANGE},
		{"{\"bytes\":\"0\"}", R_CAN_RANGE},
		{"{\"bytes\":\"0A\"}", R_CAN_RANGE},
		{"{\"bytes\":\"0000000000000000\",\"at\":[{\"offset\":1,\"tensor\":\"A\"}]}", R_CAN_RANGE},
		{"{\"bytes\":\"0000000000000000\",\"at\":[{\"offset\":8,\"tensor\":\"A\"}]}", R_CAN_RANGE},
		{"{\"bytes\":\"00000000000000000000000000000000\",\"at\":[{\"offset\":8,\"tensor\":\"A\"},{\"offset\":0,\"tensor\":\"A\"}]}", R_CAN_RANGE},
		{"{\"bytes\":\"0000000000000000\",\"at\":[{\"offset\":0,\"map\":\"mapA\"}]}", R_CAN_RANGE},
		{"{\"bytes\":\"0000000000000000\",\"at\":[{\"offset\":0,\"tensor\":\"Z\"}]}", R_CAN_REFERENCE},
		{"{\"bytes\":\"0000000000000000\",\"at\":[{\"offset\":0,\"buffer\":\"Z\"}]}", R_CAN_REFERENCE},
		{"{\"bytes\":\"0000000000000000\",\"at\":[{\"offset\":0,\"u32\":\"1\"}]}", R_JSON_FIELD},
		{"{\"bytes\":\"0000000000000000\",\"at\":[{\"offset\":0}]}", R_JSON_FIELD},
		{"{\"bytes\":\"0000000000000000\",\"at\":{}}", R_JSON_FIELD},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		breaks("{\"tensor\":\"C\"}", cases[i].parameter, cases[i].rule);
}

#define LOWERED(asked, workload) \
	"\"origin\":\"a test\",\"lowered\":{\"source\":\"kernel.cu\"," \
	"\"sha256\":\"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\",\"workload\":\"" workload "\"," \
	"\"toolchain\":{},\"asked\":" asked "}"

/* R-LOW-001, -016: a lowered candidate is bound to its source and its workload, and to what it was told. */
static void lowered(void **state)
{
	(void)state;
	struct candidate *candidate = NULL;
	struct plan plan = made_of("\"origin\":\"a test\"", LOWERED("[{\"attribute\":16,\"value\":132}]", ""), &candidate);

	assert_true(candidate->is_lowered);
	assert_string_equal(candidate->lowering.source, "kernel.cu");
	assert_int_equal(plan.asked_count, 1);
	assert_int_equal(plan.asked[0].attribute, 16);
	assert_int_equal(plan.asked[0].value, 132);
	plan_free(&plan);
	candidate_free(candidate);
	breaks("\"origin\":\"a test\"", LOWERED("[]", "another"), R_LOW_WORKLOAD);
	breaks("\"origin\":\"a test\"", LOWERED("[{}]", ""), R_JSON_FIELD);
	breaks("\"origin\":\"a test\"", "\"origin\":\"a test\",\"lowered\":{}", R_JSON_FIELD);
}

static void ranges(void **state)
{
	(void)state;
	breaks("\"N/128\"", "\"N/1024\"", R_CAN_RANGE);
	breaks("\"N/128\"", "\"N-M*9\"", R_CAN_RANGE);
	breaks("\"N/128\"", "\"N/(N-N)\"", R_CAN_RANGE);
	breaks("\"N/128\"", "\"S\"", R_CAN_EXPRESSION);
	breaks("\"384\",\"1\",\"1\"", "\"384\",\"3\",\"1\"", R_CAN_RANGE);
	breaks("\"384\",\"1\",\"1\"", "\"1\",\"1\",\"65\"", R_CAN_RANGE);
	breaks("\"200*1024\"", "\"228*1024\"", R_CAN_RANGE);
	breaks("\"cluster\":[\"2\",\"1\"", "\"cluster\":[\"2\",\"16\"", R_CAN_RANGE);
	breaks("\"cluster\":[\"2\",", "\"cluster\":[\"3\",", R_CAN_RANGE);
	breaks("{\"u32\":\"M\"}", "{\"u32\":\"4294967296\"}", R_CAN_RANGE);
	breaks("\"-0.5\"", "\"1e99\"", R_CAN_RANGE);
	breaks("\"-0.5\"", "\"nan\"", R_CAN_RANGE);
	breaks("\"-0.5\"", "\"0x1p1\"", R_CAN_RANGE);
	breaks("\"-0.5\"", "\"1.\"", R_CAN_RANGE);
	breaks("\"M*N*4\"", "\"0\"", R_CAN_RANGE);
	breaks("\"M*N*4\"", "\"1024*1024*1024*1024\"", R_CAN_RANGE);
}

static void maps(void **state)
{
	(void)state;
	breaks("\"swizzle\":128", "\"swizzle\":16", R_CAN_MAP);
	breaks("\"l2\":128", "\"l2\":1", R_CAN_MAP);
	breaks("bfloat16", "float8_e4m3fn", R_CAN_MAP);
	breaks("\"64\",\"128\"", "\"128\",\"128\"", R_CAN_MAP);  /* a row of 256 bytes under a swizzle of 128 */
	breaks("\"64\",\"128\"", "\"60\",\"128\"", R_CAN_MAP);   /* 120 bytes */
	breaks("\"64\",\"128\"", "\"64\",\"257\"", R_CAN_RANGE);
	breaks("\"K*2\"", "\"K*2+8\"", R_CAN_MAP);
	breaks("\"K*2\"", "\"K*2+16\"", R_CAN_MAP);              /* beyond the tensor */
	breaks("\"K\",\"M\"", "\"K\",\"M+1\"", R_CAN_MAP);
	breaks("\"strides\":[\"K*2\"]", "\"strides\":[]", R_CAN_LIMIT);
	breaks("\"interleave\":0", "\"interleave\":16", R_CAN_MAP);
	breaks("\"tensor\":\"A\",\"dtype\":\"bfloat16\"", "\"buffer\":\"work\",\"dtype\":\"float32\"", R_CAN_MAP);
}

static void limits(void **state)
{
	(void)state;
	breaks("[\"384\",\"1\",\"1\"]", "[\"384\",\"1\"]", R_CAN_LIMIT);
	char *json = mem_text(sound);
	struct candidate *candidate = NULL;
	struct error err = {0};

	strcpy(strstr(json, "\"launches\":["), "\"launches\":[]}");
	assert_int_equal(candidate_parse("gemm/plain", json, strlen(json), "", 0, &candidate, &err), MALFORMED);
	assert_int_equal(err.rule, R_CAN_LIMIT);
	assert_null(candidate);
	free(json);
}

/* The PTX that sound is for; a change is made in it as in sound. */
static const char sound_ptx[] = ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry gemm(.param .align 64 .b8 map[128], .param .u64 c,\n"
				".param .u32 m, .param .u64 k, .param .f32 scale, .param .u64 work)\n{\n\tret;\n}\n";

static void ptx_says(const char *old, const char *new, enum status status, enum rule rule)
{
	struct candidate *candidate = NULL;
	struct error err = {0};
	const char *at = strstr(sound_ptx, old);

	assert_non_null(at);
	char *ptx = mem_format("%.*s%s%s", (int)(at - sound_ptx), sound_ptx, new, at + strlen(old));

	assert_int_equal(candidate_parse("gemm/plain", sound, strlen(sound), ptx, strlen(ptx), &candidate, &err), OK);
	if (candidate_check_ptx(candidate, &err) != status || (status != OK && err.rule != rule))
		fail_msg("'%s': %s, %s", new, rule_info(err.rule)->id, err.what);
	candidate_free(candidate);
	free(ptx);
}

static void against_ptx(void **state)
{
	(void)state;
	ptx_says("gemm", "gemm", OK, R_CAN_PTX);
	ptx_says("gemm", "gem", MALFORMED, R_CAN_PTX);
	ptx_says("sm_90a", "sm_100a", MALFORMED, R_CAN_PTX);
	ptx_says("128", "64", MALFORMED, R_CAN_PARAMETER);
	ptx_says(".u64 k", ".u32 k", MALFORMED, R_CAN_PARAMETER);
	ptx_says(", .param .u64 work", "", MALFORMED, R_CAN_PARAMETER);
	ptx_says(".u64 work", ".u64 work, .param .u32 more", MALFORMED, R_CAN_PARAMETER);
}

static void write_file(const struct root *root, const char *path, const char *text)
{
	struct error err = {0};

	if (root_write(root, path, text, strlen(text), &err) != OK)
		fail_msg("%s", err.what);
}

/* Its directory names it; the PTX has to be there; the frozen cubin may lack (R-CAN-010). */
static void from_disk(void **state)
{
	(void)state;
	char scratch[] = "/tmp/ptxseal-test-candidate-XXXXXX";
	struct root root;
	struct candidate *candidate = NULL;
	struct bytes cubin = {0};
	struct error err = {0};

	assert_non_null(mkdtemp(scratch));
	assert_int_equal(root_open(scratch, &root, &err), OK);
	write_file(&root, "gemm/plain/candidate.json", sound);
	write_file(&root, "gemm/other/candidate.json", sound);
	assert_int_equal(candidate_read(&root, "gemm/plain", &candidate, &err), MALFORMED);
	assert_int_equal(err.rule, R_IO_OPEN);
	write_file(&root, "gemm/plain/kernel.ptx", ".version 9.0");
	assert_int_equal(candidate_read(&root, "gemm/plain", &candidate, &err), OK);
	assert_int_equal(candidate->ptx.len, 12);
	assert_int_equal(candidate_frozen_cubin(&root, candidate, &cubin, &err), UNAVAILABLE);
	assert_int_equal(err.rule, R_CAN_CUBIN);
	write_file(&root, "gemm/plain/kernel.sm_90a.cubin", "cubin");
	assert_int_equal(candidate_frozen_cubin(&root, candidate, &cubin, &err), OK);
	assert_string_equal(cubin.data, "cubin");
	bytes_free(&cubin);
	candidate_free(candidate);
	assert_int_equal(candidate_read(&root, "gemm/other", &candidate, &err), MALFORMED);
	assert_int_equal(err.rule, R_CAN_NAME);
	assert_null(candidate);
	root_close(&root);
	char *command = mem_format("rm -rf '%s'", scratch);

	assert_int_equal(system(command), 0);
	free(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads),      cmocka_unit_test(becomes_numbers), cmocka_unit_test(fields),
		cmocka_unit_test(head),       cmocka_unit_test(references),      cmocka_unit_test(ranges),
		cmocka_unit_test(maps),       cmocka_unit_test(limits),          cmocka_unit_test(from_disk),
		cmocka_unit_test(against_ptx), cmocka_unit_test(addresses),      cmocka_unit_test(bytes_with_addresses),
		cmocka_unit_test(lowered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
