#include "known.h"

#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../bundle/checksums.h"
#include "../bundle/layout.h"
#include "../bundle/ledger.h"
#include "../bundle/objects.h"
#include "../bundle/replays.h"
#include "../bundle/trust.h"
#include "../kernel/candidate.h"
#include "../kernel/ptxform.h"

void known_free(struct known *known)
{
	for (size_t i = 0; i < known->count; i++)
		free(known->at[i].where);
	free(known->at);
	*known = (struct known){0};
}

struct sha256 known_text(const char *text)
{
	return sha256_of(text, strlen(text));
}

static void add(struct known *known, enum known_kind kind, struct sha256 hash, const char *where, size_t len)
{
	if (known->count == known->room) {
		known->room = known->room == 0 ? 256 : known->room * 2;
		known->at = mem_array(known->at, known->room, sizeof *known->at);
	}
	known->at[known->count++] = (struct known_thing){.kind = kind, .hash = hash, .where = mem_textn(where, len)};
}

static int by_thing(const void *a, const void *b)
{
	const struct known_thing *x = a, *y = b;
	int order = (x->kind > y->kind) - (x->kind < y->kind);

	if (order == 0)
		order = memcmp(&x->hash, &y->hash, sizeof x->hash);
	return order != 0 ? order : strcmp(x->where, y->where);
}

const struct known_thing *known_find(const struct known *known, enum known_kind kind, const struct sha256 *hash, const char *but)
{
	const struct known_thing key = {.kind = kind, .hash = *hash, .where = (char[]){""}};
	size_t low = 0, high = known->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (by_thing(&known->at[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < known->count && known->at[low].kind == kind && memcmp(&known->at[low].hash, hash, sizeof *hash) == 0; low++)
		if (but == NULL || strcmp(known->at[low].where, but) != 0)
			return &known->at[low];
	return NULL;
}

static bool ends_in(const char *path, const char *end)
{
	const size_t len = strlen(path), end_len = strlen(end);

	return len >= end_len && strcmp(path + len - end_len, end) == 0;
}

/* ---- candidates ---- */

static void take_candidate_file(const struct root *root, const char *path, struct known *known)
{
	const bool is_ptx = ends_in(path, ".ptx");
	const size_t directory = (size_t)(strrchr(path, '/') - path);
	struct bytes text = {0};

	if (!is_ptx && !ends_in(path, ".cubin"))
		return;
	if (root_read(root, path, CANDIDATE_CUBIN_MAX, &text, NULL) == OK && text.len > 0)
		add(known, is_ptx ? KNOWN_PTX : KNOWN_CUBIN, is_ptx ? ptx_form_hash(text.data, text.len) : sha256_of(text.data, text.len), path, directory);
	bytes_free(&text);
}

/* ---- records ---- */

static void take_record(const struct root *root, const char *path, struct known *known)
{
	struct bytes text = {0};
	cJSON *record = NULL;
	const cJSON *row;

	if (replay_read(root, path, &record, NULL) != OK)
		return;
	const cJSON *samples = replay_at(record, "timing.samples");

	add(known, KNOWN_DEVICE, known_text(replay_text(record, "device.name")), path, strlen(path));
	if (cJSON_IsArray(samples) && samples->child != NULL && jcs_write(samples, &text, NULL) == OK)
		add(known, KNOWN_SAMPLES, sha256_of(text.data, text.len), path, strlen(path));
	cJSON_ArrayForEach(row, samples)
	{
		const cJSON *seed = cJSON_IsArray(row) ? row->child : NULL;

		if (cJSON_IsString(seed))
			add(known, KNOWN_SEED, known_text(seed->valuestring), path, strlen(path));
	}
	bytes_free(&text);
	cJSON_Delete(record);
}

/* ---- runs ---- */

static enum status on_run(void *context, const struct run *run, struct error *err)
{
	(void)err;
	add(context, KNOWN_MODEL, known_text(run->model), run->source, strlen(run->source));
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
		const char *path = list.at[i].path;

		if (list.at[i].kind != FILE_REGULAR)
			continue;
		if (strncmp(path, LAYOUT_CANDIDATES, strlen(LAYOUT_CANDIDATES)) == 0)
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
