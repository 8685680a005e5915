/*
 * Whether what there is to derive from and to compare with is all there: what a comparison alone cannot see, since it passes over what
 * is not there. Measured by what source.json counted at import (docs/records.md); a source that counts nothing is held to nothing.
 */
#ifndef PTXSEAL_DERIVE_COMPLETENESS_H
#define PTXSEAL_DERIVE_COMPLETENESS_H

#include "../bundle/finding.h"
#include "catalogue.h"
#include "database.h"

/* Append what is missing or too much: R_CMP_LEDGER, R_CMP_PUBLISHED, R_CMP_NOTHING. */
enum status completeness_find(struct database *db, const struct catalogue *catalogue, struct findings *findings, struct error *err);

#endif
