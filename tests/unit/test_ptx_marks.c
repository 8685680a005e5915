/* Which instructions of a PTX text are marked, and where: opcodes where a statement can begin, never what a comment or a string says. */
#include "unit.h"

#include <string.h>

#include "base/bytes.h"
#include "kernel/ptx_marks.h"

/* "LINE GROUP OPCODE\n" for each mark. */
static void marked_bytes(const char *text, size_t len, const char *want)
{
	struct ptx_marks marks;
	struct bytes is = {0};

	ptx_marks(text, len, &marks);
	for (size_t i = 0; i < marks.count; i++)
		bytes_format(&is, "%u %s %.*s\n", (unsigned)marks.at[i].line, sass_group_name(marks.at[i].group), (int)marks.at[i].len, text + marks.at[i].offset);
	assert_string_equal(is.data != NULL ? is.data : "", want);
	bytes_free(&is);
	ptx_marks_free(&marks);
}

static void marked(const char *text, const char *want)
{
	marked_bytes(text, strlen(text), want);
}

static void groups(void **state)
{
	(void)state;
	marked("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {%f1}, %rd1, %rd2, p, 1, 1, 0, 0;", "1 gmma wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16\n");
	marked("wgmma.fence.sync.aligned;\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;",
	       "1 service wgmma.fence.sync.aligned\n2 service wgmma.commit_group.sync.aligned\n3 service wgmma.wait_group.sync.aligned\n");
	marked("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {%r2, %r3}], [%r4];",
	       "1 tma cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes\n");
	marked("cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group [a, {b}], [c];", "1 tma cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group\n");
	marked("cp.async.bulk.global.shared::cta.bulk_group [a], [b], 16;", "1 bulk cp.async.bulk.global.shared::cta.bulk_group\n");
	marked("cp.async.bulk.commit_group;cp.async.bulk.wait_group.read 0;cp.async.bulk.prefetch.tensor.2d.L2.global.tile [m, {x, y}];",
	       "1 service cp.async.bulk.commit_group\n1 service cp.async.bulk.wait_group.read\n1 service cp.async.bulk.prefetch.tensor.2d.L2.global.tile\n");
	marked("tcgen05.mma.cta_group::1.kind::f16 [d], a, b, i, p;\ntcgen05.ld.sync.aligned.32x32b.x1.b32 {r}, [t];\ntcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s], 32;",
	       "1 tcgen tcgen05.mma.cta_group::1.kind::f16\n2 tcgen tcgen05.ld.sync.aligned.32x32b.x1.b32\n3 service tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32\n");
	marked("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {a}, {b}, {c}, {d};\nldmatrix.sync.aligned.m8n8.x4.shared.b16 {a}, [b];\ncp.async.cg.shared.global [a], [b], 16;\n"
	       "cp.async.commit_group;",
	       "1 warp mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32\n2 warp ldmatrix.sync.aligned.m8n8.x4.shared.b16\n3 warp cp.async.cg.shared.global\n4 service cp.async.commit_group\n");
	marked("setmaxnreg.inc.sync.aligned.u32 232;\nprefetch.tensormap [m];\nprefetch.global.L1 [m];", "1 service setmaxnreg.inc.sync.aligned.u32\n2 service prefetch.tensormap\n");
}

/* A statement begins behind a guard, a label, a brace, a comment, a directive that ends with its line; nowhere else. */
static void places(void **state)
{
	(void)state;
	marked("@p wgmma.fence.sync.aligned;", "1 service wgmma.fence.sync.aligned\n");
	marked("@ ! %p1 wgmma.fence.sync.aligned;", "1 service wgmma.fence.sync.aligned\n");
	marked("$L1: wgmma.fence.sync.aligned; }", "1 service wgmma.fence.sync.aligned\n");
	marked("{ .reg .pred p; /* a\nb */ wgmma.fence.sync.aligned; }", "2 service wgmma.fence.sync.aligned\n");
	marked(".loc 1 2 3\nwgmma.fence.sync.aligned;", "2 service wgmma.fence.sync.aligned\n");
	marked("mma .sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {a};", "1 warp mma\n");
	marked("mov.b32 %r1, mma.x;", "");
	marked("@mma mov.b32 %r1, %r2;", "");
	marked("mma: bra mma;", "");
	marked("add.s32 a,\nmma;", "");
	marked(".reg .b32 mma, wgmma.fence;", "");
	marked("xwgmma.fence.sync; wgmma_.fence; wgmmas.fence; cp.asyncs.ca [a], [b], 4;", "");
}

static void hidden(void **state)
{
	(void)state;
	marked("// wgmma.mma_async.sync\n/* wgmma.fence.sync;\n*/ mov.b32 a, b;", "");
	marked(".pragma \"\\\"; wgmma.fence.sync;\"; wgmma.wait_group.sync 0;", "1 service wgmma.wait_group.sync\n");
	marked("\"open wgmma.fence.sync;\nwgmma.fence.sync;", "2 service wgmma.fence.sync\n");
	marked("/* open wgmma.fence.sync;\nwgmma.fence.sync;", "");
	marked("", "");
	marked_bytes("a\0wgmma.fence.sync;\n\xff\xfe;wgmma.fence.sync\r\n", 40, "2 service wgmma.fence.sync\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(groups), cmocka_unit_test(places), cmocka_unit_test(hidden)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
