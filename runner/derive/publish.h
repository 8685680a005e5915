/* Derived tables into a directory: <table>.csv, .md and .tex, each written atomically, and a list of them, so that a file of a table that is gone
 * can be told from somebody else's and is removed. */
#ifndef PTXSEAL_DERIVE_PUBLISH_H
#define PTXSEAL_DERIVE_PUBLISH_H

#include "../base/products.h"
#include "derived.h"

/* Names of the files that were written here, one a line, sorted. */
#define PUBLISH_LIST "DERIVED"

/* May tables be written into the directory out, as the user typed it? An empty name (R_IO_NAME) and one inside a bundle
 * (R_BND_OUTSIDE) are refused. To be asked before any work is done. */
enum status publish_place(const char *out, struct error *err);

/* Make the directory, which publish_place has passed, where it is missing; products->removed names the stale files that are gone now.
 * Errors name files with the directory. products_free also after a failure. */
enum status publish(const struct derived *derived, size_t count, const char *out, struct products *products, struct error *err);

#endif
