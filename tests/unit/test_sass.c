/* Single instructions, each as ptxas 13.0 encoded it and as nvdisasm 13.5 reads it (docs/kernel.md). */
#include "unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kernel/sass.h"

static struct sass read_words(uint64_t high, uint64_t low, unsigned sm)
{
	uint8_t bytes[SASS_BYTES];
	struct sass sass;

	for (unsigned i = 0; i < 8; i++) {
		bytes[i] = (uint8_t)(low >> (8 * i));
		bytes[8 + i] = (uint8_t)(high >> (8 * i));
	}
	sass_read(bytes, sm, &sass);
	return sass;
}

struct expected {
	uint64_t high, low;
	unsigned sm;
	const char *text;
	uint64_t operations; /* of one warp; NOT_TOLD where the instruction does not tell */
};

#define NOT_TOLD UINT64_MAX

static void check(const struct expected *expected, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct sass sass = read_words(expected[i].high, expected[i].low, expected[i].sm);
		char text[8 + SASS_TEXT_MAX];
		uint64_t operations;

		sass_guard_text(&sass, text);
		strncat(text, sass.text, SASS_TEXT_MAX);
		assert_string_equal(text, expected[i].text);
		assert_true(sass.known);
		if (!sass_operations(&sass, &operations))
			operations = NOT_TOLD;
		assert_int_equal(operations, expected[i].operations);
	}
}

#define CHECK(list) check(list, sizeof(list) / sizeof *(list))

/* 2 m n k, a quarter of it a warp; sparse: half. */
static void warpgroup_multiplies(void **state)
{
	(void)state;
	static const struct expected list[] = {
		{0x000fe6000c0008ff, 0x00000000041879f0, 90, "HGMMA.64x8x16.F32", 2 * 64 * 8 * 16 / 4},
		{0x000fe6000c0018ff, 0x03e00000041879f0, 90, "HGMMA.64x256x16.F32.BF16", 2 * 64 * 256 * 16 / 4},
		{0x000fe6000c0028ff, 0x04e0000438187df0, 90, "HGMMA.64x64x8.F32.TF32", 2 * 64 * 64 * 8 / 4},
		{0x000fe6000c001aff, 0x08e03800041879f0, 90, "HGMMA.SP.64x64x32.F32.BF16", 64 * 64 * 32 / 4},
		{0x000fe6000c0028ff, 0x00e00000041879f3, 90, "QGMMA.64x64x32.F32.E4M3.E5M2", 2 * 64 * 64 * 32 / 4},
		{0x000fe6000c000aff, 0x04e03800041879f3, 90, "QGMMA.SP.64x64x64.F32.E4M3.E4M3", 64 * 64 * 64 / 4},
		{0x000fe6000c0018ff, 0x01e00000041879f1, 90, "IGMMA.64x64x32.S8.U8.SAT", 2 * 64 * 64 * 32 / 4},
		{0x000fe6000c0412ff, 0x02003800041879f1, 90, "IGMMA.SP.64x64x64.S8.S8", 64 * 64 * 64 / 4},
		{0x000fe6000c0140ff, 0x00a00000041879f2, 90, "BGMMA.64x64x256.AND.POPC", 2 * 64 * 64 * 256 / 4},
	};

	CHECK(list);
}

static void tensor_memory(void **state)
{
	(void)state;
	static const struct expected list[] = {
		{0x0001d8000800000a, 0x00ff0408060075ea, 100, "UTCHMMA", NOT_TOLD},
		{0x0001d80008200008, 0x00ff0406090079ea, 100, "UTCHMMA.2CTA", NOT_TOLD},
		{0x0001d80008400408, 0x00ff0406090079ea, 100, "UTCHMMA.ASHIFT", NOT_TOLD},
		{0x0001d8000808000a, 0x00ff0408060075ea, 100, "UTCHMMA.WS", NOT_TOLD},
		{0x0001d8000800030a, 0x00ff0408060075ea, 100, "UTCQMMA", NOT_TOLD},
		{0x0001d8000800030a, 0x000c040806007dea, 100, "UTCQMMA", NOT_TOLD}, /* with block scales */
		{0x0001d8000800010a, 0x00ff0408060075ea, 100, "UTCIMMA", NOT_TOLD},
		{0x0001d8000820000a, 0x800c0408060075ea, 100, "UTCOMMA.2CTA.4X", NOT_TOLD},
		{0x0001d8000922000a, 0x00000004060079e7, 100, "UTCCP.T.S.2CTA.2x64dp128bit_lw02_lw13.U6x16P32", 0},
		{0x0001d80008200805, 0x000000ff040073e9, 100, "UTCBAR.2CTA.MULTICAST", 0},
		{0x000e240008200800, 0x00000004000475e3, 100, "UTCATOMSWS.2CTA.FIND_AND_SET.ALIGN", 0},
		{0x000fd80008010000, 0x00000000040079e6, 100, "UTCSHIFT.DOWN", 0},
		{0x000e2200083d0000, 0x00000004000479ee, 100, "LDTM.x128.PACK16BIT", 0},
		{0x000fe20008820004, 0x00001005000079ed, 100, "STTM.16dp32bit_t16_t31", 0},
	};

	CHECK(list);
}

static void copies(void **state)
{
	(void)state;
	static const struct expected list[] = {
		{0x0001d80008000000, 0x00000008060075b4, 90, "UTMALDG.1D", 0},
		{0x0001f00008058810, 0x00000008060073b4, 90, "UTMALDG.4D.IM2COL.MULTICAST", 0},
		{0x0001f20008211805, 0x00000608100073b4, 100, "UTMALDG.3D.MULTICAST.2CTA", 0},
		{0x0001ee0008108000, 0x00000008100075b4, 100, "UTMALDG.2D.GATHER4", 0},
		{0x0083e20008088000, 0x000000080e0073b5, 100, "UTMASTG.2D.SCATTER4", 0},
		{0x0003f00008058000, 0x00000008040073b6, 90, "UTMAREDG.4D.IM2COL.ADD", 0},
		{0x0003d80008000a06, 0x000000040a0073ba, 90, "UBLKCP.S.G.MULTICAST", 0},
		{0x0003d8000810040c, 0x0000000a040073bb, 90, "UBLKRED.G.S.ADD.BF16.RN", 0},
		{0x0003e40008000000, 0x0000000a0a0073bc, 90, "UBLKPF.L2", 0},
		{0x0001e20000000000, 0x00000000000079b7, 90, "UTMACMDFLUSH", 0},
		{0x0003e40008040000, 0x00000000040079b9, 90, "UTMACCTL.PF", 0},
	};

	CHECK(list);
}

static void warp_multiplies(void **state)
{
	(void)state;
	static const struct expected list[] = {
		{0x004fde000004180c, 0x000000080404723c, 90, "HMMA.16816.F32.BF16", 4096},
		{0x004fde0000085008, 0x000000000408723c, 90, "HMMA.1684.F32.TF32", 1024},
		{0x000fde0000045a08, 0x00000c0c0408723c, 90, "HMMA.SP.16832.F32.BF16", 4096},
		{0x004fde0000404c0c, 0x0000000804047237, 90, "IMMA.16832.U8.S8", 8192},
		{0x004fde000001540c, 0x000000080404723d, 90, "BMMA.168256.AND.POPC", 65536},
		{0x008e620000000008, 0x0000000e0c08723f, 90, "DMMA.8x8x4", 512},
	};

	CHECK(list);
}

/* What ptxas makes of a bare wgmma.commit_group executes, and does nothing. */
static void null_multiply_counts_for_nothing(void **state)
{
	(void)state;
	struct sass sass = read_words(0x000fe6000c0000ff, 0x000000003fff79f0, 90);
	uint64_t operations = 1;

	assert_string_equal(sass.text, "HGMMA.64x8x16.F16");
	assert_true(sass.null);
	assert_true(sass.known);
	assert_true(sass_operations(&sass, &operations));
	assert_int_equal(operations, 0);
}

/* The first step of a sum has !UPT behind its operands. That is scale-d, not a guard. */
static void dropping_the_old_sum_is_full_work(void **state)
{
	(void)state;
	struct sass first = read_words(0x000fe2000c7018ff, 0x00000000041879f0, 90);
	struct sass second = read_words(0x000fe60008001818, 0x00000000041879f0, 90);
	uint64_t operations;

	assert_true(first.overwrite);
	assert_false(second.overwrite);
	assert_false(first.null);
	assert_false(sass_never(&first));
	assert_true(sass_operations(&first, &operations));
	assert_int_equal(operations, 4096);
}

static void guards(void **state)
{
	(void)state;
	static const struct {
		uint64_t bits;
		const char *text;
		bool never;
	} list[] = {
		{0x0, "@P0 ", false}, {0x3, "@P3 ", false}, {0xb, "@!P3 ", false}, {0x7, "", false}, {0xf, "@!PT ", true},
	};

	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		struct sass sass = read_words(0x000fe6000c0018ff, 0x03e00000041809f0 | list[i].bits << 12, 90);
		char text[8];
		uint64_t operations;

		sass_guard_text(&sass, text);
		assert_string_equal(text, list[i].text);
		assert_int_equal(sass_never(&sass), list[i].never);
		assert_true(sass_operations(&sass, &operations));
		assert_int_equal(operations, list[i].never ? 0 : 131072);
	}
	/* The uniform datapath has its own predicates. */
	struct sass copy = read_words(0x0001d80008000000, 0x00000008060035b4, 90);
	char text[8];

	sass_guard_text(&copy, text);
	assert_string_equal(text, "@UP3 ");
	copy = read_words(0x000e240008040000, 0x00000004002039ee, 100); /* LDTM is one of them, whatever its name */
	sass_guard_text(&copy, text);
	assert_string_equal(text, "@UP3 ");
}

/* A value that no experiment gave a meaning is said to have none, and its work is not guessed. */
static void unknown_values_are_told(void **state)
{
	(void)state;
	struct sass shape = read_words(0x000fe6000c0018ff, 0x08e00000041879f0, 90);
	struct sass type = read_words(0x000fe6000c0430ff, 0x01e00000041879f1, 90);
	struct sass dimensions = read_words(0x0001f40008028000, 0x00000008060075b4, 90);
	uint64_t operations;

	assert_string_equal(shape.text, "HGMMA.?.F32.BF16");
	assert_false(shape.known);
	assert_false(sass_operations(&shape, &operations));
	assert_string_equal(type.text, "IGMMA.64x64x32.?.S8");
	assert_false(type.known);
	assert_string_equal(dimensions.text, "UTMALDG.?");
	assert_int_equal(dimensions.dimensions, 0);
}

/* sm_90 has none of the modes that sm_100 added, and its disassembler does not read their bits. */
static void architectures_differ(void **state)
{
	(void)state;
	struct sass hopper = read_words(0x0001f20008311805, 0x00000608100073b4, 90);
	struct sass blackwell = read_words(0x0001f20008311805, 0x00000608100073b4, 100);

	assert_string_equal(hopper.text, "UTMALDG.3D.MULTICAST");
	assert_false(hopper.pair);
	assert_string_equal(blackwell.text, "UTMALDG.3D.GATHER4.MULTICAST.2CTA");
	assert_true(blackwell.pair);
}

static void others_have_a_name_or_a_number(void **state)
{
	(void)state;
	struct sass nop = read_words(0x000fc00000000000, 0x0000000000007918, 90);
	struct sass barrier = read_words(0x000fe20000000000, 0x00000000000079ab, 90);
	struct sass cluster = read_words(0x000fe20000000000, 0x00000000000075ab, 90);
	struct sass none = read_words(0, 0x7fff, 90);

	assert_string_equal(nop.text, "NOP");
	assert_int_equal(nop.family, SASS_OTHER);
	assert_string_equal(barrier.text, "ERRBAR");
	assert_string_equal(cluster.text, "CGAERRBAR");
	assert_string_equal(none.text, "0x1ff");
	assert_null(none.name);
}

static void copies_of_the_older_kind(void **state)
{
	(void)state;
	struct sass copy = read_words(0x000fe8000b901c46, 0x0000000032307fae, 90);
	struct sass load = read_words(0x004ea20008000200, 0x000000000004783b, 90);

	assert_string_equal(copy.text, "LDGSTS");
	assert_int_equal(copy.width, 16);
	assert_string_equal(load.text, "LDSM");
	assert_int_equal(load.width, 4);
	assert_int_equal(sass_group_of(load.family), SASS_GROUP_WARP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(warpgroup_multiplies),
		cmocka_unit_test(tensor_memory),
		cmocka_unit_test(copies),
		cmocka_unit_test(warp_multiplies),
		cmocka_unit_test(null_multiply_counts_for_nothing),
		cmocka_unit_test(dropping_the_old_sum_is_full_work),
		cmocka_unit_test(guards),
		cmocka_unit_test(unknown_values_are_told),
		cmocka_unit_test(architectures_differ),
		cmocka_unit_test(others_have_a_name_or_a_number),
		cmocka_unit_test(copies_of_the_older_kind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
