/*
 * A growing run of bytes, and the allocation the whole program uses.
 *
 * Running out of memory is the one failure that is not passed up: inputs are capped before they
 * are read, so it means the machine is in trouble, and the program says so and exits 4. Files are
 * written atomically, so nothing is left half-written by that.
 */
#ifndef PTXSEAL_BASE_BYTES_H
#define PTXSEAL_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *mem_alloc(size_t size);                          /* zeroed; never NULL; free() it */
void *mem_array(void *old, size_t count, size_t size); /* realloc with overflow check; never NULL */
char *mem_text(const char *text);                      /* a copy; free() it */
char *mem_textn(const char *text, size_t len);         /* a terminated copy of len bytes; free() it */
_Noreturn void mem_lacking(void); /* what these do when there is none, for libraries that return NULL */
char *mem_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

struct bytes {
	char *data; /* always terminated by a NUL that len does not count; NULL while empty */
	size_t len;
	size_t room;
};

void bytes_free(struct bytes *b); /* also resets it; fine on an empty one */
void bytes_add(struct bytes *b, const void *data, size_t len);
void bytes_text(struct bytes *b, const char *text);
void bytes_char(struct bytes *b, char c);
void bytes_format(struct bytes *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void bytes_reserve(struct bytes *b, size_t more); /* room for more bytes after len */

/* Lowercase hex: out takes 2 * len + 1 characters. */
void hex_encode(const uint8_t *data, size_t len, char *out);
/* Exactly 2 * len lowercase hex digits at text, nothing after them. */
bool hex_decode(const char *text, uint8_t *out, size_t len);

/* RFC 4648 section 4, with padding. */
void base64_encode(const uint8_t *data, size_t len, struct bytes *out);
/* Strict: canonical form only (padding present, unused bits zero, no white space), so that no two
 * texts stand for the same bytes. False if not so. */
bool base64_decode(const char *text, size_t len, struct bytes *out);

#endif
