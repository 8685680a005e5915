#include "elf.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"

enum { HEADER_BYTES = 64, SECTION_BYTES = 64, SECTIONS_RESERVED = 0xff00 };

uint16_t little16(const uint8_t *at)
{
	return (uint16_t)(at[0] | at[1] << 8);
}

uint32_t little32(const uint8_t *at)
{
	return little16(at) | (uint32_t)little16(at + 2) << 16;
}

uint64_t little64(const uint8_t *at)
{
	return little32(at) | (uint64_t)little32(at + 4) << 32;
}

static bool within(uint64_t offset, uint64_t size, uint64_t len)
{
	return offset <= len && size <= len - offset;
}

bool elf_text(const struct elf *elf, const struct elf_section *table, uint64_t start, const char **text)
{
	if (table->type == ELF_SECTION_NOBITS || start >= table->size)
		return false;
	uint64_t most = table->size - start;

	*text = (const char *)elf->data + table->offset + start;
	/* Bounded, so that a table without terminators does not cost its size for every name. */
	return memchr(*text, '\0', most < ELF_NAME_MAX ? most : ELF_NAME_MAX) != NULL;
}

static enum status read_header(struct elf *elf, uint64_t *table, uint32_t *names, struct error *err)
{
	static const uint8_t magic[] = {0x7f, 'E', 'L', 'F', 2 /* 64 bits */, 1 /* little-endian */, 1 /* version */};
	const uint8_t *data = elf->data;

	if (elf->len < HEADER_BYTES || memcmp(data, magic, sizeof magic) != 0)
		return error_at(err, R_ELF_HEADER, elf->file, 0, "it does not start as a 64-bit little-endian ELF file does");
	if (elf->len > ELF_BYTES_MAX)
		return error_set(err, R_ELF_HEADER, elf->file, "%zu bytes are more than the limit of %d", elf->len,
		                 ELF_BYTES_MAX);
	elf->abi = data[7];
	elf->abi_version = data[8];
	elf->type = little16(data + 16);
	elf->machine = little16(data + 18);
	*table = little64(data + 40);
	elf->flags = little32(data + 48);
	elf->sections = little16(data + 60);
	*names = little16(data + 62);
	if (little16(data + 52) != HEADER_BYTES || little16(data + 58) != SECTION_BYTES)
		return error_at(err, R_ELF_HEADER, elf->file, 52, "header of %u and section entries of %u bytes, not 64 and 64",
		                little16(data + 52), little16(data + 58));
	if (elf->sections == 0 || elf->sections >= SECTIONS_RESERVED)
		return error_at(err, R_ELF_HEADER, elf->file, 60, "%zu sections", elf->sections);
	if (!within(*table, (uint64_t)elf->sections * SECTION_BYTES, elf->len))
		return error_at(err, R_ELF_BOUNDS, elf->file, 40,
		                "the table of %zu sections at byte %" PRIu64 " does not lie in the file", elf->sections, *table);
	if (*names == 0 || *names >= elf->sections)
		return error_at(err, R_ELF_HEADER, elf->file, 62, "section %" PRIu32 " should hold the names, of %zu", *names,
		                elf->sections);
	return OK;
}

static enum status read_sections(struct elf *elf, uint64_t table, uint32_t names_index, struct error *err)
{
	elf->section = mem_alloc(elf->sections * sizeof *elf->section);
	for (size_t i = 0; i < elf->sections; i++) {
		uint64_t at = table + i * SECTION_BYTES;
		const uint8_t *entry = elf->data + at;
		struct elf_section *section = &elf->section[i];

		section->type = little32(entry + 4);
		section->flags = little64(entry + 8);
		section->offset = little64(entry + 24);
		section->size = little64(entry + 32);
		section->link = little32(entry + 40);
		section->info = little32(entry + 44);
		if (i > 0 && section->type != ELF_SECTION_NOBITS && !within(section->offset, section->size, elf->len))
			return error_at(err, R_ELF_BOUNDS, elf->file, at,
			                "section %zu (%" PRIu64 " bytes at %" PRIu64 ") does not lie in the file", i,
			                section->size, section->offset);
	}
	const struct elf_section *names = &elf->section[names_index];

	for (size_t i = 0; i < elf->sections; i++) {
		uint64_t at = table + i * SECTION_BYTES;
		uint64_t start = little32(elf->data + at);

		if (!elf_text(elf, names, start, &elf->section[i].name))
			return error_at(err, R_ELF_NAME, elf->file, at,
			                "the name of section %zu does not end within %d bytes in the table of names", i,
			                ELF_NAME_MAX);
	}
	return OK;
}

enum status elf_read(const uint8_t *data, size_t len, const char *file, struct elf *elf, struct error *err)
{
	uint64_t table = 0;
	uint32_t names = 0;

	*elf = (struct elf){.data = data, .len = len, .file = file};
	enum status status = read_header(elf, &table, &names, err);

	if (status == OK)
		status = read_sections(elf, table, names, err);
	if (status != OK)
		elf_free(elf);
	return status;
}

void elf_free(struct elf *elf)
{
	free(elf->section);
	*elf = (struct elf){0};
}

const struct elf_section *elf_section(const struct elf *elf, const char *name)
{
	for (size_t i = 1; i < elf->sections; i++)
		if (strcmp(elf->section[i].name, name) == 0)
			return &elf->section[i];
	return NULL;
}
