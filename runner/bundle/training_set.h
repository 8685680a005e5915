/*
 * What a run's model was tuned on, where it was tuned on a set that `export repairs` made: artifact/runs/RUN/training_set.json, the very bytes of the manifest that stands beside such a set. It
 * names the set by its hash and says of which tasks it has pairs. It stands beside run.json and not among the objects, for tables follow from it and some bundles travel without objects.
 */
#ifndef PTXSEAL_BUNDLE_TRAINING_SET_H
#define PTXSEAL_BUNDLE_TRAINING_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/file.h"
#include "../base/sha256.h"

#define TRAINING_SET_SCHEMA "ptxseal-repairs/1"

enum {
	TRAINING_SET_MAX = 4 << 20,    /* bytes of a manifest */
	TRAINING_SET_TASKS_MAX = 4096, /* names in its tasks and held_out together; the benchmark has 18 tasks */
};

struct training_task {
	char *task;
	uint64_t pairs; /* at least 1 */
};

struct training_set { /* training_set_free */
	char sha256[SHA256_HEX + 1]; /* of the set, a file of JSON Lines */
	uint64_t pairs;
	struct training_task *at; /* by task */
	size_t count;
};

/* Strictly: canonical JSON with the members that `export repairs` writes, counts that add up, no task both held out and among the pairs: R_TRN_FORM; not too many: R_TRN_MANY. */
enum status training_set_parse(const char *text, size_t len, const char *file, struct training_set *set, struct error *err);
void training_set_free(struct training_set *set); /* also resets it */
uint64_t training_set_pairs(const struct training_set *set, const char *task); /* 0: it has none of that task */

/* A manifest as it lies on disk, checked; text is the caller's. */
enum status training_set_load(const char *name, struct bytes *text, struct error *err);

/* Beside the run's run.json. *found: there is one. */
enum status training_set_of_run(const struct root *bundle, const char *run, struct training_set *set, bool *found, struct error *err);
/* Put it there; one that is there already has to be the same: R_TRN_OTHER. text == NULL (of an empty struct): what is there stays. */
enum status training_set_keep(const struct root *bundle, const char *run, const struct bytes *text, struct error *err);

#endif
