#include "awaiting.h"

#include <stdlib.h>
#include <string.h>

#include "../base/plural.h"
#include "../bundle/admitted.h"
#include "../bundle/checksums.h"
#include "../bundle/layout.h"
#include "../log/tlog.h"
#include "logbook.h"

enum { NAMED = 4 }; /* submissions that are named */

struct awaiting {
	const struct root *archive;
	char **ids;
	size_t count, room;
	char **paths; /* of their files in the archive, sorted */
	size_t path_count, path_room;
	uint64_t log_size;
	size_t explained;
};

static void add(char ***list, size_t *count, size_t *room, char *text)
{
	if (*count == *room) {
		*room = *room == 0 ? 64 : *room * 2;
		*list = mem_array(*list, *room, sizeof **list);
	}
	(*list)[(*count)++] = text;
}

static void add_path(struct awaiting *awaiting, const char *id, const char *path)
{
	add(&awaiting->paths, &awaiting->path_count, &awaiting->path_room, admitted_path(id, path));
}

/* What its submitter sealed, and what stands beside that. */
static void add_files(struct awaiting *awaiting, const char *id)
{
	static const char *const beside[] = {LAYOUT_SUMS, LAYOUT_SUMS_SIGNATURE, LAYOUT_ROOT_MANIFEST, LAYOUT_ENTRY, LAYOUT_PROOF};
	char *path = mem_format(LAYOUT_SUBMISSIONS "%s/" LAYOUT_SUMS, id);
	struct checksums sums = {0};
	struct bytes text = {0};

	for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++)
		add_path(awaiting, id, beside[i]);
	if (root_read(awaiting->archive, path, CHECKSUMS_FILE_MAX, &text, NULL) == OK)
		checksums_parse(text.data != NULL ? text.data : "", text.len, path, &sums, NULL, NULL);
	for (size_t i = 0; i < sums.count; i++)
		add_path(awaiting, id, sums.at[i].path);
	checksums_free(&sums);
	bytes_free(&text);
	free(path);
}

/* Submissions whose entry the seal does not list. */
static void find_submissions(struct awaiting *awaiting, const struct findings *findings)
{
	const char *rest;
	size_t len;

	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->at[i];

		if (finding->rule != R_BND_EXTRA || !layout_split(finding->file, LAYOUT_SUBMISSIONS, &len, &rest) || strcmp(rest, LAYOUT_ENTRY) != 0)
			continue;
		add(&awaiting->ids, &awaiting->count, &awaiting->room, mem_textn(finding->file + strlen(LAYOUT_SUBMISSIONS), len));
		add_files(awaiting, awaiting->ids[awaiting->count - 1]);
	}
}

static int by_text(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

/* A reviewer's signature of a submission: the submission's root manifest lists it, and has been held against it. */
static bool is_countersignature(const struct awaiting *awaiting, const char *path)
{
	const char *rest;
	size_t len;

	if (!layout_split(path, LAYOUT_SUBMISSIONS, &len, &rest) || strncmp(rest, LAYOUT_COUNTERSIGNATURES, strlen(LAYOUT_COUNTERSIGNATURES)) != 0)
		return false;
	for (size_t i = 0; i < awaiting->count; i++)
		if (strlen(awaiting->ids[i]) == len && strncmp(path + strlen(LAYOUT_SUBMISSIONS), awaiting->ids[i], len) == 0)
			return true;
	return false;
}

/* The tiles of the log were read and hashed by logbook_check, those alone that belong to its checkpoint. */
static bool is_of_log(const struct awaiting *awaiting, const struct finding *finding)
{
	struct tile tile;

	if (strncmp(finding->file, LAYOUT_LOG, strlen(LAYOUT_LOG)) != 0)
		return false;
	const char *path = finding->file + strlen(LAYOUT_LOG);

	if (strcmp(path, TLOG_CHECKPOINT) == 0)
		return finding->rule == R_BND_CHANGED;
	if (!tile_parse(path, &tile))
		return false;
	/* A partial tile goes once its tile is full. */
	return finding->rule == R_BND_EXTRA ||
	       (finding->rule == R_BND_MISSING && tile.width < TILE_WIDTH && tile_width(tile.level, tile.index, awaiting->log_size) == TILE_WIDTH);
}

static bool is_explained(void *context, const struct finding *finding)
{
	struct awaiting *awaiting = context;
	const char *path = finding->file;
	const bool explained = finding->rule == R_BND_UNFINISHED || is_of_log(awaiting, finding) ||
	                       (finding->rule == R_BND_EXTRA && (is_countersignature(awaiting, path) ||
	                                                         bsearch(&path, awaiting->paths, awaiting->path_count, sizeof *awaiting->paths, by_text) != NULL));

	awaiting->explained += explained && finding->rule != R_BND_UNFINISHED;
	return explained;
}

static void tell(const struct awaiting *awaiting, struct findings *findings)
{
	struct bytes names = {0};

	for (size_t i = 0; i < awaiting->count && i < NAMED; i++)
		bytes_format(&names, "%s%s", i == 0 ? "" : ", ", awaiting->ids[i]);
	if (awaiting->count > NAMED)
		bytes_format(&names, " and %zu more", awaiting->count - NAMED);
	findings_add(findings, R_ADM_AWAITS, LAYOUT_SUBMISSIONS, "%zu submission%s admitted and await%s the root seal, with %zu new or changed file%s: %s", awaiting->count,
	             awaiting->count == 1 ? " is" : "s are", awaiting->count == 1 ? "s" : "", awaiting->explained, plural(awaiting->explained), names.data);
	bytes_free(&names);
}

void awaiting_fold(const struct root *archive, struct findings *findings)
{
	struct awaiting awaiting = {.archive = archive};
	struct tlog log = {0};

	find_submissions(&awaiting, findings);
	if (awaiting.count > 0 && logbook_open(archive, &log, NULL) == OK) {
		awaiting.log_size = log.head.size;
		qsort(awaiting.paths, awaiting.path_count, sizeof *awaiting.paths, by_text);
		findings_drop(findings, is_explained, &awaiting);
		tell(&awaiting, findings);
	}
	tlog_close(&log);
	for (size_t i = 0; i < awaiting.count; i++)
		free(awaiting.ids[i]);
	for (size_t i = 0; i < awaiting.path_count; i++)
		free(awaiting.paths[i]);
	free(awaiting.ids);
	free(awaiting.paths);
}
