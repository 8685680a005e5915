#include "session.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../base/jcs.h"
#include "../base/name.h"
#include "../bundle/lock.h"
#include "machine.h"
#include "standard.h"
#include "reserve.h"


struct session {
	const struct root *bundle, *into;
	const struct session_options *options;
	session_report *report;
	void *context;
	struct session_result *result;
	struct shelf shelf;
	struct reservations reserved;
	struct judge *judge;
	struct sanitizer sanitizer;
	struct replay_options how; /* the caller's, and the sanitizer */
	cJSON *device, *machine;
	char *prefix;         /* of runs' names */
	char date[16];
	/* of the task */
	struct problem problem;
	struct trial_plan plan;
	struct hashed_inputs inputs;
	char *run;
	struct bytes turns;
	uint64_t trajectories;
};

void session_result_free(struct session_result *result)
{
	for (size_t i = 0; i < result->run_count; i++)
		free(result->runs[i]);
	free(result->runs);
	*result = (struct session_result){0};
}

/* ---- what is written ---- */

static enum status write_line(const struct root *root, const char *path, const cJSON *tree, struct error *err)
{
	struct bytes text = {0};
	enum status status = jcs_write(tree, &text, err);

	bytes_char(&text, '\n');
	if (status == OK)
		status = root_write(root, path, text.data, text.len, err);
	bytes_free(&text);
	return status;
}

static enum status write_if_missing(const struct root *root, const char *directory, const char *name, const struct bytes *bytes, struct error *err)
{
	char *path = mem_format("%s/%s", directory, name);
	const enum status status = root_has(root, path) ? OK : root_write(root, path, bytes->data, bytes->len, err);

	free(path);
	return status;
}

/* So that the record's files stand beside it, whichever tree it goes to. A cubin that was made here is frozen by that. */
static enum status write_files(const struct session *session, const struct replay *replay, struct error *err)
{
	const struct candidate *candidate = replay->candidate;
	char *cubin = mem_format("kernel.%s.cubin", candidate->arch);
	enum status status = write_if_missing(session->into, candidate->directory, "candidate.json", &candidate->json, err);

	if (status == OK)
		status = write_if_missing(session->into, candidate->directory, candidate->ptx_file, &candidate->ptx, err);
	if (status == OK && candidate->is_lowered)
		status = write_if_missing(session->into, candidate->directory, candidate->lowering.source, &candidate->source, err);
	if (status == OK && replay->has_code)
		status = write_if_missing(session->into, candidate->directory, cubin, &replay->image.cubin, err);
	free(cubin);
	return status;
}

static void add_turn(struct session *session, const struct replay *replay)
{
	struct turn turn = {.trajectory = (uint32_t)session->trajectories++,
	                    .outcome = replay->outcome,
	                    .evidence = replay_evidence(replay),
	                    .reasoning_tokens = -1,
	                    .speedup_text = "0"};
	char text[REPLAY_NUMBER_MAX];

	snprintf(turn.arch_tag, sizeof turn.arch_tag, "%s", replay_arch_tag(replay));
	if (replay->outcome == OUTCOME_MEASURED_CORRECT && replay_is_timed(replay)) {
		replay_number(replay->race.speed.speedup.median, text);
		memcpy(turn.speedup_text, text, sizeof text);
	}
	turn_write(&turn, &session->turns);
}

static const char *source_of(const struct session *session)
{
	return session->options->source != NULL ? session->options->source : REPLAY_SOURCE;
}

static enum status write_run(struct session *session, struct error *err)
{
	const struct session_options *options = session->options;
	struct bytes text = {0};
	struct run run = {
		.run = session->run,
		.source = mem_text(source_of(session)),
		.model = mem_text(options->model != NULL ? options->model : "ptxseal's own candidates"),
		.arch = (char[]){"hopper"},
		.task = session->problem.task,
		.workload = session->problem.workload,
		.workload_name = mem_text(options->workload != NULL ? options->workload : "published"),
		.required_tag = (char[]){"H"},
		.date = session->date,
		.checklist = (char[]){"unsaid"},
		.retrieval = (char[]){"none"},
		.variant = (char[]){""},
		.planned_trajectories = session->trajectories,
		.planned_turns = 1,
	};
	char *run_path = mem_format(LEDGER_DIRECTORY "/%s/run.json", session->run);
	char *turns_path = mem_format(LEDGER_DIRECTORY "/%s/turns.jsonl", session->run);

	int lock = -1;
	enum status status = bundle_lock_to_begin(session->into, &lock, err);

	if (status == OK)
		status = ledger_next_position(session->into, run.source, &run.position, err);
	run_write(&run, &text);
	if (status == OK)
		status = root_write(session->into, turns_path, session->turns.data, session->turns.len, err);
	if (status == OK)
		status = root_write(session->into, run_path, text.data, text.len, err);
	if (status == OK)
		status = replay_source_write(session->into, run.source, "ptxseal " PTXSEAL_VERSION, err);
	if (status == OK) {
		session->result->runs = mem_array(session->result->runs, session->result->run_count + 1, sizeof *session->result->runs);
		session->result->runs[session->result->run_count++] = mem_text(session->run);
	}
	bundle_unlock(lock);
	free(run.source);
	free(run.model);
	free(run.workload_name);
	free(turns_path);
	free(run_path);
	bytes_free(&text);
	return status;
}

/* ---- a candidate ---- */

static enum status keep_record(struct session *session, const struct shelved *place, const struct replay *replay, const cJSON *record, char **path,
                               struct error *err)
{
	*path = NULL;
	if (session->into == NULL || !place->in_bundle)
		return OK;
	*path = mem_format(REPLAY_DIRECTORY "/%s/%s.json", session->run, replay->candidate->name);
	add_turn(session, replay);
	const enum status status = write_files(session, replay, err);

	return status == OK ? write_line(session->into, *path, record, err) : status;
}

static enum status replay_one(struct session *session, const struct shelved *place, const struct candidate *candidate, struct error *err)
{
	const struct session_options *options = session->options;
	const struct record_session facts = {
		.run = session->run,
		.date = session->date,
		.stand_in = judge_is_stand_in(session->judge),
		.device = session->device,
		.machine = session->machine,
		.library = judge_library_facts(session->judge),
		.hashes = session->inputs.at,
		.hash_count = session->inputs.count,
		.standard_known = session->inputs.standard_known,
		.options = &session->how,
		.trials = options->trials,
	};
	struct replay *replay = mem_alloc(sizeof *replay);
	struct error later = {0};
	char *path = NULL;
	enum status status =
		replay_run(session->judge, session->bundle, &session->problem, candidate, &session->plan, &session->how, replay, err);
	cJSON *record = record_make(&facts, replay, session->trajectories);
	/* One that was stopped half-way is none. */
	const enum status kept = status != STOPPED ? keep_record(session, place, replay, record, &path, &later) : OK;

	if (status != STOPPED) {
		session->result->candidates++;
		session->result->correct += replay->outcome == OUTCOME_MEASURED_CORRECT;
		session->report(session->context, replay, record, path);
	}
	if (status == OK && kept != OK) {
		*err = later;
		status = kept;
	}
	cJSON_Delete(record);
	free(path);
	replay_free(replay);
	free(replay);
	return status;
}

/* One that cannot be read is told, and the others go on. */
static enum status take_place(struct session *session, const struct shelved *place, struct error *err)
{
	struct candidate *candidate = NULL;
	struct error why = {0};

	if (candidate_read(session->bundle, place->directory, &candidate, &why) != OK) {
		if (session->result->malformed++ == 0)
			session->result->first = why;
		return OK;
	}
	const enum status status = replay_one(session, place, candidate, err);

	candidate_free(candidate);
	return status;
}

/* ---- a task ---- */

static enum status begin_task(struct session *session, const char *task, struct error *err)
{
	enum status status = problem_read(session->bundle, task, session->options->workload, &session->problem, err);

	session->run = mem_format("%s-%s", session->prefix, task);
	session->trajectories = 0;
	session->turns.len = 0;
	if (status == OK)
		status = trial_plan_draw(session->options->trials, &session->plan, err);
	if (status == OK)
		status = judge_set(session->judge, &session->problem, err);
	return status == OK ? hash_inputs(session->judge, session->bundle, &session->problem, &session->plan, &session->inputs, err) : status;
}

static enum status end_task(struct session *session, enum status status, struct error *err)
{
	struct error later = {0};
	const enum status written = session->into != NULL && session->trajectories > 0 ? write_run(session, &later) : OK;

	trial_plan_free(&session->plan);
	free(session->inputs.at);
	free(session->run);
	session->inputs = (struct hashed_inputs){0};
	session->run = NULL;
	if (status != OK || written == OK)
		return status;
	*err = later;
	return written;
}

/* ---- the session ---- */

/* "h200-20261130-191205": the device's last word, and the time. */
static char *make_prefix(const struct session *session, time_t now)
{
	const char *name = judge_device_name(session->judge);
	const char *word = strrchr(name, ' ') != NULL ? strrchr(name, ' ') + 1 : name;
	struct bytes text = {0};
	char when[32];
	struct tm utc;

	for (; *word != '\0'; word++)
		if (isalnum((unsigned char)*word) || *word == '-')
			bytes_char(&text, (char)tolower((unsigned char)*word));
	strftime(when, sizeof when, "-%Y%m%d-%H%M%S", gmtime_r(&now, &utc));
	bytes_text(&text, when);
	return text.data;
}

static void set_date(struct session *session)
{
	const time_t now = time(NULL);
	struct tm utc;

	strftime(session->date, sizeof session->date, "%Y-%m-%d", gmtime_r(&now, &utc));
	session->prefix = session->options->run != NULL ? mem_text(session->options->run) : make_prefix(session, now);
}

static enum status take_all(struct session *session, struct error *err)
{
	enum status status = OK;

	for (size_t i = 0; i < session->shelf.count && status == OK;) {
		const char *task = session->shelf.at[i].task;

		status = begin_task(session, task, err);
		for (; i < session->shelf.count && strcmp(session->shelf.at[i].task, task) == 0; i++)
			if (status == OK)
				status = take_place(session, &session->shelf.at[i], err);
		status = end_task(session, status, err);
	}
	return status;
}

static void close_session(struct session *session)
{
	judge_close(session->judge);
	sanitizer_free(&session->sanitizer);
	reservations_free(&session->reserved);
	shelf_free(&session->shelf);
	cJSON_Delete(session->device);
	cJSON_Delete(session->machine);
	bytes_free(&session->turns);
	free(session->prefix);
}

/* The runs of all tasks, before the first is measured. What stands elsewhere than in artifact/candidates is not written. */
static enum status reserve_runs(struct session *session, struct error *err)
{
	const char *last = "";
	enum status status = OK;

	if (!ledger_name_valid(session->prefix, strlen(session->prefix)))
		return error_set(err, R_RPL_NAME, "", "'%s' cannot name a run", session->prefix);
	for (size_t i = 0; i < session->shelf.count && status == OK && session->into != NULL; i++) {
		const struct shelved *place = &session->shelf.at[i];

		if (!place->in_bundle || strcmp(place->task, last) == 0)
			continue;
		char *run = mem_format("%s-%s", session->prefix, place->task);

		last = place->task;
		status = reservations_add(&session->reserved, session->into, run, err);
		free(run);
	}
	return status;
}

/* Without it the replay goes on, unless it has to be there. */
static enum status find_sanitizer(struct session *session, struct error *err)
{
	struct error why = {0};

	session->how = session->options->replay;
	session->how.sanitizer = &session->sanitizer;
	if (session->how.memcheck == MEMCHECK_OFF || sanitizer_find(&session->sanitizer, &why) == OK || session->how.memcheck == MEMCHECK_AUTO)
		return OK;
	*err = why;
	return why.status;
}

enum status session_run(const struct root *bundle, const struct root *into, const struct session_options *options, session_report *report,
                        void *context, struct session_result *result, struct error *err)
{
	struct session session = {.bundle = bundle, .into = into, .options = options, .report = report, .context = context, .result = result};
	enum status status = shelf_read(bundle, options->task, options->candidate, &session.shelf, err);

	uint64_t position;

	if (status == OK && options->model != NULL)
		status = name_check(options->model, "model", "", err);
	/* Runs that could not be read would be found when all is measured. */
	if (status == OK && into != NULL)
		status = ledger_next_position(into, source_of(&session), &position, err);
	if (status == OK)
		status = find_sanitizer(&session, err);
	if (status == OK)
		status = judge_open(options->replay.device, &session.judge, err);
	if (status == OK) {
		session.device = judge_device_facts(session.judge);
		session.machine = machine_facts("");
		set_date(&session);
		status = reserve_runs(&session, err);
		if (status == OK)
			status = take_all(&session, err);
	}
	close_session(&session);
	return status;
}
