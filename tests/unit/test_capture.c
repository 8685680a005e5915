/*
 * Host code recorded and lowered, or refused by the right rule (R-LOW-004 to R-LOW-014): tests/candidates/host/behaves.cu does it in many ways, one for each number of rows. Built
 * once by nvcc. This program is its own recorder. Skips without nvcc, g++ or apache-tvm-ffi.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

#include "base/file.h"
#include "base/jcs.h"
#include "kernel/nvcc.h"
#include "measure/capture.h"
#include "measure/capture_serve.h"
#include "measure/lowering.h"

enum { N = 32, K = 64 };

static struct nvcc nvcc;
static struct build build;
static struct ptx ptx;
static bool there;

static int set_up(void **state)
{
	(void)state;
	struct bytes source = {0};
	struct error err = {0};

	if (nvcc_find(&nvcc, &err) != OK) {
		print_message("skipped: %s\n", err.what);
		return 0;
	}
	if (file_read("tests/candidates/host/behaves.cu", CANDIDATE_SOURCE_MAX, &source, &err) != OK ||
	    nvcc_build(&nvcc, &source, "behaves.cu", "sm_90a", &build, &err) != OK ||
	    ptx_read(build.ptx.data, build.ptx.len, "behaves.cu", &ptx, &err) != OK) {
		print_message("%s: %s\n", rule_info(err.rule)->id, err.what);
		return -1;
	}
	bytes_free(&source);
	there = true;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	ptx_free(&ptx);
	build_free(&build);
	nvcc_free(&nvcc);
	return 0;
}

static struct problem problem_of(uint64_t rows)
{
	return (struct problem){
		.task = "gemm",
		.tensors = {{.name = "A", .rank = 2, .dims = {rows, K}, .bytes = rows * K * 2},
	                    {.name = "B", .rank = 2, .dims = {N, K}, .bytes = N * K * 2},
	                    {.name = "C", .output = true, .rank = 2, .dims = {rows, N}, .bytes = rows * N * 2}},
		.tensor_count = 3,
	};
}

/* All but the padding of two's structure, in which whatever was on the stack stands. */
static bool sees_fields(const void *context, const char *function, size_t parameter, size_t byte)
{
	(void)context;
	return strcmp(function, "two") != 0 || parameter != 0 || byte < 12 || byte >= 16;
}

static enum status take(const struct problem *problem, unsigned number, struct recording *recording, struct error *err)
{
	const struct device_table device = device_table_of("sm_90a");
	const struct capture_options options = {
		.deadline_ms = 4000,
		.tvm_library = nvcc.tvm.library,
		.cuda_major = atoi(nvcc.version),
		.device = &device,
		.ptx = &ptx,
		.code = &build.code,
		.take = number,
	};
	struct bytes text = {0};
	enum status status = capture_run(&options, problem, &text, err);

	if (status == OK)
		status = recording_read(text.data, text.len, recording, err);
	bytes_free(&text);
	return status;
}

/* The data of that behaviour as text; or an error. */
static enum status lower(uint64_t rows, char **text, struct error *err)
{
	const struct problem problem = problem_of(rows);
	struct recording *takes = mem_alloc(2 * sizeof *takes);
	struct lowering_place places[3];
	cJSON *tree = cJSON_CreateObject();
	struct bytes out = {0};
	enum status status = OK;

	for (unsigned i = 0; i < 2 && status == OK; i++)
		status = take(&problem, i, &takes[i], err);
	for (size_t i = 0; i < 3; i++)
		places[i] = (struct lowering_place){{capture_address(&problem, 0, i), capture_address(&problem, 1, i)}};
	if (status == OK)
		status = lowering_make(takes, &problem, places, sees_fields, NULL, tree, err);
	if (status == OK)
		status = jcs_write(tree, &out, err);
	cJSON_Delete(tree);
	recording_free(&takes[0]);
	recording_free(&takes[1]);
	free(takes);
	*text = out.data;
	return status;
}

static void becomes(uint64_t rows, const char *want)
{
	char *text = NULL;
	struct error err = {0};

	if (lower(rows, &text, &err) != OK)
		fail_msg("%s: %s", rule_info(err.rule)->id, err.what);
	assert_string_equal(text, want);
	free(text);
}

static void needs_nvcc(void)
{
	if (!there)
		skip();
}

#define HEAD(function, grid) "{\"block\":[\"32\",\"1\",\"1\"],\"cluster\":[\"1\",\"1\",\"1\"],\"function\":\"" function "\",\"grid\":[" grid "],\"parameters\":["

/* Pointers into tensors, whole and within a structure; what a constructor has set; numbers. */
static void launches(void **state)
{
	(void)state;
	needs_nvcc();
	becomes(1, "{\"buffers\":[],\"launches\":["
	           HEAD("one", "\"2\",\"3\",\"4\"") "{\"tensor\":\"A\"},{\"tensor\":\"C\"},{\"u32\":\"8\"}],\"shared\":\"0\"},"
	           HEAD("two", "\"1\",\"1\",\"1\"") "{\"at\":[{\"offset\":0,\"plus\":\"16\",\"tensor\":\"A\"},{\"offset\":16,\"tensor\":\"C\"}],"
	           "\"bytes\":\"000000000000000005000000000000000000000000000000\"}],\"shared\":\"0\"}],\"maps\":[]}");
}

static void memory(void **state)
{
	(void)state;
	needs_nvcc();
	becomes(2, "{\"buffers\":[{\"bytes\":\"4096\",\"fill\":3,\"name\":\"buffer0\"},{\"bytes\":\"100\",\"fill\":0,\"name\":\"buffer1\"}],\"launches\":["
	           HEAD("one", "\"1\",\"1\",\"1\"") "{\"buffer\":\"buffer0\",\"plus\":\"4096\"},{\"tensor\":\"C\"},{\"u32\":\"1\"}],\"shared\":\"0\"},"
	           HEAD("one", "\"1\",\"1\",\"1\"") "{\"buffer\":\"buffer1\"},{\"tensor\":\"C\"},{\"u32\":\"1\"}],\"shared\":\"0\"}],\"maps\":[]}");
}

static void device(void **state)
{
	(void)state;
	needs_nvcc();
	becomes(3, "{\"buffers\":[],\"launches\":["
	           HEAD("one", "\"132\",\"1\",\"1\"") "{\"tensor\":\"A\"},{\"tensor\":\"C\"},{\"u32\":\"1\"}],\"shared\":\"100000\"}],\"maps\":[]}");
	becomes(43, "{\"buffers\":[],\"launches\":["
	            HEAD("one", "\"1\",\"1\",\"1\"") "{\"tensor\":\"A\"},{\"tensor\":\"C\"},{\"u32\":\"1\"}],\"shared\":\"0\"}],\"maps\":[]}");
}

/* What a file is like is not to be had either: libc's answer is that there is no such call. */
static void facts_of_files(void **state)
{
	(void)state;
	needs_nvcc();
	becomes(49, "{\"buffers\":[],\"launches\":["
	            HEAD("one", "\"1\",\"1\",\"1\"") "{\"tensor\":\"A\"},{\"tensor\":\"C\"},{\"u32\":\"2\"}],\"shared\":\"0\"}],\"maps\":[]}");
}

static void refusals(void **state)
{
	(void)state;
	static const struct {
		uint64_t rows;
		enum rule rule;
		const char *words; /* of the message */
	} cases[] = {
		{10, R_LOW_COPY, "cudaMemcpyAsync"},
		{11, R_LOW_COPY, "cudaMemcpyToSymbol"},
		{12, R_LOW_ORDER, "cudaEventCreate"},
		{13, R_LOW_ORDER, "cudaStreamCreate"},
		{14, R_LOW_ORDER, "TVMFFIEnvGetStream"},
		{15, R_LOW_END, "ended the process, with code 0"},
		{16, R_LOW_END, "ended the process, with code 3"},
		{17, R_LOW_END, "not at its end after 4000 ms"},
		{18, R_LOW_END, "signal 11 (SEGV)"},
		{19, R_LOW_END, "signal 6 (ABRT)"},
		{20, R_LOW_REACH, "a file"},
		{21, R_LOW_REACH, "a socket"},
		{22, R_LOW_REACH, "a program"},
		{23, R_LOW_REACH, "a thread"},
		{24, R_LOW_REACH, "asked the system"},
		{25, R_LOW_RECORD, "no record"},
		{26, R_LOW_EXPORT, "launches nothing"}, /* a record that it wrote itself is one, and is judged by what it says */
		{27, R_LOW_RECORD, "more than"},
		{28, R_LOW_LEAK, "parameter 2"},
		{29, R_LOW_END, "signal 11 (SEGV)"}, /* no clock can be read */
		{30, R_LOW_LEAK, "parameter 0"},
		{31, R_LOW_FILL, "launch 0 was given"},
		{32, R_LOW_FILL, "64 of the 4096"},
		{33, R_LOW_FILL, "of C"},
		{34, R_LOW_EXPORT, "launches nothing"},
		{35, R_LOW_LAUNCH, "100000 bytes of dynamic shared memory"},
		{36, R_LOW_LAUNCH, "dependent launch"},
		{37, R_LOW_LAUNCH, "cooperative"},
		{38, R_LOW_LAUNCH, "attribute"},
		{39, R_LOW_UNKNOWN, "attribute 33"},
		{40, R_LOW_END, "run reports an error"},
		{41, R_LOW_CALLS, "frees"},
		{42, R_LOW_LAUNCH, "more than 64 launches"},
		{44, R_LOW_LEAK, "parameter 0"},
		{45, R_LOW_LEAK, "lies on no tensor"},
		{46, R_LOW_END, "signal 11 (SEGV)"},
		{47, R_LOW_END, "signal 11 (SEGV)"},
		{48, R_LOW_EXPORT, "launches nothing"}, /* its memory came to an end first */
		{50, R_LOW_REACH, "asked the system"},
		{51, R_LOW_REACH, "asked the system"},
		{52, R_LOW_CALLS, "freed"},
		{53, R_LOW_CALLS, "freed"},
		{54, R_LOW_CALLS, "freed"},
	};

	needs_nvcc();
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char *text = NULL;
		struct error err = {0};

		if (lower(cases[i].rows, &text, &err) == OK)
			fail_msg("behaviour %d became %s", (int)cases[i].rows, text);
		if (err.rule != cases[i].rule || strstr(err.what, cases[i].words) == NULL)
			fail_msg("behaviour %d: %s, %s", (int)cases[i].rows, rule_info(err.rule)->id, err.what);
	}
}

/* Code that calls what is not there (R-LOW-004), or exports no run (R-LOW-005). */
static void unloadable(void **state)
{
	(void)state;
	static const struct {
		const char *source;
		enum rule rule;
		const char *words;
	} cases[] = {
		{"extern \"C\" int cublasCreate_v2(void **); extern \"C\" __attribute__((visibility(\"default\"))) int __tvm_ffi_run(void *, void *, int, void *) "
		 "{ void *h; return cublasCreate_v2(&h); }\n",
		 R_LOW_CALLS, "cublasCreate_v2"},
		{"int other(void) { return 1; }\n", R_LOW_EXPORT, "exports no run"},
		{"#include <cuda_runtime.h>\nstatic int n = cudaMalloc((void **)&n, 4);\nextern \"C\" __attribute__((visibility(\"default\"))) int "
		 "__tvm_ffi_run(void *, void *, int, void *) { return n; }\n",
		 R_LOW_CALLS, "while the code is loaded"},
		{"#include <fcntl.h>\nstatic int n = open(\"/etc/passwd\", O_RDONLY);\nextern \"C\" __attribute__((visibility(\"default\"))) int "
		 "__tvm_ffi_run(void *, void *, int, void *) { return n; }\n",
		 R_LOW_REACH, "a file"},
		/* Functions that the loader chooses by calling the candidate's code: local ones, and one that is exported. */
		{"extern \"C\" { static int one(void) { return 1; } static int (*choose(void))(void) { return one; }\n"
		 "static int chosen(void) __attribute__((ifunc(\"choose\")));\n"
		 "__attribute__((visibility(\"default\"))) int __tvm_ffi_run(void *, void *, int, void *) { return chosen(); } }\n",
		 R_LOW_CALLS, "ifunc"},
		{"extern \"C\" { static int one(void) { return 1; } static int (*choose(void))(void) { return one; }\n"
		 "__attribute__((visibility(\"default\"))) int chosen(void) __attribute__((ifunc(\"choose\")));\n"
		 "__attribute__((visibility(\"default\"))) int __tvm_ffi_run(void *, void *, int, void *) { return chosen(); } }\n",
		 R_LOW_CALLS, "ifunc"},
		/* No relocation names run: then it is chosen when it is looked up, with all layers on. */
		{"#include <fcntl.h>\nextern \"C\" { static int one(void *, void *, int, void *) { return 1; }\n"
		 "static int (*choose(void))(void *, void *, int, void *) { return open(\"/etc/passwd\", O_RDONLY) < 0 ? one : one; }\n"
		 "__attribute__((visibility(\"default\"))) int __tvm_ffi_run(void *, void *, int, void *) __attribute__((ifunc(\"choose\"))); }\n",
		 R_LOW_REACH, "a file"},
	};
	const struct build whole = build;

	needs_nvcc();
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct bytes source = {.data = (char *)(uintptr_t)cases[i].source, .len = strlen(cases[i].source)};
		const struct problem problem = problem_of(1);
		struct recording *recording = mem_alloc(sizeof *recording);
		struct error err = {0};

		if (nvcc_build(&nvcc, &source, "test.cu", "sm_90a", &build, &err) != OK)
			fail_msg("%s", err.what);
		if (take(&problem, 0, recording, &err) == OK)
			fail_msg("case %d was recorded", (int)i);
		if (err.rule != cases[i].rule || strstr(err.what, cases[i].words) == NULL)
			fail_msg("case %d: %s, %s", (int)i, rule_info(err.rule)->id, err.what);
		recording_free(recording);
		free(recording);
		build_free(&build);
	}
	build = whole;
}

/* R-LOW-003, and the same bytes wherever it is built. */
static void builds(void **state)
{
	(void)state;
	struct bytes source = {0};
	struct build again = {0};
	struct error err = {0};

	needs_nvcc();
	assert_int_equal(file_read("tests/candidates/host/behaves.cu", CANDIDATE_SOURCE_MAX, &source, &err), OK);
	assert_int_equal(nvcc_build(&nvcc, &source, "behaves.cu", "sm_90a", &again, &err), OK);
	assert_int_equal(again.code.len, build.code.len);
	assert_memory_equal(again.code.data, build.code.data, build.code.len);
	assert_int_equal(again.ptx.len, build.ptx.len);
	assert_memory_equal(again.ptx.data, build.ptx.data, build.ptx.len);
	build_free(&again);
	bytes_free(&source);
	bytes_text(&source, "int main( {\n");
	assert_int_equal(nvcc_build(&nvcc, &source, "bad.cu", "sm_90a", &again, &err), FAILS);
	assert_int_equal(err.rule, R_LOW_COMPILE);
	assert_non_null(strstr(err.what, "error"));
	build_free(&again);
	bytes_free(&source);
}

/* The compiler reads nothing but what compiling needs, whatever the source asks for (R-TLC-006), and tells no time. */
static void compiler_is_caged(void **state)
{
	(void)state;
	char secret[] = "/tmp/ptxseal-test-secret-XXXXXX";
	const int fd = mkstemp(secret);
	char *const of_secret[] = {mem_format("asm(\".incbin \\\"%s\\\"\");\n", secret), mem_format("#include \"%s\"\n", secret)};
	const char *const sources[] = {
		of_secret[0],
		of_secret[1],
		"#include \"/dev/zero\"\n",
		"asm(\".incbin \\\"/proc/self/environ\\\"\");\n",
		"asm(\".incbin \\\"/etc/passwd\\\"\");\n",
		"__global__ void k(char *p) { asm volatile(\"\"); }\n#include \"/etc/hostname\"\n",
		"const char *now(void) { return __TIME__; }\n",
		"const char *today(void) { return __DATE__ __TIMESTAMP__; }\n",
	};

	assert_true(fd >= 0 && write(fd, "int secret;\n", 12) == 12 && close(fd) == 0);
	for (size_t i = 0; i < sizeof sources / sizeof sources[0] && there; i++) {
		const struct bytes source = {.data = (char *)(uintptr_t)sources[i], .len = strlen(sources[i])};
		struct build made = {0};
		struct error err = {0};

		if (nvcc_build(&nvcc, &source, "test.cu", "sm_90a", &made, &err) == OK)
			fail_msg("case %d compiles: %s", (int)i, sources[i]);
		if (err.rule != R_LOW_COMPILE)
			fail_msg("case %d: %s, %s", (int)i, rule_info(err.rule)->id, err.what);
		build_free(&made);
	}
	free(of_secret[0]);
	free(of_secret[1]);
	unlink(secret);
	needs_nvcc();
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(launches), cmocka_unit_test(memory), cmocka_unit_test(device), cmocka_unit_test(facts_of_files),
		cmocka_unit_test(refusals), cmocka_unit_test(unloadable), cmocka_unit_test(builds), cmocka_unit_test(compiler_is_caged),
	};

	if (argc == 2 && strcmp(argv[1], "recorder") == 0)
		return capture_serve();
	return cmocka_run_group_tests(tests, set_up, tear_down);
}

#endif
