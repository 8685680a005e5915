/* Whether a directory that was named is a bundle at all, asked before anything is written or reported of it. */
#ifndef PTXSEAL_BUNDLE_PRESENCE_H
#define PTXSEAL_BUNDLE_PRESENCE_H

#include <stdbool.h>

#include "../base/file.h"

/* The top of a bag that was unpacked by other means than `ptxseal unpack` (archive/bag.h): the bundle is in its data/. */
bool presence_is_bag(const struct root *root);

/* Nothing of a bundle is there: no artifact/, tasks/, manifests/ or checksums/, of whatever kind. */
bool presence_is_none(const struct root *root);

/* R_BND_NONE unless it holds artifact/; of a bag, the message says where the bundle is. */
enum status presence_check(const struct root *root, struct error *err);

#endif
