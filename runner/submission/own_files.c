#include "own_files.h"

#include <stdlib.h>
#include <string.h>

#include "../bundle/layout.h"

char *own_files_path(const struct candidate *candidate, size_t number)
{
	switch (number) {
	case 0: return mem_text(candidate->file);
	case 1: return mem_format("%s/%s", candidate->directory, candidate->ptx_file);
	case 2: return mem_format("%s/kernel.%s.cubin", candidate->directory, candidate->arch);
	default: return candidate->is_lowered ? mem_format("%s/%s", candidate->directory, candidate->lowering.source) : NULL;
	}
}

bool own_files_have(const struct candidate *candidate, const char *path)
{
	bool have = false;

	for (size_t i = 0; i < OWN_FILES_MAX && !have; i++) {
		char *own = own_files_path(candidate, i);

		have = own != NULL && strcmp(own, path) == 0;
		free(own);
	}
	return have;
}

bool own_files_stand(const char *directory)
{
	const char *task = directory + strlen(LAYOUT_CANDIDATES), *slash;

	if (strncmp(directory, LAYOUT_CANDIDATES, strlen(LAYOUT_CANDIDATES)) != 0)
		return false;
	slash = strchr(task, '/');
	return slash != NULL && strchr(slash + 1, '/') == NULL;
}
