/* All measured candidates of a bundle, and a page of each. */
#ifndef PTXSEAL_REPORT_KERNELS_H
#define PTXSEAL_REPORT_KERNELS_H

#include "kernel.h"

struct measured_run {
	char *name;
	struct manifest manifest;
	struct turn *turns; /* of the ledger, in its order; none of a run that asked no model */
	size_t turn_count;
};

struct measured {
	char *path;     /* of the record, from the bundle's top */
	cJSON *record;
	size_t run;     /* of runs */
	/* "kernels/TASK--NAME.html"; where that is another's too, if only in ASCII letter case, "kernels/TASK--NAME--RUN.html", or with the start of the SHA-256 of the record's path in place of RUN. */
	char *file;
	struct kernel_pictures pictures;
};

struct kernels {
	const struct root *bundle;
	struct sealed sealed;
	struct measured *at; /* by path */
	size_t count;
	struct measured_run *runs;
	size_t run_count;
	size_t unread;       /* records that cannot be read, and why the first cannot */
	struct error why;
	bool unverified;     /* the bundle as a whole does not verify: pages say so. The caller's to set */
	char *why_no_pictures; /* NULL: pictures are there */
};

/* bundle must outlive it. What is no record is counted in unread. kernels_free also after a failure. */
enum status kernels_read(const struct root *bundle, struct kernels *kernels, struct error *err);
void kernels_free(struct kernels *kernels);

/* A page of each on all cores: pages[i] is the file of at[i], appended; bytes_free each. */
enum status kernels_make(const struct kernels *kernels, struct bytes *pages, struct error *err);

/* The candidate of that run; NULL if it has none. */
const struct measured *kernels_find(const struct kernels *kernels, const char *run, const char *candidate);

#endif
