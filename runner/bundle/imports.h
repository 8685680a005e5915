/*
 * What each import or replay manifest has to vouch for. The import of SOURCE is every file of artifact/sources/SOURCE/ and
 * artifact/expected/SOURCE/, run.json and turns.jsonl of every run whose run.json names SOURCE, and the objects that these
 * turns name. Sealing writes these into manifests/SOURCE.dsse.json, verifying expects exactly these there.
 *
 * Of a run that asked a model also query.json, exchanges.jsonl, evaluations.jsonl and the objects and candidates that these name; of one of a tuned model training_set.json.
 *
 * A source whose source.json is of the kind `replay` was measured: each of its runs has a manifest of its own, manifests/RUN.dsse.json (replays.h says over what), and
 * that source's own files are the maintainers', covered by the root manifest.
 *
 * So has a run that asked a model, of whatever source, once it has records of replays; that manifest then names all of the run.
 *
 * A source that a submission brought (admitted.h) is vouched for by what that submission's keys signed, and by nothing else.
 */
#ifndef PTXSEAL_BUNDLE_IMPORTS_H
#define PTXSEAL_BUNDLE_IMPORTS_H

#include <cjson/cJSON.h>

#include "inventory.h"
#include "statement.h"

enum { PROVENANCE_MAX = 16 << 20, RUN_FILE_MAX = 1 << 20 }; /* bytes of a source.json, a run.json */

struct import {
	char *source;   /* or the run, for a replay */
	bool replay;
	char *of;       /* for a replay: the source of the run */
	char *id;       /* for a submission: its name in manifests/submissions/ */
	char *manifest; /* manifests/SOURCE.dsse.json */
	size_t *files;  /* indices into the inventory, ascending */
	size_t count;
	size_t room;
	size_t runs;
	cJSON *replays;      /* for a replay: the summaries of its records (replays.h), in the order of their paths */
	struct error unread; /* for a replay: why the first of its records that cannot be read cannot (told); status OK: all can */
	bool objects_hidden; /* some turns cannot be believed or read (told), and so not which objects are of this source */
};

/* Sorted by source; replays apart, sorted by run; admitted submissions apart, in the order of their ids. Of these: all files that are of its source. */
struct imports {
	struct import *at;
	size_t count;
	struct import *replay;
	size_t replays;
	struct import *admitted;
	size_t admissions;
	char **measured; /* names of sources of the kind `replay` that no submission brought */
	size_t measured_count;
};
void imports_free(struct imports *imports);

/* Findings: bad names, runs that do not say where they come from or name a source that is not there. */
void imports_collect(const struct root *root, struct inventory *inventory, struct imports *imports,
                     struct findings *findings);

/* NULL if there is no such source. */
const struct import *imports_find(const struct imports *imports, const char *source);
/* NULL if there is no such run that was measured. */
const struct import *imports_find_replay(const struct imports *imports, const char *run);

/* The predicate of its manifest (an import's or a replay's), cJSON_Delete it; program says who writes it. */
enum status import_predicate(const struct root *root, const struct inventory *inventory, const struct import *import,
                             const char *program, cJSON **predicate, struct error *err);

#endif
