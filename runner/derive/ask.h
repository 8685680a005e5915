/* What a reader names: a table, one of its columns, one of its rows, a claim. Where there is none of that name the error tells which there are, the nearest first. */
#ifndef PTXSEAL_DERIVE_ASK_H
#define PTXSEAL_DERIVE_ASK_H

#include "catalogue.h"
#include "derived.h"

enum status ask_table(const struct catalogue *catalogue, const char *name, const struct table **table, struct error *err); /* R_ASK_TABLE */
enum status ask_column(const struct table *table, const char *name, size_t *column, struct error *err);                  /* R_ASK_COLUMN */
enum status ask_row(const struct derived *derived, const char *name, size_t *row, struct error *err);                    /* R_ASK_ROW */
enum status ask_claim(const struct catalogue *catalogue, const char *id, size_t *claim, struct error *err);                 /* R_ASK_CLAIM */
/* That no row's name has this in it. */
enum status ask_no_row(const struct derived *derived, const char *part, struct error *err);

#endif
