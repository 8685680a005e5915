#include "replay_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/interval.h"
#include "../base/json.h"
#include "ledger.h"
#include "replays.h"

struct checking {
	const cJSON *record;
	const char *path;
	struct error *err;
};

static enum status other_kind(const struct checking *c, const char *member)
{
	return error_set(c->err, R_RPL_RECORD, c->path, "%s is missing or of another kind", member);
}

/* A count: a whole number from 0 on. */
static bool is_count(const cJSON *item)
{
	return cJSON_IsNumber(item) && item->valuedouble >= 0 && item->valuedouble == floor(item->valuedouble) && item->valuedouble <= 0x1p53;
}

static enum status take_count(const struct checking *c, const char *member, double *value)
{
	const cJSON *item = replay_at(c->record, member);

	if (!is_count(item))
		return other_kind(c, member);
	*value = item->valuedouble;
	return OK;
}

/* ---- trials, files, outcome ---- */

static bool is_mark(const cJSON *item)
{
	const char *text = cJSON_GetStringValue(item);

	return text != NULL && (strcmp(text, "pass") == 0 || strcmp(text, "fail") == 0 || strcmp(text, "unknown") == 0);
}

static enum status check_trials(const struct checking *c)
{
	const cJSON *trials = replay_at(c->record, "trials"), *trial;
	const bool correct = strcmp(replay_text(c->record, "outcome.label"), "correct") == 0;
	double passed, failed, planned, not_run, refused = 0;
	enum status status = take_count(c, "accounting.passed", &passed);

	if (status == OK)
		status = take_count(c, "accounting.failed", &failed);
	if (status == OK)
		status = take_count(c, "accounting.planned", &planned);
	if (status == OK)
		status = take_count(c, "accounting.not_run", &not_run);
	if (status != OK)
		return status;
	cJSON_ArrayForEach(trial, trials)
	{
		const cJSON *strict = replay_at(trial, "strict");

		if (!is_mark(strict) || !is_mark(replay_at(trial, "published")) || replay_text(trial, "stage")[0] == '\0' ||
		    replay_text(trial, "fate")[0] == '\0' || !cJSON_IsArray(replay_at(trial, "outputs")))
			return error_set(c->err, R_RPL_RECORD, c->path, "one of trials has no stage, fate, outputs or marks");
		if (strcmp(replay_text(trial, "fate"), "done") == 0 && cJSON_GetArraySize(replay_at(trial, "outputs")) == 0)
			return error_set(c->err, R_RPL_RECORD, c->path, "one of trials is done and has no outputs");
		refused += strcmp(strict->valuestring, "fail") == 0;
	}
	if (cJSON_GetArraySize(trials) != (int)(passed + failed))
		return error_set(c->err, R_RPL_RECORD, c->path, "it has %d trials, and counts %.0f that passed and %.0f that failed",
		                 cJSON_GetArraySize(trials), passed, failed);
	if (refused > failed)
		return error_set(c->err, R_RPL_RECORD, c->path, "%.0f trials fail strict, and it counts %.0f that failed", refused, failed);
	if (planned != passed + failed + not_run)
		return error_set(c->err, R_RPL_RECORD, c->path, "its trials do not add up");
	if (correct && not_run > 0)
		return error_set(c->err, R_RPL_RECORD, c->path, "it is called correct, and %.0f of its trials were not run", not_run);
	if (correct && (failed > 0 || passed == 0 || strcmp(replay_text(c->record, "outcome.strict"), "fail") == 0))
		return error_set(c->err, R_RPL_RECORD, c->path, "it is called correct, and its trials are not");
	return OK;
}

/* What ran is one of the files it names, whose bytes its manifest vouches for. */
static enum status check_files(const struct checking *c)
{
	const char *code = replay_text(c->record, "code.sha256");
	const cJSON *file;
	bool named = code[0] == '\0';

	if (code[0] == '\0' && (cJSON_GetArraySize(replay_at(c->record, "trials")) > 0 || cJSON_IsObject(replay_at(c->record, "worker"))))
		return error_set(c->err, R_RPL_RECORD, c->path, "it ran, and code names nothing that could have run");
	cJSON_ArrayForEach(file, replay_at(c->record, "candidate.files"))
	{
		named = named || strcmp(replay_text(file, "sha256"), code) == 0;
	}
	return named ? OK : error_set(c->err, R_RPL_RECORD, c->path, "code.sha256 is of no file that it names");
}

static enum status check_memcheck(const struct checking *c)
{
	const cJSON *memcheck = replay_at(c->record, "memcheck"), *errors = replay_at(memcheck, "errors");
	static const char *const others[] = {"skipped", "missing", "refused", "failed"};
	const char *state = replay_text(memcheck, "state");
	const bool found = strcmp(state, "errors") == 0, clean = strcmp(state, "clean") == 0;

	/* Records of before there was a memcheck have none. */
	if (memcheck == NULL)
		return OK;
	bool known = found || clean;

	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		known = known || strcmp(state, others[i]) == 0;
	if (!known || ((found || clean) && !is_count(errors)))
		return other_kind(c, "memcheck");
	if ((clean && errors->valuedouble != 0) || (found && errors->valuedouble == 0))
		return error_set(c->err, R_RPL_RECORD, c->path, "memcheck is %s with %.0f errors", state, errors->valuedouble);
	if (!found && !clean && errors != NULL && !cJSON_IsNull(errors))
		return error_set(c->err, R_RPL_RECORD, c->path, "memcheck is %s and counts errors", state);
	if (found && strcmp(replay_text(c->record, "outcome.label"), "correct") == 0)
		return error_set(c->err, R_RPL_RECORD, c->path, "it is called correct, and memcheck found errors");
	if ((found || clean) && (replay_text(memcheck, "tool.sha256")[0] == '\0' || replay_text(memcheck, "workload")[0] == '\0'))
		return error_set(c->err, R_RPL_RECORD, c->path, "memcheck is %s and names no tool or no workload", state);
	return OK;
}

/* ---- samples ---- */

enum column { CANDIDATE_NS, BASELINE_NS, CANDIDATE_HZ, BASELINE_HZ, THROTTLED, CANDIDATE_WALL_NS, BASELINE_WALL_NS, COLUMNS };

static const char *const column_names[COLUMNS] = {"candidate_ns", "baseline_ns", "candidate_hz", "baseline_hz", "throttled", "candidate_wall_ns", "baseline_wall_ns"};

struct samples {
	double *at[COLUMNS]; /* each [count] */
	size_t count, warm_up;
	bool all;            /* over half of those behind the warm-up are throttled: then they count too */
	double *values;      /* [count], scratch */
};

static void samples_free(struct samples *samples)
{
	for (int i = 0; i < COLUMNS; i++)
		free(samples->at[i]);
	free(samples->values);
}

/* Where each of our columns stands in a row. */
static enum status find_columns(const struct checking *c, int place[COLUMNS], int *width)
{
	const cJSON *names = replay_at(c->record, "timing.columns"), *name;

	for (int i = 0; i < COLUMNS; i++)
		place[i] = -1;
	*width = 0;
	cJSON_ArrayForEach(name, names)
	{
		for (int i = 0; i < COLUMNS; i++)
			if (cJSON_IsString(name) && strcmp(name->valuestring, column_names[i]) == 0)
				place[i] = *width;
		++*width;
	}
	for (int i = 0; i < COLUMNS; i++)
		if (place[i] < 0)
			return other_kind(c, "timing.columns");
	return OK;
}

/* Times are above 0, all others counts. */
static bool read_row(const cJSON *row, const int place[COLUMNS], int width, struct samples *samples)
{
	if (!cJSON_IsArray(row) || cJSON_GetArraySize(row) != width)
		return false;
	for (int i = 0; i < COLUMNS; i++) {
		const cJSON *item = cJSON_GetArrayItem(row, place[i]);

		if (!is_count(item) || (i <= BASELINE_NS && item->valuedouble == 0))
			return false;
		samples->at[i][samples->count] = item->valuedouble;
	}
	samples->count++;
	return true;
}

static enum status read_samples(const struct checking *c, const char *member, struct samples *samples)
{
	const cJSON *rows = replay_at(c->record, member), *row;
	const size_t room = cJSON_IsArray(rows) ? (size_t)cJSON_GetArraySize(rows) + 1 : 1;
	int place[COLUMNS], width;
	const enum status status = find_columns(c, place, &width);

	*samples = (struct samples){0};
	for (int i = 0; i < COLUMNS; i++)
		samples->at[i] = mem_array(NULL, room, sizeof *samples->at[i]);
	samples->values = mem_array(NULL, room, sizeof *samples->values);
	if (status != OK)
		return status;
	if (!cJSON_IsArray(rows))
		return other_kind(c, member);
	cJSON_ArrayForEach(row, rows)
	{
		if (!read_row(row, place, width, samples))
			return error_set(c->err, R_RPL_RECORD, c->path, "row %zu of %s has not the columns that it names", samples->count, member);
	}
	return OK;
}

typedef double sample_value(const struct samples *samples, size_t i);

static double speedup(const struct samples *s, size_t i) { return s->at[BASELINE_NS][i] / s->at[CANDIDATE_NS][i]; }
static double cycles(const struct samples *s, size_t i)
{
	return s->at[BASELINE_NS][i] * s->at[BASELINE_HZ][i] / (s->at[CANDIDATE_NS][i] * s->at[CANDIDATE_HZ][i]);
}
static double candidate_ns(const struct samples *s, size_t i) { return s->at[CANDIDATE_NS][i]; }
static double baseline_ns(const struct samples *s, size_t i) { return s->at[BASELINE_NS][i]; }
static double candidate_hz(const struct samples *s, size_t i) { return s->at[CANDIDATE_HZ][i]; }
static double baseline_hz(const struct samples *s, size_t i) { return s->at[BASELINE_HZ][i]; }
static double candidate_beyond(const struct samples *s, size_t i) { return s->at[CANDIDATE_WALL_NS][i] - s->at[CANDIDATE_NS][i]; }
static double baseline_beyond(const struct samples *s, size_t i) { return s->at[BASELINE_WALL_NS][i] - s->at[BASELINE_NS][i]; }

/* The values of the samples that count. */
static size_t take(const struct samples *samples, bool all, sample_value *value)
{
	size_t taken = 0;

	for (size_t i = samples->warm_up; i < samples->count; i++)
		if (all || samples->at[THROTTLED][i] == 0)
			samples->values[taken++] = value(samples, i);
	return taken;
}

static enum status no_interval(const struct checking *c, const char *member)
{
	return error_set(c->err, R_RPL_RECORD, c->path, "timing.%s is missing or of another kind", member);
}

static enum status not_theirs(const struct checking *c, const char *member, const char *what, double of_samples)
{
	return error_set(c->err, R_RPL_SAMPLES, c->path, "timing.%s%s is not what its samples give, %.9g", member, what, of_samples);
}

/*
 * How far a value may be from what the samples give: nine digits of it are written, and of records that were made when samples were rounded after the fact, half a
 * nanosecond in each of two times.
 */
static double room(const struct samples *samples, bool times, double value)
{
	double least = INFINITY;

	for (size_t i = 0; i < samples->count; i++)
		least = fmin(least, fmin(samples->at[CANDIDATE_NS][i], samples->at[BASELINE_NS][i]));
	return times ? 0.5 + 1e-8 * value : value * (1e-8 + 1.01 / least);
}

static enum status check_interval(const struct checking *c, const char *member, const struct samples *samples, size_t taken, bool times)
{
	struct interval interval;
	const cJSON *said = replay_at(replay_at(c->record, "timing"), member);

	interval_of(samples->values, taken, &interval);
	const struct {
		const char *name;
		double value;
	} numbers[] = {{"median", interval.median}, {"low", interval.low}, {"high", interval.high}};

	if (!is_count(replay_at(said, "count")) || !is_count(replay_at(said, "rank")))
		return no_interval(c, member);
	if (replay_at(said, "count")->valuedouble != (double)interval.count)
		return not_theirs(c, member, ".count", (double)interval.count);
	if (replay_at(said, "rank")->valuedouble != (double)interval.rank)
		return not_theirs(c, member, ".rank", (double)interval.rank);
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
		const char *text = replay_text(said, numbers[i].name);
		double value = 0;

		if (!decimal_parse(text, strlen(text), &value))
			return no_interval(c, member);
		if (!(fabs(value - numbers[i].value) <= room(samples, times, numbers[i].value))) {
			char what[16] = ".";

			return not_theirs(c, member, strcat(what, numbers[i].name), numbers[i].value);
		}
	}
	return OK;
}

static enum status check_clock(const struct checking *c, const char *member, const struct samples *samples, sample_value *value)
{
	double said;
	char *path = mem_format("timing.%s", member);
	const double median = median_of(samples->values, take(samples, samples->all, value));
	const enum status status = take_count(c, path, &said);

	free(path);
	/* Each was rounded, and their middle once more. */
	return status != OK || fabs(said - median) <= 1.5 ? status : not_theirs(c, member, "", median);
}

/* Time on the host's clock beyond the events', candidate's less baseline's. */
static enum status check_hidden(const struct checking *c, const struct samples *samples)
{
	const cJSON *said = replay_at(c->record, "timing.hidden_ns");
	const double candidate = median_of(samples->values, take(samples, samples->all, candidate_beyond));
	const double hidden = candidate - median_of(samples->values, take(samples, samples->all, baseline_beyond));

	if (!cJSON_IsNumber(said))
		return other_kind(c, "timing.hidden_ns");
	/* Five numbers were rounded: two times in each of two medians, and what comes of it. */
	return fabs(said->valuedouble - hidden) <= 2.5 ? OK : not_theirs(c, "hidden_ns", "", hidden);
}

/* Throttled is what NVML named, which a row does not tell, and whatever ran at a low clock, which it does. */
static enum status check_throttled(const struct checking *c, struct samples *samples)
{
	const double candidate = median_of(samples->values, take(samples, true, candidate_hz));
	const double baseline = median_of(samples->values, take(samples, true, baseline_hz));
	double said, throttled = 0;

	for (size_t i = 0; i < samples->count; i++) {
		const bool slow = candidate_hz(samples, i) < REPLAY_THROTTLED_CLOCK * candidate - 2 || baseline_hz(samples, i) < REPLAY_THROTTLED_CLOCK * baseline - 2;

		if (slow && samples->at[THROTTLED][i] == 0)
			return error_set(c->err, R_RPL_SAMPLES, c->path, "sample %zu ran at a low clock and is not marked as throttled", i);
		throttled += i >= samples->warm_up && samples->at[THROTTLED][i] != 0;
	}
	samples->all = 2 * throttled > (double)(samples->count - samples->warm_up);
	const enum status status = take_count(c, "timing.throttled", &said);

	return status != OK || said == throttled ? status : not_theirs(c, "throttled", "", throttled);
}

static enum status check_counts(const struct checking *c, struct samples *samples)
{
	double pairs, warm_up;
	enum status status = take_count(c, "timing.pairs", &pairs);

	if (status == OK)
		status = take_count(c, "timing.warm_up_pairs", &warm_up);
	if (status == OK && pairs != (double)samples->count)
		status = not_theirs(c, "pairs", "", (double)samples->count);
	if (status == OK && warm_up > pairs)
		status = error_set(c->err, R_RPL_SAMPLES, c->path, "%.0f of %.0f pairs are warm-up", warm_up, pairs);
	if (status == OK)
		samples->warm_up = (size_t)warm_up;
	return status;
}

/* Null where a clock is not known; not there in records of before there was one. */
static enum status check_cycles(const struct checking *c, const struct samples *samples)
{
	const cJSON *said = replay_at(c->record, "timing.cycles");

	if (said == NULL || cJSON_IsNull(said))
		return OK;
	return check_interval(c, "cycles", samples, take(samples, samples->all, cycles), false);
}

static enum status check_samples(const struct checking *c)
{
	static const struct {
		const char *member;
		sample_value *value;
		bool times;
	} intervals[] = {{"speedup", speedup, false}, {"candidate_ns", candidate_ns, true}, {"baseline_ns", baseline_ns, true}};
	struct samples samples;
	enum status status = read_samples(c, "timing.samples", &samples);

	if (status == OK)
		status = check_counts(c, &samples);
	if (status == OK)
		status = check_throttled(c, &samples);
	for (size_t i = 0; i < sizeof intervals / sizeof intervals[0] && status == OK; i++)
		status = check_interval(c, intervals[i].member, &samples, take(&samples, samples.all, intervals[i].value), intervals[i].times);
	if (status == OK)
		status = check_cycles(c, &samples);
	if (status == OK)
		status = check_clock(c, "candidate_hz", &samples, candidate_hz);
	if (status == OK)
		status = check_clock(c, "baseline_hz", &samples, baseline_hz);
	if (status == OK)
		status = check_hidden(c, &samples);
	samples_free(&samples);
	return status;
}

/* The library in both places: all of them count. */
static enum status check_control(const struct checking *c)
{
	struct samples samples;
	enum status status = read_samples(c, "timing.control_samples", &samples);

	if (status == OK)
		status = check_interval(c, "control", &samples, take(&samples, true, speedup), false);
	samples_free(&samples);
	return status;
}

/* A stand-in for a device says so in several places: where one does, all has to be called one. */
static enum status check_stand_in(const struct checking *c)
{
	static const char *const truths[] = {"worker.stand_in", "worker.device.stand_in"}, *const names[] = {"device.name", "device.nvml.name", "worker.device.name"};

	if (cJSON_IsTrue(replay_at(c->record, "stand_in")))
		return OK;
	for (size_t i = 0; i < sizeof truths / sizeof truths[0]; i++)
		if (cJSON_IsTrue(replay_at(c->record, truths[i])))
			return error_set(c->err, R_RPL_STAND_IN, c->path, "%s is true", truths[i]);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strstr(replay_text(c->record, names[i]), "stand-in") != NULL)
			return error_set(c->err, R_RPL_STAND_IN, c->path, "%s is '%s'", names[i], replay_text(c->record, names[i]));
	return OK;
}

enum status replay_check(const cJSON *record, const char *path, struct error *err)
{
	const struct checking c = {record, path, err};
	const cJSON *timing = replay_at(record, "timing");
	enum status status = check_stand_in(&c);

	if (status == OK)
		status = check_trials(&c);
	if (status == OK)
		status = check_files(&c);
	if (status == OK)
		status = check_memcheck(&c);
	if (status != OK || timing == NULL || cJSON_IsNull(timing))
		return status;
	status = check_samples(&c);
	return status == OK ? check_control(&c) : status;
}
