/* What every unit test includes first: cmocka wants what its own header uses to come first. */
#ifndef PTXSEAL_TESTS_UNIT_H
#define PTXSEAL_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
