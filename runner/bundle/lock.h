/* One writer of a bundle at a time: sealing, admitting and beginning a run hold a lock on its artifact/ (the directory itself may be a draft, and locked as such), which ends with the
 * process at the latest. */
#ifndef PTXSEAL_BUNDLE_LOCK_H
#define PTXSEAL_BUNDLE_LOCK_H

#include "../base/file.h"

/* Wait until nobody else holds it. *lock: bundle_unlock; -1 where there is no artifact/, and so nothing to write beside. */
enum status bundle_lock(const struct root *root, int *lock, struct error *err);
/* The same, for who begins something there: artifact/ is made where there is none. */
enum status bundle_lock_to_begin(const struct root *root, int *lock, struct error *err);
void bundle_unlock(int lock); /* fine on -1 */

#endif
