/* Runs of which a session was killed before what it kept stood in its place: their write-ahead files, found and settled without a session (keeper.h). */
#ifndef PTXSEAL_MODEL_SETTLE_H
#define PTXSEAL_MODEL_SETTLE_H

#include "keeper.h"

/* Told of each write-ahead file that was settled, by its path in the bundle. */
typedef void settle_report(void *context, const char *path, const struct keeper_left *left);

/* Every one of the bundle, in the order of their paths. The first error ends it: R_EXC_LOCKED or R_MCP_LOCKED where a session goes on, and those of keeper_open. */
enum status settle_all(const struct root *bundle, settle_report *report, void *context, struct error *err);

#endif
