/* Every derived cell beside what was published for it. */
#ifndef PTXSEAL_REPORT_BESIDE_H
#define PTXSEAL_REPORT_BESIDE_H

#include "../derive/check.h"
#include "../derive/derivation.h"

enum { BESIDE_NONE, BESIDE_SAME, BESIDE_DIFFERS }; /* and BESIDE_DIFFERS + i: difference i of the check */

struct beside {
	uint32_t **cells; /* [table][row * column_count + column] */
	size_t tables;
};

/* beside_free also after a failure. */
enum status beside_make(const struct derivation *derivation, const struct check *check, struct beside *beside, struct error *err);
void beside_free(struct beside *beside);

#endif
