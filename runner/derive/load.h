/* What database_open loads, a function a part of the bundle. A missing directory is an empty one. */
#ifndef PTXSEAL_DERIVE_LOAD_H
#define PTXSEAL_DERIVE_LOAD_H

#include "database.h"

enum status load_ledger(struct database *db, const struct root *bundle, struct error *err);   /* artifact/runs */
enum status load_facts(struct database *db, const struct root *bundle, struct error *err);    /* artifact/facts, tasks/<task>/facts.json */
enum status load_tasks(struct database *db, const struct root *bundle, struct error *err);    /* tasks */
enum status load_replays(struct database *db, const struct root *bundle, struct error *err);  /* artifact/replays; after the ledger */
enum status load_training(struct database *db, const struct root *bundle, struct error *err); /* training_set.json of runs, conflicts of submissions; after the ledger */
enum status load_expected(struct database *db, const struct root *bundle, struct error *err); /* artifact/expected/<source> */
enum status load_sources(struct database *db, const struct root *bundle, struct error *err);  /* artifact/sources/<source>/source.json */

#endif
