#include "samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"
#include "../base/interval.h"
#include "../bundle/replays.h"

enum column { CANDIDATE_NS, BASELINE_NS, CANDIDATE_WALL, BASELINE_WALL, CANDIDATE_HZ, BASELINE_HZ, THROTTLED, COLUMNS };

static bool find_columns(const cJSON *columns, int place[COLUMNS])
{
	static const char *const names[COLUMNS] = {"candidate_ns", "baseline_ns", "candidate_wall_ns", "baseline_wall_ns", "candidate_hz", "baseline_hz", "throttled"};
	size_t found = 0;

	for (int i = 0; i < COLUMNS; i++) {
		int at = 0;

		place[i] = -1;
		for (const cJSON *item = columns != NULL ? columns->child : NULL; item != NULL; item = item->next, at++)
			if (cJSON_IsString(item) && strcmp(item->valuestring, names[i]) == 0)
				place[i] = at;
		found += place[i] >= 0;
	}
	return found == COLUMNS;
}

/* The row's numbers; false if one of them is none. */
static bool read_row(const cJSON *row, const int place[COLUMNS], double value[COLUMNS])
{
	int at = 0, found = 0;

	for (const cJSON *item = row->child; item != NULL; item = item->next, at++)
		for (int i = 0; i < COLUMNS; i++)
			if (place[i] == at && cJSON_IsNumber(item)) {
				value[i] = item->valuedouble;
				found++;
			}
	return found == COLUMNS && value[CANDIDATE_NS] > 0 && value[BASELINE_NS] > 0;
}

static double median_member(const struct pair_sample *at, size_t count, size_t offset, double *room)
{
	for (size_t i = 0; i < count; i++)
		room[i] = *(const double *)(const void *)((const char *)&at[i] + offset);
	return median_of(room, count);
}

/* Of each run of so many one: warm-up and what follows it are not mixed. */
static void thin(struct samples *samples, size_t most)
{
	const size_t each = (samples->count + most - 1) / most;
	double *room = mem_array(NULL, each + 1, sizeof *room);
	size_t count = 0;

	samples->each = each;
	for (size_t from = 0, to; from < samples->count && each > 1; from = to) {
		struct pair_sample one = samples->at[from];

		for (to = from; to < samples->count && to - from < each && samples->at[to].warm_up == one.warm_up; to++)
			one.throttled = one.throttled || samples->at[to].throttled;
		one.ratio = median_member(samples->at + from, to - from, offsetof(struct pair_sample, ratio), room);
		one.candidate_hz = median_member(samples->at + from, to - from, offsetof(struct pair_sample, candidate_hz), room);
		one.baseline_hz = median_member(samples->at + from, to - from, offsetof(struct pair_sample, baseline_hz), room);
		samples->at[count++] = one;
	}
	if (each > 1)
		samples->count = count;
	free(room);
}

void samples_read(const cJSON *record, const char *which, size_t most, struct samples *samples)
{
	const cJSON *timing = replay_at(record, "timing"), *rows = timing != NULL ? replay_at(timing, which) : NULL;
	const double warm_up = replay_value(record, "timing.warm_up_pairs");
	const bool are_controls = strcmp(which, "samples") != 0;
	double value[COLUMNS] = {0}, at = 0;
	int place[COLUMNS];

	*samples = (struct samples){.each = 1};
	if (!cJSON_IsArray(rows) || !find_columns(replay_at(timing, "columns"), place))
		return;
	samples->at = mem_array(NULL, (size_t)cJSON_GetArraySize(rows) + 1, sizeof *samples->at);
	for (const cJSON *row = rows->child; row != NULL; row = row->next) {
		if (!read_row(row, place, value)) {
			samples_free(samples);
			return;
		}
		samples->at[samples->count] = (struct pair_sample){
			.ratio = value[BASELINE_NS] / value[CANDIDATE_NS],
			.candidate_hz = value[CANDIDATE_HZ],
			.baseline_hz = value[BASELINE_HZ],
			.at = at,
			.pair = samples->count + 1,
			.warm_up = !are_controls && (double)samples->count < warm_up,
			.throttled = value[THROTTLED] != 0,
		};
		samples->count++;
		at += (value[CANDIDATE_WALL] + value[BASELINE_WALL]) / 1e9;
	}
	thin(samples, most);
}

void samples_free(struct samples *samples)
{
	free(samples->at);
	*samples = (struct samples){.each = 1};
}
