/* R-SUB-017: what a kernel is called, and how it is spaced, does not make it another one; what it does, does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "kernel/ptxform.h"

static const char *form(const char *text)
{
	static struct bytes out;

	bytes_free(&out);
	ptx_form(text, strlen(text), &out);
	return out.data != NULL ? out.data : "";
}

static void names_are_numbered(void **state)
{
	(void)state;
	assert_string_equal(form(".reg .b32 %r<3>;\nadd.u32 %r1, %r2, %r1;"), ".reg .b32 $1 < 3 > ; add .u32 $2 , $3 , $2 ;");
	assert_string_equal(form(".entry f(.param .u64 p) { L: bra L; }"), ".entry $1 ( .param .u64 $2 ) { $3 : bra $3 ; }");
	/* What is not declared stays: special registers, opcodes, numbers. */
	assert_string_equal(form("mov.u32 a, %tid.x;"), "mov .u32 a , %tid .x ;");
}

static void space_and_comments_do_not_count(void **state)
{
	(void)state;
	assert_string_equal(form("ret ;// x\n/* y\n*/ ret;"), "ret ; ret ;");
	assert_string_equal(form("/* not closed ret;"), "");
	assert_string_equal(form(""), "");
	assert_string_equal(form(".file 1 \"a // b\""), ".file 1 \"a // b\"");
}

static bool alike(const char *a, const char *b)
{
	const struct sha256 x = ptx_form_hash(a, strlen(a)), y = ptx_form_hash(b, strlen(b));

	return memcmp(&x, &y, sizeof x) == 0;
}

static void what_it_does_counts(void **state)
{
	static const char one[] = ".reg .f32 %f<9>; add.f32 %f1, %f2, %f3;";

	(void)state;
	assert_true(alike(one, ".reg .f32 %x<9>;\tadd.f32 %x7, %x8, %x1; // the same"));
	assert_false(alike(one, ".reg .f32 %f<9>; mul.f32 %f1, %f2, %f3;"));
	assert_false(alike(one, ".reg .f32 %f<9>; add.f32 %f1, %f2, %f2;"));
	assert_false(alike(one, ".reg .f64 %f<9>; add.f32 %f1, %f2, %f3;"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_numbered),
		cmocka_unit_test(space_and_comments_do_not_count),
		cmocka_unit_test(what_it_does_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
