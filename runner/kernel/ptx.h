/*
 * What a PTX text declares (PTX ISA 9.0): the header directives (section 11.1), and every entry point with its
 * parameters (section 11.2, 5.1.6). Bodies are only skipped: whether they are right is ptxas' to say.
 */
#ifndef PTXSEAL_KERNEL_PTX_H
#define PTXSEAL_KERNEL_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/error.h"

enum {
	PTX_BYTES_MAX = 16 << 20,
	PTX_NAME_MAX = 4096,
	PTX_ENTRIES_MAX = 4096,
	PTX_PARAMETERS_MAX = 4096,        /* of one entry; 4 bytes each at least */
	PTX_PARAMETER_BYTES_MAX = 32764,  /* of one entry, from PTX ISA 8.1 on sm_70 */
};

struct ptx_parameter {
	char *name;
	char type[12];      /* "u64", "b8", "f32", ... without the dot */
	bool array;         /* type NAME[count] */
	uint32_t count;     /* elements; 1 if not an array */
	uint32_t size;      /* bytes in all */
	uint32_t alignment; /* bytes, a power of two; the type's own where none is written */
	bool pointer;       /* written with .ptr */
	uint32_t offset;    /* in the parameter block of the launch */
};

struct ptx_entry {
	char *name;
	uint64_t line; /* from 1 */
	bool visible;
	struct ptx_parameter *parameter;
	size_t parameters;
	uint32_t size; /* bytes of the parameter block */
};

struct ptx {
	unsigned major, minor; /* .version */
	char *target;          /* "sm_90a", the first of the list */
	bool debug;            /* the list has "debug" */
	unsigned address_size; /* 32 or 64 */
	struct ptx_entry *entry; /* in the order of the text; a prototype without body does not count */
	size_t entries;
};

/* Free with ptx_free. text needs no terminator. */
enum status ptx_read(const char *text, size_t len, const char *file, struct ptx *ptx, struct error *err);
void ptx_free(struct ptx *ptx); /* fine on an empty one */

#endif
