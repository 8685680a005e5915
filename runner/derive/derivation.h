/* A bundle opened for deriving: its ledger in SQLite, its table and claim files, and the tables derived. */
#ifndef PTXSEAL_DERIVE_DERIVATION_H
#define PTXSEAL_DERIVE_DERIVATION_H

#include "catalogue.h"
#include "check.h"
#include "derived.h"

struct derivation {
	struct root bundle;
	struct database *db;
	struct catalogue catalogue;
	struct derived *tables; /* one a table of the catalogue, once derivation_tables was called */
};

/* derivation_close also after a failure. */
enum status derivation_open(const char *bundle, struct derivation *derivation, struct error *err);
enum status derivation_tables(struct derivation *derivation, struct error *err);
void derivation_close(struct derivation *derivation);

#endif
