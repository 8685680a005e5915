/* Shared libraries that a test makes for itself, of a few lines of C. */
#ifndef PTXSEAL_TESTS_FAKE_LIBRARY_H
#define PTXSEAL_TESTS_FAKE_LIBRARY_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/file.h"

/* directory/soname, made of source with the compiler's further options. False if there is no compiler, or it fails. */
static inline bool fake_library(const char *directory, const char *soname, const char *source, const char *options)
{
	const char *compiler = getenv("CC");
	char *file = mem_format("%s/%s.c", directory, soname);
	char *command = mem_format("mkdir -p '%s' && cat >'%s' && %s -shared -fPIC -Wl,-soname,%s %s -o '%s/%s' '%s'", directory,
	                           file, compiler != NULL ? compiler : "cc", soname, options, directory, soname, file);
	FILE *pipe = popen(command, "w");
	bool done = pipe != NULL && fputs(source, pipe) >= 0;

	done = pipe != NULL && pclose(pipe) == 0 && done;
	free(command);
	free(file);
	return done;
}

static inline void remove_tree(const char *directory)
{
	char *command = mem_format("rm -rf '%s'", directory);

	if (system(command) != 0)
		fprintf(stderr, "%s is left\n", directory);
	free(command);
}

#endif
