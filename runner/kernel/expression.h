/*
 * Numbers of a launch description: unsigned 64-bit expressions over a workload's axes.
 *   sum     = product (("+" | "-") product)*
 *   product = primary (("*" | "/" | "%") primary)*          integer division
 *   primary = digits | axis | "(" sum ")" | "ceil" "(" sum "," sum ")"      ceil(a, b): a / b rounded up
 * Spaces may stand between. Overflow, a difference below zero and division by zero are errors, never a wrapped number.
 */
#ifndef PTXSEAL_KERNEL_EXPRESSION_H
#define PTXSEAL_KERNEL_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/error.h"

enum { EXPRESSION_BYTES_MAX = 256, EXPRESSION_DEPTH_MAX = 16 };

/* The size of the axis whose name is the len bytes at name; false if there is none. */
typedef bool expression_axis(const void *context, const char *name, size_t len, uint64_t *size);

/* R_CAN_EXPRESSION for what is not an expression or names no axis, R_CAN_RANGE for one without a value; both name the file, the text and where in it. */
enum status expression_value(const char *text, expression_axis *axis, const void *context, const char *file, uint64_t *value,
                             struct error *err);

#endif
