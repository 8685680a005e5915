/* The figures of the published tables: which there are, from which derived table each is drawn, and which of its cells. */
#ifndef PTXSEAL_REPORT_GALLERY_H
#define PTXSEAL_REPORT_GALLERY_H

#include "../derive/derived.h"
#include "figure.h"

struct picture {
	const char *name;     /* "fast_p", of its files and of the report's anchors */
	const char *title;
	const char *const *tables; /* derived tables that it is drawn from, NULL-terminated */
	char *lacking;        /* why it cannot be drawn, a sentence: the bundle lacks the table, a column or any row of it; NULL if it can */
	struct figure figure; /* if not lacking */
	struct bytes csv;     /* the cells drawn, as derived: the table's columns and cells, a row a mark or interval (RFC 4180, LF) */
};

struct gallery {
	struct picture *at;
	size_t count;
};

/* Every figure, in the report's order. tables: derived ones, as derivation_tables leaves them. gallery_free also after a failure. */
enum status gallery_make(const struct derived *tables, size_t count, struct gallery *gallery, struct error *err);
void gallery_free(struct gallery *gallery);

#endif
