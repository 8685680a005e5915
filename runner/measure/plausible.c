#include "plausible.h"

#include <stdarg.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/date.h"
#include "../base/sha256.h"
#include "../bundle/ledger.h"
#include "../bundle/replays.h"
#include "statistics.h"

struct checking {
	const cJSON *record;
	const char *path;
	struct findings *findings;
};

/* ---- the device ---- */

static double greatest_hz(const struct checking *checking)
{
	const double driver = 1e3 * replay_value(checking->record, "device.sm_clock_khz"), nvml = 1e6 * replay_value(checking->record, "device.nvml.sm_clock_max_mhz");

	return isnan(nvml) ? driver : fmax(driver, nvml);
}

static void check_device(const struct checking *checking)
{
	static const char *const positive[] = {"device.sms", "device.sm_clock_khz", "device.memory_clock_khz", "device.memory_bus_bits",
	                                       "device.compute_capability"};

	for (size_t i = 0; i < sizeof positive / sizeof positive[0]; i++)
		if (!(replay_value(checking->record, positive[i]) > 0))
			findings_add_field(checking->findings, R_SUB_LIMIT, checking->path, positive[i], "a device has some");
}

static void check_state(const struct checking *checking, const cJSON *state, const char *field)
{
	const struct {
		const char *name;
		double least, most;
	} limits[] = {
		{"sm_clock_mhz", 0, PLAUSIBLE_CLOCK_SLACK * greatest_hz(checking) / 1e6},
		{"memory_clock_mhz", 0, PLAUSIBLE_CLOCK_SLACK * replay_value(checking->record, "device.memory_clock_khz") / 1e3},
		{"power_mw", 0, PLAUSIBLE_POWER_SLACK * replay_value(checking->record, "device.nvml.power_limit_mw")},
		{"temperature_c", -PLAUSIBLE_DEGREES, PLAUSIBLE_DEGREES},
		{"memory_temperature_c", -PLAUSIBLE_DEGREES, PLAUSIBLE_DEGREES},
	};

	for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
		const double value = replay_value(state, limits[i].name);

		if (value < limits[i].least || value > limits[i].most) {
			char *name = mem_format("%s.%s", field, limits[i].name);

			findings_add_field(checking->findings, R_SUB_LIMIT, checking->path, name, "%.0f is not between %.0f and %.0f", value, limits[i].least,
			                   limits[i].most);
			free(name);
		}
	}
}

/* Counters that only grow. */
static void check_order(const struct checking *checking, const cJSON *before, const cJSON *after, const char *field)
{
	static const char *const counters[] = {"power_violation_ns", "thermal_violation_ns", "ecc_corrected", "ecc_uncorrected"};

	for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++)
		if (replay_value(after, counters[i]) < replay_value(before, counters[i])) {
			char *name = mem_format("%s.%s", field, counters[i]);

			findings_add_field(checking->findings, R_SUB_TIME, checking->path, name, "%.0f comes after %.0f", replay_value(after, counters[i]),
			                   replay_value(before, counters[i]));
			free(name);
		}
}

static void check_states(const struct checking *checking)
{
	const cJSON *last = replay_at(checking->record, "state.before"), *state;
	size_t number_of = 0;

	check_state(checking, last, "state.before");
	cJSON_ArrayForEach(state, replay_at(checking->record, "state.during"))
	{
		char *field = mem_format("state.during[%zu]", number_of++);

		check_state(checking, state, field);
		check_order(checking, last, state, field);
		last = state;
		free(field);
	}
	state = replay_at(checking->record, "state.after");
	check_state(checking, state, "state.after");
	check_order(checking, last, state, "state.after");
}

/* ---- samples ---- */

enum column { SEED, CANDIDATE_NS, BASELINE_NS, CANDIDATE_WALL_NS, BASELINE_WALL_NS, CANDIDATE_HZ, BASELINE_HZ, COLUMNS };
static const char *const names[COLUMNS] = {"seed",           "candidate_ns", "baseline_ns", "candidate_wall_ns", "baseline_wall_ns",
                                           "candidate_hz", "baseline_hz"};

struct samples {
	const char *list;        /* "timing.samples" */
	const cJSON **rows;
	size_t count, warm_up;
	int place[COLUMNS];      /* of each of our columns in a row, -1: it is not there */
};

static double value_of(const struct samples *samples, size_t row, enum column column)
{
	const cJSON *item = samples->place[column] < 0 ? NULL : cJSON_GetArrayItem(samples->rows[row], samples->place[column]);

	return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

static void open_samples(const struct checking *checking, const char *list, struct samples *samples)
{
	const cJSON *rows = replay_at(checking->record, list), *row, *name;
	int place = 0;

	*samples = (struct samples){.list = list};
	for (int i = 0; i < COLUMNS; i++)
		samples->place[i] = -1;
	cJSON_ArrayForEach(name, replay_at(checking->record, "timing.columns"))
	{
		for (int i = 0; i < COLUMNS; i++)
			if (cJSON_IsString(name) && strcmp(name->valuestring, names[i]) == 0)
				samples->place[i] = place;
		place++;
	}
	samples->rows = mem_array(NULL, cJSON_IsArray(rows) ? (size_t)cJSON_GetArraySize(rows) + 1 : 1, sizeof *samples->rows);
	if (cJSON_IsArray(rows))
		cJSON_ArrayForEach(row, rows)
		{
			samples->rows[samples->count++] = row;
		}
}

__attribute__((format(printf, 6, 7))) static void tell(const struct checking *checking, enum rule rule, const struct samples *samples, size_t row,
                                                       enum column column, const char *fmt, ...)
{
	char *field = mem_format("%s[%zu].%s", samples->list, row, names[column]), *what = NULL;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&what, fmt, args) >= 0)
		findings_add_field(checking->findings, rule, checking->path, field, "%s", what);
	va_end(args);
	free(what);
	free(field);
}

/* The worst of each column is told: one finding for a column, not one for each of a thousand samples. */
static void check_most(const struct checking *checking, enum rule rule, const struct samples *samples, enum column column, double most, const char *what)
{
	size_t worst = 0, over = 0;

	for (size_t i = 0; i < samples->count; i++) {
		if (!(value_of(samples, i, column) > most))
			continue;
		if (over++ == 0 || value_of(samples, i, column) > value_of(samples, worst, column))
			worst = i;
	}
	if (over > 0)
		tell(checking, rule, samples, worst, column, "%.0f is over %.0f, %s; so are %zu samples", value_of(samples, worst, column), most, what, over);
}

static void check_least(const struct checking *checking, enum rule rule, const struct samples *samples, enum column column, double least, const char *what)
{
	size_t worst = 0, below = 0;

	for (size_t i = 0; i < samples->count; i++) {
		if (!(value_of(samples, i, column) < least))
			continue;
		if (below++ == 0 || value_of(samples, i, column) < value_of(samples, worst, column))
			worst = i;
	}
	if (below > 0)
		tell(checking, rule, samples, worst, column, "%.0f is below %.0f, %s; so are %zu samples", value_of(samples, worst, column), least, what, below);
}

/* The host waits for what the events time. */
static void check_walls(const struct checking *checking, const struct samples *samples, enum column time, enum column wall)
{
	for (size_t i = 0; i < samples->count; i++)
		if (value_of(samples, i, wall) < value_of(samples, i, time)) {
			tell(checking, R_SUB_TIME, samples, i, wall, "%.0f is less than the %.0f of the call that it waited for", value_of(samples, i, wall),
			     value_of(samples, i, time));
			return;
		}
}

static int by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static size_t distinct(const struct samples *samples, enum column column)
{
	double *values = mem_array(NULL, samples->count + 1, sizeof *values);
	size_t count = 0, different = 0;

	for (size_t i = samples->warm_up; i < samples->count; i++)
		values[count++] = value_of(samples, i, column);
	if (count > 1)
		qsort(values, count, sizeof *values, by_value);
	for (size_t i = 0; i < count; i++)
		different += i == 0 || values[i] != values[i - 1];
	free(values);
	return different;
}

static void check_timer(const struct checking *checking, const struct samples *samples, enum column column)
{
	const size_t count = samples->count > samples->warm_up ? samples->count - samples->warm_up : 0, different = distinct(samples, column);
	char *field = mem_format("%s.%s", samples->list, names[column]);

	if (count >= PLAUSIBLE_COUNT && different < PLAUSIBLE_DISTINCT)
		findings_add_field(checking->findings, R_SUB_TIMER, checking->path, field, "%zu samples have %zu different values", count, different);
	else if (count < PLAUSIBLE_COUNT || different * PLAUSIBLE_SPREAD < count)
		findings_add_field(checking->findings, R_SUB_SPREAD, checking->path, field, "%zu samples have %zu different values", count, different);
	free(field);
}

static int by_text(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

/* Texts that have to differ; the first that stands twice is told. */
static void check_different(const struct checking *checking, const char **texts, size_t count, const char *field)
{
	if (count > 1)
		qsort(texts, count, sizeof *texts, by_text);
	for (size_t i = 1; i < count; i++)
		if (strcmp(texts[i - 1], texts[i]) == 0) {
			findings_add_field(checking->findings, R_SUB_SEED, checking->path, field, "the seed %s stands twice", texts[i]);
			return;
		}
}

static void check_seeds(const struct checking *checking, const struct samples *samples)
{
	const char **texts = mem_array(NULL, samples->count + 1, sizeof *texts);
	char *field = mem_format("%s.seed", samples->list);
	size_t count = 0;

	for (size_t i = 0; i < samples->count && samples->place[SEED] >= 0; i++) {
		const cJSON *seed = cJSON_GetArrayItem(samples->rows[i], samples->place[SEED]);

		if (cJSON_IsString(seed))
			texts[count++] = seed->valuestring;
	}
	check_different(checking, texts, count, field);
	free(field);
	free(texts);
}

static void check_trial_seeds(const struct checking *checking)
{
	const cJSON *trials = replay_at(checking->record, "trials"), *trial;
	const char **texts = mem_array(NULL, (size_t)cJSON_GetArraySize(trials) + 1, sizeof *texts);
	size_t count = 0;

	cJSON_ArrayForEach(trial, trials)
	{
		if (strcmp(replay_text(trial, "stage"), "before") == 0)
			texts[count++] = replay_text(trial, "seed");
	}
	check_different(checking, texts, count, "trials.seed");
	free(texts);
}

/* ---- physics ---- */

static void roofline_of(const struct checking *checking, const struct problem *problem, struct roofline *roofline)
{
	const double capability = replay_value(checking->record, "device.compute_capability");

	*roofline = (struct roofline){
		.sms = (uint64_t)fmax(0, replay_value(checking->record, "device.sms")),
		.sm_hz = (uint64_t)fmax(0, greatest_hz(checking)),
		.memory_hz = (uint64_t)fmax(0, 1e3 * replay_value(checking->record, "device.memory_clock_khz")),
		.bus_bits = (uint64_t)fmax(0, replay_value(checking->record, "device.memory_bus_bits")),
	};
	roofline_set(roofline, capability > 0 && capability < 1000 ? (int)capability : 0, problem);
}

/* At the clock that a sample names itself, in place of the greatest. */
static void check_rate(const struct checking *checking, const struct samples *samples, const struct roofline *roofline, const struct problem *problem)
{
	for (size_t i = 0; i < samples->count; i++) {
		const double hz = value_of(samples, i, CANDIDATE_HZ), ns = value_of(samples, i, CANDIDATE_NS);
		const double rate = PLAUSIBLE_CLOCK_SLACK * hz * (double)roofline->operations_per_clock * (double)roofline->sms;

		if (hz > 0 && rate > 0 && problem->flops / (ns * 1e-9) > rate) {
			tell(checking, R_SUB_ROOFLINE, samples, i, CANDIDATE_HZ, "at %.0f Hz the device does %.4g FLOP/s, the call would have done %.4g", hz, rate,
			     problem->flops / (ns * 1e-9));
			return;
		}
	}
}

static void check_physics(const struct checking *checking, const struct samples *samples, const struct problem *problem)
{
	struct roofline roofline;

	roofline_of(checking, problem, &roofline);
	if (roofline.operations_per_clock == 0)
		findings_add_field(checking->findings, R_SUB_UNCHECKED, checking->path, "device.compute_capability",
		                   "how much it multiplies a clock is not known here: only the least traffic was looked at");
	check_least(checking, R_SUB_ROOFLINE, samples, CANDIDATE_NS, floor(roofline.floor_ns), "the least time in ns");
	check_least(checking, R_SUB_ROOFLINE, samples, BASELINE_NS, floor(roofline.floor_ns), "the least time in ns");
	check_rate(checking, samples, &roofline, problem);
}

/* ---- durations and dates ---- */

static void check_durations(const struct checking *checking)
{
	static const char *const parts[] = {"code_ms", "counting_ms", "memcheck_ms", "start_ms", "timing_ms", "trials_ms"};
	const cJSON *took = replay_at(checking->record, "took");
	const double all = replay_value(took, "all_ms");
	double sum = 0;

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if (replay_value(took, parts[i]) > 0)
			sum += replay_value(took, parts[i]);
	if (sum > all + PLAUSIBLE_ROUND_MS)
		findings_add_field(checking->findings, R_SUB_TIME, checking->path, "took.all_ms", "%.0f is less than its parts, %.0f", all, sum);
	if (replay_value(checking->record, "timing.elapsed_ms") > replay_value(took, "timing_ms") + PLAUSIBLE_ROUND_MS)
		findings_add_field(checking->findings, R_SUB_TIME, checking->path, "timing.elapsed_ms", "%.0f is more than took.timing_ms, %.0f",
		                   replay_value(checking->record, "timing.elapsed_ms"), replay_value(took, "timing_ms"));
}

static double walls(const struct samples *samples)
{
	double sum = 0;

	for (size_t i = 0; i < samples->count; i++)
		sum += value_of(samples, i, CANDIDATE_WALL_NS) + value_of(samples, i, BASELINE_WALL_NS);
	return sum / 1e6;
}

void plausible_dates(const cJSON *record, const char *path, const char *run_date, const char *made, const char *today, struct findings *findings)
{
	const char *date = replay_text(record, "date");

	if (!date_valid(date, strlen(date)))
		findings_add_field(findings, R_SUB_TIME, path, "date", "'%s' is no day of the calendar", date);
	else if (strcmp(date, today) > 0)
		findings_add_field(findings, R_SUB_TIME, path, "date", "%s has not come yet", date);
	else if (made[0] != '\0' && strcmp(date, made) > 0)
		findings_add_field(findings, R_SUB_TIME, path, "date", "%s is after %s, when the submission was made", date, made);
	if (strcmp(date, run_date) != 0)
		findings_add_field(findings, R_SUB_TIME, path, "date", "%s is not the day of its run, %s", date, run_date);
}

static void check_speed(const struct checking *checking, const struct problem *problem)
{
	struct samples samples, controls;
	const double warm_up = replay_value(checking->record, "timing.warm_up_pairs"), most_hz = PLAUSIBLE_CLOCK_SLACK * greatest_hz(checking);
	static const char greatest[] = "the device's greatest clock";

	open_samples(checking, "timing.samples", &samples);
	open_samples(checking, "timing.control_samples", &controls);
	samples.warm_up = warm_up > 0 && warm_up < (double)samples.count ? (size_t)warm_up : 0;
	check_most(checking, R_SUB_LIMIT, &samples, CANDIDATE_HZ, most_hz, greatest);
	check_most(checking, R_SUB_LIMIT, &samples, BASELINE_HZ, most_hz, greatest);
	check_walls(checking, &samples, CANDIDATE_NS, CANDIDATE_WALL_NS);
	check_walls(checking, &samples, BASELINE_NS, BASELINE_WALL_NS);
	check_timer(checking, &samples, CANDIDATE_NS);
	check_timer(checking, &samples, BASELINE_NS);
	check_seeds(checking, &samples);
	if (walls(&samples) + walls(&controls) > replay_value(checking->record, "timing.elapsed_ms") + PLAUSIBLE_ROUND_MS)
		findings_add_field(checking->findings, R_SUB_TIME, checking->path, "timing.elapsed_ms", "its calls alone took %.0f",
		                   walls(&samples) + walls(&controls));
	if (problem != NULL)
		check_physics(checking, &samples, problem);
	free(samples.rows);
	free(controls.rows);
}

void plausible_check(const cJSON *record, const char *path, const struct problem *problem, struct findings *findings)
{
	const struct checking checking = {.record = record, .path = path, .findings = findings};

	check_device(&checking);
	check_states(&checking);
	check_trial_seeds(&checking);
	check_durations(&checking);
	if (cJSON_IsObject(replay_at(record, "timing")))
		check_speed(&checking, problem);
}
