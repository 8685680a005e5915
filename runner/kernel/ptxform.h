/*
 * What a PTX text says apart from how it is written: two texts that differ only in white space, comments and the names that they declare (registers, labels,
 * parameters, variables, functions) have the same form.
 */
#ifndef PTXSEAL_KERNEL_PTXFORM_H
#define PTXSEAL_KERNEL_PTXFORM_H

#include <stddef.h>

#include "../base/bytes.h"
#include "../base/sha256.h"

/* Append the form: tokens parted by single spaces, each declared name as `$N`, N its number in the order of first appearance. Any bytes have one. */
void ptx_form(const char *text, size_t len, struct bytes *out);

/* SHA-256 of the form. */
struct sha256 ptx_form_hash(const char *text, size_t len);

#endif
