#include "cubin.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"

/* The two layouts of e_flags, told apart by the ABI bytes of e_ident. */
enum {
	ABI_OLD = 0x33,            /* EI_ABIVERSION 7: CUDA 12 up to sm_90 */
	ABI_NEW = 0x41,            /* EI_ABIVERSION 8: CUDA 12.8 from sm_100 on, CUDA 13 for all */
	OLD_SPECIFIC = 1 << 11,
	NEW_SPECIFIC = 1 << 3,     /* CUDA 12.8; CUDA 13 writes the compatibility attribute instead */
	COMPAT_SPECIFIC = 0x09,    /* attribute of .nv.compat */
};

/* Attributes of .nv.info and .nv.info.NAME. */
enum { INFO_REGISTERS = 0x2f, INFO_PARAMETER_BYTES = 0x19 };

enum { SYMBOL_BYTES = 24, SYMBOL_FUNCTION = 2, SYMBOL_ENTRY = 0x10 /* of st_other */ };

static const char text_prefix[] = ".text.";
static const char info_prefix[] = ".nv.info.";
static const char shared_prefix[] = ".nv.shared.";
static const char global_prefix[] = ".nv.global";

static enum status read_arch(struct cubin *cubin, struct error *err)
{
	const struct elf *elf = &cubin->elf;

	if (elf->machine != ELF_MACHINE_CUDA)
		return error_at(err, R_CUB_MACHINE, elf->file, 18, "its machine is %u, not %d (CUDA)", elf->machine,
		                ELF_MACHINE_CUDA);
	if (elf->type != ELF_TYPE_EXECUTABLE && elf->type != ELF_TYPE_RELOCATABLE)
		return error_at(err, R_CUB_MACHINE, elf->file, 16, "its type is %u, neither executable nor relocatable",
		                elf->type);
	cubin->relocatable = elf->type == ELF_TYPE_RELOCATABLE;
	if (elf->abi == ABI_OLD && elf->abi_version == 7) {
		cubin->sm = elf->flags & 0xff;
		cubin->specific = (elf->flags & OLD_SPECIFIC) != 0;
		if (cubin->sm != (elf->flags >> 16 & 0xff))
			return error_at(err, R_CUB_ARCH, elf->file, 48, "e_flags %#" PRIx32 " name two architectures",
			                elf->flags);
	} else if (elf->abi == ABI_NEW && elf->abi_version == 8) {
		cubin->sm = elf->flags >> 8 & 0xff;
		cubin->specific = (elf->flags & NEW_SPECIFIC) != 0;
	} else {
		return error_at(err, R_CUB_ARCH, elf->file, 7, "ABI %#x version %u is not known", elf->abi, elf->abi_version);
	}
	if (cubin->sm < 70)
		return error_at(err, R_CUB_ARCH, elf->file, 48, "sm_%u has other instructions than those read here", cubin->sm);
	return OK;
}

/* One attribute: a form byte, its number, and two bytes of value (forms 1 to 3) or of length (form 4). */
struct attribute {
	uint8_t form;
	uint8_t number;
	uint16_t half;
	const uint8_t *value; /* form 4: half bytes; else half itself counts */
};

static enum status next_attribute(const struct elf *elf, const struct elf_section *section, uint64_t *at,
                                  struct attribute *attribute, struct error *err)
{
	const uint8_t *data = elf->data + section->offset + *at;
	uint64_t left = section->size - *at;
	uint64_t used = 4;

	if (left < 4)
		return error_at(err, R_CUB_INFO, elf->file, section->offset + *at, "%s ends within an attribute",
		                section->name);
	*attribute = (struct attribute){.form = data[0], .number = data[1], .half = little16(data + 2)};
	if (attribute->form < 1 || attribute->form > 4)
		return error_at(err, R_CUB_INFO, elf->file, section->offset + *at, "an attribute of %s has form %u, not 1 to 4",
		                section->name, attribute->form);
	if (attribute->form == 4) {
		attribute->value = data + 4;
		used += attribute->half;
	}
	if (used > left)
		return error_at(err, R_CUB_INFO, elf->file, section->offset + *at,
		                "an attribute of %s says %u bytes, which the section has not", section->name, attribute->half);
	*at += used;
	return OK;
}

static enum status read_compat(struct cubin *cubin, struct error *err)
{
	const struct elf_section *section = elf_section(&cubin->elf, ".nv.compat");
	struct attribute attribute;
	enum status status = OK;

	if (section == NULL || section->type == ELF_SECTION_NOBITS)
		return OK;
	for (uint64_t at = 0; status == OK && at < section->size;) {
		status = next_attribute(&cubin->elf, section, &at, &attribute, err);
		if (status == OK && attribute.number == COMPAT_SPECIFIC && attribute.half == 1)
			cubin->specific = true;
	}
	return status;
}

/* Names are those of PTX identifiers or mangled ones: ASCII without spaces. */
static bool printable(const char *name)
{
	for (const char *c = name; *c != '\0'; c++)
		if (*c <= ' ' || *c > '~')
			return false;
	return name[0] != '\0';
}

static enum status add_function(struct cubin *cubin, const struct elf_section *section, struct error *err)
{
	const char *file = cubin->elf.file;

	if (strncmp(section->name, text_prefix, strlen(text_prefix)) != 0 || section->type == ELF_SECTION_NOBITS)
		return error_at(err, R_CUB_CODE, file, section->offset, "section '%s' is executable and no .text.NAME",
		                section->name);
	const char *name = section->name + strlen(text_prefix);

	if (!printable(name))
		return error_at(err, R_CUB_CODE, file, section->offset, "'%s' is no name that the toolchain gives", name);
	if (section->size == 0 || section->size % CUBIN_INSTRUCTION_BYTES != 0)
		return error_at(err, R_CUB_CODE, file, section->offset,
		                "the %" PRIu64 " bytes of '%s' are not whole instructions of %d", section->size, name,
		                CUBIN_INSTRUCTION_BYTES);
	cubin->at[cubin->count++] = (struct cubin_function){.name = name, .offset = section->offset, .size = section->size};
	return OK;
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(const struct cubin_function *const *)a)->name, (*(const struct cubin_function *const *)b)->name);
}

/* Twice the same name would leave open which one a count by name means. */
static enum status check_names(const struct cubin *cubin, struct error *err)
{
	const struct cubin_function **order = mem_array(NULL, cubin->count, sizeof *order);
	enum status status = OK;

	for (size_t i = 0; i < cubin->count; i++)
		order[i] = &cubin->at[i];
	qsort(order, cubin->count, sizeof *order, by_name);
	for (size_t i = 1; i < cubin->count && status == OK; i++)
		if (strcmp(order[i - 1]->name, order[i]->name) == 0)
			status = error_at(err, R_CUB_CODE, cubin->elf.file, order[i]->offset, "two sections of code are named '%s'",
			                  order[i]->name);
	free(order);
	return status;
}

static enum status read_functions(struct cubin *cubin, size_t *function_of, struct error *err)
{
	const struct elf *elf = &cubin->elf;
	enum status status = OK;

	cubin->at = mem_alloc(elf->sections * sizeof *cubin->at);
	for (size_t i = 1; i < elf->sections && status == OK; i++) {
		const struct elf_section *section = &elf->section[i];
		bool named = strncmp(section->name, text_prefix, strlen(text_prefix)) == 0;

		function_of[i] = SIZE_MAX;
		if ((section->flags & ELF_FLAG_EXECUTABLE) != 0) {
			function_of[i] = cubin->count;
			status = add_function(cubin, section, err);
		} else if (named) {
			status = error_at(err, R_CUB_CODE, elf->file, section->offset, "section '%s' is not executable",
			                  section->name);
		}
	}
	return status == OK ? check_names(cubin, err) : status;
}

struct symbol_table {
	const struct elf_section *symbols; /* NULL if there are none */
	const struct elf_section *names;
	uint64_t count;
};

static enum status find_symbols(const struct elf *elf, struct symbol_table *table, struct error *err)
{
	*table = (struct symbol_table){0};
	for (size_t i = 1; i < elf->sections; i++) {
		const struct elf_section *section = &elf->section[i];

		if (section->type != ELF_SECTION_SYMBOLS)
			continue;
		if (table->symbols != NULL)
			return error_at(err, R_CUB_SYMBOL, elf->file, section->offset, "there are two tables of symbols");
		if (section->size % SYMBOL_BYTES != 0 || section->link == 0 || section->link >= elf->sections)
			return error_at(err, R_CUB_SYMBOL, elf->file, section->offset,
			                "a table of symbols of %" PRIu64 " bytes, its names in section %" PRIu32, section->size,
			                section->link);
		*table = (struct symbol_table){section, &elf->section[section->link], section->size / SYMBOL_BYTES};
	}
	return OK;
}

static const uint8_t *symbol(const struct elf *elf, const struct symbol_table *table, uint64_t index)
{
	return elf->data + table->symbols->offset + index * SYMBOL_BYTES;
}

static enum status read_symbols(struct cubin *cubin, const struct symbol_table *table, const size_t *function_of,
                                struct error *err)
{
	const struct elf *elf = &cubin->elf;

	for (uint64_t i = 1; i < table->count; i++) {
		const uint8_t *entry = symbol(elf, table, i);
		uint64_t at = table->symbols->offset + i * SYMBOL_BYTES;
		size_t section = little16(entry + 6);
		uint64_t start = little64(entry + 8);
		uint64_t size = little64(entry + 16);
		const char *name;

		if ((entry[4] & 15) != SYMBOL_FUNCTION || section == 0 || section >= elf->sections)
			continue; /* a section, an object, or a function of elsewhere */
		if (function_of[section] == SIZE_MAX)
			return error_at(err, R_CUB_SYMBOL, elf->file, at, "a function stands in section '%s', which is not code",
			                elf->section[section].name);
		struct cubin_function *function = &cubin->at[function_of[section]];

		if (!elf_text(elf, table->names, little32(entry), &name))
			return error_at(err, R_CUB_SYMBOL, elf->file, at, "the name of a symbol does not end in its table");
		if (start > function->size || size > function->size - start || start % CUBIN_INSTRUCTION_BYTES != 0)
			return error_at(err, R_CUB_SYMBOL, elf->file, at, "'%s' does not lie in its section", name);
		if (start != 0) {
			function->inner++;
			continue;
		}
		if (strcmp(name, function->name) != 0)
			return error_at(err, R_CUB_SYMBOL, elf->file, at, "'%s' stands where '%s' should start", name,
			                function->name);
		function->entry = (entry[5] & SYMBOL_ENTRY) != 0;
	}
	return OK;
}

/* .nv.info: pairs of a symbol's index and its register count, among others. */
static enum status read_registers(struct cubin *cubin, const struct symbol_table *table, const size_t *function_of,
                                  struct error *err)
{
	const struct elf *elf = &cubin->elf;
	const struct elf_section *section = elf_section(elf, ".nv.info");
	struct attribute attribute;

	if (section == NULL || section->type == ELF_SECTION_NOBITS || table->symbols == NULL)
		return OK;
	for (uint64_t at = 0; at < section->size;) {
		enum status status = next_attribute(elf, section, &at, &attribute, err);

		if (status != OK)
			return status;
		if (attribute.number != INFO_REGISTERS || attribute.form != 4)
			continue;
		uint32_t index = attribute.half == 8 ? little32(attribute.value) : UINT32_MAX;

		if (index >= table->count)
			return error_at(err, R_CUB_INFO, elf->file, section->offset + at, "a register count names no symbol");
		const uint8_t *entry = symbol(elf, table, index);
		size_t of = little16(entry + 6);

		/* Of the functions of a section, the first one's count is what a launch needs: it covers the others. */
		if (of == 0 || of >= elf->sections || function_of[of] == SIZE_MAX || little64(entry + 8) != 0)
			continue;
		cubin->at[function_of[of]].has_registers = true;
		cubin->at[function_of[of]].registers = little32(attribute.value + 4);
	}
	return OK;
}

static enum status read_parameters(struct cubin *cubin, const struct elf_section *section, struct cubin_function *function,
                                   struct error *err)
{
	struct attribute attribute;

	for (uint64_t at = 0; at < section->size;) {
		enum status status = next_attribute(&cubin->elf, section, &at, &attribute, err);

		if (status != OK)
			return status;
		if (attribute.number == INFO_PARAMETER_BYTES && attribute.form == 3) {
			function->has_parameters = true;
			function->parameters = attribute.half;
		}
	}
	return OK;
}

/* Sections that name a function in their own name; they are joined by a sorted list, as either may be long. */
static enum status read_facts(struct cubin *cubin, struct error *err)
{
	const struct elf *elf = &cubin->elf;
	struct cubin_function **order = mem_array(NULL, cubin->count, sizeof *order);
	enum status status = OK;

	for (size_t i = 0; i < cubin->count; i++)
		order[i] = &cubin->at[i];
	qsort(order, cubin->count, sizeof *order, by_name);
	for (size_t i = 1; i < elf->sections && status == OK; i++) {
		const struct elf_section *section = &elf->section[i];
		bool info = strncmp(section->name, info_prefix, strlen(info_prefix)) == 0;
		bool shared = strncmp(section->name, shared_prefix, strlen(shared_prefix)) == 0;

		/* .nv.global, zero at first, and .nv.global.init; constants stand there too, where the toolchain does not tell them apart. */
		cubin->has_variables = cubin->has_variables || (strncmp(section->name, global_prefix, strlen(global_prefix)) == 0 && section->size > 0);
		if (!info && !shared)
			continue;
		struct cubin_function key = {.name = section->name + strlen(info ? info_prefix : shared_prefix)};
		const struct cubin_function *wanted = &key;
		struct cubin_function **found = bsearch(&wanted, order, cubin->count, sizeof *order, by_name);

		if (found != NULL && shared)
			(*found)->shared = section->size;
		else if (found != NULL && section->type != ELF_SECTION_NOBITS)
			status = read_parameters(cubin, section, *found, err);
	}
	free(order);
	return status;
}

static enum status read_all(struct cubin *cubin, size_t *function_of, struct error *err)
{
	struct symbol_table table;
	enum status status = read_functions(cubin, function_of, err);

	if (status == OK)
		status = find_symbols(&cubin->elf, &table, err);
	if (status == OK && table.symbols != NULL)
		status = read_symbols(cubin, &table, function_of, err);
	if (status == OK)
		status = read_registers(cubin, &table, function_of, err);
	if (status == OK)
		status = read_facts(cubin, err);
	return status;
}

enum status cubin_read(const uint8_t *data, size_t len, const char *file, struct cubin *cubin, struct error *err)
{
	*cubin = (struct cubin){0};
	enum status status = elf_read(data, len, file, &cubin->elf, err);

	if (status == OK)
		status = read_arch(cubin, err);
	if (status == OK)
		status = read_compat(cubin, err);
	if (status == OK) {
		size_t *function_of = mem_array(NULL, cubin->elf.sections, sizeof *function_of);

		status = read_all(cubin, function_of, err);
		free(function_of);
	}
	if (status != OK) {
		cubin_free(cubin);
		return status;
	}
	snprintf(cubin->arch, sizeof cubin->arch, "sm_%u%s", cubin->sm, cubin->specific ? "a" : "");
	cubin->hash = sha256_of(data, len);
	return OK;
}

void cubin_free(struct cubin *cubin)
{
	free(cubin->at);
	elf_free(&cubin->elf);
	*cubin = (struct cubin){0};
}

const uint8_t *cubin_code(const struct cubin *cubin, const struct cubin_function *function)
{
	return cubin->elf.data + function->offset;
}

const struct cubin_function *cubin_find(const struct cubin *cubin, const char *name)
{
	for (size_t i = 0; i < cubin->count; i++)
		if (strcmp(cubin->at[i].name, name) == 0)
			return &cubin->at[i];
	return NULL;
}
