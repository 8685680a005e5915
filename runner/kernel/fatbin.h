/*
 * Fat binaries: what nvcc puts into the section .nv_fatbin of an object or shared object, or writes with -fatbin. Several
 * containers may follow each other, each with images for several architectures. Layout found by experiment
 * (docs/kernel.md, "Fat binary").
 */
#ifndef PTXSEAL_KERNEL_FATBIN_H
#define PTXSEAL_KERNEL_FATBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/error.h"

enum { FATBIN_IMAGES_MAX = 1 << 16 };

enum fatbin_kind { FATBIN_PTX = 1, FATBIN_CUBIN = 2, FATBIN_UNKNOWN = 0 };

struct fatbin_image {
	enum fatbin_kind kind;
	unsigned sm;        /* 90 */
	bool compressed;    /* its bytes are not the image itself, and are not read here */
	uint64_t offset;    /* of the payload in the file; of a cubin, up to the padding, size bytes */
	uint64_t size;
};

struct fatbin {
	struct fatbin_image *at; /* in the order of the file */
	size_t count;
};

/* True if the file is something that holds fat binaries, or could: a bare one, or an ELF file of a host. */
bool fatbin_is(const uint8_t *data, size_t len);

/* Free with fatbin_free. A host's ELF file without .nv_fatbin is R_FAT_NONE. */
enum status fatbin_read(const uint8_t *data, size_t len, const char *file, struct fatbin *fatbin, struct error *err);
void fatbin_free(struct fatbin *fatbin); /* fine on an empty one */

#endif
