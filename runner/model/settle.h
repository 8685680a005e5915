/* Runs of which a session was killed before what it kept stood in its place: their write-ahead files, found and settled without a session (keeper.h). */
#ifndef PTXSEAL_MODEL_SETTLE_H
#define PTXSEAL_MODEL_SETTLE_H

#include "keeper.h"

/* Told of each write-ahead file, by its path in the bundle: what of it was put in its place; or why it could not be (left is then NULL). */
typedef void settle_report(void *context, const char *path, const struct keeper_left *left, const struct error *why);

/*
 * Every one of the bundle, in the order of their paths; one that cannot be settled keeps no other from it. The status is the first of those that were not OK: R_EXC_LOCKED or R_MCP_LOCKED where a
 * session goes on, R_AHD_DAMAGED for what is no regular file, and those of keeper_open. err: of the listing alone, all else is told.
 */
enum status settle_all(const struct root *bundle, settle_report *report, void *context, struct error *err);

#endif
