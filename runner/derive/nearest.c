#include "nearest.h"

#include <string.h>

#include "../base/error.h"

enum { COMPARED_MAX = 255 };

/* Levenshtein distance of at most COMPARED_MAX bytes of each, by one row of the usual table. */
static size_t distance(const char *a, const char *b)
{
	size_t row[COMPARED_MAX + 1];
	size_t rows = strnlen(a, COMPARED_MAX);
	size_t columns = strnlen(b, COMPARED_MAX);

	for (size_t j = 0; j <= columns; j++)
		row[j] = j;
	for (size_t i = 1; i <= rows; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= columns; j++) {
			size_t best = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[columns];
}

size_t nearest(const char *wanted, size_t count, const char *(*get)(const void *context, size_t index), const void *context,
               size_t found[NEAREST_MAX])
{
	size_t distances[NEAREST_MAX];
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		const char *name = get(context, i);
		size_t far = (strstr(name, wanted) != NULL ? 0 : 2 * COMPARED_MAX) + distance(wanted, name);
		size_t at = used;

		while (at > 0 && distances[at - 1] > far)
			at--;
		if (at == NEAREST_MAX)
			continue;
		used += used < NEAREST_MAX ? 1 : 0;
		memmove(&distances[at + 1], &distances[at], (used - at - 1) * sizeof distances[0]);
		memmove(&found[at + 1], &found[at], (used - at - 1) * sizeof found[0]);
		distances[at] = far;
		found[at] = i;
	}
	return used;
}

void nearest_tell(const char *what, const char *wanted, size_t count, const char *(*get)(const void *context, size_t index), const void *context,
                  struct bytes *out)
{
	size_t found[NEAREST_MAX];
	const bool any = nearest(wanted, count, get, context, found) > 0;

	bytes_format(out, "there is no %s '%.200s', the nearest is '%.100s'; there are: ", what, wanted, any ? get(context, found[0]) : "");
	const size_t begin = out->len;

	for (size_t i = 0; i < count && out->len - begin < ERROR_WHAT_MAX / 2; i++)
		bytes_format(out, "%s%s", i == 0 ? "" : ", ", get(context, i));
}
