/* What every unit test includes first: cmocka wants these four headers in this order. */
#ifndef PTXSEAL_TESTS_UNIT_H
#define PTXSEAL_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
