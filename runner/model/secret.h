/* An endpoint's key: in one page that is locked, left out of core dumps, and wiped. */
#ifndef PTXSEAL_MODEL_SECRET_H
#define PTXSEAL_MODEL_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/bytes.h"
#include "../base/error.h"

enum { SECRET_MIN = 8, SECRET_MAX = 4000 }; /* bytes. A shorter one is no secret, and could not be taken out of texts without harm */

struct secret;

/* No core dump, and no other process of this user may look into this one. For commands that hold a key, before they read it. */
void secret_guard_process(void);

/* From the environment: the variable is wiped where it stands and taken away, so that no child has it. */
enum status secret_from_environment(const char *name, struct secret **secret, struct error *err);
/* From the first line of a file. */
enum status secret_from_file(const char *name, struct secret **secret, struct error *err);
/* Of bytes that the caller wipes; what names it in messages. R_KEP_FORM unless it is visible ASCII. */
enum status secret_of(const char *text, size_t len, const char *what, struct secret **secret, struct error *err);
void secret_free(struct secret *secret); /* wipes; NULL is fine */

const char *secret_text(const struct secret *secret); /* terminated; never to be copied but into what is wiped */
const char *secret_bearer(const struct secret *secret); /* "Authorization: Bearer KEY", of the same page */
size_t secret_len(const struct secret *secret);

/* Replace each occurrence in bytes by SECRET_MARK; how many there were. */
#define SECRET_MARK "[key taken out]"
uint32_t secret_redact(const struct secret *secret, struct bytes *bytes);
/* Does the text hold it? */
bool secret_in(const struct secret *secret, const char *text, size_t len);
/* Does the text hold it, as it stands or in the spellings that JSON has for it (base/unescape.h)? */
bool secret_spelled_in(const struct secret *secret, const char *text, size_t len);
/* Does a body of JSON or events hold it in its texts, escaped, or in pieces over many events of one member? What secret_redact cannot take out. */
bool secret_in_reply(const struct secret *secret, const char *body, size_t len);
void bytes_wipe(struct bytes *bytes); /* zeroed, then freed */

#endif
