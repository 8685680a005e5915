/* Types of tensor elements. Also read by support.cu. */
#ifndef PTXSEAL_MEASURE_DTYPE_H
#define PTXSEAL_MEASURE_DTYPE_H

#include <stddef.h>

enum dtype { DTYPE_BF16, DTYPE_F32, DTYPE_E4M3, DTYPE_COUNT };
size_t dtype_bytes(enum dtype dtype);
const char *dtype_name(enum dtype dtype); /* "bfloat16", "float32", "float8_e4m3fn", as task.json says */

#endif
