#include "known.h"

#include <stdlib.h>
#include <string.h>

#include "../base/date.h"
#include "../base/name.h"
#include "../bundle/checksums.h"
#include "../bundle/layout.h"
#include "../bundle/ledger.h"
#include "../bundle/objects.h"
#include "../bundle/replays.h"
#include "../bundle/trust.h"
#include "../kernel/candidate.h"
#include "../kernel/cubin.h"
#include "../kernel/ptxform.h"

void known_free(struct known *known)
{
	for (size_t i = 0; i < known->place_count; i++)
		free(known->places[i]);
	free(known->places);
	free(known->at);
	*known = (struct known){0};
}

struct sha256 known_text(const char *text)
{
	return sha256_of(text, strlen(text));
}

struct sha256 known_model(const char *model)
{
	struct bytes folded = {0};

	name_fold(model, &folded);
	const struct sha256 hash = sha256_of(folded.data != NULL ? folded.data : "", folded.len);

	bytes_free(&folded);
	return hash;
}

/* What stands in one place is told one after the other. */
static const char *place(struct known *known, const char *where, size_t len)
{
	const char *last = known->place_count > 0 ? known->places[known->place_count - 1] : NULL;

	if (last != NULL && strncmp(last, where, len) == 0 && last[len] == '\0')
		return last;
	if (known->place_count == known->place_room) {
		known->place_room = known->place_room == 0 ? 64 : known->place_room * 2;
		known->places = mem_array(known->places, known->place_room, sizeof *known->places);
	}
	return known->places[known->place_count++] = mem_textn(where, len);
}

static void add(struct known *known, enum known_kind kind, struct sha256 hash, const char *where, size_t len)
{
	if (known->count == known->room) {
		known->room = known->room == 0 ? 256 : known->room * 2;
		known->at = mem_array(known->at, known->room, sizeof *known->at);
	}
	known->at[known->count++] = (struct known_thing){.kind = kind, .hash = hash, .where = place(known, where, len)};
}

static int by_thing(const void *a, const void *b)
{
	const struct known_thing *x = a, *y = b;
	int order = (x->kind > y->kind) - (x->kind < y->kind);

	if (order == 0)
		order = memcmp(&x->hash, &y->hash, sizeof x->hash);
	return order != 0 ? order : strcmp(x->where, y->where);
}

/* The first of that kind and hash, if there is one: where it would stand. */
static size_t first_of(const struct known *known, enum known_kind kind, const struct sha256 *hash)
{
	const struct known_thing key = {.kind = kind, .hash = *hash, .where = ""};
	size_t low = 0, high = known->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (by_thing(&known->at[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_of(const struct known *known, size_t at, enum known_kind kind, const struct sha256 *hash)
{
	return at < known->count && known->at[at].kind == kind && memcmp(&known->at[at].hash, hash, sizeof *hash) == 0;
}

const struct known_thing *known_find(const struct known *known, enum known_kind kind, const struct sha256 *hash, const char *but)
{
	for (size_t at = first_of(known, kind, hash); is_of(known, at, kind, hash); at++)
		if (but == NULL || strcmp(known->at[at].where, but) != 0)
			return &known->at[at];
	return NULL;
}

static bool ends_in(const char *path, const char *end)
{
	const size_t len = strlen(path), end_len = strlen(end);

	return len >= end_len && strcmp(path + len - end_len, end) == 0;
}

/* ---- candidates ---- */

/* What a cubin executes: its code, by the names of its functions. What else is in the file, behind it or in its header changes no instruction. */
static struct sha256 cubin_hash(const struct bytes *text, const char *path)
{
	struct bytes code = {0};
	struct cubin cubin;

	if (cubin_read((const uint8_t *)text->data, text->len, path, &cubin, NULL) != OK)
		return sha256_of(text->data, text->len);
	for (size_t i = 0; i < cubin.count; i++)
		bytes_add(&code, cubin_code(&cubin, &cubin.at[i]), cubin.at[i].size);
	const struct sha256 hash = sha256_of(code.data != NULL ? code.data : "", code.len);

	bytes_free(&code);
	cubin_free(&cubin);
	return hash;
}

static bool is_ptx(const struct bytes *text)
{
	static const char version[] = ".version", target[] = ".target";

	return memmem(text->data, text->len, version, strlen(version)) != NULL && memmem(text->data, text->len, target, strlen(target)) != NULL;
}

/* By what is in it: how a file is called is up to candidate.json. */
static void take_candidate_file(const struct root *root, const char *path, struct known *known)
{
	const size_t directory = (size_t)(strrchr(path, '/') - path);
	struct bytes text = {0};

	if (ends_in(path, "/candidate.json"))
		return;
	if (root_read(root, path, CANDIDATE_CUBIN_MAX, &text, NULL) == OK && text.len > 0) {
		if (text.len >= 4 && memcmp(text.data, "\177ELF", 4) == 0)
			add(known, KNOWN_CUBIN, cubin_hash(&text, path), path, directory);
		else if (is_ptx(&text))
			add(known, KNOWN_PTX, ptx_form_hash(text.data, text.len), path, directory);
	}
	bytes_free(&text);
}

/* ---- records ---- */

/* Below this, times of a short kernel may well be those of another. */
enum { TIMES_LEAST = 16 };

int known_column(const cJSON *record, const char *name)
{
	const cJSON *item;
	int at = 0;

	cJSON_ArrayForEach(item, replay_at(record, "timing.columns"))
	{
		if (cJSON_IsString(item) && strcmp(item->valuestring, name) == 0)
			return at;
		at++;
	}
	return -1;
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

bool known_times(const cJSON *record, int time, struct sha256 *hash)
{
	static const char *const names[KNOWN_TIMES] = {"candidate_ns", "baseline_ns"};
	const int column = known_column(record, names[time]);
	const cJSON *samples = replay_at(record, "timing.samples"), *row;
	double *values = mem_array(NULL, cJSON_IsArray(samples) ? (size_t)cJSON_GetArraySize(samples) + 1 : 1, sizeof *values);
	struct bytes text = {0};
	size_t count = 0;

	cJSON_ArrayForEach(row, samples)
	{
		const cJSON *item = cJSON_IsArray(row) && column >= 0 ? cJSON_GetArrayItem(row, column) : NULL;

		if (cJSON_IsNumber(item))
			values[count++] = item->valuedouble;
	}
	if (count > 1)
		qsort(values, count, sizeof *values, by_value);
	bytes_text(&text, names[time]);
	for (size_t i = 0; i < count; i++)
		bytes_format(&text, " %.0f", values[i]);
	*hash = sha256_of(text.data, text.len);
	/* Equal times are no times: told by R_SUB_TIMER. */
	const bool known = count >= TIMES_LEAST && values[0] < values[count - 1];

	bytes_free(&text);
	free(values);
	return known;
}

/* A call by its two times: whole nanoseconds on two clocks, which two measurements do not give alike (review.c has how seldom). */
static bool call_hash(const cJSON *row, int time, const int columns[2], struct sha256 *hash)
{
	const cJSON *device = columns[0] >= 0 ? cJSON_GetArrayItem(row, columns[0]) : NULL, *wall = columns[1] >= 0 ? cJSON_GetArrayItem(row, columns[1]) : NULL;

	if (!cJSON_IsNumber(device) || !cJSON_IsNumber(wall))
		return false;
	char *text = mem_format("%d %.0f %.0f", time, device->valuedouble, wall->valuedouble);

	*hash = known_text(text);
	free(text);
	return true;
}

static void columns_of(const cJSON *record, int time, int columns[2])
{
	static const char *const names[KNOWN_TIMES][2] = {{"candidate_ns", "candidate_wall_ns"}, {"baseline_ns", "baseline_wall_ns"}};

	for (int i = 0; i < 2; i++)
		columns[i] = known_column(record, names[time][i]);
}

static void take_calls(const cJSON *record, int time, const char *path, struct known *known)
{
	const cJSON *row;
	struct sha256 hash;
	int columns[2];

	columns_of(record, time, columns);
	cJSON_ArrayForEach(row, replay_at(record, "timing.samples"))
	{
		if (cJSON_IsArray(row) && call_hash(row, time, columns, &hash))
			add(known, KNOWN_CALL, hash, path, strlen(path));
	}
}

static int by_where(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

struct known_calls known_calls(const struct known *known, const cJSON *record, int time, const char *but, size_t *calls)
{
	struct known_calls most = {0};
	const char **places = NULL;
	size_t count = 0, room = 0;
	const cJSON *row;
	struct sha256 hash;
	int columns[2];

	*calls = 0;
	columns_of(record, time, columns);
	cJSON_ArrayForEach(row, replay_at(record, "timing.samples"))
	{
		const char *last = NULL;

		if (!cJSON_IsArray(row) || !call_hash(row, time, columns, &hash))
			continue;
		(*calls)++;
		/* Of one record once, however often it has it. */
		for (size_t at = first_of(known, KNOWN_CALL, &hash); is_of(known, at, KNOWN_CALL, &hash); at++) {
			const char *where = known->at[at].where;

			if ((but != NULL && strcmp(where, but) == 0) || (last != NULL && strcmp(where, last) == 0))
				continue;
			if (count == room) {
				room = room == 0 ? 64 : room * 2;
				places = mem_array(places, room, sizeof *places);
			}
			places[count++] = last = where;
		}
	}
	if (count > 1)
		qsort(places, count, sizeof *places, by_where);
	for (size_t i = 0, first = 0; i < count; i++) {
		if (strcmp(places[i], places[first]) != 0)
			first = i;
		if (i - first + 1 > most.count)
			most = (struct known_calls){.where = places[i], .count = i - first + 1};
	}
	free(places);
	return most;
}

static void take_record(const struct root *root, const char *path, struct known *known)
{
	cJSON *record = NULL;
	const cJSON *row;
	struct sha256 hash;

	if (replay_read(root, path, &record, NULL) != OK)
		return;
	const int column = known_column(record, "seed");

	add(known, KNOWN_DEVICE, known_text(replay_text(record, "device.name")), path, strlen(path));
	for (int i = 0; i < KNOWN_TIMES; i++) {
		if (known_times(record, i, &hash))
			add(known, KNOWN_SAMPLES, hash, path, strlen(path));
		take_calls(record, i, path, known);
	}
	cJSON_ArrayForEach(row, replay_at(record, "timing.samples"))
	{
		const cJSON *seed = cJSON_IsArray(row) && column >= 0 ? cJSON_GetArrayItem(row, column) : NULL;

		if (cJSON_IsString(seed))
			add(known, KNOWN_SEED, known_text(seed->valuestring), path, strlen(path));
	}
	cJSON_Delete(record);
}

/* ---- runs ---- */

static enum status on_run(void *context, const struct run *run, struct error *err)
{
	(void)err;
	add(context, KNOWN_MODEL, known_model(run->model), run->source, strlen(run->source));
	return OK;
}

static enum status on_turn(void *context, const struct run *run, const struct turn *turn, uint64_t line, struct error *err)
{
	struct sha256 id;

	(void)line, (void)err;
	if (sha256_parse(turn->response, &id))
		add(context, KNOWN_RESPONSE, id, run->run, strlen(run->run));
	return OK;
}

struct sha256 known_reply(const struct exchange *exchange)
{
	struct sha256 both[2] = {exchange->request};

	if (exchange->has_response)
		both[1] = exchange->response;
	return sha256_of(both, sizeof both);
}

struct sha256 known_exchange(const struct exchange *exchange)
{
	const struct sha256 reply = known_reply(exchange);
	struct bytes text = {0};

	bytes_add(&text, &reply, sizeof reply);
	bytes_text(&text, exchange->started);
	const struct sha256 hash = sha256_of(text.data, text.len);

	bytes_free(&text);
	return hash;
}

int64_t known_started(const struct exchange *exchange)
{
	/* YYYY-MM-DDTHH:MM:SS.mmmZ, which exchanges_parse has checked. */
	const char *clock = exchange->started + DATE_TEXT + 1;
	const long seconds = strtol(clock, NULL, 10) * 3600 + strtol(clock + 3, NULL, 10) * 60 + strtol(clock + 6, NULL, 10);

	return (date_days(exchange->started) * 86400 + seconds) * 1000 + strtol(clock + 9, NULL, 10);
}

/* Milliseconds: below, what is measured is the machine's haste and not the model's. */
enum { TIME_LEAST = 100 };

bool known_time(const struct exchange *exchange, enum known_kind kind, int64_t first, struct sha256 *hash)
{
	const int64_t time = kind == KNOWN_TOOK ? exchange->took_ms : known_started(exchange) - first;
	const struct sha256 reply = known_reply(exchange);
	struct bytes text = {0};

	bytes_add(&text, &reply, sizeof reply);
	bytes_format(&text, "%lld %lld", (long long)time, (long long)(kind == KNOWN_TOOK ? exchange->first_byte_ms : 0));
	*hash = sha256_of(text.data, text.len);
	bytes_free(&text);
	return time >= TIME_LEAST;
}

struct taking {
	struct known *known;
	const char *run;
	size_t len;
	int64_t first;
};

static enum status on_exchange(void *context, struct exchange *exchange, uint64_t line, struct error *err)
{
	struct taking *taking = context;
	struct sha256 hash;

	(void)err;
	if (line == 1)
		taking->first = known_started(exchange);
	add(taking->known, KNOWN_EXCHANGE, known_exchange(exchange), taking->run, taking->len);
	if (!exchange->has_response)
		return OK;
	add(taking->known, KNOWN_REPLY, known_reply(exchange), taking->run, taking->len);
	if (known_time(exchange, KNOWN_TOOK, taking->first, &hash))
		add(taking->known, KNOWN_TOOK, hash, taking->run, taking->len);
	if (known_time(exchange, KNOWN_PACE, taking->first, &hash))
		add(taking->known, KNOWN_PACE, hash, taking->run, taking->len);
	return OK;
}

static void take_exchanges(const struct root *root, const char *path, size_t len, struct known *known)
{
	struct taking taking = {.known = known, .run = path + strlen(LAYOUT_RUNS), .len = len};
	struct bytes text = {0};

	if (root_read(root, path, EXCHANGES_FILE_MAX, &text, NULL) == OK)
		exchanges_parse(text.data != NULL ? text.data : "", text.len, path, on_exchange, &taking, NULL);
	bytes_free(&text);
}

/* ---- submissions ---- */

/* The keys of a submission's trust.json that may seal it. */
static void take_keys(const struct root *root, const char *path, struct known *known)
{
	const char *id = path + strlen(LAYOUT_SUBMISSIONS);
	struct bytes text = {0};
	struct trust trust = {0};

	if (root_read(root, path, TRUST_FILE_MAX, &text, NULL) == OK && trust_parse(text.data != NULL ? text.data : "", text.len, &trust, NULL) == OK)
		for (size_t i = 0; i < trust.count; i++)
			if (words_have(&trust.at[i].roles, ROLE_ROOT))
				add(known, KNOWN_KEY, known_text(trust.at[i].fingerprint), id, strcspn(id, "/"));
	trust_free(&trust);
	bytes_free(&text);
}

void known_take(const struct root *root, struct known *known)
{
	const struct ledger_visitor visitor = {.on_run = on_run, .on_turn = on_turn, .context = known};
	struct file_list list;

	*known = (struct known){0};
	root_list_past(root, "artifact", &list);
	for (size_t i = 0; i < list.count; i++) {
		const char *path = list.at[i].path, *rest;
		size_t len;

		if (list.at[i].kind != FILE_REGULAR)
			continue;
		if (layout_split(path, LAYOUT_RUNS, &len, &rest) && strcmp(rest, LAYOUT_EXCHANGES) == 0)
			take_exchanges(root, path, len, known);
		else if (strncmp(path, LAYOUT_CANDIDATES, strlen(LAYOUT_CANDIDATES)) == 0)
			take_candidate_file(root, path, known);
		else if (strncmp(path, LAYOUT_REPLAYS, strlen(LAYOUT_REPLAYS)) == 0)
			take_record(root, path, known);
	}
	file_list_free(&list);
	root_list_past(root, "manifests/submissions", &list);
	for (size_t i = 0; i < list.count; i++)
		if (list.at[i].kind == FILE_REGULAR && ends_in(list.at[i].path, "/" LAYOUT_TRUST))
			take_keys(root, list.at[i].path, known);
	file_list_free(&list);
	ledger_read(root, &visitor, NULL);
	if (known->count > 1)
		qsort(known->at, known->count, sizeof *known->at, by_thing);
}
