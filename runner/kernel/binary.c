#include "binary.h"

#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"

bool binary_is(const uint8_t *data, size_t len)
{
	return fatbin_is(data, len) || (len >= 4 && memcmp(data, "\177ELF", 4) == 0);
}

static enum status read_image(const uint8_t *data, const char *file, struct binary_image *image, struct error *err)
{
	const struct fatbin_image *from = &image->from;

	if (from->kind != FATBIN_CUBIN || from->compressed)
		return OK;
	enum status status = cubin_read(data + from->offset, from->size, file, &image->cubin, err);

	image->readable = status == OK;
	if (status != OK && err != NULL && err->has_offset)
		err->offset += from->offset; /* in the file, not in the image */
	return status;
}

enum status binary_read(const uint8_t *data, size_t len, const char *file, struct binary *binary, struct error *err)
{
	struct fatbin fatbin = {0};
	enum status status = OK;

	*binary = (struct binary){0};
	if (fatbin_is(data, len)) {
		binary->wrapping = BINARY_FAT;
		status = fatbin_read(data, len, file, &fatbin, err);
		binary->at = mem_alloc(fatbin.count * sizeof *binary->at);
	} else {
		binary->at = mem_alloc(sizeof *binary->at);
		binary->at[0].from = (struct fatbin_image){.kind = FATBIN_CUBIN, .size = len};
		fatbin.count = 1;
	}
	for (; status == OK && binary->count < fatbin.count; binary->count++) {
		struct binary_image *image = &binary->at[binary->count];

		if (binary->wrapping == BINARY_FAT)
			image->from = fatbin.at[binary->count];
		status = read_image(data, file, image, err);
	}
	fatbin_free(&fatbin);
	if (status != OK)
		binary_free(binary);
	return status;
}

void binary_free(struct binary *binary)
{
	for (size_t i = 0; i < binary->count; i++)
		cubin_free(&binary->at[i].cubin);
	free(binary->at);
	*binary = (struct binary){0};
}
