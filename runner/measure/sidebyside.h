/* Replays side by side: records of a file, a run or a bundle, each set beside the other's of the same candidate. Comparing decides by bundle/likeness.h alone. */
#ifndef PTXSEAL_MEASURE_SIDEBYSIDE_H
#define PTXSEAL_MEASURE_SIDEBYSIDE_H

#include <cjson/cJSON.h>

#include "../base/error.h"
#include "../bundle/likeness.h"

/* What one side has, in the order of its files. */
struct replays {
	cJSON **at;
	size_t count;
};

/*
 * name: a record's file; a directory of records; a bundle, of which all records are read; or, where there is no such file, a run of the bundle in the current directory. Every record is vetted (vet.h), against the tasks
 * of the bundle that is named, else of the one in the current directory if it has them. R_RPL_NONE if there is nothing of that name. replays_free also after a failure.
 */
enum status replays_read(const char *name, struct replays *replays, struct error *err);
void replays_free(struct replays *replays);

struct side_pair {
	const cJSON *a, *b;
	struct likeness likeness;
};

/* Records stay the caller's. */
struct sides {
	struct side_pair *at; /* in A's order */
	size_t count;
	const cJSON **only_a, **only_b;
	size_t only_a_count, only_b_count;
	bool agree; /* no result of any pair differs */
};

/* Two single records are set beside each other whatever they are of; of more, those of one candidate, of the same run first. sides_free. */
void sides_make(const struct replays *a, const struct replays *b, struct sides *sides);
void sides_free(struct sides *sides);

#endif
