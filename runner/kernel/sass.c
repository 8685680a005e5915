#include "sass.h"

#include <stdio.h>
#include <string.h>

#include "elf.h"

enum { UTC_MULTIPLY = 0x1ea };

static const struct family {
	const char *name;
	enum sass_group group;
	uint16_t number;
} families[SASS_FAMILY_COUNT] = {
	[SASS_OTHER] = {"other", SASS_GROUP_NONE, 0},
	[SASS_HGMMA] = {"HGMMA", SASS_GROUP_GMMA, 0x1f0},
	[SASS_QGMMA] = {"QGMMA", SASS_GROUP_GMMA, 0x1f3},
	[SASS_IGMMA] = {"IGMMA", SASS_GROUP_GMMA, 0x1f1},
	[SASS_BGMMA] = {"BGMMA", SASS_GROUP_GMMA, 0x1f2},
	[SASS_UTMALDG] = {"UTMALDG", SASS_GROUP_TMA, 0x1b4},
	[SASS_UTMASTG] = {"UTMASTG", SASS_GROUP_TMA, 0x1b5},
	[SASS_UTMAREDG] = {"UTMAREDG", SASS_GROUP_TMA, 0x1b6},
	[SASS_UTMAPF] = {"UTMAPF", SASS_GROUP_SERVICE, 0x1b8},
	[SASS_UTMACCTL] = {"UTMACCTL", SASS_GROUP_SERVICE, 0x1b9},
	[SASS_UTMACMDFLUSH] = {"UTMACMDFLUSH", SASS_GROUP_SERVICE, 0x1b7},
	[SASS_UBLKCP] = {"UBLKCP", SASS_GROUP_BULK, 0x1ba},
	[SASS_UBLKRED] = {"UBLKRED", SASS_GROUP_BULK, 0x1bb},
	[SASS_UBLKPF] = {"UBLKPF", SASS_GROUP_SERVICE, 0x1bc},
	[SASS_UTCHMMA] = {"UTCHMMA", SASS_GROUP_TCGEN, UTC_MULTIPLY},
	[SASS_UTCQMMA] = {"UTCQMMA", SASS_GROUP_TCGEN, UTC_MULTIPLY},
	[SASS_UTCIMMA] = {"UTCIMMA", SASS_GROUP_TCGEN, UTC_MULTIPLY},
	[SASS_UTCOMMA] = {"UTCOMMA", SASS_GROUP_TCGEN, UTC_MULTIPLY},
	[SASS_UTCCP] = {"UTCCP", SASS_GROUP_TCGEN, 0x1e7},
	[SASS_UTCSHIFT] = {"UTCSHIFT", SASS_GROUP_SERVICE, 0x1e6},
	[SASS_UTCBAR] = {"UTCBAR", SASS_GROUP_SERVICE, 0x1e9},
	[SASS_UTCATOMSWS] = {"UTCATOMSWS", SASS_GROUP_SERVICE, 0x1e3},
	[SASS_LDTM] = {"LDTM", SASS_GROUP_TCGEN, 0x1ee},
	[SASS_STTM] = {"STTM", SASS_GROUP_TCGEN, 0x1ed},
	[SASS_HMMA] = {"HMMA", SASS_GROUP_WARP, 0x03c},
	[SASS_IMMA] = {"IMMA", SASS_GROUP_WARP, 0x037},
	[SASS_BMMA] = {"BMMA", SASS_GROUP_WARP, 0x03d},
	[SASS_DMMA] = {"DMMA", SASS_GROUP_WARP, 0x03f},
	[SASS_LDGSTS] = {"LDGSTS", SASS_GROUP_WARP, 0x1ae},
	[SASS_LDSM] = {"LDSM", SASS_GROUP_WARP, 0x03b},
	[SASS_STSM] = {"STSM", SASS_GROUP_WARP, 0x044},
};

static const char *const groups[SASS_GROUP_COUNT] = {
	[SASS_GROUP_NONE] = "none", [SASS_GROUP_GMMA] = "gmma",       [SASS_GROUP_TMA] = "tma",   [SASS_GROUP_BULK] = "bulk",
	[SASS_GROUP_TCGEN] = "tcgen", [SASS_GROUP_SERVICE] = "service", [SASS_GROUP_WARP] = "warp",
};

const char *sass_family_name(enum sass_family family)
{
	return families[family].name;
}

enum sass_group sass_group_of(enum sass_family family)
{
	return families[family].group;
}

const char *sass_group_name(enum sass_group group)
{
	return groups[group];
}

/* Bits first to first + width - 1 of the 128, width at most 32. */
static unsigned field(const struct sass *sass, unsigned first, unsigned width)
{
	uint64_t half = first < 64 ? sass->low >> first : sass->high >> (first - 64);

	return (unsigned)(half & ((UINT64_C(1) << width) - 1));
}

static bool bit(const struct sass *sass, unsigned at)
{
	return field(sass, at, 1) != 0;
}

/* Append a modifier; NULL stands for a value without a meaning. */
static void add(struct sass *sass, const char *modifier)
{
	size_t used = strlen(sass->text);

	if (modifier == NULL)
		sass->known = false;
	snprintf(sass->text + used, sizeof sass->text - used, ".%s", modifier != NULL ? modifier : "?");
}

static void add_if(struct sass *sass, bool so, const char *modifier)
{
	if (so)
		add(sass, modifier);
}

/* names[value], "" for a value that is not printed. */
static void add_of(struct sass *sass, const char *const *names, size_t count, unsigned value)
{
	const char *name = value < count ? names[value] : NULL;

	if (name == NULL || name[0] != '\0')
		add(sass, name);
}

#define ADD_OF(sass, names, value) add_of(sass, names, sizeof(names) / sizeof *(names), value)

/* The shape with a letter between (GMMA, DMMA) or without (HMMA). */
static void add_shape(struct sass *sass, unsigned m, unsigned n, unsigned k, bool letters)
{
	char text[32];

	sass->m = (uint16_t)m;
	sass->n = (uint16_t)n;
	sass->k = (uint16_t)k;
	snprintf(text, sizeof text, letters ? "%ux%ux%u" : "%u%u%u", m, n, k);
	add(sass, m != 0 ? text : NULL);
}

static const char *const float_sums[] = {"F16", "F32"};
static const char *const half_types[] = {"", "BF16", "TF32"};
static const char *const float8_types[] = {"E4M3", "E5M2"};
static const char *const byte_types[] = {"U8", "S8"};

enum { GMMA_SHAPE = 53, GMMA_SPARSE = 73 };

/* The n of IGMMA and BGMMA by its index: 8, 16, 24, then multiples of 16. */
static unsigned coarse_n(unsigned index)
{
	return index < 3 ? 8 * (index + 1) : index < 18 ? 16 * (index - 1) : 0;
}

static void read_gmma_common(struct sass *sass)
{
	sass->null = field(sass, 16, 8) == SASS_REGISTER_ZERO;
	/* This predicate is stored as 7 - p, so that all zero bits stand for "true"; bit 90 negates it. */
	sass->overwrite = field(sass, 87, 4) == 8;
}

static void read_sparse(struct sass *sass)
{
	sass->sparse = bit(sass, GMMA_SPARSE);
	add_if(sass, sass->sparse, "SP");
	add_if(sass, sass->sparse && bit(sass, 74), "REGOFFSET");
}

static void read_hgmma(struct sass *sass)
{
	static const uint8_t dense_k[] = {16, 8, 0, 0};
	static const uint8_t sparse_k[] = {16, 0, 32, 0};
	unsigned n = 8 * (field(sass, GMMA_SHAPE, 5) + 1);

	read_sparse(sass);
	unsigned k = (sass->sparse ? sparse_k : dense_k)[field(sass, GMMA_SHAPE + 5, 2)];

	add_shape(sass, k != 0 ? 64 : 0, n, k, true);
	ADD_OF(sass, float_sums, field(sass, 75, 1));
	ADD_OF(sass, half_types, field(sass, 76, 2));
}

static void read_qgmma(struct sass *sass)
{
	unsigned n = 8 * (field(sass, GMMA_SHAPE, 5) + 1);
	bool long_k = bit(sass, GMMA_SHAPE + 5);

	read_sparse(sass);
	add_shape(sass, long_k == sass->sparse ? 64 : 0, n, long_k ? 64 : 32, true);
	ADD_OF(sass, float_sums, field(sass, 75, 1));
	ADD_OF(sass, float8_types, field(sass, 76, 1));
	ADD_OF(sass, float8_types, field(sass, 77, 1));
}

static void read_igmma(struct sass *sass)
{
	unsigned code = field(sass, GMMA_SHAPE, 6); /* three times the index of n, and 0 or 1 for k */
	unsigned n = coarse_n(code / 3);

	read_sparse(sass);
	add_shape(sass, n != 0 && code % 3 == (sass->sparse ? 1 : 0) ? 64 : 0, n, sass->sparse ? 64 : 32, true);
	ADD_OF(sass, byte_types, field(sass, 76, 2));
	ADD_OF(sass, byte_types, field(sass, 82, 2));
	add_if(sass, bit(sass, 75), "SAT");
}

static void read_bit_operation(struct sass *sass)
{
	add(sass, field(sass, 77, 2) == 2 ? "AND" : NULL);
	add(sass, bit(sass, 80) ? "POPC" : NULL);
}

static void read_bgmma(struct sass *sass)
{
	unsigned n = coarse_n(field(sass, GMMA_SHAPE, 6));

	add_shape(sass, n != 0 ? 64 : 0, n, 256, true);
	read_bit_operation(sass);
}

static void read_dimensions(struct sass *sass)
{
	static const char *const names[] = {"1D", "2D", "3D", "4D", "5D"};
	unsigned value = field(sass, 79, 3);

	sass->dimensions = (uint8_t)(value < 5 ? value + 1 : 0);
	ADD_OF(sass, names, value);
}

/* sm_90 reads one bit of the mode, sm_100 three; the form without offsets (5) has fewer modes. */
static void read_utmaldg(struct sass *sass, unsigned sm)
{
	static const char *const with_offsets[] = {"", "IM2COL", "W128", "W", "GATHER4"};
	static const char *const without[] = {"", NULL, NULL, NULL, "GATHER4"};
	bool offsets = sass->form == 1;

	read_dimensions(sass);
	if (offsets)
		ADD_OF(sass, with_offsets, field(sass, 82, sm < 100 ? 1 : 3));
	else if (sm >= 100)
		ADD_OF(sass, without, field(sass, 82, 3));
	sass->multicast = offsets && bit(sass, 75);
	sass->pair = sm >= 100 && bit(sass, 85);
	add_if(sass, sass->multicast, "MULTICAST");
	add_if(sass, sass->pair, "2CTA");
}

static void read_utmastg(struct sass *sass, unsigned sm)
{
	static const char *const modes[] = {"", "IM2COL", "SCATTER4"};

	read_dimensions(sass);
	ADD_OF(sass, modes, field(sass, 82, sm < 100 ? 1 : 2));
}

static void add_reduction(struct sass *sass)
{
	static const char *const names[] = {"ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR"};

	ADD_OF(sass, names, field(sass, 87, 3));
}

static void read_utmaredg(struct sass *sass)
{
	read_dimensions(sass);
	add_if(sass, bit(sass, 82), "IM2COL");
	add_reduction(sass);
}

static void read_utmapf(struct sass *sass, unsigned sm)
{
	static const char *const with_offsets[] = {"", "IM2COL", "W128", "W", "GATHER4"};
	static const char *const without[] = {"", NULL, NULL, NULL, "GATHER4"};

	add(sass, "L2");
	read_dimensions(sass);
	if (sass->form == 1)
		ADD_OF(sass, with_offsets, field(sass, 82, sm < 100 ? 1 : 3));
	else if (sm >= 100)
		ADD_OF(sass, without, field(sass, 82, 3));
}

static void read_utmacctl(struct sass *sass)
{
	static const char *const names[] = {"IV", "PF"};

	ADD_OF(sass, names, field(sass, 82, 1));
}

static const char *const places[] = {"G", "S"};

/* ptxas writes none of these for bulk copies. */
static void add_order(struct sass *sass)
{
	static const char *const orders[16] = {[0] = "", [5] = "STRONG.SM", [7] = "STRONG.GPU", [10] = "STRONG.SYS"};

	ADD_OF(sass, orders, field(sass, 77, 4));
}

static void read_ublkcp(struct sass *sass, unsigned sm)
{
	static const char *const prefetch[] = {"", "LTC64B", "LTC128B", "LTC256B"};

	ADD_OF(sass, places, field(sass, 73, 1));
	ADD_OF(sass, places, field(sass, 74, 1));
	sass->multicast = bit(sass, 75);
	add_if(sass, sass->multicast, "MULTICAST");
	add_if(sass, sm >= 100 && bit(sass, 84), "DST_G_BYTE_MASK");
	ADD_OF(sass, prefetch, field(sass, 81, 2));
	add_if(sass, bit(sass, 83), "SEQUENCED");
	add_if(sass, sm >= 100 && bit(sass, 85), "COUNTED");
	add_order(sass);
}

static void read_ublkred(struct sass *sass)
{
	static const char *const types[] = {"", "S32", "U64", "S64", "F16.RN", "F32.RN", "F32.FTZ.RN", "F64.RN", "BF16.RN"};
	static const char *const sources[] = {NULL, "S"};

	ADD_OF(sass, places, field(sass, 73, 1));
	ADD_OF(sass, sources, field(sass, 74, 1));
	add_reduction(sass);
	ADD_OF(sass, types, field(sass, 81, 4));
	add_order(sass);
}

/* The number is one, further bits choose the data path; block scales of 8-bit types have their own forms. */
static void read_utcmma(struct sass *sass)
{
	static const struct {
		enum sass_family family;
		const char *name;
	} paths[] = {{SASS_UTCHMMA, "UTCHMMA"}, {SASS_UTCIMMA, "UTCIMMA"}, {SASS_OTHER, NULL}, {SASS_UTCQMMA, "UTCQMMA"}};
	unsigned path = field(sass, 72, 2);
	bool fours = sass->form < 6 && path == 0 && bit(sass, 63);
	bool scaled8 = sass->form >= 6 && path == 3;

	if (fours) {
		sass->family = SASS_UTCOMMA;
		sass->name = "UTCOMMA";
	} else if (scaled8 || (sass->form < 6 && paths[path].name != NULL && !bit(sass, 63))) {
		sass->family = paths[path].family;
		sass->name = paths[path].name;
	} else {
		return; /* stays SASS_OTHER: the disassembler has no name for it either */
	}
	snprintf(sass->text, sizeof sass->text, "%s", sass->name);
	sass->known = true;
	sass->pair = bit(sass, 85);
	add_if(sass, sass->pair, "2CTA");
	add_if(sass, !fours && !scaled8 && bit(sass, 83), "WS");
	/* Only an A in tensor memory can be shifted. */
	add_if(sass, !fours && !scaled8 && sass->form == 4 && bit(sass, 74), "ASHIFT");
	add_if(sass, fours && !bit(sass, 62), "4X");
}

static void read_utccp(struct sass *sass)
{
	static const char *const shapes[] = {"", NULL, "4dp256bit", "128dp128bit", "2x64dp128bit_lw02_lw13",
	                                     "2x64dp128bit_lw01_lw23", "4x32dp128bit", NULL};
	static const char *const conversions[] = {"", "U4x16P64", "U6x16P32", NULL};

	add(sass, !bit(sass, 86) ? "T" : NULL);
	add(sass, !bit(sass, 87) ? "S" : NULL);
	sass->pair = bit(sass, 85);
	add_if(sass, sass->pair, "2CTA");
	ADD_OF(sass, shapes, field(sass, 83, 2) | (bit(sass, 88) ? 4u : 0u));
	ADD_OF(sass, conversions, field(sass, 80, 2));
}

static void read_utcshift(struct sass *sass)
{
	sass->pair = bit(sass, 85);
	add_if(sass, sass->pair, "2CTA");
	add(sass, bit(sass, 80) ? "DOWN" : NULL);
}

static void read_utcbar(struct sass *sass)
{
	sass->pair = bit(sass, 85);
	sass->multicast = bit(sass, 75);
	add_if(sass, sass->pair, "2CTA");
	add_if(sass, bit(sass, 77), "A0TX");
	add_if(sass, bit(sass, 76) && !sass->pair, "WAKEUP");
	add_if(sass, sass->multicast, "MULTICAST");
}

static void read_utcatomsws(struct sass *sass)
{
	static const char *const operations[] = {"AND", "OR"};

	sass->pair = bit(sass, 85);
	add_if(sass, sass->pair, "2CTA");
	if (sass->form == 2) {
		add(sass, "FIND_AND_SET");
		add_if(sass, bit(sass, 75), "ALIGN");
	} else {
		ADD_OF(sass, operations, field(sass, 87, 1));
	}
}

static void read_tensor_registers(struct sass *sass, const char *packed)
{
	static const char *const shapes[] = {"16dp128bit", "16dp256bit", "", "16dp64bit", "16dp32bit_t0_t15",
	                                     "16dp32bit_t16_t31"};
	static const char *const times[] = {"", "x2", "x4", "x8", "x16", "x32", "x64", "x128"};

	sass->width = (uint16_t)(1u << field(sass, 83, 3));
	ADD_OF(sass, shapes, field(sass, 81, 2) | (bit(sass, 87) ? 4u : 0u));
	ADD_OF(sass, times, field(sass, 83, 3));
	add_if(sass, bit(sass, 80), packed);
}

/* A shape by its code; m = 0 where the code has no meaning. */
struct shape {
	uint8_t m, n;
	uint16_t k;
};

static void read_hmma(struct sass *sass)
{
	static const struct shape dense[] = {{16, 8, 8}, {16, 8, 16}, {16, 8, 4}, {0, 0, 0}};
	static const struct shape sparse[] = {{16, 8, 8}, {16, 8, 16}, {0, 0, 0}, {16, 8, 32}};

	sass->sparse = bit(sass, 73);
	const struct shape *shape = &(sass->sparse ? sparse : dense)[field(sass, 75, 1) | field(sass, 78, 1) << 1];

	sass->null = field(sass, 16, 8) == SASS_REGISTER_ZERO;
	add_if(sass, sass->sparse, "SP");
	add_shape(sass, shape->m, shape->n, shape->k, false);
	ADD_OF(sass, float_sums, field(sass, 76, 1));
	ADD_OF(sass, half_types, field(sass, 82, 2));
}

static void read_imma(struct sass *sass)
{
	static const struct shape dense[8] = {[0] = {8, 8, 16}, [4] = {16, 8, 16}, [5] = {16, 8, 32}};
	static const struct shape sparse[8] = {[2] = {8, 8, 32}, [5] = {16, 8, 32}, [6] = {16, 8, 64}};

	sass->sparse = bit(sass, 72);
	const struct shape *shape = &(sass->sparse ? sparse : dense)[field(sass, 75, 1) | field(sass, 85, 2) << 1];

	sass->null = field(sass, 16, 8) == SASS_REGISTER_ZERO;
	add_if(sass, sass->sparse, "SP");
	add_shape(sass, shape->m, shape->n, shape->k, false);
	ADD_OF(sass, byte_types, field(sass, 76, 2) | field(sass, 83, 1) << 2);
	ADD_OF(sass, byte_types, field(sass, 78, 2) | field(sass, 84, 1) << 2);
	add_if(sass, bit(sass, 82), "SAT");
}

static void read_bmma(struct sass *sass)
{
	static const struct shape shapes[] = {{8, 8, 128}, {16, 8, 128}, {16, 8, 256}, {0, 0, 0}};
	const struct shape *shape = &shapes[field(sass, 75, 2)];

	sass->null = field(sass, 16, 8) == SASS_REGISTER_ZERO;
	add_shape(sass, shape->m, shape->n, shape->k, false);
	read_bit_operation(sass);
}

static void read_dmma(struct sass *sass)
{
	static const struct shape shapes[] = {{8, 8, 4}, {16, 8, 4}, {16, 8, 8}, {16, 8, 16}};
	static const char *const roundings[] = {"", "RM", "RP", "RZ"};
	const struct shape *shape = &shapes[field(sass, 76, 2)];

	sass->null = field(sass, 16, 8) == SASS_REGISTER_ZERO;
	add_shape(sass, shape->m, shape->n, shape->k, true);
	ADD_OF(sass, roundings, field(sass, 78, 2));
}

/* Copies and moves of sm_80 are only counted: their many cache modifiers say nothing about the work. */
static void read_ldgsts(struct sass *sass)
{
	static const uint8_t bytes[8] = {[4] = 4, [5] = 8, [6] = 16};

	sass->width = bytes[field(sass, 73, 3)];
	sass->known = sass->width != 0;
}

static void read_matrix_move(struct sass *sass)
{
	static const uint8_t matrices[] = {1, 2, 4, 0};

	sass->width = matrices[field(sass, 72, 2)];
	sass->known = sass->width != 0;
}

static const char *name_of(uint16_t number, uint8_t form)
{
	static const char *const names[1 << 9] = {
#define OPCODE(number, name) [number] = name,
#define OPCODE_FORM(number, form, name)
#include "opcode.def"
#undef OPCODE
#undef OPCODE_FORM
	};
	static const struct {
		uint16_t number;
		uint8_t form;
		const char *name;
	} forms[] = {
#define OPCODE(number, name)
#define OPCODE_FORM(number, form, name) {number, form, name},
#include "opcode.def"
#undef OPCODE
#undef OPCODE_FORM
	};

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (forms[i].number == number && forms[i].form == form)
			return forms[i].name;
	return names[number];
}

/* Instructions of the uniform datapath are guarded by its own predicates: those named so, and a few others. Of SYNCS it
 * is one number of three. */
static bool has_uniform_guard(const struct sass *sass)
{
	enum { LDCU = 0x1ac, SYNCS_EXCHANGE = 0x1b2, S2UR = 0x1c3, STTM = 0x1ed, LDTM = 0x1ee };

	if (sass->number == LDCU || sass->number == SYNCS_EXCHANGE || sass->number == S2UR || sass->number == STTM ||
	    sass->number == LDTM)
		return true;
	return sass->name != NULL && sass->name[0] == 'U';
}

/* The four of UTC_MULTIPLY are told apart by read_utcmma. */
static enum sass_family family_of(uint16_t number)
{
	for (int i = SASS_OTHER + 1; i < SASS_FAMILY_COUNT; i++)
		if (families[i].number == number && number != UTC_MULTIPLY)
			return (enum sass_family)i;
	return SASS_OTHER;
}

static void read_family(struct sass *sass, unsigned sm)
{
	switch (sass->family) {
	case SASS_HGMMA:
		read_hgmma(sass);
		break;
	case SASS_QGMMA:
		read_qgmma(sass);
		break;
	case SASS_IGMMA:
		read_igmma(sass);
		break;
	case SASS_BGMMA:
		read_bgmma(sass);
		break;
	case SASS_UTMALDG:
		read_utmaldg(sass, sm);
		break;
	case SASS_UTMASTG:
		read_utmastg(sass, sm);
		break;
	case SASS_UTMAREDG:
		read_utmaredg(sass);
		break;
	case SASS_UTMAPF:
		read_utmapf(sass, sm);
		break;
	case SASS_UTMACCTL:
		read_utmacctl(sass);
		break;
	case SASS_UBLKCP:
		read_ublkcp(sass, sm);
		break;
	case SASS_UBLKRED:
		read_ublkred(sass);
		break;
	case SASS_UBLKPF:
		add(sass, "L2");
		break;
	case SASS_UTCCP:
		read_utccp(sass);
		break;
	case SASS_UTCSHIFT:
		read_utcshift(sass);
		break;
	case SASS_UTCBAR:
		read_utcbar(sass);
		break;
	case SASS_UTCATOMSWS:
		read_utcatomsws(sass);
		break;
	case SASS_LDTM:
		read_tensor_registers(sass, "PACK16BIT");
		break;
	case SASS_STTM:
		read_tensor_registers(sass, "EXPAND16BIT");
		break;
	case SASS_HMMA:
		read_hmma(sass);
		break;
	case SASS_IMMA:
		read_imma(sass);
		break;
	case SASS_BMMA:
		read_bmma(sass);
		break;
	case SASS_DMMA:
		read_dmma(sass);
		break;
	case SASS_LDGSTS:
		read_ldgsts(sass);
		break;
	case SASS_LDSM:
	case SASS_STSM:
		read_matrix_move(sass);
		break;
	default:
		break;
	}
}

void sass_read(const uint8_t *bytes, unsigned sm, struct sass *sass)
{
	*sass = (struct sass){.low = little64(bytes), .high = little64(bytes + 8)};
	sass->number = (uint16_t)field(sass, 0, 9);
	sass->form = (uint8_t)field(sass, 9, 3);
	sass->guard = (uint8_t)field(sass, 12, 3);
	sass->guard_not = bit(sass, 15);
	sass->name = name_of(sass->number, sass->form);
	sass->guard_uniform = has_uniform_guard(sass);
	sass->family = family_of(sass->number);
	sass->known = sass->family != SASS_OTHER;
	if (sass->name != NULL)
		snprintf(sass->text, sizeof sass->text, "%s", sass->name);
	else
		snprintf(sass->text, sizeof sass->text, "0x%03x", sass->number);
	if (sass_group_of(sass->family) == SASS_GROUP_GMMA)
		read_gmma_common(sass);
	if (sass->number == UTC_MULTIPLY)
		read_utcmma(sass);
	else
		read_family(sass, sm);
}

void sass_guard_text(const struct sass *sass, char out[8])
{
	out[0] = '\0';
	if (sass->guard == SASS_PREDICATE_TRUE && !sass->guard_not)
		return;
	snprintf(out, 8, "@%s%sP%c ", sass->guard_not ? "!" : "", sass->guard_uniform ? "U" : "",
	         sass->guard == SASS_PREDICATE_TRUE ? 'T' : '0' + sass->guard);
}

bool sass_never(const struct sass *sass)
{
	return sass->guard == SASS_PREDICATE_TRUE && sass->guard_not;
}

bool sass_operations(const struct sass *sass, uint64_t *operations)
{
	enum sass_group group = sass_group_of(sass->family);
	bool multiply = sass->family >= SASS_HMMA && sass->family <= SASS_DMMA;

	*operations = 0;
	if (sass->family >= SASS_UTCHMMA && sass->family <= SASS_UTCOMMA)
		return sass_never(sass);
	if (group != SASS_GROUP_GMMA && !multiply)
		return true;
	if (sass->null || sass_never(sass))
		return true;
	if (!sass->known || sass->m == 0)
		return false;
	*operations = UINT64_C(2) * sass->m * sass->n * sass->k / (sass->sparse ? 2 : 1) / (group == SASS_GROUP_GMMA ? 4 : 1);
	return true;
}
