/* A file with code for GPUs in it, whatever wraps it: a cubin, a fat binary, an object or shared object of a host. */
#ifndef PTXSEAL_KERNEL_BINARY_H
#define PTXSEAL_KERNEL_BINARY_H

#include <stddef.h>
#include <stdint.h>

#include "cubin.h"
#include "fatbin.h"

enum binary_wrapping { BINARY_CUBIN, BINARY_FAT };

struct binary_image {
	struct fatbin_image from; /* BINARY_FAT: what the container says of it */
	bool readable;            /* cubin is filled: it is one and not compressed */
	struct cubin cubin;
};

struct binary {
	enum binary_wrapping wrapping;
	struct binary_image *at; /* one, for BINARY_CUBIN */
	size_t count;
};

/* True if the bytes are a binary and not a text. */
bool binary_is(const uint8_t *data, size_t len);

/* data and file are the caller's and must outlive *binary. Free with binary_free. A fat binary whose cubins are
 * damaged is refused as a whole. */
enum status binary_read(const uint8_t *data, size_t len, const char *file, struct binary *binary, struct error *err);
void binary_free(struct binary *binary); /* fine on an empty one */

#endif
