/* PTX headers: what is declared, and each rule with its line. */
#include "unit.h"

#include <string.h>

#include "kernel/ptx.h"

static const char good[] =
	"// generated\n"
	".version 8.7 /* two\nlines */\n"
	".target sm_90a, debug\n"
	".address_size 64\n"
	".extern .shared .align 16 .b8 dynamic[];\n"
	".func (.reg .b32 %r) helper(.reg .b32 %a) { ret; }\n"
	".visible .entry first(\n"
	"\t.param .u64 .ptr .global .align 16 first_param_0,\n"
	"\t.param .u16 h, .param .align 64 .b8 map[128],\n"
	"\t.param .f32 scale\n"
	")\n"
	".maxntid 256, 1, 1\n"
	"{ .reg .b64 %p; { ret; } .pragma \"not } a brace\"; }\n"
	".entry bare { ret; }\n"
	".visible .entry prototype(.param .u32 n);\n"
	".visible .entry empty() { ret; }\n";

static void header_and_entries(void **state)
{
	(void)state;
	struct ptx ptx;
	struct error err;

	assert_int_equal(ptx_read(good, strlen(good), "k.ptx", &ptx, &err), OK);
	assert_int_equal(ptx.major, 8);
	assert_int_equal(ptx.minor, 7);
	assert_string_equal(ptx.target, "sm_90a");
	assert_true(ptx.debug);
	assert_int_equal(ptx.address_size, 64);
	assert_int_equal(ptx.entries, 3);
	assert_string_equal(ptx.entry[0].name, "first");
	assert_true(ptx.entry[0].visible);
	assert_int_equal(ptx.entry[0].line, 8);
	assert_int_equal(ptx.entry[0].parameters, 4);
	assert_string_equal(ptx.entry[1].name, "bare");
	assert_false(ptx.entry[1].visible);
	assert_int_equal(ptx.entry[1].parameters, 0);
	assert_string_equal(ptx.entry[2].name, "empty");
	ptx_free(&ptx);
}

/* Offsets follow from sizes and alignments, in order, as the driver lays them out. */
static void parameters_are_placed(void **state)
{
	(void)state;
	static const struct {
		const char *name, *type;
		uint32_t offset, size, alignment;
		bool array, pointer;
	} expected[] = {
		{"first_param_0", "u64", 0, 8, 8, false, true},
		{"h", "u16", 8, 2, 2, false, false},
		{"map", "b8", 64, 128, 64, true, false},
		{"scale", "f32", 192, 4, 4, false, false},
	};
	struct ptx ptx;
	struct error err;

	assert_int_equal(ptx_read(good, strlen(good), "k.ptx", &ptx, &err), OK);
	for (size_t i = 0; i < 4; i++) {
		const struct ptx_parameter *parameter = &ptx.entry[0].parameter[i];

		assert_string_equal(parameter->name, expected[i].name);
		assert_string_equal(parameter->type, expected[i].type);
		assert_int_equal(parameter->offset, expected[i].offset);
		assert_int_equal(parameter->size, expected[i].size);
		assert_int_equal(parameter->alignment, expected[i].alignment);
		assert_int_equal(parameter->array, expected[i].array);
		assert_int_equal(parameter->pointer, expected[i].pointer);
	}
	assert_int_equal(ptx.entry[0].size, 196);
	ptx_free(&ptx);
}

#define HEADER ".version 8.7\n.target sm_90a\n.address_size 64\n"

static void each_rule_with_its_line(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum rule rule;
		uint64_t line;
	} list[] = {
		{"", R_PTX_HEADER, 1},
		{"\n\nhello", R_PTX_HEADER, 3},
		{".version 8\n.target sm_90\n", R_PTX_HEADER, 1},
		{".version 8.77\n.target sm_90\n", R_PTX_HEADER, 1},
		{".version 8.7\n.address_size 64\n", R_PTX_HEADER, 2},
		{".version 8.7\n.target compute_90\n", R_PTX_HEADER, 2},
		{".version 8.7\n.target sm_90a,\n", R_PTX_HEADER, 3},
		{".version 8.7\n.target sm_90a\n.address_size 48\n", R_PTX_HEADER, 4},
		{".version 8.7\n.target sm_90a\n.address_size 64k\n", R_PTX_HEADER, 3},
		{HEADER "/* no end", R_PTX_TEXT, 4},
		{HEADER ".entry k { .pragma \"no end\n; }", R_PTX_TEXT, 4},
		{HEADER ".entry k {\n{ ret; }\n", R_PTX_TEXT, 6},
		{HEADER "}\n", R_PTX_TEXT, 4},
		{HEADER ".entry 7k { ret; }\n", R_PTX_ENTRY, 4},
		{HEADER ".entry k\n", R_PTX_ENTRY, 5},
		{HEADER ".entry k { ret; }\n.entry k { ret; }\n", R_PTX_ENTRY, 5},
		{HEADER ".entry k(.u32 n) { ret; }\n", R_PTX_PARAMETER, 4},
		{HEADER ".entry k(.param .u31 n) { ret; }\n", R_PTX_PARAMETER, 4},
		{HEADER ".entry k(.param .align 3 .b8 n[4]) { ret; }\n", R_PTX_PARAMETER, 4},
		{HEADER ".entry k(.param .align 256 .b8 n[4]) { ret; }\n", R_PTX_PARAMETER, 4},
		{HEADER ".entry k(.param .b8 n[0]) { ret; }\n", R_PTX_PARAMETER, 4},
		{HEADER ".entry k(.param .b8 n[99999999999]) { ret; }\n", R_PTX_PARAMETER, 4},
		{HEADER ".entry k(.param .b8 n[32764], .param .b8 m) { ret; }\n", R_PTX_PARAMETER, 4},
		{HEADER ".entry k(.param .u32 n { ret; }\n", R_PTX_PARAMETER, 4},
	};

	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		struct ptx ptx;
		struct error err = {0};

		assert_int_equal(ptx_read(list[i].text, strlen(list[i].text), "k.ptx", &ptx, &err), MALFORMED);
		assert_int_equal(err.rule, list[i].rule);
		assert_int_equal(err.line, list[i].line);
		assert_null(ptx.entry);
	}
}

static void a_nul_is_refused_with_its_offset(void **state)
{
	(void)state;
	static const char text[] = HEADER ".entry k\0 { ret; }";
	struct ptx ptx;
	struct error err;

	assert_int_equal(ptx_read(text, sizeof text - 1, "k.ptx", &ptx, &err), MALFORMED);
	assert_int_equal(err.rule, R_PTX_TEXT);
	assert_int_equal(err.offset, strlen(HEADER ".entry k"));
}

static void largest_parameter_block(void **state)
{
	(void)state;
	static const char text[] = HEADER ".entry k(.param .b8 n[32764]) { ret; }\n";
	struct ptx ptx;
	struct error err;

	assert_int_equal(ptx_read(text, strlen(text), "k.ptx", &ptx, &err), OK);
	assert_int_equal(ptx.entry[0].size, 32764);
	ptx_free(&ptx);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(header_and_entries),
		cmocka_unit_test(parameters_are_placed),
		cmocka_unit_test(each_rule_with_its_line),
		cmocka_unit_test(a_nul_is_refused_with_its_offset),
		cmocka_unit_test(largest_parameter_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
