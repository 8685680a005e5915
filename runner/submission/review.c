#include "review.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/json.h"
#include "../bundle/admitted.h"
#include "../bundle/inventory.h"
#include "../bundle/layout.h"
#include "../bundle/ledger.h"
#include "../bundle/objects.h"
#include "../bundle/replays.h"
#include "../bundle/talk.h"
#include "../bundle/verify.h"
#include "../kernel/candidate.h"
#include "../log/tlog.h"
#include "../measure/plausible.h"
#include "../measure/vet.h"
#include "caution.h"
#include "copied.h"
#include "exchange_check.h"
#include "facts.h"
#include "foresee.h"
#include "keylike.h"
#include "known.h"
#include "leaf.h"
#include "own_files.h"
#include "response_check.h"
#include "said.h"
#include "schema.h"
#include "talk_check.h"
#include "tuned.h"

/* A review under way. */
struct reviewing {
	struct review *review;
	struct file_list list; /* of the submission */
	struct known own, archive;
	struct marks marks;    /* of the submission's objects */
	struct words_of { /* paths that a turn or record names, sorted once all are in */
		char **at;
		size_t count, room;
	} named;
	struct said_sampling sampling;
	struct words_of answers; /* candidates that were extracted from answers of a model, as their directories */
};

/* A run under review, with its turns by trajectory. */
struct ledger_run {
	struct run run;
	char *turns_path;
	struct turn *turns; /* in file order */
	size_t count, room;
	bool talks; /* it asked a model */
};

static const char *fact(const struct review *review, const char *field)
{
	return replay_text(review->facts, field);
}

static void keep(struct words_of *words, char *word)
{
	if (words->count == words->room) {
		words->room = words->room == 0 ? 64 : words->room * 2;
		words->at = mem_array(words->at, words->room, sizeof *words->at);
	}
	words->at[words->count++] = word;
}

static void name(struct reviewing *reviewing, char *path)
{
	keep(&reviewing->named, path);
}

static void words_free(struct words_of *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->at[i]);
	free(words->at);
}

/* ---- as a bundle ---- */

static void check_seal(struct review *review)
{
	/* The day of its entry in the log, should it be admitted: what the submission dates itself is its own word. */
	const struct verify_options options = {.admitted = review->today, .quiet = review->quiet};
	struct verify_report report;
	struct bytes sums = {0};
	char hex[SHA256_HEX + 1];

	bundle_verify(review->submission, &options, &report);
	for (size_t i = 0; i < report.findings.count; i++) {
		const struct finding *finding = &report.findings.at[i];
		struct error err;

		/* Through an error, which carries a line. */
		error_line(&err, finding->rule, finding->file, finding->line, "%s", finding->what);
		findings_error(review->findings, finding->file, &err);
	}
	review->files = report.files;
	review->bytes = report.bytes;
	if (report.root_key[0] != '\0')
		review->key = mem_text(report.root_key);
	verify_report_free(&report);
	if (root_read(review->submission, LAYOUT_SUMS, CHECKSUMS_FILE_MAX, &sums, NULL) == OK) {
		review->sums = sha256_of(sums.data != NULL ? sums.data : "", sums.len);
		sha256_hex(&review->sums, hex);
		memcpy(review->id, hex, sizeof review->id - 1);
	}
	bytes_free(&sums);
}

static void read_facts(struct review *review)
{
	struct bytes text = {0};
	struct error err;

	if (root_read(review->submission, LAYOUT_SUBMISSION, SUBMISSION_FILE_MAX, &text, &err) != OK ||
	    json_parse(text.data != NULL ? text.data : "", text.len, LAYOUT_SUBMISSION, &review->facts, &err) != OK)
		findings_error(review->findings, LAYOUT_SUBMISSION, &err);
	else
		facts_check(review->facts, LAYOUT_SUBMISSION, review->findings);
	bytes_free(&text);
}

/* Of no source but its own, and of no run that is not there. */
static void check_homes(const struct reviewing *reviewing)
{
	const struct review *review = reviewing->review;
	const char *rest, *source = fact(review, "source");
	size_t len;

	for (size_t i = 0; i < reviewing->list.count; i++) {
		const char *path = reviewing->list.at[i].path;

		if (layout_split(path, LAYOUT_SOURCES, &len, &rest) && (strlen(source) != len || strncmp(path + strlen(LAYOUT_SOURCES), source, len) != 0))
			findings_add(review->findings, R_SUB_PLACE, path, "it is not of the source '%s'", source);
		if (layout_split(path, LAYOUT_REPLAYS, &len, &rest)) {
			char *run = mem_format(LAYOUT_RUNS "%.*s/" LAYOUT_RUN, (int)len, path + strlen(LAYOUT_REPLAYS));

			if (!root_has(review->submission, run))
				findings_add(review->findings, R_SUB_PLACE, path, "there is no %s", run);
			free(run);
		}
	}
}

static void check_places(const struct reviewing *reviewing)
{
	for (size_t i = 0; i < reviewing->list.count; i++) {
		const char *path = reviewing->list.at[i].path;

		if (reviewing->list.at[i].kind != FILE_DIRECTORY && !admitted_may_hold(path) && strcmp(path, LAYOUT_ROOT_MANIFEST) != 0 &&
		    strncmp(path, "checksums/", strlen("checksums/")) != 0)
			findings_add(reviewing->review->findings, R_SUB_PLACE, path, "a submission has no such file");
	}
	check_homes(reviewing);
	if (root_has(reviewing->review->submission, LAYOUT_LEFT_OUT))
		findings_add(reviewing->review->findings, R_SUB_EMPTY, LAYOUT_LEFT_OUT, "it was packed without parts that have to be checked");
}

/* ---- against the archive ---- */

/* An ID is 64 bits of a hash: it names, and proves nothing. */
static bool has_same_sums(const struct review *review)
{
	char *path = mem_format(LAYOUT_SUBMISSIONS "%s/" LAYOUT_SUMS, review->id);
	struct bytes text = {0};
	bool same = false;

	if (root_read(review->archive, path, CHECKSUMS_FILE_MAX, &text, NULL) == OK) {
		const struct sha256 sums = sha256_of(text.data != NULL ? text.data : "", text.len);

		same = memcmp(&sums, &review->sums, sizeof sums) == 0;
	}
	bytes_free(&text);
	free(path);
	return same;
}

static void check_archive(const struct reviewing *reviewing)
{
	const struct review *review = reviewing->review;
	char *mine = mem_format(LAYOUT_SUBMISSIONS "%s", review->id), *source = mem_format(LAYOUT_SOURCES "%s", fact(review, "source"));
	const struct sha256 model = known_model(fact(review, "model"));
	const struct known_thing *other = known_find(&reviewing->archive, KNOWN_MODEL, &model, fact(review, "source"));

	if (review->id[0] != '\0' && root_has(review->archive, mine) && !has_same_sums(review))
		findings_add(review->findings, R_ADM_COLLISION, LAYOUT_SUBMISSION, "the archive has another submission %s", review->id);
	else if (review->id[0] != '\0' && root_has(review->archive, mine))
		findings_add(review->findings, R_ADM_KNOWN, LAYOUT_SUBMISSION, "the archive has it as submission %s", review->id);
	else if (fact(review, "source")[0] != '\0' && root_has(review->archive, source))
		findings_add_field(review->findings, R_ADM_NAME, LAYOUT_SUBMISSION, "source", "the archive has a source '%s'", fact(review, "source"));
	if (other != NULL)
		findings_add_field(review->findings, R_SUB_POSES, LAYOUT_SUBMISSION, "model", "'%s', whatever its case and dashes, is a model of the source '%s' too", fact(review, "model"),
		                   other->where);
	if (review->key != NULL) {
		const struct sha256 key = known_text(review->key);

		other = known_find(&reviewing->archive, KNOWN_KEY, &key, review->id);
		if (other != NULL)
			findings_add(review->findings, R_SUB_SAME_KEY, LAYOUT_TRUST, "the key has sealed submission %s", other->where);
	}
	free(source);
	free(mine);
}

/* Read in parts, however large they are. */
static bool same_bytes(const struct review *review, const char *path, const char *there)
{
	struct hash_job *jobs = mem_alloc(2 * sizeof *jobs);

	jobs[0].path = path;
	jobs[1].path = there;
	hash_files(review->submission, &jobs[0], 1, 1, NULL, NULL);
	hash_files(review->archive, &jobs[1], 1, 1, NULL, NULL);
	const bool same = jobs[0].status == OK && jobs[1].status == OK && memcmp(&jobs[0].hash, &jobs[1].hash, sizeof jobs[0].hash) == 0;

	hash_jobs_free(jobs, 2);
	return same;
}

/* A file of the archive keeps its bytes, whoever brings others of its name. */
static void check_taken(const struct reviewing *reviewing)
{
	const struct review *review = reviewing->review;

	for (size_t i = 0; i < reviewing->list.count; i++) {
		const struct file_entry *entry = &reviewing->list.at[i];
		char *there = admitted_path(review->id, entry->path);

		if (entry->kind == FILE_REGULAR && strcmp(there, entry->path) == 0 && root_has(review->archive, there) && !same_bytes(review, entry->path, there))
			findings_add(review->findings, R_ADM_TAKEN, entry->path, "the archive has other bytes under this name");
		free(there);
	}
}

/* ---- records ---- */

/* A device of the same name in the archive: the first record that has one. */
static void check_device(const struct reviewing *reviewing, const cJSON *record, const char *path)
{
	static const char *const facts[] = {"device.sms", "device.memory_bus_bits", "device.sm_clock_khz", "device.memory_clock_khz",
	                                    "device.compute_capability"};
	const struct sha256 device = known_text(replay_text(record, "device.name"));
	const struct known_thing *other = known_find(&reviewing->archive, KNOWN_DEVICE, &device, NULL);
	cJSON *theirs = NULL;

	if (other == NULL || replay_read(reviewing->review->archive, other->where, &theirs, NULL) != OK)
		return;
	for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
		const cJSON *a = replay_at(record, facts[i]), *b = replay_at(theirs, facts[i]);

		if (cJSON_IsNumber(a) && cJSON_IsNumber(b) && a->valuedouble != b->valuedouble)
			findings_add_field(reviewing->review->findings, R_SUB_DEVICE, path, facts[i], "it is %.0f, and %.0f in %s", a->valuedouble, b->valuedouble,
			                   other->where);
	}
	cJSON_Delete(theirs);
}

/* A record whose files are named. */
struct naming {
	struct reviewing *reviewing;
	const struct candidate *candidate; /* NULL: it cannot be read */
	const char *path;                  /* of the record */
};

static enum status name_file(void *context, const char *path, const struct sha256 *hash, struct error *err)
{
	const struct naming *naming = context;
	const struct review *review = naming->reviewing->review;

	(void)hash, (void)err;
	name(naming->reviewing, mem_text(path));
	if (naming->candidate == NULL)
		findings_add_field(review->findings, R_SUB_OWN, naming->path, "candidate.files", "%s is of no candidate that can be read", path);
	else if (!own_files_have(naming->candidate, path))
		findings_add_field(review->findings, R_SUB_OWN, naming->path, "candidate.files", "%s is none of '%s'", path, naming->candidate->directory);
	else if (root_has(review->archive, naming->candidate->file) && !root_has(review->archive, path))
		findings_add(review->findings, R_SUB_OWN, path, "the archive's candidate has no such file");
	return OK;
}

static void name_files(struct reviewing *reviewing, const cJSON *record, const char *path)
{
	struct naming naming = {.reviewing = reviewing, .path = path};
	struct candidate *candidate = NULL;
	const char *directory = replay_text(record, "candidate.directory");
	struct error err;

	/* That it cannot be read, or its list not, is told by code_check and by the seal's own check. */
	if (own_files_stand(directory) && candidate_read(reviewing->review->submission, directory, &candidate, NULL) == OK)
		naming.candidate = candidate;
	replay_files(record, path, name_file, &naming, &err);
	candidate_free(candidate);
}

static void review_record(struct reviewing *reviewing, const struct ledger_run *run, const cJSON *record, const char *path)
{
	const struct review *review = reviewing->review;

	name_files(reviewing, record, path);
	if (cJSON_IsTrue(replay_at(record, "stand_in")))
		findings_add_field(review->findings, R_RPL_STAND_IN, path, "stand_in", "its device was '%s'", replay_text(record, "device.name"));
	if (!schema_check(record, path, review->findings))
		return; /* nothing that follows would be of use */
	if (strcmp(replay_text(record, "problem.task"), run->run.task) != 0)
		findings_add_field(review->findings, R_SUB_TURN, path, "problem.task", "its run is of '%s'", run->run.task);
	if (strcmp(replay_text(record, "problem.workload"), run->run.workload) != 0)
		findings_add_field(review->findings, R_SUB_TURN, path, "problem.workload", "its run is of '%s'", run->run.workload);
	vet_findings(review->archive, review->submission, record, path, review->findings);
	/* A run that asks a model may go on on another day. */
	plausible_dates(record, path, run->talks && strcmp(replay_text(record, "date"), run->run.date) > 0 ? replay_text(record, "date") : run->run.date, fact(review, "date"), review->today, review->findings);
	response_check(review->submission, run->turns, run->count, record, path, review->findings);
	copied_check(&reviewing->own, &reviewing->archive, record, path, review->findings);
	check_device(reviewing, record, path);
	caution_check(record, path, review->findings);
}

/* ---- runs ---- */

static enum status on_run(void *context, const struct run *run, struct error *err)
{
	(void)context, (void)run, (void)err;
	return OK;
}

static enum status on_turn(void *context, const struct run *run, const struct turn *turn, uint64_t line, struct error *err)
{
	struct ledger_run *own = context;

	(void)run, (void)line, (void)err;
	if (own->count == own->room) {
		own->room = own->room == 0 ? 64 : own->room * 2;
		own->turns = mem_array(own->turns, own->room, sizeof *own->turns);
	}
	own->turns[own->count++] = *turn;
	return OK;
}

static void check_run_facts(const struct review *review, const struct run *run, const char *path)
{
	const char *trained = facts_conflict(review->facts, run->task);
	char *theirs = mem_format(LAYOUT_RUNS "%s", run->run), *mine = mem_format(LAYOUT_SUBMISSIONS "%s", review->id);

	if (strcmp(run->source, fact(review, "source")) != 0)
		findings_add_field(review->findings, R_SUB_SOURCE, path, "source", "it is '%s', the submission's is '%s'", run->source, fact(review, "source"));
	if (strcmp(run->model, fact(review, "model")) != 0)
		findings_add_field(review->findings, R_SUB_SOURCE, path, "model", "it is '%s', the submission's is '%s'", run->model, fact(review, "model"));
	if (strcmp(run->date, review->today) > 0)
		findings_add_field(review->findings, R_SUB_TIME, path, "date", "%s has not come yet", run->date);
	if (root_has(review->archive, theirs) && !root_has(review->archive, mine))
		findings_add_field(review->findings, R_ADM_NAME, path, "run", "the archive has a run '%s'", run->run);
	if (trained == NULL)
		findings_add_field(review->findings, R_SUB_CONFLICT, LAYOUT_SUBMISSION, "conflicts", "nothing is said of '%s', the task of '%s'", run->task, run->run);
	else if (strcmp(trained, "yes") == 0)
		findings_add_field(review->findings, R_SUB_TRAINED, LAYOUT_SUBMISSION, "conflicts", "'%s', the task of '%s', was", run->task, run->run);
	else if (strcmp(trained, "unknown") == 0)
		findings_add_field(review->findings, R_SUB_UNSAID, LAYOUT_SUBMISSION, "conflicts", "whether '%s', the task of '%s', was in the training set is unknown",
		                   run->task, run->run);
	said_check_run(review->submission, review->archive, run, path, review->findings);
	free(theirs);
	free(mine);
}

/* Turns come by trajectory: that none is beyond the plan and none is missing before another has been checked. */
static void check_accounting(const struct review *review, const struct ledger_run *own)
{
	uint64_t trajectories = 0;

	for (size_t i = 0; i < own->count;) {
		const uint32_t trajectory = own->turns[i].trajectory;
		const size_t first = i;

		while (i < own->count && own->turns[i].trajectory == trajectory)
			i++;
		trajectories++;
		if (i - first < own->run.planned_turns && !outcome_is_correct(own->turns[i - 1].outcome))
			findings_add(review->findings, R_SUB_EARLY, own->turns_path, "trajectory %u ends after %zu of %llu turns", trajectory, i - first,
			             (unsigned long long)own->run.planned_turns);
	}
	if (trajectories != own->run.planned_trajectories)
		findings_add_field(review->findings, R_SUB_ACCOUNT, own->turns_path, "trajectory", "%llu of %llu planned trajectories have turns",
		                   (unsigned long long)trajectories, (unsigned long long)own->run.planned_trajectories);
}

/* Of a record: only one of a run that asked a model has a turn. */
static bool is_turn(const struct turn *turn, const cJSON *record)
{
	const cJSON *trajectory = replay_at(record, "trajectory"), *number = replay_at(record, "turn");

	return cJSON_IsNumber(trajectory) && (double)turn->trajectory == trajectory->valuedouble && (double)turn->turn == (cJSON_IsNumber(number) ? number->valuedouble : 0);
}

static const struct turn *turn_of(const struct ledger_run *own, const cJSON *record)
{
	for (size_t i = 0; i < own->count; i++)
		if (is_turn(&own->turns[i], record))
			return &own->turns[i];
	return NULL;
}

static void check_turn(const struct review *review, const struct ledger_run *own, const cJSON *record, const char *path)
{
	const struct turn *turn = turn_of(own, record);

	if (turn == NULL) {
		findings_add_field(review->findings, R_SUB_TURN, path, "trajectory", "its run has no such trajectory");
		return;
	}
	char *candidate = talk_candidate(&own->run, turn->trajectory, turn->turn);

	if (own->talks && strcmp(replay_text(record, "candidate.directory"), candidate) != 0)
		findings_add_field(review->findings, R_SUB_TURN, path, "candidate.directory", "it is not the candidate of its turn, %s", candidate);
	free(candidate);
	if (own->talks != cJSON_IsNumber(replay_at(record, "turn")))
		findings_add_field(review->findings, R_SUB_TURN, path, "turn", own->talks ? "it does not tell its turn" : "a trajectory of its run has no turns to tell apart");
	const bool correct = outcome_is_correct(turn->outcome);
	const char *median = replay_text(record, "timing.speedup.median");
	const struct {
		const char *field, *said, *is;
	} texts[] = {
		{"outcome.label", replay_text(record, "outcome.label"), outcome_name(turn->outcome)},
		{"evidence.evidence", replay_text(record, "evidence.evidence"), evidence_name(turn->evidence)},
		{"evidence.arch_tag", replay_text(record, "evidence.arch_tag"), turn->arch_tag},
		{"timing.speedup.median", correct && median[0] != '\0' ? median : "0", turn->speedup_text},
	};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		if (strcmp(texts[i].said, texts[i].is) != 0)
			findings_add_field(review->findings, R_SUB_TURN, path, texts[i].field, "it is '%s', and '%s' in %s", texts[i].said, texts[i].is, own->turns_path);
}

static void on_object(void *context, const char *path, const char *by)
{
	(void)by;
	name(context, mem_text(path));
}

/* What stands in its directory: of other files than a candidate's own it is told that nothing names them. */
static void on_candidate(void *context, const char *directory, const char *by)
{
	struct reviewing *reviewing = context;
	struct candidate *candidate = NULL;

	(void)by;
	keep(&reviewing->answers, mem_text(directory));
	if (!own_files_stand(directory) || candidate_read(reviewing->review->submission, directory, &candidate, NULL) != OK)
		return; /* told by talk_check */
	for (size_t i = 0; i < OWN_FILES_MAX; i++) {
		char *path = own_files_path(candidate, i);

		if (path != NULL)
			name(reviewing, path);
	}
	candidate_free(candidate);
}

static void check_talk(struct reviewing *reviewing, const struct ledger_run *own, const bool *recorded)
{
	const struct talk_visitor visitor = {.object = on_object, .candidate = on_candidate, .context = reviewing};
	const struct review *review = reviewing->review;
	const struct talk_check check = {review->submission, review->archive, &own->run, own->turns, own->count, recorded, review->findings};

	talk_check(&check);
	exchange_check(&(struct exchange_check){review->submission, &own->run, fact(review, "date"), review->today, &reviewing->own, &reviewing->archive, &reviewing->marks, review->findings});
	talk_names(review->submission, own->run.run, &visitor, NULL); /* what cannot be read is told by talk_check */
}

/* The seal's own check tells it too, of a run that says it was measured. */
static void tell_unread(struct findings *findings, const char *path, const struct error *err)
{
	for (size_t i = 0; i < findings->count; i++)
		if (findings->at[i].rule == err->rule && strcmp(findings->at[i].file, path) == 0)
			return;
	findings_error(findings, path, err);
}

static void take_records(struct reviewing *reviewing, const struct ledger_run *own)
{
	struct review *review = reviewing->review;
	char *prefix = mem_format(LAYOUT_REPLAYS "%s/", own->run.run);
	bool *seen = mem_alloc(own->count + 1);
	const size_t before = review->records;

	for (size_t i = 0; i < reviewing->list.count; i++) {
		const char *path = reviewing->list.at[i].path;
		cJSON *record = NULL;
		struct error err;

		if (reviewing->list.at[i].kind != FILE_REGULAR || strncmp(path, prefix, strlen(prefix)) != 0)
			continue;
		review->records++;
		if (replay_read(review->submission, path, &record, &err) != OK) {
			tell_unread(review->findings, path, &err);
			continue;
		}
		check_turn(review, own, record, path);
		for (size_t t = 0; t < own->count; t++)
			seen[t] = seen[t] || is_turn(&own->turns[t], record);
		review_record(reviewing, own, record, path);
		cJSON_Delete(record);
	}
	if (own->talks)
		check_talk(reviewing, own, seen);
	else if (review->records == before)
		findings_add(review->findings, R_SUB_EMPTY, own->turns_path, "the run has no record");
	for (size_t t = 0; t < own->count && review->records > before && !own->talks; t++)
		if (!seen[t])
			findings_add(review->findings, R_SUB_TURN, own->turns_path, "trajectory %u has no record", own->turns[t].trajectory);
	free(seen);
	free(prefix);
}

/* Responses of others, and what the turns name. */
static void check_objects_of(struct reviewing *reviewing, const struct ledger_run *own)
{
	for (size_t i = 0; i < own->count; i++) {
		struct sha256 ids[TURN_OBJECTS], response;
		const size_t count = objects_of_turn(&own->turns[i], ids);

		for (size_t o = 0; o < count; o++)
			name(reviewing, object_path(&ids[o]));
		if (!sha256_parse(own->turns[i].response, &response))
			continue;
		const struct known_thing *other = known_find(&reviewing->archive, KNOWN_RESPONSE, &response, own->run.run);
		const struct sha256 nothing = sha256_of("", 0); /* a model that says nothing copies nobody */

		if (other != NULL && memcmp(&response, &nothing, sizeof nothing) != 0)
			findings_add_field(reviewing->review->findings, own->talks ? R_SUB_ANSWERED : R_SUB_CANDIDATE, own->turns_path, "response",
			                   "trajectory %u, turn %u has the response of the archive's run '%s'", own->turns[i].trajectory, own->turns[i].turn,
			                   other->where);
	}
}

static void review_run(struct reviewing *reviewing, const char *run_name, const char *path)
{
	const struct ledger_visitor visitor = {.on_run = on_run, .on_turn = on_turn};
	struct review *review = reviewing->review;
	struct ledger_run own = {.turns_path = mem_format(LAYOUT_RUNS "%s/" LAYOUT_TURNS, run_name)};
	struct ledger_visitor with = visitor;
	struct bytes text = {0};
	struct error err;

	with.context = &own;
	review->runs++;
	if (run_read(review->submission, run_name, &own.run, &err) != OK) {
		findings_error(review->findings, path, &err);
	} else {
		check_run_facts(review, &own.run, path);
		if (root_read(review->submission, own.turns_path, LEDGER_TURNS_FILE_MAX, &text, &err) != OK ||
		    turns_read(text.data != NULL ? text.data : "", text.len, own.turns_path, &own.run, &with, &err) != OK)
			findings_error(review->findings, own.turns_path, &err);
		else if (!talk_has(review->submission, run_name, LAYOUT_QUERY)) /* of what `query` asked, playing it tells */
			check_accounting(review, &own);
		own.talks = talk_is(review->submission, run_name);
		said_take(&reviewing->sampling, review->submission, run_name);
		take_records(reviewing, &own);
		check_objects_of(reviewing, &own);
	}
	bytes_free(&text);
	run_free(&own.run);
	free(own.turns);
	free(own.turns_path);
}

static void check_listed_runs(const struct reviewing *reviewing)
{
	const struct review *review = reviewing->review;
	const cJSON *item;
	const char *rest;
	size_t len, listed = 0;

	cJSON_ArrayForEach(item, replay_at(review->facts, "runs"))
	{
		char *path = mem_format(LAYOUT_RUNS "%s/" LAYOUT_RUN, cJSON_IsString(item) ? item->valuestring : "");

		listed++;
		if (!root_has(review->submission, path))
			findings_add_field(review->findings, R_SUB_FACTS, LAYOUT_SUBMISSION, "runs", "there is no %s", path);
		free(path);
	}
	for (size_t i = 0; i < reviewing->list.count; i++)
		if (layout_split(reviewing->list.at[i].path, LAYOUT_RUNS, &len, &rest) && strcmp(rest, LAYOUT_RUN) == 0 && listed-- == 0) {
			findings_add_field(review->findings, R_SUB_FACTS, LAYOUT_SUBMISSION, "runs", "there are more runs than it names");
			break;
		}
}

static void review_runs(struct reviewing *reviewing)
{
	const char *rest;
	size_t len;

	for (size_t i = 0; i < reviewing->list.count; i++) {
		const char *path = reviewing->list.at[i].path;

		if (reviewing->list.at[i].kind != FILE_REGULAR || !layout_split(path, LAYOUT_RUNS, &len, &rest) || strcmp(rest, LAYOUT_RUN) != 0)
			continue;
		char *run_name = mem_textn(path + strlen(LAYOUT_RUNS), len);

		review_run(reviewing, run_name, path);
		free(run_name);
	}
	if (reviewing->review->runs == 0)
		findings_add(reviewing->review->findings, R_SUB_EMPTY, LAYOUT_RUNS, "it has no run");
	check_listed_runs(reviewing);
}

/* ---- candidates and objects ---- */

static int by_text(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

static bool is_named(const struct reviewing *reviewing, const char *path)
{
	return reviewing->named.count > 0 &&
	       bsearch(&path, reviewing->named.at, reviewing->named.count, sizeof *reviewing->named.at, by_text) != NULL;
}

static void check_named(struct reviewing *reviewing)
{
	if (reviewing->named.count > 1)
		qsort(reviewing->named.at, reviewing->named.count, sizeof *reviewing->named.at, by_text);
	for (size_t i = 0; i < reviewing->list.count; i++) {
		const char *path = reviewing->list.at[i].path;

		if (reviewing->list.at[i].kind == FILE_REGULAR && !is_named(reviewing, path) &&
		    (strncmp(path, LAYOUT_CANDIDATES, strlen(LAYOUT_CANDIDATES)) == 0 || strncmp(path, LAYOUT_OBJECTS, strlen(LAYOUT_OBJECTS)) == 0))
			findings_add(reviewing->review->findings, R_SUB_OBJECT, path, "no turn and no record names it");
	}
}

static bool is_answer(const struct reviewing *reviewing, const char *directory)
{
	for (size_t i = 0; i < reviewing->answers.count; i++)
		if (strcmp(reviewing->answers.at[i], directory) == 0)
			return true;
	return false;
}

/* One thing of a candidate: known in the archive under another name, or twice in the submission. */
static void check_thing(const struct reviewing *reviewing, const struct known_thing *thing)
{
	struct findings *findings = reviewing->review->findings;
	const struct known_thing *other = known_find(&reviewing->archive, thing->kind, &thing->hash, thing->where);
	const struct known_thing *twin = known_find(&reviewing->own, thing->kind, &thing->hash, NULL);
	char *file = mem_format("%s/candidate.json", thing->where);
	const char *what = thing->kind == KNOWN_PTX ? "PTX" : "cubin";

	if (root_has(reviewing->review->archive, file))
		; /* measured again: told once, below */
	else if (other != NULL)
		findings_add(findings, is_answer(reviewing, thing->where) ? R_SUB_ANSWERED : R_SUB_CANDIDATE, file, "its %s is that of the archive's %s", what, other->where);
	else if (twin != NULL && strcmp(twin->where, thing->where) != 0)
		findings_add(findings, R_SUB_TWIN, file, "its %s is that of %s", what, twin->where);
	if (thing->kind == KNOWN_PTX && root_has(reviewing->review->archive, file))
		findings_add(findings, R_SUB_AGAIN, file, "the archive has it");
	free(file);
}

static void check_candidates(const struct reviewing *reviewing)
{
	for (size_t i = 0; i < reviewing->own.count; i++)
		if (reviewing->own.at[i].kind == KNOWN_PTX || reviewing->own.at[i].kind == KNOWN_CUBIN)
			check_thing(reviewing, &reviewing->own.at[i]);
}

/* ---- once admitted ---- */

static bool has_errors(const struct findings *findings)
{
	size_t count[SEVERITY_COUNT];

	findings_severities(findings, count);
	return count[SEVERITY_ERROR] > 0;
}

/* The whole archive is read for it: only where nothing else is wrong. */
static void check_foreseen(struct review *review)
{
	if (!root_has(review->archive, LAYOUT_LOG TLOG_CHECKPOINT))
		findings_add(review->findings, R_ADM_LOG, LAYOUT_LOG TLOG_CHECKPOINT, "there is no log");
	if (has_errors(review->findings) || review->id[0] == '\0' || review->key == NULL)
		return;
	struct leaf leaf = {
		.admitted = mem_text(review->today), .id = mem_text(review->id), .source = mem_text(fact(review, "source"))};

	sha256_hex(&review->sums, leaf.sums);
	memcpy(leaf.key, review->key, sizeof leaf.key);
	leaf_write(&leaf, &review->entry);
	leaf_free(&leaf);
	foresee(review->submission, review->archive, review->id, &review->entry, review->quiet, review->findings);
}

/* ---- all of it ---- */

void review_free(struct review *review)
{
	cJSON_Delete(review->facts);
	free(review->key);
	bytes_free(&review->entry);
	review->facts = NULL;
	review->key = NULL;
}

void review_check(struct review *review)
{
	struct reviewing reviewing = {.review = review};

	check_seal(review);
	read_facts(review);
	root_list_past(review->submission, "", &reviewing.list);
	known_take(review->submission, &reviewing.own);
	known_take(review->archive, &reviewing.archive);
	check_places(&reviewing);
	check_archive(&reviewing);
	check_taken(&reviewing);
	said_check_unknown(review->facts, review->findings);
	keylike_check(review->submission, &reviewing.list, &reviewing.marks, review->findings);
	review_runs(&reviewing);
	said_check_sampling(&reviewing.sampling, review->facts, review->findings);
	tuned_check(review->submission, &reviewing.list, review->facts, review->findings);
	check_named(&reviewing);
	check_candidates(&reviewing);
	check_foreseen(review);
	free(reviewing.marks.at);
	words_free(&reviewing.named);
	words_free(&reviewing.answers);
	known_free(&reviewing.own);
	known_free(&reviewing.archive);
	file_list_free(&reviewing.list);
}
