/* Cubins of tests/kernel (run from the checkout's root): what is read of them, and that damage is told, never followed. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file.h"
#include "kernel/binary.h"
#include "kernel/census.h"
#include "kernel/cubin.h"

static struct bytes load(const char *name)
{
	struct bytes data = {0};
	struct error err;
	char *path = mem_format("tests/kernel/%s.cubin", name);

	assert_int_equal(file_read(path, 1 << 20, &data, &err), OK);
	free(path);
	return data;
}

static void facts_of_a_cubin(void **state)
{
	(void)state;
	struct bytes data = load("wgmma_null");
	struct cubin cubin;
	struct error err;

	assert_int_equal(cubin_read((uint8_t *)data.data, data.len, "k.cubin", &cubin, &err), OK);
	assert_string_equal(cubin.arch, "sm_90a");
	assert_int_equal(cubin.sm, 90);
	assert_false(cubin.relocatable);
	assert_false(cubin.has_variables);
	assert_int_equal(cubin.count, 3);
	assert_string_equal(cubin.at[0].name, "first_step");
	assert_string_equal(cubin.at[1].name, "behind_branch");
	assert_string_equal(cubin.at[2].name, "bare_commit");
	const struct cubin_function *function = cubin_find(&cubin, "bare_commit");

	assert_true(function->entry);
	assert_int_equal(function->size, 24 * 16);
	assert_int_equal(function->registers, 8);
	assert_int_equal(function->parameters, 8);
	assert_int_equal(function->inner, 0);
	assert_null(cubin_find(&cubin, "absent"));
	cubin_free(&cubin);
	bytes_free(&data);
}

static void shared_memory_and_architecture(void **state)
{
	(void)state;
	struct bytes data = load("tma_pair");
	struct cubin cubin;
	struct error err;

	assert_int_equal(cubin_read((uint8_t *)data.data, data.len, "k.cubin", &cubin, &err), OK);
	assert_string_equal(cubin.arch, "sm_100a");
	/* tile (4096) and a barrier (8), behind the 1024 that the toolchain reserves. */
	assert_int_equal(cubin_find(&cubin, "gather")->shared, 1024 + 4096 + 8);
	assert_int_equal(cubin_find(&cubin, "gather")->parameters, 128 + 8 + 8 + 4);
	cubin_free(&cubin);
	bytes_free(&data);
}

static void rename_section(struct bytes *data, const char *from, const char *to)
{
	char *at = memmem(data->data, data->len, from, strlen(from) + 1);

	assert_non_null(at);
	assert_true(strlen(to) <= strlen(from));
	memset(at, 0, strlen(from));
	memcpy(at, to, strlen(to));
}

/* Zero at first or not: either is found alone, too. */
static void variables_are_found(void **state)
{
	(void)state;
	struct bytes data = load("variables");
	struct cubin cubin;
	struct error err;

	for (int found = 2; found >= 0; found--) {
		assert_int_equal(cubin_read((uint8_t *)data.data, data.len, "k.cubin", &cubin, &err), OK);
		assert_int_equal(cubin.has_variables, found > 0);
		cubin_free(&cubin);
		if (found > 0)
			rename_section(&data, found == 2 ? ".nv.global.init" : ".nv.global", "renamed");
	}
	bytes_free(&data);
}

/* CUDA 12 wrote sm_90a into e_flags twice, with a bit of its own for "a" (docs/kernel.md, "Cubin"). */
static void older_layout_of_the_flags(void **state)
{
	(void)state;
	static const struct {
		uint8_t abi, version;
		uint8_t flags[4];
		const char *arch; /* NULL = refused */
	} list[] = {
		{0x33, 7, {0x5a, 0x0d, 0x5a, 0x00}, "sm_90a"}, {0x33, 7, {0x59, 0x05, 0x59, 0x00}, "sm_89a"},
		{0x33, 7, {0x5a, 0x0d, 0x59, 0x00}, NULL},     {0x41, 8, {0x0a, 0x64, 0x00, 0x06}, "sm_100a"},
		{0x41, 7, {0x0a, 0x64, 0x00, 0x06}, NULL},     {0x41, 8, {0x04, 0x32, 0x00, 0x06}, NULL},
	};
	struct bytes data = load("wgmma_null");
	struct cubin cubin;
	struct error err;

	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		data.data[7] = (char)list[i].abi;
		data.data[8] = (char)list[i].version;
		memcpy(data.data + 48, list[i].flags, 4);
		enum status status = cubin_read((uint8_t *)data.data, data.len, "k.cubin", &cubin, &err);

		if (list[i].arch == NULL) {
			assert_int_equal(status, MALFORMED);
			assert_int_equal(err.rule, R_CUB_ARCH);
			continue;
		}
		assert_int_equal(status, OK);
		/* .nv.compat of this file says "a" all the same. */
		assert_string_equal(cubin.arch, list[i].arch);
		cubin_free(&cubin);
	}
	bytes_free(&data);
}

static void census_of_a_cubin(void **state)
{
	(void)state;
	struct bytes data = load("wgmma_null");
	struct cubin cubin;
	struct census census;
	struct error err;

	assert_int_equal(cubin_read((uint8_t *)data.data, data.len, "k.cubin", &cubin, &err), OK);
	census_cubin(&cubin, &census);
	assert_int_equal(census.instructions, 32 + 32 + 24);
	assert_int_equal(census.unnamed, 0);
	assert_int_equal(census.lines, 2);
	assert_string_equal(census.line[0].text, "HGMMA.64x8x16.F16");
	assert_int_equal(census.line[0].count, 1);
	assert_int_equal(census.line[0].null, 1);
	assert_int_equal(census.line[0].operations, 0);
	assert_string_equal(census.line[1].text, "HGMMA.64x8x16.F32.BF16");
	assert_int_equal(census.line[1].count, 3);
	assert_int_equal(census.line[1].operations, 4096);
	assert_int_equal(census_group(&census, SASS_GROUP_GMMA), 3);
	assert_string_equal(census.opcode[0].name, "NOP");
	census_free(&census);
	census_function(&cubin, cubin_find(&cubin, "bare_commit"), &census);
	assert_int_equal(census_group(&census, SASS_GROUP_GMMA), 0);
	census_free(&census);
	cubin_free(&cubin);
	bytes_free(&data);
}

/* No prefix of a cubin is one: the table of sections stands near its end, the code before it. */
static void every_cut_is_refused(void **state)
{
	(void)state;
	struct bytes data = load("wgmma_null");
	struct cubin cubin;
	uint64_t table;

	memcpy(&table, data.data + 40, 8);
	for (size_t len = 0; len < table + 64; len++) {
		uint8_t *part = mem_array(NULL, len, 1); /* a copy of its own, so that a sanitizer sees the end */
		struct error err;

		memcpy(part, data.data, len);
		assert_int_equal(cubin_read(part, len, "k.cubin", &cubin, &err), MALFORMED);
		assert_null(cubin.at);
		free(part);
	}
	bytes_free(&data);
}

/* Any byte may change to anything: what is still accepted lies within the file. */
static void every_changed_byte_is_survived(void **state)
{
	(void)state;
	static const uint8_t values[] = {0x00, 0xff, 0x80, 0x01};
	struct bytes data = load("wgmma_null");

	for (size_t at = 0; at < data.len; at++) {
		uint8_t kept = (uint8_t)data.data[at];

		for (size_t v = 0; v < sizeof values; v++) {
			struct cubin cubin;
			struct error err = {0};

			data.data[at] = (char)values[v];
			enum status status = cubin_read((uint8_t *)data.data, data.len, "k.cubin", &cubin, &err);

			assert_true(status == OK || (status == MALFORMED && err.what[0] != '\0'));
			for (size_t i = 0; i < cubin.count; i++)
				assert_true(cubin.at[i].size <= data.len && cubin.at[i].offset <= data.len - cubin.at[i].size);
			cubin_free(&cubin);
		}
		data.data[at] = (char)kept;
	}
	bytes_free(&data);
}

/* Code that a count would leave out must not pass. */
static void code_elsewhere_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *from, *to;
		enum rule rule;
	} list[] = {
		{".text.bare_commit", ".data.bare_commit", R_CUB_CODE},  /* executable, and not named so */
		{".text.bare_commit", ".text.first_step", R_CUB_CODE},   /* twice the same name */
		{".text.bare_commit", ".text.bare commit", R_CUB_CODE},  /* no name that a toolchain gives */
		{".text.bare_commit", ".text.bare_commi", R_CUB_SYMBOL}, /* the symbol is another */
		{".nv.info", ".text.x", R_CUB_CODE},                     /* named so, and not executable */
	};

	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		struct bytes data = load("wgmma_null");
		struct cubin cubin;
		struct error err;

		rename_section(&data, list[i].from, list[i].to);
		assert_int_equal(cubin_read((uint8_t *)data.data, data.len, "k.cubin", &cubin, &err), MALFORMED);
		assert_int_equal(err.rule, list[i].rule);
		bytes_free(&data);
	}
}

static void poke(struct bytes *data, uint64_t at, uint64_t value, unsigned size)
{
	assert_true(at + size <= data->len);
	memcpy(data->data + at, &value, size);
}

static void expect(struct bytes *data, enum rule rule)
{
	struct cubin cubin;
	struct error err;

	assert_int_equal(cubin_read((uint8_t *)data->data, data->len, "k.cubin", &cubin, &err), MALFORMED);
	assert_int_equal(err.rule, rule);
	bytes_free(data);
}

/* Sums of sizes and offsets must not wrap around; an attribute must not reach past its section. */
static void sizes_that_lie_are_refused(void **state)
{
	(void)state;
	struct bytes data = load("wgmma_null");
	uint64_t table;
	struct cubin cubin;
	struct error err;

	memcpy(&table, data.data + 40, 8);
	poke(&data, table + 64 + 32, UINT64_MAX - 8, 8); /* size of the first section, at offset 64 */
	expect(&data, R_ELF_BOUNDS);
	data = load("wgmma_null");
	poke(&data, 40, UINT64_MAX - 63, 8);
	expect(&data, R_ELF_BOUNDS);
	data = load("wgmma_null");
	assert_int_equal(cubin_read((uint8_t *)data.data, data.len, "k.cubin", &cubin, &err), OK);
	const struct elf_section *info = elf_section(&cubin.elf, ".nv.info");
	uint64_t last = info->offset + info->size - 12; /* an attribute of form 4 and eight bytes */

	cubin_free(&cubin);
	assert_int_equal(data.data[last], 4);
	poke(&data, last + 2, 9, 2);
	expect(&data, R_CUB_INFO);
	data = load("wgmma_null");
	poke(&data, last, 5, 1);
	expect(&data, R_CUB_INFO);
}

static void a_program_of_the_host_is_no_cubin(void **state)
{
	(void)state;
	struct bytes data = load("wgmma_null");
	struct cubin cubin;
	struct error err;

	data.data[18] = 62; /* EM_X86_64 */
	assert_int_equal(cubin_read((uint8_t *)data.data, data.len, "k.cubin", &cubin, &err), MALFORMED);
	assert_int_equal(err.rule, R_CUB_MACHINE);
	bytes_free(&data);
}

static void put(struct bytes *out, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		bytes_char(out, (char)(i < 8 ? value >> (8 * i) : 0));
}

static void put_image(struct bytes *out, unsigned kind, unsigned sm, const void *data, size_t len, size_t compressed)
{
	put(out, kind, 2);
	put(out, 0x101, 2);
	put(out, 64, 4);
	put(out, len, 8);
	put(out, compressed, 8);
	put(out, 0, 4);
	put(out, sm, 4);
	put(out, 0, 32);
	bytes_add(out, data, len);
}

static void put_container(struct bytes *out, const struct bytes *images)
{
	put(out, 0xba55ed50, 4);
	put(out, 1, 2);
	put(out, 16, 2);
	put(out, images->len, 8);
	bytes_add(out, images->data, images->len);
}

/* Two containers as the linker joins them: a cubin, a compressed PTX; behind padding another cubin. */
static void fat_binaries(void **state)
{
	(void)state;
	struct bytes null = load("wgmma_null");
	struct bytes pair = load("tma_pair");
	struct bytes images = {0};
	struct bytes fat = {0};
	struct binary binary;
	struct error err;

	put_image(&images, 2, 90, null.data, null.len, 0);
	put_image(&images, 1, 90, "12345678", 8, 8);
	put_container(&fat, &images);
	put(&fat, 0, 8);
	images.len = 0;
	put_image(&images, 2, 100, pair.data, pair.len, 0);
	put_container(&fat, &images);
	assert_int_equal(binary_read((uint8_t *)fat.data, fat.len, "k.fatbin", &binary, &err), OK);
	assert_int_equal(binary.wrapping, BINARY_FAT);
	assert_int_equal(binary.count, 3);
	assert_true(binary.at[0].readable);
	assert_string_equal(binary.at[0].cubin.arch, "sm_90a");
	assert_int_equal(binary.at[1].from.kind, FATBIN_PTX);
	assert_true(binary.at[1].from.compressed);
	assert_false(binary.at[1].readable);
	assert_string_equal(binary.at[2].cubin.arch, "sm_100a");
	binary_free(&binary);
	fat.data[16 + 8]++; /* the first image's size: it now ends behind the second one's start */
	assert_int_equal(binary_read((uint8_t *)fat.data, fat.len, "k.fatbin", &binary, &err), MALFORMED);
	assert_int_equal(err.rule, R_FAT_FORM);
	fat.data[16 + 8]--;
	fat.data[16 + 15] = '\x7f'; /* a size that is larger than any file */
	assert_int_equal(binary_read((uint8_t *)fat.data, fat.len, "k.fatbin", &binary, &err), MALFORMED);
	assert_int_equal(err.rule, R_FAT_FORM);
	fat.data[16 + 15] = 0;
	for (size_t len = 16; len < fat.len; len += 97) {
		enum status status = binary_read((uint8_t *)fat.data, len, "k.fatbin", &binary, &err);

		/* Cut between the containers it is a whole one. */
		assert_true(status == MALFORMED || len - (16 + 64 + null.len + 64 + 8) <= 8);
		binary_free(&binary);
	}
	bytes_free(&fat);
	bytes_free(&images);
	bytes_free(&pair);
	bytes_free(&null);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(facts_of_a_cubin),
		cmocka_unit_test(shared_memory_and_architecture),
		cmocka_unit_test(variables_are_found),
		cmocka_unit_test(older_layout_of_the_flags),
		cmocka_unit_test(census_of_a_cubin),
		cmocka_unit_test(every_cut_is_refused),
		cmocka_unit_test(every_changed_byte_is_survived),
		cmocka_unit_test(code_elsewhere_is_refused),
		cmocka_unit_test(sizes_that_lie_are_refused),
		cmocka_unit_test(a_program_of_the_host_is_no_cubin),
		cmocka_unit_test(fat_binaries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
