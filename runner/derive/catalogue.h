/* All table and claim files of a bundle: artifact/tables/<name>.sql, artifact/claims/<name>.sql. */
#ifndef PTXSEAL_DERIVE_CATALOGUE_H
#define PTXSEAL_DERIVE_CATALOGUE_H

#include "../base/file.h"
#include "table.h"

struct catalogue {
	struct table *tables; /* by name */
	size_t table_count;
	struct claim *claims; /* by id, C2 before C10; no two alike */
	size_t claim_count;
};

/* Free also after a failure. */
enum status catalogue_read(const struct root *bundle, struct catalogue *catalogue, struct error *err);
void catalogue_free(struct catalogue *catalogue);

/* The table of that name, or NULL. */
const struct table *catalogue_table(const struct catalogue *catalogue, const char *name);

#endif
