#include "fatbin.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"
#include "elf.h"

enum {
	CONTAINER_BYTES = 16,
	CONTAINER_VERSION = 1,
	IMAGE_BYTES = 64,      /* the part of an image's header that is read; it may be longer */
	COMPRESSED_BYTES = 16, /* offset in it of the size in compressed form, 0 = not compressed */
	IMAGE_SM = 28,
};

static const uint32_t magic = 0xba55ed50;

static bool has_magic(const uint8_t *data, uint64_t len)
{
	return len >= CONTAINER_BYTES && little32(data) == magic;
}

bool fatbin_is(const uint8_t *data, size_t len)
{
	return has_magic(data, len) || (len >= 20 && memcmp(data, "\177ELF", 4) == 0 && little16(data + 18) != ELF_MACHINE_CUDA);
}

struct reader {
	const uint8_t *data;
	const char *file;
	struct fatbin *fatbin;
	size_t room;
};

static enum status add(struct reader *reader, const struct fatbin_image *image, struct error *err)
{
	struct fatbin *fatbin = reader->fatbin;

	if (fatbin->count == FATBIN_IMAGES_MAX)
		return error_at(err, R_FAT_FORM, reader->file, image->offset, "there are more than %d images", FATBIN_IMAGES_MAX);
	if (fatbin->count == reader->room) {
		reader->room = reader->room == 0 ? 8 : reader->room * 2;
		fatbin->at = mem_array(fatbin->at, reader->room, sizeof *fatbin->at);
	}
	fatbin->at[fatbin->count++] = *image;
	return OK;
}

/* One image at *at, whose container ends at end. */
static enum status read_image(struct reader *reader, uint64_t *at, uint64_t end, struct error *err)
{
	const uint8_t *header = reader->data + *at;

	if (end - *at < IMAGE_BYTES)
		return error_at(err, R_FAT_FORM, reader->file, *at, "a container ends within the header of an image");
	uint64_t header_bytes = little32(header + 4);
	uint64_t payload = little64(header + 8);

	if (header_bytes < IMAGE_BYTES || header_bytes > end - *at || payload > end - *at - header_bytes)
		return error_at(err, R_FAT_FORM, reader->file, *at,
		                "an image of %" PRIu64 " bytes behind a header of %" PRIu64 " does not lie in its container",
		                payload, header_bytes);
	unsigned kind = little16(header);
	struct fatbin_image image = {
		.kind = kind == FATBIN_PTX || kind == FATBIN_CUBIN ? (enum fatbin_kind)kind : FATBIN_UNKNOWN,
		.sm = little32(header + IMAGE_SM),
		.compressed = little32(header + COMPRESSED_BYTES) != 0,
		.offset = *at + header_bytes,
		.size = payload,
	};

	*at += header_bytes + payload;
	return add(reader, &image, err);
}

static enum status read_containers(struct reader *reader, uint64_t at, uint64_t end, struct error *err)
{
	while (at < end) {
		/* The linker aligns the sections that it joins. */
		if (at % 8 != 0 || (end - at >= 8 && little64(reader->data + at) == 0)) {
			at += 8 - at % 8;
			continue;
		}
		const uint8_t *header = reader->data + at;

		if (!has_magic(header, end - at))
			return error_at(err, R_FAT_FORM, reader->file, at, "no fat binary starts here");
		uint64_t header_bytes = little16(header + 6);
		uint64_t size = little64(header + 8);

		if (little16(header + 4) != CONTAINER_VERSION || header_bytes != CONTAINER_BYTES)
			return error_at(err, R_FAT_FORM, reader->file, at, "a fat binary of version %u with a header of %" PRIu64 " bytes",
			                little16(header + 4), header_bytes);
		if (size > end - at - header_bytes)
			return error_at(err, R_FAT_FORM, reader->file, at, "the %" PRIu64 " bytes of a fat binary are not all there",
			                size);
		at += header_bytes;
		for (uint64_t stop = at + size; at < stop;) {
			enum status status = read_image(reader, &at, stop, err);

			if (status != OK)
				return status;
		}
	}
	return OK;
}

/* The sections of an ELF file that hold fat binaries: plain, and of objects compiled with -rdc. */
static enum status read_sections(struct reader *reader, const struct elf *elf, struct error *err)
{
	static const char *const names[] = {".nv_fatbin", "__nv_relfatbin"};
	bool found = false;

	for (size_t i = 1; i < elf->sections; i++) {
		const struct elf_section *section = &elf->section[i];

		for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
			if (strcmp(section->name, names[n]) != 0 || section->type == ELF_SECTION_NOBITS)
				continue;
			found = true;
			enum status status = read_containers(reader, section->offset, section->offset + section->size, err);

			if (status != OK)
				return status;
		}
	}
	return found ? OK : error_set(err, R_FAT_NONE, elf->file, "it has no section .nv_fatbin");
}

enum status fatbin_read(const uint8_t *data, size_t len, const char *file, struct fatbin *fatbin, struct error *err)
{
	struct reader reader = {.data = data, .file = file, .fatbin = fatbin};
	struct elf elf;
	enum status status;

	*fatbin = (struct fatbin){0};
	if (has_magic(data, len)) {
		status = read_containers(&reader, 0, len, err);
	} else {
		status = elf_read(data, len, file, &elf, err);
		if (status == OK)
			status = read_sections(&reader, &elf, err);
		elf_free(&elf);
	}
	if (status != OK)
		fatbin_free(fatbin);
	return status;
}

void fatbin_free(struct fatbin *fatbin)
{
	free(fatbin->at);
	*fatbin = (struct fatbin){0};
}
