#include "intake.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../bundle/key.h"
#include "../bundle/layout.h"
#include "tar.h"
#include "tarball.h"

void intake_free(struct intake *intake)
{
	for (size_t i = 0; i < intake->kept.count; i++) {
		free((char *)intake->kept.at[i].path);
		bytes_free(&intake->kept.at[i].text);
	}
	free(intake->kept.at);
	free(intake->hashes);
	free(intake->private_keys);
	*intake = (struct intake){0};
}

struct reading {
	const char *file;
	const struct intake_sink *sink;
	struct intake *intake;
	size_t room;
	size_t held;          /* bytes of kept texts */
	uint64_t names;       /* intake_name_cost of all */
	struct sha256_stream *hash;
	struct bytes look;    /* the whole of a small file */
};

unsigned intake_parts(const char *path)
{
	unsigned count = 1;

	for (const char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/'))
		count++;
	return count;
}

/* What no file system takes (NAME_MAX). */
static bool has_long_part(const char *path)
{
	while (strcspn(path, "/") <= NAME_MAX && strchr(path, '/') != NULL)
		path = strchr(path, '/') + 1;
	return strcspn(path, "/") > NAME_MAX;
}

static const struct kept_file *find(const struct kept *kept, const char *path, size_t len)
{
	size_t low = 0, high = kept->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strncmp(kept->at[middle].path, path, len);

		if (order == 0 && kept->at[middle].path[len] == '\0')
			return &kept->at[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* Beside data/, with the most bytes of each; the manifest's follow from the names. */
static const struct {
	const char *name;
	uint64_t max;
} tags[] = {{"bag-info.txt", INTAKE_TAG_MAX}, {"bagit.txt", INTAKE_TAG_MAX}, {"manifest-sha256.txt", 0}, {TARBALL_TAGS, INTAKE_TAG_MAX}};

/* Where pack puts files: beside data/, and in data/ what a bundle has and the crate. */
static bool is_placed(const char *path)
{
	const char *beneath = path + strlen(TARBALL_DATA "/");

	for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
		if (strcmp(path, tags[i].name) == 0)
			return true;
	return !intake_is_tag(path) && (strcmp(beneath, TARBALL_CRATE) == 0 || strncmp(beneath, "checksums/", strlen("checksums/")) == 0 ||
	                                layout_is_sealed(beneath));
}

/* Everything a name can be wrong in but for letter case, which needs all of them. path is beneath bundle/ once OK. */
static enum status check_name(const struct reading *reading, const char *name, const char **path, struct error *err)
{
	const struct kept *kept = &reading->intake->kept;
	size_t top = strlen(TARBALL_TOP);

	if (strncmp(name, TARBALL_TOP, top) != 0 || !path_valid(name + top, strlen(name + top)))
		return error_set(err, R_PCK_NAME, reading->file, "the name '%s'", name);
	if (has_long_part(name + top))
		return error_set(err, R_PCK_NAME, reading->file, "a part of '%s' is longer than %d bytes", name, NAME_MAX);
	if (intake_parts(name + top) > TARBALL_DEPTH_MAX)
		return error_set(err, R_PCK_NAME, reading->file, "'%s' has more than %d parts", name, TARBALL_DEPTH_MAX);
	*path = name + top;
	if (!is_placed(*path))
		return error_set(err, R_PCK_BAG, reading->file, "pack puts no '%s' there", *path);
	if (kept->count > 0 && strcmp(kept->at[kept->count - 1].path, *path) >= 0)
		return error_set(err, R_PCK_ORDER, reading->file, "'%s' comes after '%s'", *path, kept->at[kept->count - 1].path);
	/* What it stands beneath would sort before it. */
	for (const char *slash = strchr(*path, '/'); slash != NULL; slash = strchr(slash + 1, '/'))
		if (find(kept, *path, (size_t)(slash - *path)) != NULL)
			return error_set(err, R_PCK_ORDER, reading->file, "'%s' stands beneath a file", *path);
	return OK;
}

uint64_t intake_name_cost(const char *before, const char *path)
{
	size_t same = 0;
	uint64_t cost = strlen(path);

	while (before[same] != '\0' && before[same] == path[same])
		same++;
	for (const char *slash = strchr(path + same, '/'); slash != NULL; slash = strchr(slash + 1, '/'))
		cost += (size_t)(slash - path);
	return cost;
}

/* A line of the manifest for each file: a hash, two spaces, the name with up to three characters for each of its own, and the end. */
static uint64_t tag_max(const struct reading *reading, const char *path)
{
	for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
		if (strcmp(path, tags[i].name) == 0 && tags[i].max > 0)
			return tags[i].max;
	return INTAKE_TAG_MAX + reading->intake->kept.count * (SHA256_HEX + 3) + 3 * reading->names;
}

static enum status check_limits(struct reading *reading, const char *path, uint64_t size, struct error *err)
{
	const struct kept *kept = &reading->intake->kept;

	if (reading->intake->kept.count == TARBALL_FILES_MAX)
		return error_set(err, R_PCK_LIMIT, reading->file, "more than %d files", TARBALL_FILES_MAX);
	if (size > TARBALL_BYTES_MAX - reading->intake->bytes)
		return error_set(err, R_PCK_LIMIT, reading->file, "with '%s' more than %llu bytes", path, (unsigned long long)TARBALL_BYTES_MAX);
	if (intake_is_tag(path) && size > tag_max(reading, path))
		return error_set(err, R_PCK_LIMIT, reading->file, "'%s' has %llu bytes, it needs at most %llu", path, (unsigned long long)size,
		                 (unsigned long long)tag_max(reading, path));
	reading->names += intake_name_cost(kept->count > 0 ? kept->at[kept->count - 1].path : "", path);
	if (reading->names > INTAKE_NAMES_MAX)
		return error_set(err, R_PCK_LIMIT, reading->file, "with '%s' more than %d bytes of names", path, INTAKE_NAMES_MAX);
	return OK;
}

static struct kept_file *add(struct reading *reading, const char *path, uint64_t size)
{
	struct intake *intake = reading->intake;
	struct kept *kept = &intake->kept;

	if (kept->count == reading->room) {
		reading->room = reading->room == 0 ? 256 : reading->room * 2;
		kept->at = mem_array(kept->at, reading->room, sizeof *kept->at);
		intake->hashes = mem_array(intake->hashes, reading->room, sizeof *intake->hashes);
		intake->private_keys = mem_array(intake->private_keys, reading->room, sizeof *intake->private_keys);
	}
	kept->at[kept->count] = (struct kept_file){.path = mem_text(path), .size = size};
	intake->bytes += size;
	return &kept->at[kept->count++];
}

static enum status take_file(struct reading *reading, struct tar_reader *tar, const char *path, uint64_t size, struct error *err)
{
	const struct intake_sink *sink = reading->sink;
	struct kept_file *file = add(reading, path, size);
	size_t at = reading->intake->kept.count - 1;
	enum status status = sink->begin != NULL ? sink->begin(sink->context, file->path, size, err) : OK;
	bool small = size <= HASH_LOOK_MAX;

	/* Tag files are needed first of all, and no larger than the names ask for. */
	file->held = intake_is_tag(file->path) || (sink->keep != NULL && size <= INTAKE_KEPT_MAX - reading->held && sink->keep(file->path));
	if (file->held && !intake_is_tag(file->path))
		reading->held += (size_t)size;
	reading->look.len = 0;
	while (status == OK) {
		const void *data;
		size_t len;

		/* The next block may end the life of the one before. */
		sha256_wait(reading->hash);
		status = tar_block(tar, &data, &len, err);
		if (status != OK || len == 0)
			break;
		if (sink->data != NULL)
			sha256_add_aside(reading->hash, data, len);
		else
			sha256_add(reading->hash, data, len);
		if (file->held)
			bytes_add(&file->text, data, len);
		if (small)
			bytes_add(&reading->look, data, len);
		if (sink->data != NULL)
			status = sink->data(sink->context, data, len, err);
	}
	reading->intake->hashes[at] = sha256_end(reading->hash);
	reading->intake->private_keys[at] = small && key_is_private(reading->look.data != NULL ? reading->look.data : "", reading->look.len);
	if (status == OK && sink->end != NULL)
		status = sink->end(sink->context, err);
	return status;
}

static enum status take_all(struct reading *reading, struct tar_reader *tar, struct error *err)
{
	const char *name, *path = NULL;
	uint64_t size;
	enum status status;

	while ((status = tar_next(tar, &name, &size, err)) == OK && name != NULL) {
		status = check_name(reading, name, &path, err);
		if (status == OK)
			status = check_limits(reading, path, size, err);
		if (status == OK)
			status = take_file(reading, tar, path, size, err);
		if (status != OK)
			break;
	}
	return status;
}

/* Files and the directories that lead to them. */
static enum status check_case(const struct reading *reading, struct error *err)
{
	struct file_list list;
	enum status status = OK;

	kept_list(&reading->intake->kept, "", &list);
	const struct file_entry **order = mem_array(NULL, list.count, sizeof *order);

	for (size_t i = 0; i < list.count; i++)
		order[i] = &list.at[i];
	if (list.count > 1)
		qsort(order, list.count, sizeof *order, file_by_folded_path);
	for (size_t i = 1; i < list.count && status == OK; i++)
		if (strcasecmp(order[i - 1]->path, order[i]->path) == 0)
			status = error_set(err, R_PCK_ORDER, reading->file, "'%s' and '%s' differ only in letter case", order[i - 1]->path, order[i]->path);
	free(order);
	file_list_free(&list);
	return status;
}

/* A regular file that the user named. */
static enum status open_file(const char *file, int *fd, uint64_t *size, struct error *err)
{
	struct stat st;

	if (file[0] == '\0')
		return error_set(err, R_IO_NAME, "", "an empty name");
	*fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (*fd < 0)
		return error_errno(err, R_IO_OPEN, file, "cannot open the file");
	if (fstat(*fd, &st) == 0 && S_ISREG(st.st_mode)) {
		*size = (uint64_t)st.st_size;
		return OK;
	}
	close(*fd);
	return error_set(err, R_IO_KIND, file, "not a regular file");
}

enum status intake_read(const char *file, bool quiet, const struct intake_sink *sink, struct intake *intake, struct error *err)
{
	struct reading reading = {.file = file, .sink = sink, .intake = intake};
	struct frame_reader *frame = NULL;
	struct tar_reader *tar = NULL;
	uint64_t size = 0;
	int fd = -1;
	enum status status = open_file(file, &fd, &size, err);

	*intake = (struct intake){0};
	if (status != OK)
		return status;
	struct progress *progress = progress_start("reading", "bytes", size, quiet);

	status = frame_open(fd, file, size, progress, &frame, err);
	if (status == OK) {
		reading.hash = sha256_stream_new();
		tar_open(frame, file, &tar);
		status = take_all(&reading, tar, err);
	}
	if (status == OK)
		status = check_case(&reading, err);
	if (status == OK)
		intake->packed = frame_read(frame);
	progress_end(progress);
	tar_stop(tar);
	frame_stop(frame);
	sha256_stream_free(reading.hash);
	bytes_free(&reading.look);
	close(fd);
	return status;
}

bool intake_is_tag(const char *path)
{
	return strncmp(path, TARBALL_DATA "/", strlen(TARBALL_DATA "/")) != 0;
}

static const struct sha256 *known_hash(void *context, const char *path)
{
	const struct intake *intake = context;
	const struct kept_file *file = find(&intake->kept, path, strlen(path));

	return file != NULL ? &intake->hashes[file - intake->kept.at] : NULL;
}

void intake_check_bag(const struct intake *intake, const char *file, struct findings *findings)
{
	struct bag_options options = {.sha256 = known_hash, .context = (void *)intake};
	struct bag_report report;
	struct root root;

	kept_open(&intake->kept, file, &root);
	bag_check(&root, &options, &report);
	root_close(&root);
	/* What other programs may take otherwise is nothing that pack writes. */
	for (size_t i = 0; i < report.doubts.count; i++)
		findings_add(findings, R_PCK_BAG, report.doubts.at[i].file, "%s", report.doubts.at[i].what);
	if (report.version[0] != '\0' && strcmp(report.version, "1.0") != 0)
		findings_add(findings, R_PCK_BAG, "bagit.txt", "a bag of version %s", report.version);
	if (find(&intake->kept, TARBALL_TAGS, strlen(TARBALL_TAGS)) == NULL)
		findings_add(findings, R_PCK_BAG, TARBALL_TAGS, "it is not there");
	findings_move(findings, &report.findings);
	bag_report_free(&report);
}
