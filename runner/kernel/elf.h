/* The section table of a 64-bit little-endian ELF file (System V ABI, chapter 4), every offset checked against the
 * file before it is used. Program headers are not read: nothing here loads code. */
#ifndef PTXSEAL_KERNEL_ELF_H
#define PTXSEAL_KERNEL_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/error.h"

enum { ELF_BYTES_MAX = 1 << 30, ELF_NAME_MAX = 1 << 16 /* mangled names of templates run to kilobytes */ };

/* Values of e_machine, sh_type and sh_flags that our readers compare with. */
enum {
	ELF_MACHINE_CUDA = 190,
	ELF_TYPE_RELOCATABLE = 1,
	ELF_TYPE_EXECUTABLE = 2,
	ELF_SECTION_SYMBOLS = 2,
	ELF_SECTION_NOBITS = 8,
	ELF_FLAG_EXECUTABLE = 4,
};

struct elf_section {
	const char *name; /* in the file's bytes, terminated there */
	uint32_t type;
	uint64_t flags;
	uint64_t offset; /* in the file; offset + size lies in it unless type is ELF_SECTION_NOBITS */
	uint64_t size;
	uint32_t link;
	uint32_t info;
};

struct elf {
	const uint8_t *data; /* the caller's; must outlive this */
	size_t len;
	const char *file; /* for messages; the caller's */
	uint16_t type;
	uint16_t machine;
	uint8_t abi;
	uint8_t abi_version;
	uint32_t flags;
	struct elf_section *section; /* section[0] is the empty one */
	size_t sections;
};

/* Free with elf_free; *elf is empty unless OK is returned. */
enum status elf_read(const uint8_t *data, size_t len, const char *file, struct elf *elf, struct error *err);
void elf_free(struct elf *elf); /* fine on an empty one */

/* The first section of that name, or NULL. */
const struct elf_section *elf_section(const struct elf *elf, const char *name);

/* The terminated text at start in a table of strings; false if there is none. */
bool elf_text(const struct elf *elf, const struct elf_section *table, uint64_t start, const char **text);

/* Unaligned little-endian reads. */
uint16_t little16(const uint8_t *at);
uint32_t little32(const uint8_t *at);
uint64_t little64(const uint8_t *at);

#endif
