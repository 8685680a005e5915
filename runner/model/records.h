/*
 * The records an import makes of PTXBench's data (docs/records.md): all of them in memory first, then
 * written, so that an import that is refused leaves the bundle as it was.
 */
#ifndef PTXSEAL_MODEL_RECORDS_H
#define PTXSEAL_MODEL_RECORDS_H

#include "figures.h"
#include "irregularity.h"
#include "ptxbench.h"

struct record_file {
	char *path; /* relative to the bundle */
	struct bytes text;
};

struct records {
	struct record_file *at;
	size_t count;
};

struct provenance {
	const char *commit;              /* of the source's repository */
	const char *date;                /* of that commit, YYYY-MM-DD; NULL if not known */
	const char *figures_name;        /* the last part of the name of the file of figures; NULL if there is none */
	struct bytes figures_text;       /* and its bytes */
	struct figures figures;
};

void records_make(const struct ptxbench *data, const struct irregularities *found, const struct provenance *provenance,
                  struct records *records);
/* Refuse a bundle with runs or other files of this source that records lack, or runs of their names from
 * another source; then write. */
enum status records_write(const struct records *records, const struct ptxbench *data, const struct root *bundle,
                          struct error *err);
void records_free(struct records *records);

#endif
