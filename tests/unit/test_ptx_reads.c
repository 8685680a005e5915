/* Which bytes of a parameter PTX sees: those that ld.param reads at fixed offsets; all, where its name stands otherwise. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "kernel/ptx_reads.h"

enum { SIZE = 24 };

static bool within;

static void sees(const char *body, const char *want)
{
	char text[512], is[SIZE + 1];
	bool seen[SIZE];

	snprintf(text, sizeof text, ".visible .entry k(\n\t.param .align 8 .b8 k_param_0[24],\n\t.param .u32 k_param_1\n)\n{\n\t%s\n\tret;\n}\n", body);
	within = ptx_reads(text, strlen(text), "k_param_0", seen, SIZE);
	for (int i = 0; i < SIZE; i++)
		is[i] = seen[i] ? 'x' : '.';
	is[SIZE] = '\0';
	assert_string_equal(is, want);
}

static void loads(void **state)
{
	(void)state;
	sees("", "........................");
	sees("ld.param.u32 %r1, [k_param_1];", "........................");
	sees("ld.param.u64 %rd1, [k_param_0];", "xxxxxxxx................");
	sees("ld.param.u32 \t%r1, [k_param_0+8];", "........xxxx............");
	sees("ld.param.v2.u32 {%r1, %r2}, [k_param_0+16];", "................xxxxxxxx");
	sees("ld.param.v4.f32 {%f1, %f2, %f3, %f4}, [k_param_0];", "xxxxxxxxxxxxxxxx........");
	sees("ld.param.s8 %rs1, [k_param_0+23];", ".......................x");
	sees("ld.param.b64 %rd1, [k_param_0+20];", "xxxxxxxxxxxxxxxxxxxxxxxx");
	sees("ld.param.u16 %rs1, [k_param_0+2]; ld.param.u16 %rs2, [k_param_0+6];", "..xx..xx................");
}

/* Where a reading cannot be told, nothing is left out. */
static void otherwise(void **state)
{
	(void)state;
	static const char all[] = "xxxxxxxxxxxxxxxxxxxxxxxx";

	sees("mov.b64 %rd1, k_param_0;", all);
	sees("cvta.param.u64 %rd1, k_param_0;", all);
	sees("mov.u64 %rd1, k_param_0+8;", all);
	sees("ld.param.pred %p1, [k_param_0];", all);
	sees("ld.param.u32 %r1, [k_param_0+%r2];", all);
	sees("ld.param.u32 %r1, [k_param_0-4];", all);
	sees("ld.param.u32 %r1, [k_param_0+64];", all);
	sees("ld.u32 %r1, [k_param_0];", all);
	sees("@%p1 ld.param.u32 %r1, [k_param_0];", all);
	/* Names that only begin or end like it. */
	sees("mov.b64 %rd1, k_param_01;", "........................");
	sees("mov.b64 %rd1, _k_param_0;", "........................");
}

/* Comments and strings cannot make a reading look like a declaration, or hide one. */
static void disguised(void **state)
{
	(void)state;
	static const char all[] = "xxxxxxxxxxxxxxxxxxxxxxxx", none[] = "........................";

	sees("ld.param.u64 %rd1, [ /* ,.param */ k_param_0];", all);
	sees("ld.param.u64 %rd1, [ // ;\n .param */\n k_param_0];", all);
	sees("ld.param.u64 %rd1, [ /* \n.param .b8 */ k_param_0 ];", all);
	sees("ld.param.u64 /* [k_param_0] */ %rd1, [k_param_0+8];", "........xxxxxxxx........");
	sees(".pragma \"/*\"; ld.param.u64 %rd1, [ k_param_0]; .pragma \"*/\";", all);
	sees(".pragma \"\\\"/*\"; mov.b64 %rd1, k_param_0;", all);
	sees("// mov.b64 %rd1, k_param_0;", none);
	sees(".pragma \"k_param_0\";", none);
	sees("mov.b64 %rd1, /* \" */ k_param_0; // \"", all);
}

/* An offset out of the parameter leads into others. */
static void beyond(void **state)
{
	(void)state;
	static const struct {
		const char *body;
		bool within;
	} cases[] = {
		{"ld.param.u64 %rd1, [k_param_0+16];", true},   {"mov.b64 %rd1, k_param_0;", true},
		{"ld.param.u64 %rd1, [k_param_0+24];", false},  {"ld.param.u64 %rd1, [k_param_0+20];", false},
		{"ld.param.u64 %rd1, [k_param_0+-8];", false},  {"ld.param.u64 %rd1, [k_param_0 + 64];", false},
		{"mov.b64 %rd1, k_param_0+32;", false},         {"ld.param.u64 %rd1, [k_param_0/**/-8];", false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char want[SIZE + 1] = "xxxxxxxxxxxxxxxxxxxxxxxx";

		if (i == 0)
			memset(want, '.', 16);
		sees(cases[i].body, want);
		assert_int_equal(within, cases[i].within);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(loads), cmocka_unit_test(otherwise), cmocka_unit_test(disguised), cmocka_unit_test(beyond)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
