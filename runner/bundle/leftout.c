#include "leftout.h"

#include <string.h>

#include "layout.h"

#define HEAD "# level: "

static const char *const names[] = {[LEVEL_FULL] = "full", [LEVEL_KERNELS] = "kernels", [LEVEL_FIGURES] = "figures"};

const char *level_name(enum level level)
{
	return names[level];
}

bool level_parse(const char *name, enum level *level)
{
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strcmp(name, names[i]) == 0) {
			*level = (enum level)i;
			return true;
		}
	}
	return false;
}

static bool beneath(const char *path, const char *directory)
{
	return strncmp(path, directory, strlen(directory)) == 0;
}

bool level_leaves_out(enum level level, const char *path)
{
	return (level >= LEVEL_KERNELS && beneath(path, LAYOUT_OBJECTS)) || (level >= LEVEL_FIGURES && beneath(path, LAYOUT_CANDIDATES));
}

struct left_out left_out_of(const struct checksums *sums, enum level level)
{
	struct left_out left = {.level = level, .sums = sums};

	for (size_t i = 0; i < sums->count; i++)
		left.count += level_leaves_out(level, sums->at[i].path);
	if (left.count == 0)
		left.level = LEVEL_FULL;
	return left;
}

void left_out_write(const struct left_out *left, struct bytes *out)
{
	if (left->count == 0)
		return;
	bytes_format(out, HEAD "%s\n", level_name(left->level));
	for (size_t i = 0; i < left->sums->count; i++)
		if (level_leaves_out(left->level, left->sums->at[i].path))
			checksums_write(left->sums->at[i].path, &left->sums->at[i].hash, out);
}

enum status left_out_read(const char *text, size_t len, const struct checksums *sums, struct left_out *left, struct error *err)
{
	enum level levels[] = {LEVEL_KERNELS, LEVEL_FIGURES};

	*left = (struct left_out){0};
	for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
		struct left_out found = left_out_of(sums, levels[i]);
		struct bytes expected = {0};

		left_out_write(&found, &expected);
		bool same = found.count > 0 && expected.len == len && memcmp(expected.data, text, len) == 0;

		bytes_free(&expected);
		if (same) {
			*left = found;
			return OK;
		}
	}
	return error_set(err, R_PCK_LEFT_OUT, LAYOUT_LEFT_OUT, "it is not what a level leaves out of what is sealed here");
}

const struct checksum *left_out_find(const struct left_out *left, const char *path)
{
	return left != NULL && left->count > 0 && level_leaves_out(left->level, path) ? checksums_find(left->sums, path) : NULL;
}
