#include "library.h"

#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/bytes.h"
#include "../base/sha256.h"

struct search {
	const char *soname;
	struct library *library;
	struct bytes looked;  /* for the message */
	struct bytes refused; /* the last file that was there and could not be loaded, and why */
};

static void resolve_path(struct library *library, const char *fallback)
{
	struct link_map *map = NULL;
	char real[PATH_MAX];
	const char *path = fallback;

	if (dlinfo(library->handle, RTLD_DI_LINKMAP, &map) == 0 && map->l_name[0] != '\0')
		path = map->l_name;
	if (realpath(path, real) != NULL)
		path = real;
	memcpy(library->path, path, strnlen(path, sizeof library->path - 1));
}

/* Folders that a library was opened from, and by which place: the libraries which that one then loads lie beside it. */
static struct folder {
	char *path; /* links followed */
	const char *place;
} *folders;
static size_t folder_count;

/* What was hashed, and what the file was like. */
static struct hashed {
	struct stat like;
	struct sha256 hash;
	uint64_t size;
} *hashes;
static size_t hash_count;

/* Over both lists; they live as long as the process, as the libraries do. */
static pthread_mutex_t remembered = PTHREAD_MUTEX_INITIALIZER;

static size_t folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? (size_t)(slash - path) : 0;
}

/* The place that the file's folder was reached by; NULL if nothing was opened from there. The lists are locked. */
static const char *place_of(const char *path)
{
	const size_t length = folder_length(path);

	for (size_t i = 0; i < folder_count; i++)
		if (strlen(folders[i].path) == length && memcmp(folders[i].path, path, length) == 0)
			return folders[i].place;
	return NULL;
}

static void remember_folder(const char *path, const char *place)
{
	pthread_mutex_lock(&remembered);
	if (place_of(path) == NULL) {
		folders = mem_array(folders, folder_count + 1, sizeof *folders);
		folders[folder_count++] = (struct folder){mem_format("%.*s", (int)folder_length(path), path), place};
	}
	pthread_mutex_unlock(&remembered);
}

static bool load(struct search *s, const char *path, const char *place)
{
	s->library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (s->library->handle == NULL)
		return false;
	s->library->place = place;
	resolve_path(s->library, path);
	remember_folder(s->library->path, place);
	return true;
}

static bool try_directory(struct search *s, const char *directory, const char *place)
{
	char *path = mem_format("%s/%s", directory, s->soname);
	bool found = false;

	if (access(path, F_OK) == 0) {
		found = load(s, path, place);
		if (!found) {
			const char *why = dlerror();

			bytes_free(&s->refused);
			bytes_format(&s->refused, "%s is there but cannot be loaded: %s", path, why != NULL ? why : "no reason given");
		}
	}
	free(path);
	return found;
}

static void note(struct search *s, const char *text)
{
	if (s->looked.len != 0)
		bytes_text(&s->looked, ", ");
	bytes_text(&s->looked, text);
}

static bool try_list(struct search *s, const char *variable)
{
	const char *value = getenv(variable);

	if (value == NULL || value[0] == '\0') {
		note(s, "PTXSEAL_CUDA_LIBS (not set)");
		return false;
	}
	char *list = mem_text(value);
	char *rest = list;
	bool found = false;

	for (char *one; !found && (one = strsep(&rest, ":")) != NULL;)
		found = one[0] != '\0' && try_directory(s, one, variable);
	note(s, variable);
	bytes_format(&s->looked, " (%s)", value);
	free(list);
	return found;
}

static bool try_loader(struct search *s)
{
	if (load(s, s->soname, "loader"))
		return true;
	const char *why = dlerror();

	/* The loader's text for a file that it does not find is the one that says nothing new. */
	if (why != NULL && strstr(why, "No such file or directory") == NULL)
		bytes_format(&s->refused, "the loader says: %s", why);
	note(s, "the loader's search path");
	return false;
}

/* Every directory that matches, in the order of glob or, for versions, backwards. */
static bool try_pattern(struct search *s, const char *pattern, bool backwards, const char *place)
{
	glob_t matches;
	bool found = false;

	if (glob(pattern, 0, NULL, &matches) != 0)
		return false;
	for (size_t i = 0; !found && i < matches.gl_pathc; i++)
		found = try_directory(s, matches.gl_pathv[backwards ? matches.gl_pathc - 1 - i : i], place);
	globfree(&matches);
	return found;
}

static bool try_driver(struct search *s)
{
	static const char *const directories[] = {"/usr/local/nvidia/lib64", "/usr/lib/x86_64-linux-gnu/nvidia/current",
	                                          "/run/opengl-driver/lib", "/usr/lib/wsl/lib", "/usr/lib64"};
	bool found = false;

	for (size_t i = 0; !found && i < sizeof directories / sizeof directories[0]; i++)
		found = try_directory(s, directories[i], "driver");
	note(s, "the driver's usual folders");
	return found;
}

static bool try_toolkit(struct search *s)
{
	const char *home = getenv("CUDA_HOME");
	bool found = false;

	if (home != NULL && home[0] != '\0') {
		char *directory = mem_format("%s/lib64", home);

		found = try_directory(s, directory, "CUDA_HOME");
		note(s, directory);
		free(directory);
	} else {
		note(s, "CUDA_HOME (not set)");
	}
	note(s, "/usr/local/cuda*/lib64");
	return found || try_pattern(s, "/usr/local/cuda/lib64", false, "/usr/local/cuda") ||
	       try_pattern(s, "/usr/local/cuda-*/lib64", true, "/usr/local/cuda");
}

static bool try_prefix(struct search *s, const char *prefix)
{
	static const char *const layouts[] = {"lib/python3*/site-packages", "lib64/python3*/site-packages",
	                                      "lib/python3*/dist-packages"};
	static const char *const packages[] = {"cu13", "*"};
	bool found = false;

	for (size_t i = 0; !found && i < 2 * sizeof layouts / sizeof layouts[0]; i++) {
		char *pattern = mem_format("%s/%s/nvidia/%s/lib", prefix, layouts[i / 2], packages[i % 2]);

		found = try_pattern(s, pattern, false, "site-packages");
		free(pattern);
	}
	return found;
}

/* The prefix of a program at PREFIX/bin/NAME. */
static bool try_prefix_of(struct search *s, const char *program)
{
	char *prefix = mem_text(program);
	char *slash = NULL;

	for (int up = 0; up < 2 && (slash = strrchr(prefix, '/')) != NULL; up++)
		*slash = '\0';
	bool found = slash != NULL && try_prefix(s, prefix);

	free(prefix);
	return found;
}

static bool try_pythons(struct search *s)
{
	const char *path = getenv("PATH");
	char *list = mem_text(path != NULL ? path : "");
	char *rest = list;
	bool found = false;

	for (char *one; !found && (one = strsep(&rest, ":")) != NULL;) {
		char *program = mem_format("%s/python3", one);
		char real[PATH_MAX];

		/* In a virtual environment python3 is a link to the system's, whose packages are others. */
		if (one[0] == '/' && access(program, X_OK) == 0)
			found = try_prefix_of(s, program) || (realpath(program, real) != NULL && try_prefix_of(s, real));
		free(program);
	}
	free(list);
	return found;
}

static bool try_packages(struct search *s)
{
	static const char *const variables[] = {"VIRTUAL_ENV", "CONDA_PREFIX"};
	const char *home = getenv("HOME");
	bool found = false;

	note(s, "nvidia/*/lib in the site-packages of VIRTUAL_ENV, CONDA_PREFIX, each python3 on PATH, ~/.local, /usr/local and /usr");
	for (size_t i = 0; !found && i < 2; i++) {
		const char *prefix = getenv(variables[i]);

		found = prefix != NULL && prefix[0] == '/' && try_prefix(s, prefix);
	}
	found = found || try_pythons(s);
	if (!found && home != NULL && home[0] == '/') {
		char *local = mem_format("%s/.local", home);

		found = try_prefix(s, local);
		free(local);
	}
	return found || try_prefix(s, "/usr/local") || try_prefix(s, "/usr") ||
	       try_pattern(s, "/usr/lib/python3/dist-packages/nvidia/*/lib", false, "site-packages");
}

static bool try_portable(struct search *s)
{
	static const char *const beside[] = {"lib", "../lib"};
	char program[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", program, sizeof program - 1);
	bool found = false;

	if (len <= 0)
		return false;
	program[len] = '\0';
	char *slash = strrchr(program, '/');

	if (slash == NULL)
		return false;
	*slash = '\0';
	for (size_t i = 0; !found && i < 2; i++) {
		char *directory = mem_format("%s/%s", program, beside[i]);

		found = try_directory(s, directory, "beside the program");
		free(directory);
	}
	note(s, "lib/ beside the program");
	return found;
}

enum status library_open(const char *soname, struct library *library, struct error *err)
{
	struct search s = {.soname = soname, .library = library};
	enum status status = OK;

	*library = (struct library){0};
	if (!try_list(&s, "PTXSEAL_CUDA_LIBS") && !try_loader(&s) && !try_driver(&s) && !try_toolkit(&s) &&
	    !try_packages(&s) && !try_portable(&s)) {
		if (s.refused.len != 0)
			status = error_set(err, R_GPU_LIBRARY, soname, "%s", s.refused.data);
		else
			status = error_set(err, R_GPU_LIBRARY, soname, "not found; looked in: %s", s.looked.data);
	}
	bytes_free(&s.looked);
	bytes_free(&s.refused);
	return status;
}

void library_close(struct library *library)
{
	if (library->handle != NULL)
		dlclose(library->handle);
	*library = (struct library){0};
}

enum status library_function(const struct library *library, const char *symbol, void *pointer, struct error *err)
{
	void *found = dlsym(library->handle, symbol);

	if (found == NULL)
		return error_set(err, R_GPU_LIBRARY, library->path, "it has no %s: its version is another one than ours", symbol);
	/* POSIX lets dlsym's result become a function pointer; ISO C only knows this way to say so. */
	memcpy(pointer, &found, sizeof found);
	return OK;
}

struct loaded {
	const char *const *prefixes;
	char **paths; /* links followed */
	size_t count;
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static int note_loaded(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	struct loaded *loaded = context;
	char real[PATH_MAX];

	for (const char *const *prefix = loaded->prefixes; *prefix != NULL; prefix++) {
		if (strncmp(base_name(info->dlpi_name), *prefix, strlen(*prefix)) != 0)
			continue;
		loaded->paths = mem_array(loaded->paths, loaded->count + 1, sizeof *loaded->paths);
		loaded->paths[loaded->count++] = mem_text(realpath(info->dlpi_name, real) != NULL ? real : info->dlpi_name);
		break;
	}
	return 0;
}

static int by_name(const void *a, const void *b)
{
	const char *const *x = a;
	const char *const *y = b;
	int names = strcmp(base_name(*x), base_name(*y));

	return names != 0 ? names : strcmp(*x, *y);
}

static bool alike(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static const struct hashed *recall(const struct stat *like)
{
	for (size_t i = 0; i < hash_count; i++)
		if (alike(&hashes[i].like, like))
			return &hashes[i];
	return NULL;
}

/* Those that are not yet remembered, all at once; what cannot be read stays unknown. The lists are locked. */
static void hash_new(const struct loaded *loaded)
{
	struct hash_job *jobs = mem_array(NULL, loaded->count, sizeof *jobs);
	struct stat *like = mem_array(NULL, loaded->count, sizeof *like);
	struct root root;
	size_t count = 0;

	for (size_t i = 0; i < loaded->count; i++)
		if (stat(loaded->paths[i], &like[count]) == 0 && recall(&like[count]) == NULL)
			jobs[count++] = (struct hash_job){.path = loaded->paths[i] + 1, .status = UNAVAILABLE};
	if (count != 0 && root_open("/", &root, NULL) == OK) {
		hash_files(&root, jobs, count, 0, NULL, NULL);
		root_close(&root);
	}
	for (size_t i = 0; i < count; i++)
		if (jobs[i].status == OK) {
			hashes = mem_array(hashes, hash_count + 1, sizeof *hashes);
			hashes[hash_count++] = (struct hashed){like[i], jobs[i].hash, jobs[i].size};
		}
	hash_jobs_free(jobs, count);
	free(like);
}

static cJSON *file_facts(const char *path)
{
	cJSON *file = cJSON_CreateObject();
	const char *place = place_of(path);
	char hex[SHA256_HEX + 1];
	struct stat like;
	const struct hashed *hashed = stat(path, &like) == 0 ? recall(&like) : NULL;

	cJSON_AddStringToObject(file, "file", base_name(path));
	cJSON_AddStringToObject(file, "found", place != NULL ? place : "loader");
	if (hashed != NULL) {
		sha256_hex(&hashed->hash, hex);
		cJSON_AddNumberToObject(file, "bytes", (double)hashed->size);
		cJSON_AddStringToObject(file, "sha256", hex);
	} else {
		cJSON_AddNullToObject(file, "bytes");
		cJSON_AddNullToObject(file, "sha256");
	}
	return file;
}

cJSON *library_files(const char *const *prefixes)
{
	struct loaded loaded = {.prefixes = prefixes};
	cJSON *files = cJSON_CreateArray();

	dl_iterate_phdr(note_loaded, &loaded);
	if (loaded.count != 0)
		qsort(loaded.paths, loaded.count, sizeof *loaded.paths, by_name);
	pthread_mutex_lock(&remembered);
	hash_new(&loaded);
	for (size_t i = 0; i < loaded.count; i++) {
		cJSON_AddItemToArray(files, file_facts(loaded.paths[i]));
		free(loaded.paths[i]);
	}
	pthread_mutex_unlock(&remembered);
	free(loaded.paths);
	return files;
}
