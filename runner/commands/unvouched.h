/* What derives goes by the records as they stand. Whether they are those that were sealed, `verify` says; so that nobody takes numbers of others for them, this does too. */
#ifndef PTXSEAL_COMMANDS_UNVOUCHED_H
#define PTXSEAL_COMMANDS_UNVOUCHED_H

#include "../base/file.h"

/* Say on standard error, below what was printed of a bundle, that it is not as it was sealed. Nothing is said of one without any seal, such as one in the making: it claims none. */
void unvouched_warn(const struct root *bundle);

#endif
