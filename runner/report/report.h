/*
 * What people look at: report.html, figures and kernel pages, of one bundle. Bytes are a function of the bundle alone (of pictures: and of gnuplot's version). A bundle that does not hold
 * has a report too, which says what does not, and shows no more than what does.
 */
#ifndef PTXSEAL_REPORT_REPORT_H
#define PTXSEAL_REPORT_REPORT_H

#include "../base/products.h"
#include "beside.h"
#include "standing.h"
#include "trail.h"
#include "witness.h"

#define REPORT_LIST "REPORT"
#define REPORT_PAGE "report.html"

struct report_file {
	char *path; /* beneath the report's directory: NAME.html, figures/NAME.svg, .pdf, .csv, kernels/NAME.html */
	struct bytes text;
};

struct report {
	const struct standing *standing; /* not owned. Its tables are there only if standing->derived is OK */
	const struct root *bundle;
	const struct trail *trail;   /* NULL unless the tables are there */
	const struct beside *beside; /* the same */
	const struct sealed *sealed;
	struct report_file *files;
	size_t file_count;
};

/* Add a file; text is taken over. */
void report_add(struct report *report, const char *path, struct bytes *text);

/*
 * A part of report.html. begin, if not NULL, is called for all parts before any write, while trail and beside are made, which are not there yet: for what goes on in another process meanwhile. write appends the part's markup, <h3> and below,
 * behind its <section id><h2>; what it appends nothing to is left out. Both may add files. *state is the part's own, made by begin; end frees it, in any case.
 */
struct report_part {
	const char *id;
	const char *title;
	enum status (*begin)(struct report *report, void **state, struct error *err);
	enum status (*write)(struct report *report, void *state, struct bytes *out, struct error *err);
	void (*end)(void *state);
};

/* Make all files of the report and write them into the directory out, which publish_place has passed. A file of somebody else's that stands where one is to be is refused (R_RPT_FOREIGN),
 * before anything is written. */
enum status report_publish(const struct standing *standing, const char *out, struct error *err);

#endif
