#include "layout.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../base/bytes.h"
#include "../base/sha256.h"

const char *const layout_sealed[] = {"artifact", "manifests", "tasks", NULL};

bool layout_is_listed(const char *path)
{
	return layout_is_sealed(path) && strcmp(path, LAYOUT_ROOT_MANIFEST) != 0 &&
	       strncmp(path, LAYOUT_COUNTERSIGNATURES, strlen(LAYOUT_COUNTERSIGNATURES)) != 0;
}

bool layout_is_sealed(const char *path)
{
	for (size_t i = 0; layout_sealed[i] != NULL; i++) {
		size_t len = strlen(layout_sealed[i]);

		if (strncmp(path, layout_sealed[i], len) == 0 && path[len] == '/')
			return true;
	}
	return false;
}

/* Where a file may stand. */
enum reach {
	ITSELF,   /* the place is a file */
	BENEATH,  /* anywhere in the directory */
	IN_NAMED, /* in directories of it, each with the name of a source or run; not in itself */
};

static const struct {
	const char *path;
	enum reach reach;
} places[] = {
	{LAYOUT_CANDIDATES, BENEATH}, {LAYOUT_CLAIMS, BENEATH},  {LAYOUT_EXPECTED, IN_NAMED}, {LAYOUT_KNOWN, ITSELF},
	{LAYOUT_FACTS, BENEATH},      {LAYOUT_LOG, BENEATH},     {LAYOUT_REPLAYS, BENEATH},   {LAYOUT_RUNS, IN_NAMED},
	{LAYOUT_SOURCES, IN_NAMED},   {LAYOUT_TABLES, BENEATH},  {LAYOUT_TRUST, ITSELF},      {LAYOUT_TASKS, BENEATH},
	{LAYOUT_SUBMISSION, ITSELF},  {LAYOUT_SUBMISSIONS, IN_NAMED},
};

bool layout_is_placed(const char *path)
{
	const char *part;
	size_t len;

	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		const char *place = places[i].path;
		bool placed = places[i].reach == ITSELF    ? strcmp(path, place) == 0
		              : places[i].reach == BENEATH ? strncmp(path, place, strlen(place)) == 0
		                                           : layout_split(path, place, &len, &part);

		if (placed)
			return true;
	}
	return layout_object(path, &part) || layout_stem(path, LAYOUT_KEYS, LAYOUT_KEY_END, &part, &len) ||
	       layout_stem(path, LAYOUT_MANIFESTS, LAYOUT_MANIFEST_END, &part, &len);
}

bool layout_is_ahead(const char *path)
{
	const char *name;
	size_t len;

	return layout_split(path, LAYOUT_RUNS, &len, &name) && (strcmp(name, LAYOUT_EXCHANGES_AHEAD) == 0 || strcmp(name, LAYOUT_EVALUATIONS_AHEAD) == 0);
}

bool layout_is_leftover(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash != NULL ? slash + 1 : path;
	size_t len = strlen(name);

	return strncmp(name, ".ptxseal-", 9) == 0 && len > 13 && strcmp(name + len - 4, ".tmp") == 0;
}

bool layout_name_valid(const char *name)
{
	/* The program never sets a locale: isalnum knows ASCII only. */
	if (!isalnum((unsigned char)name[0]))
		return false;
	for (const char *c = name; *c != '\0'; c++)
		if (!isalnum((unsigned char)*c) && strchr("._-", *c) == NULL)
			return false;
	return true;
}

bool layout_split(const char *path, const char *prefix, size_t *name_len, const char **rest)
{
	size_t len = strlen(prefix);

	if (strncmp(path, prefix, len) != 0)
		return false;
	const char *slash = strchr(path + len, '/');

	if (slash == NULL)
		return false;
	*name_len = (size_t)(slash - (path + len));
	*rest = slash + 1;
	return true;
}

bool layout_stem(const char *path, const char *prefix, const char *end, const char **name, size_t *len)
{
	size_t prefix_len = strlen(prefix), end_len = strlen(end), path_len = strlen(path);

	if (path_len <= prefix_len + end_len || strncmp(path, prefix, prefix_len) != 0 ||
	    strcmp(path + path_len - end_len, end) != 0 || strchr(path + prefix_len, '/') != NULL)
		return false;
	*name = path + prefix_len;
	*len = path_len - prefix_len - end_len;
	return true;
}

bool layout_object(const char *path, const char **hex)
{
	struct sha256 id;
	size_t len;

	return layout_split(path, LAYOUT_OBJECTS, &len, hex) && len == 2 && sha256_parse(*hex, &id) && strncmp(*hex, *hex - 3, 2) == 0;
}

static bool is_sealed_name(const char *name)
{
	for (size_t i = 0; layout_sealed[i] != NULL; i++)
		if (strcmp(name, layout_sealed[i]) == 0)
			return true;
	return strcmp(name, "checksums") == 0;
}

/* Where the name leads, links followed as far as there is something: what is missing would be made there. NULL if there is
 * no current directory. */
static char *resolve(const char *name)
{
	char *at = name[0] == '/' ? mem_text("") : realpath(".", NULL);

	for (const char *part = name; at != NULL && *part != '\0';) {
		size_t len = strcspn(part, "/");
		char *slash = strrchr(at, '/');

		if (len == 2 && part[0] == '.' && part[1] == '.') {
			if (slash != NULL)
				*slash = '\0'; /* at has no links, so this is its parent */
		} else if (len > 0 && !(len == 1 && part[0] == '.')) {
			char *below = mem_format("%s/%.*s", strcmp(at, "/") == 0 ? "" : at, (int)len, part);
			char *real = realpath(below, NULL);

			free(at);
			at = real != NULL ? real : below;
			if (real != NULL)
				free(below);
		}
		part += len;
		part += *part == '/';
	}
	return at;
}

bool layout_inside_bundle(const char *name)
{
	char *path = resolve(name);
	bool inside = false;

	if (path == NULL)
		return false;
	for (char *last = strrchr(path, '/'); last != NULL && !inside; last = strrchr(path, '/')) {
		struct stat st;

		*last = '\0';
		char *artifact = mem_format("%s/artifact", path);

		inside = is_sealed_name(last + 1) && stat(artifact, &st) == 0 && S_ISDIR(st.st_mode);
		free(artifact);
	}
	free(path);
	return inside;
}
