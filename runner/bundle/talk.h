/*
 * The record of a run that asked a model, or was an agent's: which files it has beside run.json and turns.jsonl, and what these name. For whoever passes a run on, or takes it in; who vouches for a
 * run takes the same from an inventory (imports.h).
 */
#ifndef PTXSEAL_BUNDLE_TALK_H
#define PTXSEAL_BUNDLE_TALK_H

#include <stdbool.h>

#include "../base/error.h"
#include "../base/file.h"

/* Names of the files, NULL-terminated. A run has some of them: query.json what `query` asked, exchanges.jsonl what was asked, evaluations.jsonl what became of kernels. */
extern const char *const talk_files[];
bool talk_has(const struct root *bundle, const char *run, const char *file);
bool talk_is(const struct root *bundle, const char *run); /* it has one of them */

struct talk_visitor {
	void (*object)(void *context, const char *path, const char *by);        /* an object, as its path; by: the file that names it */
	void (*candidate)(void *context, const char *directory, const char *by);
	void *context;
};
enum status talk_names(const struct root *bundle, const char *run, const struct talk_visitor *visitor, struct error *err);

#endif
