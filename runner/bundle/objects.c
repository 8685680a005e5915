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

enum status object_put(const struct root *root, const void *data, size_t len, struct sha256 *id, struct error *err)
{
	struct bytes there = {0};

	*id = sha256_of(data, len);
	char *path = object_path(id);
	enum status status;

	if (len > OBJECT_MAX)
		status = error_set(err, R_OBJ_SIZE, path, "%zu bytes; the limit is %d", len, OBJECT_MAX);
	else if (read_whole(root, path, id, &there, NULL) == OK)
		status = OK;
	else
		status = root_write(root, path, data, len, err);
	bytes_free(&there);
	free(path);
	return status;
}

/* ---- several ---- */

struct object_waiting {
	struct sha256 id;
	char *data;
	size_t len;
};

enum status object_batch_add(struct object_batch *batch, const void *data, size_t len, struct sha256 *id, struct error *err)
{
	*id = sha256_of(data, len);
	if (len > OBJECT_MAX) {
		char *path = object_path(id);
		const enum status status = error_set(err, R_OBJ_SIZE, path, "%zu bytes; the limit is %d", len, OBJECT_MAX);

		free(path);
		return status;
	}
	for (size_t i = 0; i < batch->count; i++)
		if (memcmp(&batch->at[i].id, id, sizeof *id) == 0)
			return OK;
	if (batch->count == batch->room) {
		batch->room = batch->room * 2 + 16;
		batch->at = mem_array(batch->at, batch->room, sizeof *batch->at);
	}
	batch->at[batch->count++] = (struct object_waiting){.id = *id, .data = mem_textn(len > 0 ? data : "", len), .len = len};
	return OK;
}

static void empty(struct object_batch *batch)
{
	for (size_t i = 0; i < batch->count; i++)
		free(batch->at[i].data);
	batch->count = 0;
}

enum status object_batch_put(struct object_batch *batch, const struct root *root, struct error *err)
{
	struct file_write *files = mem_alloc((batch->count + 1) * sizeof *files);
	struct bytes there = {0};
	size_t count = 0;

	for (size_t i = 0; i < batch->count; i++) {
		char *path = object_path(&batch->at[i].id);

		if (read_whole(root, path, &batch->at[i].id, &there, NULL) != OK)
			files[count++] = (struct file_write){.path = path, .data = batch->at[i].data, .len = batch->at[i].len};
		else
			free(path);
		bytes_free(&there);
	}
	const enum status status = root_write_all(root, files, count, err);

	for (size_t i = 0; i < count; i++)
		free((char *)(uintptr_t)files[i].path);
	free(files);
	empty(batch);
	return status;
}

void object_batch_free(struct object_batch *batch)
{
	empty(batch);
	free(batch->at);
	*batch = (struct object_batch){0};
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
