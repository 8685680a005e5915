/*
 * Derived cells beside the published ones (docs/design.md, "Compare with what was published"): SAME, DIFFERS or NOT DERIVABLE, and for the
 * last two whether artifact/expected/known.jsonl lists the very cell with the very values and a reason.
 */
#ifndef PTXSEAL_DERIVE_CHECK_H
#define PTXSEAL_DERIVE_CHECK_H

#include "../bundle/finding.h"
#include "catalogue.h"
#include "derived.h"

enum verdict { VERDICT_SAME, VERDICT_DIFFERS, VERDICT_NOT_DERIVABLE };
const char *verdict_name(enum verdict verdict); /* "NOT DERIVABLE" */

enum difference_state {
	DIFFERENCE_KNOWN,
	DIFFERENCE_UNKNOWN,  /* not listed, or listed with other values */
	DIFFERENCE_VANISHED, /* listed, but the cell is not like that any more */
};

struct difference {
	char *table;
	char *row;
	char *column;
	char *published; /* NULL: published as empty */
	char *derived;   /* NULL: no value */
	enum verdict verdict;
	char *reason;    /* of the list, NULL if it has none for this cell */
	enum difference_state state;
};

struct table_totals {
	const struct table *table;
	size_t published; /* cells = same + differs + not_derivable */
	size_t same;
	size_t differs;
	size_t not_derivable;
	size_t known;
	size_t unknown;
};

struct check {
	struct table_totals *tables; /* those that have published cells, by name */
	size_t table_count;
	struct table_totals total;   /* its table is NULL */
	struct difference *differences; /* by table, row, column; then the vanished ones */
	size_t difference_count;
	size_t vanished;
	struct findings incomplete; /* completeness.h */
};

/* Compare the count tables in derived; with fewer than all of the catalogue's, what is listed for others counts as vanished. Malformed
 * lists are errors, differences are not. check_free also after a failure. */
enum status check_make(struct database *db, const struct root *bundle, const struct catalogue *catalogue,
                       const struct derived *derived, size_t count, struct check *check, struct error *err);
void check_free(struct check *check);

/* Whether no difference is unknown or vanished and nothing is missing. */
bool check_holds(const struct check *check);

/* The published cell's difference, or NULL if it is the same or was not published. */
const struct difference *check_find(const struct check *check, const char *table, const char *row, const char *column);

/* Whether the cell was published, and as what: *text (free it) is NULL if as empty. */
enum status published_find(struct database *db, const char *table, const char *row, const char *column, bool *found, char **text,
                           struct error *err);

#endif
