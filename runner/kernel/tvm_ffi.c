#include "tvm_ffi.h"

#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/bytes.h"
#include "../base/file.h"

enum { LIBRARY_BYTES_MAX = 256 << 20, HEADER_BYTES_MAX = 4 << 20 };

static bool take(struct tvm_ffi *tvm, const char *directory)
{
	char *header = mem_format("%s/include/tvm/ffi/c_api.h", directory);
	char *library = mem_format("%s/lib/libtvm_ffi.so", directory);
	const bool found = access(header, R_OK) == 0 && access(library, R_OK) == 0;

	free(header);
	if (!found) {
		free(library);
		return false;
	}
	tvm->directory = mem_text(directory);
	tvm->include = mem_format("%s/include", directory);
	tvm->library = library;
	return true;
}

static bool try_prefix(struct tvm_ffi *tvm, const char *prefix)
{
	static const char *const layouts[] = {"lib/python3*/site-packages", "lib64/python3*/site-packages", "lib/python3*/dist-packages",
	                                      "lib/python3/dist-packages"};
	bool found = false;

	for (size_t i = 0; !found && i < sizeof layouts / sizeof layouts[0]; i++) {
		char *pattern = mem_format("%s/%s/tvm_ffi", prefix, layouts[i]);
		glob_t matches;

		if (glob(pattern, 0, NULL, &matches) == 0) {
			for (size_t j = 0; !found && j < matches.gl_pathc; j++)
				found = take(tvm, matches.gl_pathv[j]);
			globfree(&matches);
		}
		free(pattern);
	}
	return found;
}

static bool try_beside(struct tvm_ffi *tvm)
{
	char program[PATH_MAX];
	const ssize_t len = readlink("/proc/self/exe", program, sizeof program - 1);

	if (len <= 0)
		return false;
	program[len] = '\0';
	char *slash = strrchr(program, '/');

	if (slash == NULL)
		return false;
	*slash = '\0';
	char *prefix = mem_format("%s/venv", program);
	const bool found = try_prefix(tvm, prefix);

	free(prefix);
	return found;
}

static bool try_pythons(struct tvm_ffi *tvm)
{
	const char *path = getenv("PATH");
	char *list = mem_text(path != NULL ? path : ""), *rest = list;
	bool found = false;

	for (char *one; !found && (one = strsep(&rest, ":")) != NULL;) {
		char *program = mem_format("%s/python3", one);
		char *slash = one[0] == '/' && access(program, X_OK) == 0 ? strrchr(one, '/') : NULL;

		if (slash != NULL) {
			*slash = '\0';
			found = try_prefix(tvm, one);
		}
		free(program);
	}
	free(list);
	return found;
}

static bool try_variables(struct tvm_ffi *tvm)
{
	static const char *const variables[] = {"VIRTUAL_ENV", "CONDA_PREFIX"};
	bool found = false;

	for (size_t i = 0; !found && i < sizeof variables / sizeof variables[0]; i++) {
		const char *prefix = getenv(variables[i]);

		found = prefix != NULL && prefix[0] == '/' && try_prefix(tvm, prefix);
	}
	return found;
}

static bool try_home(struct tvm_ffi *tvm)
{
	const char *home = getenv("HOME");
	char *local = home != NULL && home[0] == '/' ? mem_format("%s/.local", home) : NULL;
	const bool found = local != NULL && try_prefix(tvm, local);

	free(local);
	return found;
}

/* What is named and not there is an error: another is not what was meant. */
static enum status find(struct tvm_ffi *tvm, struct error *err)
{
	const char *named = getenv("PTXSEAL_TVM_FFI");

	if (named != NULL && named[0] != '\0') {
		char *below = mem_format("%s/tvm_ffi", named);
		const bool found = take(tvm, named) || take(tvm, below);

		free(below);
		return found ? OK : error_set(err, R_LOW_TOOLS, named, "PTXSEAL_TVM_FFI names a directory without include/tvm/ffi and lib/libtvm_ffi.so");
	}
	if (try_beside(tvm) || try_variables(tvm) || try_pythons(tvm) || try_home(tvm) || try_prefix(tvm, "/usr/local") || try_prefix(tvm, "/usr"))
		return OK;
	return error_set(err, R_LOW_TOOLS, "", "the package apache-tvm-ffi is not in venv/ beside the program, nor in any Python here");
}

/* "#define TVM_FFI_VERSION_MAJOR 0" */
static const char *defined(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at != NULL ? at + strlen(name) + strspn(at + strlen(name), " \t") : "";
}

static char *version_in(const char *text)
{
	static const char *const names[] = {"define TVM_FFI_VERSION_MAJOR", "define TVM_FFI_VERSION_MINOR", "define TVM_FFI_VERSION_PATCH"};
	struct bytes version = {0};

	for (size_t i = 0; i < 3; i++) {
		const char *at = defined(text, names[i]);

		if (i > 0)
			bytes_char(&version, '.');
		bytes_add(&version, at, strspn(at, "0123456789"));
	}
	return version.data;
}

static enum status read_package(struct tvm_ffi *tvm, struct error *err)
{
	char *header = mem_format("%s/include/tvm/ffi/c_api.h", tvm->directory);
	struct bytes text = {0}, library = {0};
	enum status status = file_read(header, HEADER_BYTES_MAX, &text, err);

	if (status == OK)
		status = file_read(tvm->library, LIBRARY_BYTES_MAX, &library, err);
	if (status == OK) {
		bytes_char(&text, '\0');
		tvm->version = version_in(text.data);
		tvm->hash = sha256_of(library.data, library.len);
	}
	bytes_free(&text);
	bytes_free(&library);
	free(header);
	return status;
}

enum status tvm_ffi_find(struct tvm_ffi *tvm, struct error *err)
{
	*tvm = (struct tvm_ffi){0};
	enum status status = find(tvm, err);

	return status == OK ? read_package(tvm, err) : status;
}

void tvm_ffi_free(struct tvm_ffi *tvm)
{
	free(tvm->directory);
	free(tvm->include);
	free(tvm->library);
	free(tvm->version);
	*tvm = (struct tvm_ffi){0};
}
