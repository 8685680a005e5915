/*
 * Others' runs, as an import makes them: all of it in memory first, so that an import that is refused leaves the bundle as it was.
 * Then artifact/runs/, artifact/objects/ and artifact/sources/SOURCE/ (docs/records.md, "Others' runs"). Every turn is `reported`.
 */
#ifndef PTXSEAL_MODEL_DATASET_H
#define PTXSEAL_MODEL_DATASET_H

#include <cjson/cJSON.h>

#include "../base/file.h"
#include "../base/sha256.h"
#include "../bundle/ledger.h"

enum {
	DATASET_FILES_MAX = 200000,
	DATASET_FILE_MAX = 64 << 20, /* bytes of one file: a JSON document has no more */
	DATASET_LINE_MAX = 16 << 20, /* bytes of one line: a trace's log is about 5 MiB at most as flashinfer-bench writes it */
};
#define DATASET_BYTES_MAX ((uint64_t)2 << 30) /* bytes of all files that are read */

struct dataset_file {
	char *file; /* below the directory that is imported */
	struct sha256 hash;
	uint64_t bytes;
};

/* What was read and is not carried over, and why. */
struct dataset_skip {
	char *file;
	uint64_t line; /* 0: the file as a whole */
	char *what;    /* a name, "" if there is none */
	char *reason;
};

struct dataset_run {
	struct run run;
	char *file;       /* of the source, in which its turns stand: a file, or a directory with one file a trajectory */
	struct turn *turns;
	size_t count, room;
	/* Tokens that were billed, as the source's usage fields say, added up; turns that do not say are counted apart. */
	uint64_t prompt_tokens, completion_tokens, turns_without_usage;
	bool has_usage;   /* the source is of a kind that can say */
};

struct dataset_object {
	struct sha256 id;
	char *data;
	size_t len;
};

/* A label as the source writes it, what it was taken for, and how often. */
struct dataset_label {
	char *label;
	enum outcome outcome;
	uint64_t turns;
};

struct dataset {
	const char *source; /* not owned */
	const char *kind;   /* "flashinfer-trace", "trajectories"; not owned */
	struct dataset_file *files;
	size_t file_count;
	uint64_t bytes;
	struct dataset_skip *skips;
	size_t skip_count;
	struct dataset_run *runs;
	size_t run_count;
	struct dataset_object *objects;
	size_t object_count, object_room;
	struct dataset_label *labels;
	size_t label_count;
	struct bytes solutions; /* solutions.jsonl, empty if the kind has none */
};

/* Is it a name that others' runs may have? R_SRC_NAME if not. */
enum status dataset_name(const char *source, struct error *err);

/* Read one file of the directory and keep what it was. */
enum status dataset_read(struct dataset *dataset, const struct root *dir, const char *path, struct bytes *text, struct error *err);

void dataset_skip(struct dataset *dataset, const char *file, uint64_t line, const char *what, const char *reason);
/* Keep the bytes; hex is what a turn names them by. */
void dataset_object(struct dataset *dataset, const void *data, size_t len, char hex[SHA256_HEX + 1]);
/* One more turn with that label. */
void dataset_label(struct dataset *dataset, const char *label, enum outcome outcome);
/* A new run, named by source and number, checklist and retrieval unsaid; valid until the next one. */
struct dataset_run *dataset_run(struct dataset *dataset, const char *file);
/* Add a turn. Its speedup becomes text, 0 unless it is correct; a correct one without is `correct`, since only that may be untimed. */
void dataset_turn(struct dataset_run *run, struct turn *turn, double speedup);

uint64_t dataset_turns(const struct dataset *dataset);
uint64_t dataset_trajectories(const struct dataset *dataset);

/* The architecture of a GPU by its marketing name, "hopper" or "blackwell"; NULL where it is neither. */
const char *dataset_arch(const char *hardware);

/* Is there a task of that name in the bundle? */
bool dataset_has_task(const struct root *bundle, const char *name);

/* Parse each line that is not blank, and show it; the tree is freed afterwards. A return other than OK stops and is passed up. */
typedef enum status dataset_line(void *context, const char *file, uint64_t line, cJSON *tree, struct error *err);
enum status dataset_lines(const struct bytes *text, const char *file, dataset_line *take, void *context, struct error *err);

/* Refuse a bundle with runs or files of this source that the import does not bring, or runs of its names from another (R_IMP_STALE);
 * refuse an import without a turn (R_SRC_NOTHING); then write. */
enum status dataset_write(const struct dataset *dataset, const struct root *bundle, struct error *err);
void dataset_free(struct dataset *dataset);

#endif
