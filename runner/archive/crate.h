/*
 * What a packed bundle says of itself to other programs: RO-Crate 1.1 metadata (ro-crate-metadata.json, the crate's root being the bundle's directory) with a Process Run
 * Crate 0.5 action for each record of a replay. It follows from the bundle and stands beside what is sealed: nothing here is needed to verify.
 */
#ifndef PTXSEAL_ARCHIVE_CRATE_H
#define PTXSEAL_ARCHIVE_CRATE_H

#include "../base/date.h"
#include "../bundle/inventory.h"

struct crate {
	struct bytes text;         /* canonical JSON and a newline */
	char date[DATE_TEXT + 1];  /* the newest one of its runs and records; "" if there is none */
};

/* From the bundle as it is to be packed: inventory has what goes along, left what does not. Runs and records that cannot be read are passed over: verifying tells of them. */
enum status crate_write(const struct root *root, const struct inventory *inventory, struct crate *crate, struct error *err);
void crate_free(struct crate *crate);

#endif
