#include "statistics.h"

#include <math.h>
#include <stdlib.h>

#include "../base/bytes.h"

/* ---- samples ---- */

typedef double sample_value(const struct sample *sample);

static double speedup(const struct sample *s) { return s->baseline_ms / s->candidate_ms; }
static double cycles(const struct sample *s) { return s->baseline_ms * s->baseline_hz / (s->candidate_ms * s->candidate_hz); }
static double candidate_ms(const struct sample *s) { return s->candidate_ms; }
static double baseline_ms(const struct sample *s) { return s->baseline_ms; }
static double candidate_hz(const struct sample *s) { return s->candidate_hz; }
static double baseline_hz(const struct sample *s) { return s->baseline_hz; }
static double candidate_beyond(const struct sample *s) { return s->candidate_wall_ms - s->candidate_ms; }
static double baseline_beyond(const struct sample *s) { return s->baseline_wall_ms - s->baseline_ms; }

/* The values of the samples that count into values; how many. */
static size_t take(const struct sample *samples, size_t warm_up, size_t count, bool throttled_too, sample_value *value, double *values)
{
	size_t taken = 0;

	for (size_t i = warm_up; i < count; i++)
		if (throttled_too || !samples[i].throttled)
			values[taken++] = value(&samples[i]);
	return taken;
}

void mark_throttled(struct sample *samples, const bool *slowdown, size_t warm_up, size_t count)
{
	double *values = mem_array(NULL, count + 1, sizeof *values);
	const double candidate = median_of(values, take(samples, warm_up, count, true, candidate_hz, values));
	const double baseline = median_of(values, take(samples, warm_up, count, true, baseline_hz, values));

	for (size_t i = 0; i < count; i++)
		samples[i].throttled = slowdown[i] || samples[i].candidate_hz < THROTTLED_CLOCK * candidate ||
		                       samples[i].baseline_hz < THROTTLED_CLOCK * baseline;
	free(values);
}

void speed_of(const struct sample *samples, size_t warm_up, size_t count, struct speed *speed)
{
	double *values = mem_array(NULL, count + 1, sizeof *values);

	*speed = (struct speed){0};
	for (size_t i = warm_up; i < count; i++)
		speed->throttled += samples[i].throttled;
	const bool all = count > warm_up && 2 * speed->throttled > count - warm_up;

	interval_of(values, take(samples, warm_up, count, all, speedup, values), &speed->speedup);
	interval_of(values, take(samples, warm_up, count, all, cycles, values), &speed->cycles);
	/* A clock of 0 is none. */
	for (size_t i = warm_up; i < count; i++)
		if (!(samples[i].candidate_hz > 0 && samples[i].baseline_hz > 0))
			speed->cycles = (struct interval){0};
	interval_of(values, take(samples, warm_up, count, all, candidate_ms, values), &speed->candidate_ms);
	interval_of(values, take(samples, warm_up, count, all, baseline_ms, values), &speed->baseline_ms);
	speed->candidate_hz = median_of(values, take(samples, warm_up, count, all, candidate_hz, values));
	speed->baseline_hz = median_of(values, take(samples, warm_up, count, all, baseline_hz, values));
	speed->hidden_ms = median_of(values, take(samples, warm_up, count, all, candidate_beyond, values));
	speed->hidden_ms -= median_of(values, take(samples, warm_up, count, all, baseline_beyond, values));
	free(values);
}

double bound_of_failures(uint64_t trials)
{
	return trials < 3 ? 1 : 3 / (double)trials;
}

/* ---- too good to be true ---- */

void roofline_set(struct roofline *roofline, int compute_capability, const struct problem *problem)
{
	double floor_s = 0;

	roofline->operations_per_clock = compute_capability != 90 ? 0 : problem->tensors[0].dtype == DTYPE_E4M3 ? 8192 : 4096;
	roofline->flops_per_s = (double)roofline->operations_per_clock * (double)roofline->sms * (double)roofline->sm_hz;
	roofline->bytes_per_s = 2 * (double)roofline->memory_hz * (double)roofline->bus_bits / 8;
	if (roofline->flops_per_s > 0)
		floor_s = problem->flops / roofline->flops_per_s;
	if (roofline->bytes_per_s > 0)
		floor_s = fmax(floor_s, problem->bytes / roofline->bytes_per_s);
	roofline->floor_ns = floor_s * 1e9;
}

double chosen_ms(const cJSON *baseline)
{
	const cJSON *chosen = cJSON_GetObjectItemCaseSensitive(baseline, "chosen"), *one;
	const cJSON *tried = cJSON_GetObjectItemCaseSensitive(baseline, "tried");
	const cJSON *times = cJSON_IsNumber(chosen) && chosen->valuedouble >= 0 && chosen->valuedouble < cJSON_GetArraySize(tried)
	                             ? cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(tried, (int)chosen->valuedouble), "nanoseconds")
	                             : NULL;
	double *values = mem_array(NULL, (size_t)cJSON_GetArraySize(times) + 1, sizeof *values);
	size_t count = 0;

	cJSON_ArrayForEach(one, times)
	{
		if (cJSON_IsNumber(one))
			values[count++] = one->valuedouble / 1e6;
	}
	const double median = count > 0 ? median_of(values, count) : 0;

	free(values);
	return median;
}

unsigned suspicions_of(const struct speed *speed, const struct interval *control, const struct roofline *roofline, const struct beside *beside)
{
	const double ms = speed->candidate_ms.median;
	unsigned found = 0;

	if (ms * 1e6 < roofline->floor_ns)
		found |= SUSPECT_ROOFLINE;
	if (speed->speedup.median > SUSPECT_SPEEDUP)
		found |= SUSPECT_LIBRARY;
	if (speed->hidden_ms > SUSPECT_HIDDEN_MS && speed->hidden_ms > SUSPECT_HIDDEN_SHARE * ms)
		found |= SUSPECT_HIDDEN;
	if (control->count > 0 && fabs(control->median - 1) > SUSPECT_CONTROL_OFF)
		found |= SUSPECT_CONTROL;
	if (beside->chosen_ms > 0 && speed->baseline_ms.median > SUSPECT_SLOWED_BY * beside->chosen_ms)
		found |= SUSPECT_SLOWED;
	if (beside->warp_share >= SUSPECT_ALL_WORK && beside->target_share >= SUSPECT_SOME_WORK)
		found |= SUSPECT_TWICE;
	if (speed->speedup.count >= SUSPECT_WIDTH_COUNT && speed->speedup.high - speed->speedup.low > SUSPECT_WIDTH * speed->speedup.median)
		found |= SUSPECT_WIDE;
	return found;
}

const char *suspicion_text(enum suspicion suspicion)
{
	switch (suspicion) {
	case SUSPECT_ROOFLINE:
		return "faster than the device's roofline allows";
	case SUSPECT_LIBRARY:
		return "over 10 % faster than the vendor's library";
	case SUSPECT_HIDDEN:
		return "the host waited longer than the events say";
	case SUSPECT_CONTROL:
		return "the library beside itself is off by over 0.3 %";
	case SUSPECT_SLOWED:
		return "the library was over 10 % slower beside the candidate than when it was chosen";
	case SUSPECT_TWICE:
		return "multiplies by single warps did all of the task beside the target instructions";
	case SUSPECT_WIDE:
		return "the speedup's interval is over 5 % wide: its calls are not alike";
	case SUSPECT_END:
		break;
	}
	return "";
}
