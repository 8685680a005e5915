/* From a reply to a kernel: docs/query.md, "From a reply to a kernel", case by case. */
#include "unit.h"

#include <string.h>

#include "model/extraction.h"

#define RUN "TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);\n"
#define F "```"

static void finds(const char *reply, const char *kernel)
{
	struct extracted extracted;

	if (!extraction_find(FORM_KERNEL, reply, strlen(reply), &extracted))
		fail_msg("%s: %s", reply, extracted.why);
	assert_int_equal(extracted.count, 1);
	assert_string_equal(extracted.file[0].path, "kernel.cu");
	assert_string_equal(extracted.file[0].text.data, kernel);
	assert_null(extracted.why);
	extracted_free(&extracted);
}

static void lacks(enum form form, const char *reply, const char *why)
{
	struct extracted extracted;

	assert_false(extraction_find(form, reply, strlen(reply), &extracted));
	assert_string_equal(extracted.why, why);
	assert_int_equal(extracted.count, 0);
	extracted_free(&extracted);
}

static void plain_blocks(void **state)
{
	(void)state;
	finds("Here:\n" F "cuda\n" RUN F "\nDone.\n", RUN);
	finds(F "cuda\n" RUN F, RUN);
	finds(F "CUDA title=kernel.cu\n" RUN F "\n", RUN);
	finds(F "{.cpp .numberLines}\n" RUN F "\n", RUN);
	finds(F "kernel.cu\n" RUN F "\n", RUN);
	finds(F "c++:kernel.cu\n" RUN F "\n", RUN);
	finds(F "\n" RUN F "\n", RUN);
	finds("~~~cpp\n" RUN "~~~\n", RUN);
	finds(F F "cuda\n" F "\n" RUN F F "\n", F "\n" RUN);
	finds(F "cuda\nextern \"C\" int __tvm_ffi_run();\n" F "\n", "extern \"C\" int __tvm_ffi_run();\n");
	finds(F "cuda\n" RUN F "   \t\n", RUN);
}

static void the_last_valid_one(void **state)
{
	(void)state;
	finds(F "cuda\n// first\n" RUN F "\nbetter:\n" F "cuda\n// second\n" RUN F "\n", "// second\n" RUN);
	/* What comes after and is none does not count: an excerpt, another language, another kind. */
	finds(F "cuda\n" RUN F "\nThe heart of it:\n" F "cuda\nmma();\n" F "\n", RUN);
	finds(F "cuda\n" RUN F "\nBuild it:\n" F "sh\nnvcc -DTVM_FFI_DLL_EXPORT_TYPED_FUNC\n" F "\n", RUN);
	/* Several files: only one is the file. */
	finds(F "cuda\n// kernel.cuh\n__global__ void f();\n" F "\n" F "cuda\n// kernel.cu\n" RUN F "\n" F "json\n{\"launches\":[]}\n" F "\n", "// kernel.cu\n" RUN);
}

static void lines(void **state)
{
	(void)state;
	finds(F "cuda\r\nint a;\r\n" RUN F "\r\n", "int a;\n" RUN);
	finds(F "cuda\nint a;\r\rint b;\r\n" RUN F "\n", "int a;\r\rint b;\n" RUN);
	/* In a list: the fence's indentation is taken off. */
	finds("1. So:\n   " F "cuda\n   int a;\n     int b;\n int c;\n   " RUN "   " F "\n", "int a;\n  int b;\nint c;\n" RUN);
	finds("\t" F "cuda\n\tint a;\n\t" RUN "\t" F "\n", "int a;\n" RUN);
	/* Not a fence: it ends on its line. */
	finds("Use " F "cuda" F " blocks.\n" F "cuda" F "\n" F "cuda\n" RUN F "\n", RUN);
}

static void blocks_within_blocks(void **state)
{
	(void)state;
	/* A whole answer in a block of its own, with the same fences or longer ones. */
	finds(F "markdown\nText\n" F "cuda\n" RUN F "\nmore\n" F "\n", RUN);
	finds("````\n" F "cuda\n" RUN F "\n````\n", RUN);
	finds("~~~text\n" F "\n" RUN F "\n~~~\n", RUN);
	/* One that was never closed does not swallow the next one. */
	finds(F "cuda\nint half;\n\nAgain:\n" F "cuda\n" RUN F "\n", RUN);
	finds(F "cuda\nint half;\n\nAgain:\n" F "cuda\n" RUN F "\nso " "\n" F "\n", RUN);
	/* Marks within code are code. */
	finds(F "cuda\n/*\n~~~~\n*/\n" RUN F "\n", "/*\n~~~~\n*/\n" RUN);
	finds(F "cuda\n// " F "cuda\n" RUN F "\n", "// " F "cuda\n" RUN);
}

static void no_kernel(void **state)
{
	(void)state;
	lacks(FORM_KERNEL, "", "there is no fenced block");
	lacks(FORM_KERNEL, RUN, "there is no fenced block");
	lacks(FORM_KERNEL, F "cuda\n" RUN, "the last fenced block is not closed, and no closed one is of CUDA C++");
	lacks(FORM_KERNEL, F "cuda\n" RUN "``\n", "the last fenced block is not closed, and no closed one is of CUDA C++");
	lacks(FORM_KERNEL, F "cuda\nint a;\n" F "\n", "none of the 1 closed fenced block of CUDA C++ exports run through TVM-FFI");
	lacks(FORM_KERNEL, F "cuda\nint a;\n" F "\n" F "cu\nint b;\n" F "\n", "none of the 2 closed fenced blocks of CUDA C++ exports run through TVM-FFI");
	lacks(FORM_KERNEL, F "python\n" RUN F "\n", "none of the 1 fenced block is of CUDA C++");
	lacks(FORM_KERNEL, F "cuda\n" F "\n", "none of the 1 closed fenced block of CUDA C++ exports run through TVM-FFI");
}

static void a_block_that_is_too_large(void **state)
{
	struct bytes reply = {0};
	struct extracted extracted;

	(void)state;
	bytes_text(&reply, F "cuda\n" RUN);
	for (size_t i = 0; i < EXTRACTION_BYTES_MAX / 64; i++)
		bytes_text(&reply, "///////////////////////////////////////////////////////////////\n");
	bytes_text(&reply, F "\n");
	assert_false(extraction_find(FORM_KERNEL, reply.data, reply.len, &extracted));
	assert_string_equal(extracted.why, "a fenced block has more than 4194304 bytes");
	extracted_free(&extracted);
	bytes_free(&reply);
}

#define PTX ".version 8.0\n.target sm_90a\n"
#define LAUNCHES "{\"launches\":[]}\n"

static void module_and_launches(void **state)
{
	static const char reply[] = "Old:\n" F "ptx\n// old\n" PTX F "\n" F "json\n" LAUNCHES F "\nNew:\n" F "PTX\n  " PTX F "\nand\n" F "json\n{\"buffers\":[]}\n" F "\n";
	struct extracted extracted;

	(void)state;
	assert_true(extraction_find(FORM_PTX, reply, strlen(reply), &extracted));
	assert_int_equal(extracted.count, 2);
	assert_string_equal(extracted.file[0].path, "kernel.ptx");
	assert_string_equal(extracted.file[0].text.data, "  " PTX);
	assert_string_equal(extracted.file[1].path, "launches.json");
	assert_string_equal(extracted.file[1].text.data, LAUNCHES);
	extracted_free(&extracted);
	lacks(FORM_PTX, F "ptx\n" PTX F "\n", "none of the 1 fenced block is of JSON");
	lacks(FORM_PTX, F "ptx\nret;\n" F "\n" F "json\n" LAUNCHES F "\n", "none of the 1 closed fenced block of PTX is a whole module with .version");
	lacks(FORM_PTX, F "ptx\n" PTX F "\n" F "json\n{\"launches\":[],\"launches\":[]}\n" F "\n", "none of the 1 closed fenced block of JSON is an object with launches");
	lacks(FORM_PTX, F "ptx\n" PTX F "\n" F "json\n[1]\n" F "\n", "none of the 1 closed fenced block of JSON is an object with launches");
}

static void names(void **state)
{
	enum form form;

	(void)state;
	assert_true(form_parse("kernel.cu", &form) && form == FORM_KERNEL);
	assert_true(form_parse("ptx", &form) && form == FORM_PTX);
	assert_false(form_parse("cubin", &form));
	assert_string_equal(form_name(FORM_PTX), "ptx");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_blocks), cmocka_unit_test(the_last_valid_one), cmocka_unit_test(lines), cmocka_unit_test(blocks_within_blocks),
		cmocka_unit_test(no_kernel), cmocka_unit_test(a_block_that_is_too_large), cmocka_unit_test(module_and_launches), cmocka_unit_test(names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
