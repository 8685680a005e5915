/* UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing over U+10FFFF. */
#ifndef PTXSEAL_BASE_UTF8_H
#define PTXSEAL_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The length (1 to 4) of the code point at text, which has len bytes left, and its value in
 * *point (may be NULL); 0 if the bytes there are not UTF-8 or len is 0. */
size_t utf8_next(const char *text, size_t len, uint32_t *point);

/* The offset of the first byte that is not part of a valid code point, or len if all is well. */
size_t utf8_check(const char *text, size_t len);

/* Copy text into out (size bytes, always terminated, cut at a whole character) with everything that could act on a
 * terminal or mislead a reader replaced by \xNN or \u{...}: invalid bytes and hidden characters (base/character.h), which are the
 * controls, those that reorder text and those that show nothing. At most 10 bytes for one. */
void utf8_printable(const char *text, size_t len, char *out, size_t size);

#endif
