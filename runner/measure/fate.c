#include "fate.h"

const char *fate_name(enum fate_kind kind)
{
	static const char *const names[FATE_COUNT] = {
		[FATE_DONE] = "done",
		[FATE_REFUSED] = "refused",
		[FATE_RUNTIME_ERROR] = "runtime_error",
		[FATE_MEMORY_ERROR] = "memory_error",
		[FATE_TIMEOUT] = "timeout",
		[FATE_CRASH] = "crash",
	};

	return names[kind];
}
