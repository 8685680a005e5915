/* The one function of TVM-FFI that is stood in for: its trace of the stack for an error's text opens files, which host code here may not. */
#include "record.h"

/* tvm/ffi/c_api.h: TVMFFIByteArray. */
struct byte_array {
	const char *data;
	size_t size;
};

EXPORT const struct byte_array *TVMFFIBacktrace(const char *file, int line, const char *function, int across);

const struct byte_array *TVMFFIBacktrace(const char *file, int line, const char *function, int across)
{
	static const struct byte_array none = {"", 0};

	(void)file;
	(void)line;
	(void)function;
	(void)across;
	return &none;
}
