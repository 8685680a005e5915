#include "copied.h"

#include "../bundle/replays.h"

/*
 * More than one call in CALLS_SHARE, and CALLS_LEAST at least, with the two times of a call of one other record: copied, and then some of it changed. Two measurements share hardly any:
 * among the 37 records that this project has sealed (1,332 ordered pairs, 48 to 600 calls each, some of the same kernel on the same device) the most was 1 call of 248, 0.4 %.
 */
enum { CALLS_SHARE = 16, CALLS_LEAST = 4 };

/* Samples and seeds of another record, in the archive or beside it. */
static void check_place(const struct known *place, const cJSON *record, const char *path, struct findings *findings)
{
	static const char *const times[KNOWN_TIMES] = {"candidate", "baseline"};
	const int column = known_column(record, "seed");
	const cJSON *row;

	for (int i = 0; i < KNOWN_TIMES; i++) {
		struct sha256 hash;
		const struct known_thing *other = known_times(record, i, &hash) ? known_find(place, KNOWN_SAMPLES, &hash, path) : NULL;

		if (other != NULL)
			findings_add_field(findings, R_SUB_COPIED, path, "timing.samples", "%s has the same times of the %s", other->where, times[i]);
	}
	for (int i = 0; i < KNOWN_TIMES; i++) {
		size_t calls;
		const struct known_calls same = known_calls(place, record, i, path, &calls);

		if (same.count >= CALLS_LEAST && same.count * CALLS_SHARE > calls)
			findings_add_field(findings, R_SUB_COPIED, path, "timing.samples",
			                   "%zu of %zu calls of the %s are calls of %s, to the nanosecond", same.count, calls, times[i], same.where);
	}
	cJSON_ArrayForEach(row, replay_at(record, "timing.samples"))
	{
		const cJSON *seed = cJSON_IsArray(row) && column >= 0 ? cJSON_GetArrayItem(row, column) : NULL;

		if (!cJSON_IsString(seed))
			continue;
		const struct sha256 hash = known_text(seed->valuestring);
		const struct known_thing *other = known_find(place, KNOWN_SEED, &hash, path);

		if (other != NULL) {
			findings_add_field(findings, R_SUB_COPIED, path, "timing.samples", "%s has a sample of the same seed, %s", other->where,
			                   seed->valuestring);
			break;
		}
	}
}

void copied_check(const struct known *own, const struct known *archive, const cJSON *record, const char *path, struct findings *findings)
{
	check_place(archive, record, path, findings);
	check_place(own, record, path, findings);
}
