#include "trail.h"

#include <stdlib.h>
#include <string.h>

#include "../bundle/layout.h"
#include "../derive/parallel.h"

/* ---- texts, none twice ---- */

static uint64_t hash_of(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a, 64 bits */

	for (; *text != '\0'; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return hash;
}

static void pool_put(struct pool *pool, size_t index)
{
	size_t slot = (size_t)(hash_of(pool->at[index]) % pool->slot_count);

	while (pool->slots[slot] != 0)
		slot = slot + 1 == pool->slot_count ? 0 : slot + 1;
	pool->slots[slot] = index + 1;
}

static void pool_grow(struct pool *pool)
{
	free(pool->slots);
	pool->slot_count = pool->slot_count == 0 ? 1024 : pool->slot_count * 2;
	pool->slots = mem_alloc(pool->slot_count * sizeof *pool->slots);
	for (size_t i = 0; i < pool->count; i++)
		pool_put(pool, i);
}

size_t pool_find(const struct pool *pool, const char *text)
{
	if (pool->slot_count == 0)
		return SIZE_MAX;
	for (size_t slot = (size_t)(hash_of(text) % pool->slot_count); pool->slots[slot] != 0; slot = slot + 1 == pool->slot_count ? 0 : slot + 1)
		if (strcmp(pool->at[pool->slots[slot] - 1], text) == 0)
			return pool->slots[slot] - 1;
	return SIZE_MAX;
}

size_t pool_add(struct pool *pool, const char *text)
{
	const size_t found = pool_find(pool, text);

	if (found != SIZE_MAX)
		return found;
	if (pool->count * 2 >= pool->slot_count)
		pool_grow(pool);
	if (pool->count == pool->room) {
		pool->room = pool->room == 0 ? 256 : pool->room * 2;
		pool->at = mem_array(pool->at, pool->room, sizeof *pool->at);
	}
	pool->at[pool->count] = mem_text(text);
	pool_put(pool, pool->count);
	return pool->count++;
}

void pool_free(struct pool *pool)
{
	for (size_t i = 0; i < pool->count; i++)
		free(pool->at[i]);
	free(pool->at);
	free(pool->slots);
	*pool = (struct pool){0};
}

/* ---- lineage ---- */

void trail_free(struct trail *trail)
{
	for (size_t i = 0; trail->tables != NULL && i < trail->table_count; i++) {
		free(trail->tables[i].sets);
		free(trail->tables[i].kinds);
		free(trail->tables[i].groups);
	}
	free(trail->tables);
	pool_free(&trail->groups);
	pool_free(&trail->sets);
	pool_free(&trail->files);
	pool_free(&trail->names);
	lineage_turns_free(trail->turns, trail->turn_count);
	rows_free(&trail->runs);
	*trail = (struct trail){0};
}

const char *trail_run(const struct trail *trail, size_t run, enum run_column column)
{
	const char *cell = rows_cell(&trail->runs, run, column);

	return cell != NULL ? cell : "";
}

static enum status read_ledger(struct database *db, struct trail *trail, struct error *err)
{
	static const char sql[] = "SELECT run, source, evidence, model, arch, task, workload, workload_name, required_tag, date, checklist, retrieval, variant, "
				  "planned_trajectories, planned_turns FROM run ORDER BY run_id";
	const size_t count = (size_t)db->turns;
	int64_t *ids = mem_alloc((count + 1) * sizeof *ids);

	rows_free(&trail->runs);
	lineage_turns_free(trail->turns, trail->turn_count);
	trail->turns = NULL;
	trail->turn_count = count;
	enum status status = rows_read(db, sql, LAYOUT_RUNS, &trail->runs, err);

	for (size_t i = 0; i < count; i++)
		ids[i] = (int64_t)i + 1;
	if (status == OK)
		status = lineage_turns(db, LAYOUT_RUNS, 0, ids, count, &trail->turns, err);
	free(ids);
	return status;
}

/* One lineage query of one table. */
struct job {
	size_t table;
	size_t section; /* from 1 */
	struct lineage_rows rows;
};

struct asking {
	const struct derivation *derivation;
	struct trail *trail;
	struct job *jobs;
};

/* The first is the ledger itself. */
static enum status ask(struct database *db, size_t index, void *context, struct error *err)
{
	const struct asking *asking = context;

	if (index == 0)
		return read_ledger(db, asking->trail, err);
	struct job *job = &asking->jobs[index - 1];
	const struct derived *derived = &asking->derivation->tables[job->table];

	lineage_rows_free(&job->rows);
	return lineage_rows_make(db, derived, job->section, 0, derived->rows, &job->rows, err);
}

static void put_base36(uint64_t number, struct bytes *out)
{
	char digits[16];
	size_t at = sizeof digits;

	do {
		digits[--at] = "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36];
		number /= 36;
	} while (number > 0);
	bytes_add(out, digits + at, sizeof digits - at);
}

void trail_set(const int64_t *ids, size_t count, struct bytes *out)
{
	int64_t last = 0;

	for (size_t i = 0; i < count;) {
		size_t end = i + 1;

		while (end < count && ids[end] == ids[end - 1] + 1)
			end++;
		bytes_text(out, i == 0 ? "" : ",");
		put_base36((uint64_t)(ids[i] - last - 1), out);
		if (end - i > 1) {
			bytes_char(out, '.');
			put_base36(end - i - 1, out);
		}
		last = ids[end - 1];
		i = end;
	}
}

static void put_places(struct trail *trail, const struct lineage_place *places, size_t count, struct bytes *out)
{
	for (size_t i = 0; i < count; i++) {
		bytes_text(out, i == 0 ? "@" : ",@");
		put_base36(pool_add(&trail->files, places[i].file), out);
		if (places[i].line != 1) {
			bytes_char(out, '-');
			put_base36((uint64_t)places[i].line, out);
		}
	}
}

/* A mark for each run and file that a row rests on. */
struct marks {
	bool *runs;
	size_t run_count;
	bool *files;
	size_t file_room;
};

static void mark_file(struct marks *marks, size_t file)
{
	if (file >= marks->file_room) {
		size_t room = (file + 1) * 2;

		marks->files = mem_array(marks->files, room, sizeof *marks->files);
		memset(marks->files + marks->file_room, 0, (room - marks->file_room) * sizeof *marks->files);
		marks->file_room = room;
	}
	marks->files[file] = true;
}

static void mark(struct trail *trail, const struct lineage_rows *rows, const struct lineage_span *span, struct marks *marks)
{
	for (size_t i = span->first; i < span->end; i++) {
		const size_t file = rows->kind == LINEAGE_FILES ? pool_add(&trail->files, rows->places[i].file) : 0;

		if (rows->kind == LINEAGE_TURNS)
			marks->runs[trail->turns[rows->turns[i] - 1].run_id - 1] = true;
		else if (file < 2 * trail->runs.count)
			marks->runs[file / 2] = true;
		else
			mark_file(marks, file);
	}
}

/* What is marked as the text of a group; the marks are wiped. */
static void put_group(struct marks *marks, struct bytes *out)
{
	for (size_t i = 0; i < marks->run_count; i++)
		if (marks->runs[i])
			bytes_format(out, "%sr%zu", out->len == 0 ? "" : " ", i);
	for (size_t i = 0; i < marks->file_room; i++)
		if (marks->files[i])
			bytes_format(out, "%sf%zu", out->len == 0 ? "" : " ", i);
	bytes_text(out, "");
	memset(marks->runs, 0, marks->run_count * sizeof *marks->runs);
	if (marks->file_room > 0)
		memset(marks->files, 0, marks->file_room * sizeof *marks->files);
}

/* Hold the columns of the query to what they count. */
static enum status check_counts(const struct trail *trail, const struct derived *derived, const struct job *job, size_t row, struct error *err)
{
	const struct lineage_span *span = &job->rows.spans[row];
	const struct lineage_turn *last = NULL;
	size_t trajectories = 0, runs = 0;
	enum status status = OK;

	for (size_t i = span->first; i < span->end; i++) {
		const struct lineage_turn *turn = &trail->turns[job->rows.turns[i] - 1];
		bool same_run = last != NULL && last->run_id == turn->run_id;

		runs += same_run ? 0 : 1;
		trajectories += same_run && last->trajectory == turn->trajectory ? 0 : 1;
		last = turn;
	}
	for (size_t c = 0; c < derived->table->column_count && status == OK; c++)
		if (derived->table->columns[c].lineage == job->section)
			status = lineage_agrees(derived, row, c, span->end - span->first, trajectories, runs, err);
	return status;
}

static enum status take_job(struct trail *trail, const struct derived *derived, const struct job *job, struct error *err)
{
	struct trail_table *table = &trail->tables[job->table];
	size_t *sets = table->sets + (job->section - 1) * derived->rows;
	enum status status = OK;

	table->kinds[job->section - 1] = job->rows.kind;
	for (size_t row = 0; row < derived->rows && status == OK; row++) {
		const struct lineage_span *span = &job->rows.spans[row];
		struct bytes text = {0};

		if (job->rows.kind == LINEAGE_TURNS)
			status = check_counts(trail, derived, job, row, err);
		bytes_text(&text, "");
		if (row > 0 && span->first == span[-1].first && span->end == span[-1].end) {
			sets[row] = sets[row - 1];
		} else if (status == OK) {
			if (span->first == span->end)
				; /* of no records there may be no array either */
			else if (job->rows.kind == LINEAGE_TURNS)
				trail_set(job->rows.turns + span->first, span->end - span->first, &text);
			else
				put_places(trail, job->rows.places + span->first, span->end - span->first, &text);
			sets[row] = pool_add(&trail->sets, text.data);
		}
		bytes_free(&text);
	}
	return status;
}

/* jobs: those of the table. */
static void group_rows(struct trail *trail, const struct derived *derived, const struct job *jobs, size_t count, struct marks *marks)
{
	struct trail_table *table = &trail->tables[jobs[0].table];

	for (size_t row = 0; row < derived->rows; row++) {
		struct bytes text = {0};

		for (size_t i = 0; i < count; i++)
			mark(trail, &jobs[i].rows, &jobs[i].rows.spans[row], marks);
		put_group(marks, &text);
		table->groups[row] = pool_add(&trail->groups, text.data);
		bytes_free(&text);
	}
}

static enum status take_jobs(const struct derivation *derivation, struct trail *trail, struct job *jobs, size_t count, struct error *err)
{
	struct marks marks = {.runs = mem_alloc((trail->runs.count + 1) * sizeof *marks.runs), .run_count = trail->runs.count};
	enum status status = OK;

	for (size_t i = 0; i < count && status == OK; i++)
		status = take_job(trail, &derivation->tables[jobs[i].table], &jobs[i], err);
	for (size_t i = 0, end; i < count && status == OK; i = end) {
		for (end = i; end < count && jobs[end].table == jobs[i].table; end++)
			;
		group_rows(trail, &derivation->tables[jobs[i].table], &jobs[i], end - i, &marks);
	}
	free(marks.runs);
	free(marks.files);
	return status;
}

/* Files that stand in the page whether a cell names them or not: those of runs, and the tables themselves. */
static void add_files(const struct derivation *derivation, struct trail *trail)
{
	for (size_t i = 0; i < trail->runs.count; i++) {
		char *run = mem_format(LAYOUT_RUNS "%s/" LAYOUT_RUN, trail_run(trail, i, RUN_NAME));
		char *turns = mem_format(LAYOUT_RUNS "%s/" LAYOUT_TURNS, trail_run(trail, i, RUN_NAME));

		pool_add(&trail->names, trail_run(trail, i, RUN_NAME));
		pool_add(&trail->files, run);
		pool_add(&trail->files, turns);
		free(turns);
		free(run);
	}
	for (size_t i = 0; i < derivation->catalogue.table_count; i++)
		pool_add(&trail->files, derivation->catalogue.tables[i].file);
}

enum status trail_make(const struct derivation *derivation, struct trail *trail, struct error *err)
{
	const size_t tables = derivation->catalogue.table_count;
	struct job *jobs = NULL;
	size_t count = 0;

	*trail = (struct trail){.tables = mem_alloc((tables + 1) * sizeof *trail->tables), .table_count = tables};
	for (size_t t = 0; t < tables; t++) {
		struct trail_table *table = &trail->tables[t];
		const size_t rows = derivation->tables[t].rows;

		table->sections = derivation->catalogue.tables[t].sql.section_count - 1;
		table->sets = mem_alloc((table->sections * rows + 1) * sizeof *table->sets);
		table->kinds = mem_alloc((table->sections + 1) * sizeof *table->kinds);
		table->groups = mem_alloc((rows + 1) * sizeof *table->groups);
		jobs = mem_array(jobs, count + table->sections, sizeof *jobs);
		for (size_t s = 0; s < table->sections; s++)
			jobs[count++] = (struct job){.table = t, .section = s + 1};
	}
	struct asking asking = {.derivation = derivation, .trail = trail, .jobs = jobs};
	enum status status = parallel_run(derivation->db, count + 1, ask, &asking, err);

	if (status == OK)
		add_files(derivation, trail);
	pool_add(&trail->groups, ""); /* of a table without lineage queries */
	if (status == OK)
		status = take_jobs(derivation, trail, jobs, count, err);
	for (size_t i = 0; i < count; i++)
		lineage_rows_free(&jobs[i].rows);
	free(jobs);
	return status;
}
