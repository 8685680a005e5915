/* Canonical JSON out: RFC 8785 (JCS). The only way this program writes JSON that is hashed, signed or
 * compared. */
#ifndef PTXSEAL_BASE_JCS_H
#define PTXSEAL_BASE_JCS_H

#include <cjson/cJSON.h>

#include "bytes.h"
#include "error.h"
#include "sha256.h"

enum { JCS_NUMBER_MAX = 32 };

/* ECMAScript Number::toString (ECMA-262 section 6.1.6.1.20) of a finite value: the shortest digits that read
 * back to it, -0 as 0. False for NaN and infinities. Needs LC_NUMERIC "C", which it is: the program never
 * calls setlocale. */
bool jcs_number(double value, char out[JCS_NUMBER_MAX]);

/* Append text as a JSON string with RFC 8785 section 3.2.2.2 escapes; it must be UTF-8. */
void jcs_string(const char *text, size_t len, struct bytes *out);

/* Append tree, keys in UTF-16 code unit order, no white space, no newline. A raw item (cJSON_CreateRaw) has to be what this gave before. Fails on a non-finite number
 * (R_JSON_RANGE), a key that stands twice (R_JSON_DUPLICATE), text that is not UTF-8 (R_JSON_UTF8) and more
 * than JSON_DEPTH_MAX levels (R_JSON_DEPTH); out is then as it was. */
enum status jcs_write(const cJSON *tree, struct bytes *out, struct error *err);

/* A member that is a text, or null; the hex of a hash. */
void jcs_add_text(cJSON *object, const char *key, const char *text);
void jcs_add_hash(cJSON *object, const char *key, const struct sha256 *hash);

#endif
