#include "dtype.h"

static const struct {
	const char *name;
	size_t bytes;
} dtypes[DTYPE_COUNT] = {
	[DTYPE_BF16] = {"bfloat16", 2},
	[DTYPE_F32] = {"float32", 4},
	[DTYPE_E4M3] = {"float8_e4m3fn", 1},
};

size_t dtype_bytes(enum dtype dtype)
{
	return dtypes[dtype].bytes;
}

const char *dtype_name(enum dtype dtype)
{
	return dtypes[dtype].name;
}
