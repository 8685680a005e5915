/* One cell and all that stands behind it: its column's head lines, its row, its records, what was published for it. */
#ifndef PTXSEAL_DERIVE_EXPLANATION_H
#define PTXSEAL_DERIVE_EXPLANATION_H

#include "../bundle/checksums.h"
#include "check.h"
#include "derivation.h"
#include "lineage.h"

struct explanation {
	const struct table *table;
	size_t column;
	size_t row;
	struct derived derived;
	struct lineage lineage;
	bool is_published;
	char *published; /* NULL: as empty */
	struct check check;
	const struct difference *difference; /* in check; NULL: none */
	bool is_sealed;       /* the bundle has a SHA256SUMS */
	struct checksums sums;
};

/* Explain the cell. An unknown table, row or column is an error that names the ones there are, or the nearest (R_ASK_*).
 * explanation_free also after a failure. */
enum status explain_cell(struct derivation *derivation, const char *table, const char *row, const char *column,
                         struct explanation *explanation, struct error *err);
void explanation_free(struct explanation *explanation);

/* The name of the source's file that has a row a turn, as artifact/sources/<source>/source.json lists it; NULL if none or several
 * have as many rows as the source has turns. Free it. */
char *source_turn_file(const struct root *bundle, const char *source);

#endif
