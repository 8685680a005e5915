#include "keeper.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../base/json.h"
#include "../bundle/evaluations.h"
#include "../bundle/exchanges.h"
#include "../bundle/layout.h"
#include "../bundle/objects.h"

enum {
	WAITING_MAX = 8 << 20,   /* bytes that wait to be put in their place: beyond them a commit waits too */
	UNFLUSHED_MAX = 4 << 20, /* the same of bytes that the disk may not have yet */
	UNSYNCED_MIN = 4 << 20,  /* bytes in their place that are worth waiting for the disk while there is nothing else to do: so that less is left at the end */
	LATELY = 1024,         /* a power of two */
};

/* A file of lines. */
struct lines {
	enum ahead_kind kind;
	char *path;
	int fd;        /* locked */
	uint64_t size; /* of what was committed */
	struct bytes queued;
};

/* Something for the thread to do. */
struct work {
	enum { WORK_GROUP, WORK_OBJECT, WORK_SYNC } kind;
	struct work *next;
	struct bytes bytes;  /* a group, or an object */
	struct sha256 hash;  /* of the object */
	int area;            /* to clear once everything is on the disk; -1: none */
};

struct works {
	struct work *first, **last;
	size_t bytes;
	size_t unflushed; /* bytes of groups that were written and not flushed yet */
};

struct keeper {
	const struct root *root;
	struct lines at[AHEAD_KINDS]; /* those that are written have an fd; of the others it is -1 */
	char *ahead_path;
	struct ahead *ahead;
	struct bytes group;           /* in the making */
	struct works next;            /* to be handed to the thread with the next commit */
	bool unsettled;               /* some were since all was settled */
	struct sha256 lately[LATELY]; /* objects that were handed to the thread not long ago, by the first bits of their hash: what was told again and again is not put again and again */
	/* The thread's, under the lock: */
	pthread_t thread;
	bool started;
	pthread_mutex_t lock;
	pthread_cond_t came, done;
	struct works works; /* the bytes of the one under way among them */
	size_t unsynced; /* bytes that were put in their place since the disk was waited for; the thread's alone */
	bool busy, stop, waited_for;
	bool clear[AHEAD_AREAS];
	enum status status; /* of whatever failed first */
	struct error err;
};

static const char *const file_names[AHEAD_KINDS] = {[AHEAD_EXCHANGES] = LAYOUT_EXCHANGES, [AHEAD_EVALUATIONS] = LAYOUT_EVALUATIONS};

/* A session that writes exchanges has the one name, whatever else it writes; one of the tool for agents, which goes on beside that of the recording proxy, the other. */
static char *path_of_ahead(const char *run, unsigned files)
{
	return mem_format(LAYOUT_RUNS "%s/%s", run, (files & KEEPER_EXCHANGES) != 0 ? LAYOUT_EXCHANGES_AHEAD : LAYOUT_EVALUATIONS_AHEAD);
}

enum status keeper_check_settled(const struct root *root, const char *run, unsigned files, struct error *err)
{
	enum status status = OK;

	/* Evaluations come from a session of either kind. */
	for (unsigned kind = 0; kind < 2 && status == OK; kind++) {
		char *path = path_of_ahead(run, kind == 0 ? KEEPER_EXCHANGES : KEEPER_EVALUATIONS);

		if ((kind == 0 || (files & KEEPER_EVALUATIONS) != 0) && root_has(root, path))
			status = error_set(err, R_AHD_UNFINISHED, path, AHEAD_UNFINISHED);
		free(path);
	}
	return status;
}

/* ---- the thread ---- */

/* Who talks with the model goes first. */
static void step_back(void)
{
	struct sched_param parameter;
	int policy;

	if (pthread_getschedparam(pthread_self(), &policy, &parameter) == 0 && policy != SCHED_OTHER) {
		if (parameter.sched_priority > sched_get_priority_min(policy))
			parameter.sched_priority--;
		pthread_setschedparam(pthread_self(), policy, &parameter);
	} else {
		setpriority(PRIO_PROCESS, (id_t)gettid(), getpriority(PRIO_PROCESS, 0) + 5); /* of this thread alone (setpriority(2), "C library/kernel differences") */
	}
}

static enum status append(const struct lines *lines, const char *text, size_t len, struct error *err)
{
	return file_write_all(lines->fd, text, len) ? OK : error_errno(err, R_IO_WRITE, lines->path, "cannot add a record");
}

static enum status place_frame(void *context, const struct ahead_frame *frame, struct error *err)
{
	const struct keeper *keeper = context;

	if (frame->kind == AHEAD_OBJECT)
		return object_place(keeper->root, frame->data, frame->len, &frame->hash, err);
	return append(&keeper->at[frame->kind], frame->data, frame->len, err);
}

/* Wait until the disk has everything that was put in its place: objects by their whole file system, for they are many (Linux says since 5.8 if one of them could not be written). */
static enum status sync_all(const struct keeper *keeper, struct error *err)
{
	struct root objects;
	enum status status = OK;

	for (size_t i = 0; i < AHEAD_KINDS && status == OK; i++)
		if (keeper->at[i].fd >= 0 && fdatasync(keeper->at[i].fd) != 0)
			status = error_errno(err, R_IO_WRITE, keeper->at[i].path, "cannot add records");
	if (status != OK || !root_has(keeper->root, LAYOUT_OBJECTS_DIRECTORY))
		return status;
	status = root_beneath(keeper->root, LAYOUT_OBJECTS_DIRECTORY, &objects, err);
	if (status == OK && syncfs(objects.fd) != 0)
		status = error_errno(err, R_IO_WRITE, LAYOUT_OBJECTS_DIRECTORY, "cannot write the objects");
	root_close(&objects);
	return status;
}

static enum status do_work(struct keeper *keeper, const struct work *work, struct error *err)
{
	enum status status;

	switch (work->kind) {
	case WORK_GROUP:
		keeper->unsynced += work->bytes.len;
		return ahead_frames(&work->bytes, place_frame, keeper, err);
	case WORK_OBJECT:
		keeper->unsynced += work->bytes.len;
		return object_place(keeper->root, work->bytes.data, work->bytes.len, &work->hash, err);
	default:
		keeper->unsynced = 0;
		status = sync_all(keeper, err);
		return status == OK && work->area >= 0 ? ahead_clear(keeper->ahead, (unsigned)work->area, err) : status;
	}
}

/* Steps of the thread: under the lock, but for what takes time. */

static enum status flush(struct keeper *keeper, struct error *err)
{
	const size_t bytes = keeper->works.unflushed;

	pthread_mutex_unlock(&keeper->lock);
	const enum status status = ahead_flush(keeper->ahead, err);

	pthread_mutex_lock(&keeper->lock);
	keeper->works.unflushed -= bytes;
	return status;
}

static enum status do_unlocked(struct keeper *keeper, const struct work *work, struct error *err)
{
	pthread_mutex_unlock(&keeper->lock);
	const enum status status = do_work(keeper, work, err);

	pthread_mutex_lock(&keeper->lock);
	return status;
}

/* Once something failed nothing more is put anywhere: the write-ahead file has it all. */
static enum status do_first(struct keeper *keeper, struct error *err)
{
	struct work *work = keeper->works.first;

	keeper->works.first = work->next;
	if (work->next == NULL)
		keeper->works.last = &keeper->works.first;
	const enum status status = keeper->status == OK ? do_unlocked(keeper, work, err) : OK;

	if (work->kind == WORK_SYNC && work->area >= 0)
		keeper->clear[work->area] = true;
	keeper->works.bytes -= work->bytes.len;
	bytes_free(&work->bytes);
	free(work);
	return status;
}

static enum status sync_meanwhile(struct keeper *keeper, struct error *err)
{
	return do_unlocked(keeper, &(struct work){.kind = WORK_SYNC, .area = -1}, err);
}

typedef enum status keeper_step(struct keeper *keeper, struct error *err);

/* What was written goes to the disk before anything of it is put in its place: no record stands there that the power could take from the write-ahead file. */
static keeper_step *next_step(const struct keeper *keeper)
{
	if (keeper->works.unflushed > 0 && keeper->status == OK)
		return flush;
	if (keeper->works.first != NULL)
		return do_first;
	return keeper->unsynced >= UNSYNCED_MIN && keeper->status == OK && !keeper->stop ? sync_meanwhile : NULL;
}

static void *settle_what_comes(void *context)
{
	struct keeper *keeper = context;
	keeper_step *step;

	step_back();
	pthread_mutex_lock(&keeper->lock);
	while ((step = next_step(keeper)) != NULL || !keeper->stop) {
		struct error err = {0};

		if (step == NULL) {
			pthread_cond_wait(&keeper->came, &keeper->lock);
			continue;
		}
		keeper->busy = true;
		const enum status status = step(keeper, &err);

		keeper->busy = false;
		if (status != OK && keeper->status == OK) {
			keeper->status = status;
			keeper->err = err;
		}
		if (keeper->waited_for)
			pthread_cond_signal(&keeper->done);
	}
	pthread_mutex_unlock(&keeper->lock);
	return NULL;
}

/* Signals are the caller's. */
static void start(struct keeper *keeper)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&keeper->thread, NULL, settle_what_comes, keeper) != 0)
		mem_lacking();
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	keeper->started = true;
}

/* Takes over what the work owns. */
static void add_work(struct keeper *keeper, const struct work *what)
{
	struct work *work = mem_alloc(sizeof *work);

	*work = *what;
	*keeper->next.last = work;
	keeper->next.last = &work->next;
	keeper->next.bytes += work->bytes.len;
}

/* All of them at once: the thread is woken once a commit. */
static void hand_over(struct keeper *keeper)
{
	if (keeper->next.first == NULL)
		return;
	if (!keeper->started)
		start(keeper);
	keeper->unsettled = true;
	pthread_mutex_lock(&keeper->lock);
	for (const struct work *work = keeper->next.first; work != NULL; work = work->next)
		if (work->kind == WORK_SYNC && work->area >= 0)
			keeper->clear[work->area] = false;
	*keeper->works.last = keeper->next.first;
	keeper->works.last = keeper->next.last;
	keeper->works.bytes += keeper->next.bytes;
	keeper->works.unflushed += keeper->next.unflushed;
	pthread_cond_signal(&keeper->came);
	pthread_mutex_unlock(&keeper->lock);
	keeper->next = (struct works){.last = &keeper->next.first};
}

/* Until no more bytes than that wait, with 0 until there is nothing left to do; and until the area is clear, if one is given. */
static enum status wait_until(struct keeper *keeper, size_t most, int area, struct error *err)
{
	pthread_mutex_lock(&keeper->lock);
	keeper->waited_for = true;
	while (keeper->works.bytes > most || (keeper->works.unflushed > UNFLUSHED_MAX && keeper->status == OK) || (most == 0 && (keeper->busy || keeper->works.first != NULL)) || (area >= 0 && !keeper->clear[area]))
		pthread_cond_wait(&keeper->done, &keeper->lock);
	keeper->waited_for = false;
	const enum status status = keeper->status;

	if (status != OK && err != NULL)
		*err = keeper->err;
	pthread_mutex_unlock(&keeper->lock);
	return status;
}

/* The area that is full is settled while the other one is written, which has to be clear for that. */
static enum status turn_area(struct keeper *keeper, struct error *err)
{
	const unsigned full = ahead_turn(keeper->ahead);

	add_work(keeper, &(struct work){.kind = WORK_SYNC, .area = (int)full});
	hand_over(keeper);
	return wait_until(keeper, SIZE_MAX, 1 - (int)full, err);
}

/* The group in the making goes to the disk, and then to the thread. */
static enum status write_group(struct keeper *keeper, struct error *err)
{
	struct work work = {.kind = WORK_GROUP};
	enum status status = OK;

	if (keeper->group.len == 0)
		return OK;
	if (!ahead_has_room(keeper->ahead, ahead_size(&keeper->group, 0)))
		status = turn_area(keeper, err);
	if (status == OK)
		status = ahead_write(keeper->ahead, &keeper->group, err);
	if (status == OK) {
		work.bytes = keeper->group;
		keeper->group = (struct bytes){0};
		add_work(keeper, &work);
		keeper->next.unflushed += work.bytes.len;
	}
	keeper->group.len = 0;
	return status;
}

static enum status add_frame(struct keeper *keeper, const struct ahead_frame *frame, struct error *err)
{
	const enum status status = ahead_size(&keeper->group, frame->len) > AHEAD_GROUP_MAX ? write_group(keeper, err) : OK;

	if (status == OK)
		ahead_add(&keeper->group, frame);
	return status;
}

/* Nothing of what was handed in counts, and nothing more is taken. */
static enum status fail(struct keeper *keeper, enum status status, const struct error *why, struct error *err)
{
	pthread_mutex_lock(&keeper->lock);
	keeper->status = status;
	keeper->err = *why;
	pthread_mutex_unlock(&keeper->lock);
	for (size_t i = 0; i < AHEAD_KINDS; i++)
		keeper->at[i].queued.len = 0;
	keeper->group.len = 0;
	if (err != NULL)
		*err = *why;
	return status;
}

/* What is larger than a frame goes to its place at once: what names it comes later. */
enum status keeper_object(struct keeper *keeper, const void *data, size_t len, const struct sha256 *hash, struct error *err)
{
	const struct ahead_frame frame = {.kind = AHEAD_OBJECT, .data = data, .len = len, .hash = *hash};
	struct error why = {0};
	struct sha256 id;
	const enum status status = len > AHEAD_FRAME_MAX ? object_put(keeper->root, data, len, &id, &why) : add_frame(keeper, &frame, &why);

	/* What was handed in before is not kept without it. */
	return status == OK ? OK : fail(keeper, status, &why, err);
}

enum status keeper_object_later(struct keeper *keeper, const void *data, size_t len, const struct sha256 *hash, struct error *err)
{
	struct sha256 *lately = &keeper->lately[(hash->byte[0] | hash->byte[1] << 8) & (LATELY - 1)];
	struct work work = {.kind = WORK_OBJECT, .hash = *hash};

	if (memcmp(lately, hash, sizeof *hash) == 0)
		return OK;
	if (len > AHEAD_FRAME_MAX)
		return object_put(keeper->root, data, len, &work.hash, err);
	*lately = *hash;
	bytes_add(&work.bytes, data, len);
	add_work(keeper, &work);
	return OK;
}

void keeper_lines(struct keeper *keeper, enum keeper_of file, const char *text, size_t len)
{
	bytes_add(&keeper->at[file == KEEPER_EXCHANGES ? AHEAD_EXCHANGES : AHEAD_EVALUATIONS].queued, text, len);
}

/* As many whole lines of them as a frame takes; each line is far shorter. */
static size_t part_of(const struct bytes *lines, size_t at)
{
	size_t len = lines->len - at;

	if (len > AHEAD_FRAME_MAX)
		for (len = AHEAD_FRAME_MAX; lines->data[at + len - 1] != '\n';)
			len--;
	return len;
}

static enum status add_lines(struct keeper *keeper, struct lines *lines, struct error *err)
{
	enum status status = OK;

	for (size_t at = 0; at < lines->queued.len && status == OK;) {
		const size_t len = part_of(&lines->queued, at);

		status = add_frame(keeper, &(struct ahead_frame){.kind = lines->kind, .at = lines->size, .data = lines->queued.data + at, .len = len, .hash = sha256_of(lines->queued.data + at, len)}, err);
		lines->size += len;
		at += len;
	}
	lines->queued.len = 0;
	return status;
}

enum status keeper_commit(struct keeper *keeper, struct error *err)
{
	struct error why = {0};
	enum status status = wait_until(keeper, WAITING_MAX, -1, &why);

	for (size_t i = 0; i < AHEAD_KINDS && status == OK; i++)
		status = add_lines(keeper, &keeper->at[i], &why);
	if (status == OK)
		status = write_group(keeper, &why);
	hand_over(keeper);
	return status == OK ? OK : fail(keeper, status, &why, err);
}

enum status keeper_settle(struct keeper *keeper, struct error *err)
{
	enum status status = keeper_commit(keeper, err);

	if (status != OK || !keeper->unsettled)
		return status;
	add_work(keeper, &(struct work){.kind = WORK_SYNC, .area = -1});
	hand_over(keeper);
	status = wait_until(keeper, 0, -1, err);
	if (status == OK)
		status = ahead_remove(keeper->ahead, err);
	keeper->unsettled = status != OK;
	return status;
}

/* ---- opening ---- */

/* What stands in the files, and what is to stand there. */
struct recovering {
	struct keeper *keeper;
	struct bytes is[AHEAD_KINDS], to_be[AHEAD_KINDS];
	bool goes_on[AHEAD_KINDS]; /* the write-ahead file has lines of it */
	struct keeper_left left;
};

static uint64_t count_lines(const char *data, size_t len)
{
	uint64_t count = 0;

	for (size_t i = 0; i < len; i++)
		count += data[i] == '\n';
	return count;
}

static enum status take_frame(void *context, const struct ahead_frame *frame, struct error *err)
{
	struct recovering *recovering = context;
	const struct keeper *keeper = recovering->keeper;
	const struct lines *lines = &keeper->at[frame->kind];
	const struct bytes *is = &recovering->is[frame->kind];

	if (frame->kind == AHEAD_OBJECT) {
		recovering->left.objects++;
		return OK;
	}
	if (lines->fd < 0)
		return error_set(err, R_AHD_DAMAGED, keeper->ahead_path, "it has lines of %s, which such a session does not write", file_names[frame->kind]);
	if (!recovering->goes_on[frame->kind] && (frame->at > is->len || (frame->at > 0 && is->data[frame->at - 1] != '\n')))
		return error_set(err, R_AHD_LOST, lines->path, "%s goes on behind a line that ends at byte %llu of it", keeper->ahead_path, (unsigned long long)frame->at);
	if (!recovering->goes_on[frame->kind])
		bytes_add(&recovering->to_be[frame->kind], is->data, (size_t)frame->at);
	recovering->goes_on[frame->kind] = true;
	bytes_add(&recovering->to_be[frame->kind], frame->data, frame->len);
	*(frame->kind == AHEAD_EXCHANGES ? &recovering->left.exchanges : &recovering->left.evaluations) += count_lines(frame->data, frame->len);
	return OK;
}

static enum status place_object(void *context, const struct ahead_frame *frame, struct error *err)
{
	const struct recovering *recovering = context;

	return frame->kind == AHEAD_OBJECT ? object_place(recovering->keeper->root, frame->data, frame->len, &frame->hash, err) : OK;
}

static enum status pass_exchange(void *context, struct exchange *exchange, uint64_t line, struct error *err)
{
	(void)context, (void)exchange, (void)line, (void)err;
	return OK;
}

static enum status pass_evaluation(void *context, struct evaluation *evaluation, uint64_t line, struct error *err)
{
	(void)context, (void)evaluation, (void)line, (void)err;
	return OK;
}

/* Before anything is changed: a line that is no record would stand in the file for good. */
static enum status check_records(const struct recovering *recovering, enum ahead_kind kind, struct error *err)
{
	const struct bytes *text = &recovering->to_be[kind];
	const char *path = recovering->keeper->at[kind].path;

	if (!recovering->goes_on[kind])
		return OK;
	return kind == AHEAD_EXCHANGES ? exchanges_parse(text->data, text->len, path, pass_exchange, NULL, err) : evaluations_parse(text->data, text->len, path, pass_evaluation, NULL, err);
}

/* Where the file has all that it is to have, and perhaps more, only a line that was not written whole is cut off: nobody has used it. */
static void keep_more(struct recovering *recovering, enum ahead_kind kind)
{
	const struct bytes *is = &recovering->is[kind];
	struct bytes *to_be = &recovering->to_be[kind];
	size_t len = is->len;

	if (recovering->goes_on[kind] && (is->len < to_be->len || memcmp(is->data, to_be->data, to_be->len) != 0))
		return;
	while (len > 0 && is->data[len - 1] != '\n')
		len--;
	to_be->len = 0;
	bytes_add(to_be, is->data, len);
}

static bool is_record(const char *line, size_t len)
{
	struct error none = {0};
	cJSON *tree = NULL;
	const bool is = json_parse(line, len, "", &tree, &none) == OK && cJSON_IsObject(tree);

	cJSON_Delete(tree);
	return is;
}

/* What is cut off was never whole. A record that the write-ahead file knows nothing of is of a session that came to its end: the file is another run's, or of an earlier time. */
static enum status check_kept(const struct recovering *recovering, enum ahead_kind kind, struct error *err)
{
	const struct bytes *is = &recovering->is[kind], *to_be = &recovering->to_be[kind];
	const char *end;

	for (size_t at = 0; at < is->len && (end = memchr(is->data + at, '\n', is->len - at)) != NULL; at = (size_t)(end - is->data) + 1) {
		const size_t len = (size_t)(end - is->data) + 1 - at;
		const bool stays = at + len <= to_be->len && memcmp(is->data + at, to_be->data + at, len) == 0;

		if (!stays && is_record(is->data + at, len))
			return error_set(err, R_AHD_LOST, recovering->keeper->at[kind].path, "%s has another line than the record at byte %zu, which would be lost", recovering->keeper->ahead_path, at);
	}
	return OK;
}

static enum status write_lines(struct recovering *recovering, enum ahead_kind kind, struct error *err)
{
	struct lines *lines = &recovering->keeper->at[kind];
	const struct bytes *is = &recovering->is[kind], *to_be = &recovering->to_be[kind];
	size_t same = 0;

	while (same < is->len && same < to_be->len && is->data[same] == to_be->data[same])
		same++;
	lines->size = to_be->len;
	if (same < is->len && ftruncate(lines->fd, (off_t)same) != 0)
		return error_errno(err, R_IO_WRITE, lines->path, "cannot cut off what was not written whole");
	if (same == is->len && same == to_be->len)
		return OK;
	const enum status status = append(lines, to_be->data + same, to_be->len - same, err);

	return status == OK && fdatasync(lines->fd) != 0 ? error_errno(err, R_IO_WRITE, lines->path, "cannot add records") : status;
}

static enum status read_lines(struct recovering *recovering, enum ahead_kind kind, struct error *err)
{
	const struct lines *lines = &recovering->keeper->at[kind];

	return lines->fd < 0 ? OK : root_read(recovering->keeper->root, lines->path, kind == AHEAD_EXCHANGES ? EXCHANGES_FILE_MAX : EVALUATIONS_FILE_MAX, &recovering->is[kind], err);
}

/* A kill may have left what the disk does not have yet: it goes there before anything of it is put in its place, as in a session. */
static enum status flush_left(const struct keeper *keeper, struct error *err)
{
	int fd;
	enum status status = root_open_file(keeper->root, keeper->ahead_path, &fd, NULL, err);

	if (status != OK)
		return status;
	if (fdatasync(fd) != 0)
		status = error_errno(err, R_IO_WRITE, keeper->ahead_path, "cannot keep what a session left");
	close(fd);
	return status;
}

/* Everything is read and looked at before the first byte is written; and it is all done again where this was killed, too. */
static enum status recover(struct recovering *recovering, struct error *err)
{
	struct keeper *keeper = recovering->keeper;
	const bool left = root_has(keeper->root, keeper->ahead_path);
	struct bytes ahead = {0};
	enum status status = OK;

	for (enum ahead_kind kind = AHEAD_EXCHANGES; kind < AHEAD_KINDS && status == OK; kind++)
		status = read_lines(recovering, kind, err);
	if (status == OK && left)
		status = root_read(keeper->root, keeper->ahead_path, AHEAD_FILE_MAX, &ahead, err);
	if (status == OK)
		status = ahead_read(ahead.data, ahead.len, keeper->ahead_path, take_frame, recovering, err);
	for (enum ahead_kind kind = AHEAD_EXCHANGES; kind < AHEAD_KINDS && status == OK; kind++) {
		keep_more(recovering, kind);
		status = check_records(recovering, kind, err);
		if (status == OK)
			status = check_kept(recovering, kind, err);
	}
	if (status == OK && left)
		status = flush_left(keeper, err);
	if (status == OK)
		status = ahead_read(ahead.data, ahead.len, keeper->ahead_path, place_object, recovering, err);
	for (enum ahead_kind kind = AHEAD_EXCHANGES; kind < AHEAD_KINDS && status == OK; kind++)
		if (keeper->at[kind].fd >= 0)
			status = write_lines(recovering, kind, err);
	if (status == OK && left)
		status = sync_all(keeper, err);
	if (status == OK && left)
		status = root_remove(keeper->root, keeper->ahead_path, err);
	bytes_free(&ahead);
	return status;
}

static enum status open_lines(struct keeper *keeper, const char *run, enum ahead_kind kind, struct error *err)
{
	struct lines *lines = &keeper->at[kind];

	lines->path = mem_format(LAYOUT_RUNS "%s/%s", run, file_names[kind]);
	const enum status status = root_open_append(keeper->root, lines->path, &lines->fd, err);

	if (status == OK && flock(lines->fd, LOCK_EX | LOCK_NB) != 0)
		return error_set(err, kind == AHEAD_EXCHANGES ? R_EXC_LOCKED : R_MCP_LOCKED, lines->path, "another process has it");
	return status;
}

static struct keeper *new_keeper(const struct root *root, const char *run, unsigned files)
{
	struct keeper *keeper = mem_alloc(sizeof *keeper);

	keeper->root = root;
	keeper->ahead_path = path_of_ahead(run, files);
	keeper->works.last = &keeper->works.first;
	keeper->next.last = &keeper->next.first;
	for (enum ahead_kind kind = 0; kind < AHEAD_KINDS; kind++)
		keeper->at[kind] = (struct lines){.kind = kind, .fd = -1};
	for (size_t i = 0; i < AHEAD_AREAS; i++)
		keeper->clear[i] = true;
	pthread_mutex_init(&keeper->lock, NULL);
	pthread_cond_init(&keeper->came, NULL);
	pthread_cond_init(&keeper->done, NULL);
	return keeper;
}

enum status keeper_open(const struct root *root, const char *run, unsigned files, struct keeper **opened, struct keeper_left *left, struct error *err)
{
	struct keeper *keeper = new_keeper(root, run, files);
	struct recovering recovering = {.keeper = keeper};
	enum status status = OK;

	for (enum ahead_kind kind = AHEAD_EXCHANGES; kind < AHEAD_KINDS && status == OK; kind++)
		if ((files & 1u << kind) != 0)
			status = open_lines(keeper, run, kind, err);
	if (status == OK)
		status = recover(&recovering, err);
	if (status == OK)
		status = ahead_open(root, keeper->ahead_path, &keeper->ahead, err);
	for (size_t i = 0; i < AHEAD_KINDS; i++) {
		bytes_free(&recovering.is[i]);
		bytes_free(&recovering.to_be[i]);
	}
	*opened = status == OK ? keeper : NULL;
	if (status == OK && left != NULL)
		*left = recovering.left;
	if (status != OK)
		keeper_close(keeper);
	return status;
}

void keeper_close(struct keeper *keeper)
{
	if (keeper == NULL)
		return;
	if (keeper->ahead != NULL)
		keeper_settle(keeper, NULL);
	if (keeper->started) {
		pthread_mutex_lock(&keeper->lock);
		keeper->stop = true;
		pthread_cond_signal(&keeper->came);
		pthread_mutex_unlock(&keeper->lock);
		pthread_join(keeper->thread, NULL);
	}
	pthread_cond_destroy(&keeper->came);
	pthread_cond_destroy(&keeper->done);
	pthread_mutex_destroy(&keeper->lock);
	for (size_t i = 0; i < AHEAD_KINDS; i++) {
		if (keeper->at[i].fd >= 0)
			close(keeper->at[i].fd);
		free(keeper->at[i].path);
		bytes_free(&keeper->at[i].queued);
	}
	ahead_free(keeper->ahead);
	bytes_free(&keeper->group);
	free(keeper->ahead_path);
	free(keeper);
}
