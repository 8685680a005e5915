#include "objects.h"

#include <stdlib.h>
#include <string.h>

#include "layout.h"

char *object_path(const struct sha256 *id)
{
	char hex[SHA256_HEX + 1];

	sha256_hex(id, hex);
	return mem_format(LAYOUT_OBJECTS "%.2s/%s", hex, hex);
}

static enum status read_whole(const struct root *root, const char *path, const struct sha256 *id, struct bytes *out,
                              struct error *err)
{
	enum status status = root_read(root, path, OBJECT_MAX, out, err);

	if (status != OK)
		return status;
	struct sha256 hash = sha256_of(out->data, out->len);

	if (memcmp(&hash, id, sizeof hash) == 0)
		return OK;
	char hex[SHA256_HEX + 1];

	bytes_free(out);
	sha256_hex(&hash, hex);
	return error_set(err, R_OBJ_CONTENT, path, "its SHA-256 is %s", hex);
}

static enum status put(const struct root *root, const void *data, size_t len, const struct sha256 *id, bool durable, struct error *err)
{
	char *path = object_path(id);
	struct bytes there = {0};
	enum status status;

	if (len > OBJECT_MAX)
		status = error_set(err, R_OBJ_SIZE, path, "%zu bytes; the limit is %d", len, OBJECT_MAX);
	else if (!durable && root_write_new(root, path, data, len))
		status = OK;
	else if (read_whole(root, path, id, &there, NULL) == OK)
		status = OK;
	else
		status = durable ? root_write(root, path, data, len, err) : root_write_product(root, path, data, len, err);
	bytes_free(&there);
	free(path);
	return status;
}

enum status object_put(const struct root *root, const void *data, size_t len, struct sha256 *id, struct error *err)
{
	*id = sha256_of(data, len);
	return put(root, data, len, id, true, err);
}

enum status object_place(const struct root *root, const void *data, size_t len, const struct sha256 *id, struct error *err)
{
	return put(root, data, len, id, false, err);
}

enum status object_get(const struct root *root, const struct sha256 *id, struct bytes *out, struct error *err)
{
	char *path = object_path(id);
	enum status status = read_whole(root, path, id, out, err);

	free(path);
	return status;
}

void objects_check(struct inventory *inventory, struct findings *findings)
{
	for (size_t i = 0; i < inventory->count; i++) {
		struct inventory_file *file = &inventory->at[i];
		const char *name;
		char hex[SHA256_HEX + 1];

		if (!file->hashed || file->faulty || !layout_object(file->path, &name))
			continue;
		/* Whatever it holds, no reader takes it. */
		if (file->size > OBJECT_MAX) {
			findings_add(findings, R_OBJ_SIZE, file->path, "%llu bytes; the limit is %d", (unsigned long long)file->size, OBJECT_MAX);
			file->faulty = true;
			continue;
		}
		sha256_hex(&file->hash, hex);
		if (strcmp(hex, name) == 0)
			continue;
		findings_add(findings, R_OBJ_CONTENT, file->path, "its SHA-256 is %s", hex);
		file->faulty = true;
	}
}

size_t objects_of_turn(const struct turn *turn, struct sha256 ids[TURN_OBJECTS])
{
	const char *const names[TURN_OBJECTS] = {turn->prompt, turn->response, turn->feedback};
	size_t count = 0;

	for (size_t i = 0; i < TURN_OBJECTS; i++)
		if (names[i][0] != '\0' && sha256_parse(names[i], &ids[count]))
			count++;
	return count;
}
