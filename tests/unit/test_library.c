/* R-GPU-008: NVIDIA's libraries are found where library.h says, in that order. */
#include "unit.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/sha256.h"
#include "fake_library.h"
#include "measure/library.h"

#define SONAME "libptxseal-fake.so.7"

static char scratch[] = "/tmp/ptxseal-test-library-XXXXXX";
static char *path_before;

/* A fake whose only function gives that number, beneath the scratch directory. */
static void fake(const char *directory, int answer)
{
	char *whole = mem_format("%s/%s", scratch, directory);
	char *source = mem_format("int answer(void) { return %d; }\n", answer);

	assert_true(fake_library(whole, SONAME, source, ""));
	free(source);
	free(whole);
}

static void set_variable(const char *name, const char *directories)
{
	char *value = mem_format("%s/%s", scratch, directories);

	setenv(name, value, 1);
	free(value);
}

static int answer_of(const struct library *library)
{
	int (*answer)(void);
	struct error err;

	assert_int_equal(library_function(library, "answer", &answer, &err), OK);
	return answer();
}

static int set_up(void **state)
{
	(void)state;
	path_before = mem_text(getenv("PATH"));
	return mkdtemp(scratch) != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	free(path_before);
	remove_tree(scratch);
	return 0;
}

/* Every test starts with an empty scratch directory and none of the variables. */
static int start(void **state)
{
	(void)state;
	static const char *const variables[] = {"PTXSEAL_CUDA_LIBS", "CUDA_HOME", "VIRTUAL_ENV", "CONDA_PREFIX"};

	for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++)
		unsetenv(variables[i]);
	setenv("PATH", path_before, 1);
	setenv("HOME", "/nonexistent", 1);
	remove_tree(scratch);
	if (system("command -v ${CC:-cc} >/dev/null") != 0) {
		puts("skipped: there is no C compiler to make a library with");
		skip();
	}
	return 0;
}

static void found_in(const char *place, int answer)
{
	struct library library;
	struct error err = {0};

	assert_int_equal(library_open(SONAME, &library, &err), OK);
	assert_string_equal(library.place, place);
	assert_int_equal(answer_of(&library), answer);
	library_close(&library);
	assert_null(library.handle);
}

static void named_directories_come_first(void **state)
{
	(void)state;
	char *list = mem_format("%s/empty::%s/named", scratch, scratch);

	fake("named", 1);
	fake("toolkit/lib64", 2);
	set_variable("CUDA_HOME", "toolkit");
	setenv("PTXSEAL_CUDA_LIBS", list, 1);
	free(list);
	found_in("PTXSEAL_CUDA_LIBS", 1);
	unsetenv("PTXSEAL_CUDA_LIBS");
	found_in("CUDA_HOME", 2);
}

static void toolkit_comes_before_packages(void **state)
{
	(void)state;
	fake("toolkit/lib64", 1);
	fake("env/lib/python3.12/site-packages/nvidia/cublas/lib", 2);
	set_variable("CUDA_HOME", "toolkit");
	set_variable("VIRTUAL_ENV", "env");
	found_in("CUDA_HOME", 1);
	unsetenv("CUDA_HOME");
	found_in("site-packages", 2);
}

static void package_of_all_of_cuda_comes_before_single_ones(void **state)
{
	(void)state;
	fake("env/lib/python3.12/site-packages/nvidia/blas/lib", 1);
	fake("env/lib/python3.12/site-packages/nvidia/cu13/lib", 2);
	set_variable("CONDA_PREFIX", "env");
	found_in("site-packages", 2);
}

static void packages_of_each_python_on_path_are_seen(void **state)
{
	(void)state;
	char *command = mem_format("mkdir -p '%s/venv/bin' '%s/real/bin' && touch '%s/real/bin/python3.12' && "
	                           "chmod +x '%s/real/bin/python3.12' && ln -s ../../real/bin/python3.12 '%s/venv/bin/python3'",
	                           scratch, scratch, scratch, scratch, scratch);
	char *path = mem_format("%s/venv/bin:%s", scratch, path_before);

	assert_int_equal(system(command), 0);
	setenv("PATH", path, 1);
	fake("real/lib/python3.12/dist-packages/nvidia/cudnn/lib", 1);
	found_in("site-packages", 1); /* through the link */
	fake("venv/lib64/python3.12/site-packages/nvidia/cudnn/lib", 2);
	found_in("site-packages", 2); /* the environment's own come first */
	free(path);
	free(command);
}

static void home_packages_are_seen(void **state)
{
	(void)state;
	fake(".local/lib/python3.11/site-packages/nvidia/cudnn/lib", 3);
	set_variable("HOME", "");
	found_in("site-packages", 3);
}

static void file_that_does_not_load_is_passed_over(void **state)
{
	(void)state;
	char *broken = mem_format("%s/broken/" SONAME, scratch);
	struct library library;
	struct error err = {0};

	fake("toolkit/lib64", 4);
	fake("broken", 5); /* which makes the directory */
	assert_int_equal(file_write(broken, 0644, "not ELF", 7, &err), OK);
	set_variable("PTXSEAL_CUDA_LIBS", "broken");
	set_variable("CUDA_HOME", "toolkit");
	found_in("CUDA_HOME", 4);
	unsetenv("CUDA_HOME");
	assert_int_equal(library_open(SONAME, &library, &err), UNAVAILABLE);
	assert_int_equal(err.rule, R_GPU_LIBRARY);
	assert_non_null(strstr(err.what, broken));
	assert_non_null(strstr(err.what, "is there but cannot be loaded"));
	free(broken);
}

static void absence_says_where_it_was_looked_for(void **state)
{
	(void)state;
	struct library library;
	struct error err = {0};

	set_variable("PTXSEAL_CUDA_LIBS", "nowhere");
	assert_int_equal(library_open(SONAME, &library, &err), UNAVAILABLE);
	assert_int_equal(err.rule, R_GPU_LIBRARY);
	assert_string_equal(err.file, SONAME);
	char *what = mem_format("not found; looked in: PTXSEAL_CUDA_LIBS (%s/nowhere), the loader's search path, the driver's usual folders, "
	                        "CUDA_HOME (not set), /usr/local/cuda*/lib64, nvidia/*/lib in the site-packages of VIRTUAL_ENV, "
	                        "CONDA_PREFIX, each python3 on PATH, ~/.local, /usr/local and /usr, lib/ beside the program",
	                        scratch);

	assert_string_equal(err.what, what);
	free(what);
	assert_null(library.handle);
	library_close(&library); /* fine on a closed one */
}

static void missing_function_names_the_file(void **state)
{
	(void)state;
	struct library library;
	struct error err = {0};
	void (*f)(void);

	fake("named", 1);
	set_variable("PTXSEAL_CUDA_LIBS", "named");
	assert_int_equal(library_open(SONAME, &library, &err), OK);
	assert_int_equal(library_function(&library, "question", &f, &err), UNAVAILABLE);
	assert_int_equal(err.rule, R_GPU_LIBRARY);
	assert_string_equal(err.file, library.path);
	assert_non_null(strstr(err.what, "question"));
	library_close(&library);
}

static void set_last_byte(const char *path, char byte, bool append)
{
	FILE *file = fopen(path, "r+e");

	assert_non_null(file);
	assert_int_equal(fseek(file, append ? 0 : -1, SEEK_END), 0);
	assert_int_equal(fputc(byte, file), byte);
	assert_int_equal(fclose(file), 0);
}

static char *only_hash(void)
{
	static const char *const prefixes[] = {"libptxseal-fa", NULL};
	cJSON *files = library_files(prefixes);
	char *hash = NULL;

	assert_int_equal(cJSON_GetArraySize(files), 1);
	hash = mem_text(cJSON_GetStringValue(cJSON_GetObjectItem(cJSON_GetArrayItem(files, 0), "sha256")));
	cJSON_Delete(files);
	return hash;
}

static void loaded_files_are_told_without_their_folders(void **state)
{
	(void)state;
	static const char *const prefixes[] = {"libptxseal-fa", NULL};
	struct library library;
	struct error err = {0};
	struct bytes content = {0};
	char hex[SHA256_HEX + 1];

	fake("named", 1);
	set_variable("PTXSEAL_CUDA_LIBS", "named");
	assert_int_equal(library_open(SONAME, &library, &err), OK);
	cJSON *files = library_files(prefixes);

	assert_int_equal(cJSON_GetArraySize(files), 1);
	const cJSON *file = cJSON_GetArrayItem(files, 0);

	assert_int_equal(file_read(library.path, 1 << 20, &content, &err), OK);
	struct sha256 hash = sha256_of(content.data, content.len);

	sha256_hex(&hash, hex);
	assert_int_equal(cJSON_GetArraySize(file), 4);
	assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(file, "file")), SONAME);
	assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(file, "found")), "PTXSEAL_CUDA_LIBS");
	assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(file, "sha256")), hex);
	assert_int_equal(cJSON_GetObjectItem(file, "bytes")->valueint, (int)content.len);
	cJSON_Delete(files);
	bytes_free(&content);
	library_close(&library);
	files = library_files(prefixes);
	assert_int_equal(cJSON_GetArraySize(files), 0);
	cJSON_Delete(files);
}

/* Bytes that changed under the same size, time and inode show whether the file was read again. */
static void a_file_is_hashed_once_until_it_changes(void **state)
{
	(void)state;
	struct library library;
	struct error err = {0};
	struct stat like;

	fake("once", 1);
	set_variable("PTXSEAL_CUDA_LIBS", "once");
	assert_int_equal(library_open(SONAME, &library, &err), OK);
	set_last_byte(library.path, 'a', true);
	assert_int_equal(stat(library.path, &like), 0);
	char *first = only_hash();

	set_last_byte(library.path, 'b', false);
	assert_int_equal(utimensat(AT_FDCWD, library.path, (struct timespec[]){like.st_atim, like.st_mtim}, 0), 0);
	char *second = only_hash();

	set_last_byte(library.path, 'c', true);
	char *third = only_hash();

	assert_string_equal(first, second);
	assert_string_not_equal(first, third);
	free(first);
	free(second);
	free(third);
	library_close(&library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(named_directories_come_first, start),
		cmocka_unit_test_setup(toolkit_comes_before_packages, start),
		cmocka_unit_test_setup(package_of_all_of_cuda_comes_before_single_ones, start),
		cmocka_unit_test_setup(packages_of_each_python_on_path_are_seen, start),
		cmocka_unit_test_setup(home_packages_are_seen, start),
		cmocka_unit_test_setup(file_that_does_not_load_is_passed_over, start),
		cmocka_unit_test_setup(absence_says_where_it_was_looked_for, start),
		cmocka_unit_test_setup(missing_function_names_the_file, start),
		cmocka_unit_test_setup(loaded_files_are_told_without_their_folders, start),
		cmocka_unit_test_setup(a_file_is_hashed_once_until_it_changes, start),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
