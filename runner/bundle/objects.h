/*
 * Objects: bytes kept under the name of their content, artifact/objects/sha256/AB/HEX (HEX the SHA-256, AB its first two
 * digits). Turns name the prompts, responses and feedback that they are about by it (ledger.h), so a text that many turns
 * share is kept once, and none can be exchanged for another.
 */
#ifndef PTXSEAL_BUNDLE_OBJECTS_H
#define PTXSEAL_BUNDLE_OBJECTS_H

#include "../base/file.h"
#include "../base/sha256.h"
#include "finding.h"
#include "inventory.h"
#include "ledger.h"

enum { OBJECT_MAX = 64 << 20 }; /* bytes of one object */

/* Where it stands in a bundle; free() it. */
char *object_path(const struct sha256 *id);

/* Keep the bytes beneath root, the directory of a bundle, and give their name. What is there already is left as it is if it
 * is whole, and written again if not. More than OBJECT_MAX bytes: R_OBJ_SIZE. */
enum status object_put(const struct root *root, const void *data, size_t len, struct sha256 *id, struct error *err);

/* The same for bytes whose hash is known, without waiting for the disk: for what is kept elsewhere until the disk has it (ahead.h). A kill may leave part of it, which is written again then. */
enum status object_place(const struct root *root, const void *data, size_t len, const struct sha256 *id, struct error *err);

/* Read one, and make sure that these are the bytes of its name (R_OBJ_CONTENT). One that is not there: R_IO_OPEN. */
enum status object_get(const struct root *root, const struct sha256 *id, struct bytes *out, struct error *err);

/* Every object of the inventory is what its name says (R_OBJ_CONTENT), and no larger than what a reader takes (R_OBJ_SIZE); what is not is faulty. Files that a finding names already are passed over. */
void objects_check(struct inventory *inventory, struct findings *findings);

/* The objects that a turn names, at most TURN_OBJECTS; gives how many. */
enum { TURN_OBJECTS = 3 };
size_t objects_of_turn(const struct turn *turn, struct sha256 ids[TURN_OBJECTS]);

#endif
