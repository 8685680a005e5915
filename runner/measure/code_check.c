#include "code_check.h"

#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../bundle/ledger.h"
#include "../bundle/replays.h"
#include "../kernel/candidate.h"
#include "../kernel/census.h"
#include "listing.h"
#include "replay.h"

struct checking {
	const cJSON *record;
	const char *path;
	const struct problem *problem;
	struct findings *findings;
};

static void tell(const struct checking *checking, enum rule rule, const char *field, const char *what)
{
	findings_add_field(checking->findings, rule, checking->path, field, "%s", what);
}

static bool same_json(const cJSON *a, const cJSON *b)
{
	struct bytes x = {0}, y = {0};
	const bool same = a != NULL && b != NULL && jcs_write(a, &x, NULL) == OK && jcs_write(b, &y, NULL) == OK && x.len == y.len &&
	                  memcmp(x.data, y.data, x.len) == 0;

	bytes_free(&x);
	bytes_free(&y);
	return same;
}

/* ---- the candidate ---- */

static void check_candidate(const struct checking *checking, const struct candidate *candidate)
{
	const struct {
		const char *field, *is;
	} texts[] = {{"candidate.arch", candidate->arch},     {"candidate.label", candidate->label}, {"candidate.name", candidate->name},
	             {"candidate.origin", candidate->origin}, {"problem.task", candidate->task}};
	char id[SHA256_HEX + 1];
	struct error err;

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		if (strcmp(replay_text(checking->record, texts[i].field), texts[i].is) != 0)
			tell(checking, R_SUB_CODE, texts[i].field, "candidate.json says otherwise");
	sha256_hex(&candidate->id, id);
	if (strcmp(replay_text(checking->record, "candidate.id"), id) != 0)
		tell(checking, R_SUB_CODE, "candidate.id", "it is not that of the candidate's files");
	if (candidate_check_ptx(candidate, &err) != OK && strcmp(replay_text(checking->record, "outcome.label"), "correct") == 0)
		tell(checking, R_SUB_CODE, "outcome.label", err.what);
}

/* ---- work ---- */

static bool read_state(const char *text, enum counts_state *state)
{
	for (int i = 0; i < COUNTS_STATES; i++)
		if (strcmp(counts_state_name((enum counts_state)i), text) == 0) {
			*state = (enum counts_state)i;
			return true;
		}
	return false;
}

static bool read_count(const cJSON *item, uint64_t *value)
{
	if (!cJSON_IsNumber(item) || item->valuedouble < 0 || item->valuedouble > 0x1p53 || item->valuedouble != (double)(uint64_t)item->valuedouble)
		return false;
	*value = (uint64_t)item->valuedouble;
	return true;
}

/* {"at": [[offset, text, executed, threads]...], "function", "state"} */
static bool read_counts(const cJSON *function, struct counts *counts)
{
	const cJSON *rows = replay_at(function, "at"), *row;

	*counts = (struct counts){.function = mem_text(replay_text(function, "function"))};
	counts->at = mem_array(NULL, cJSON_IsArray(rows) ? (size_t)cJSON_GetArraySize(rows) + 1 : 1, sizeof *counts->at);
	if (!cJSON_IsArray(rows) || !read_state(replay_text(function, "state"), &counts->state))
		return false;
	cJSON_ArrayForEach(row, rows)
	{
		struct instruction_count *count = &counts->at[counts->count];

		if (!cJSON_IsArray(row) || cJSON_GetArraySize(row) != 4 || !read_count(cJSON_GetArrayItem(row, 0), &count->offset) ||
		    !read_count(cJSON_GetArrayItem(row, 2), &count->executed) || !read_count(cJSON_GetArrayItem(row, 3), &count->threads_true))
			return false;
		if (counts->count > 0 && count->offset <= count[-1].offset)
			return false;
		counts->count++;
	}
	return true;
}

static void add_counts(const struct checking *checking, const struct cubin *cubin, const struct plan *plan, struct work *work)
{
	const cJSON *function;
	size_t number = 0;

	cJSON_ArrayForEach(function, replay_at(checking->record, "evidence.functions"))
	{
		char *field = mem_format("evidence.functions[%zu].at", number++);
		struct counts counts;
		struct error err;

		if (!read_counts(function, &counts))
			tell(checking, R_SUB_EVIDENCE, field, "it is no list of offset, instruction and two counts, by offset");
		else if (work_add(work, &counts, cubin, plan, &err) != OK)
			tell(checking, R_SUB_EVIDENCE, field, err.what);
		counts_free(&counts);
		free(field);
	}
}

static void check_share(const struct checking *checking, const char *field, double share)
{
	const cJSON *said = replay_at(checking->record, field);
	char text[REPLAY_NUMBER_MAX];

	replay_number(share, text);
	if (!cJSON_IsString(said) || strcmp(said->valuestring, text) != 0)
		findings_add_field(checking->findings, R_SUB_EVIDENCE, checking->path, field, "the counts give %s", text);
}

/* least or most: as work_facts has it, a number or null; the record writes numbers as texts. */
static void check_bytes_share(const struct checking *checking, const cJSON *facts, const char *which)
{
	const cJSON *share = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(facts, "bytes_share"), which);
	char *field = mem_format("evidence.bytes_share.%s", which);

	if (cJSON_IsNumber(share))
		check_share(checking, field, share->valuedouble);
	else if (!cJSON_IsNull(replay_at(checking->record, field)))
		tell(checking, R_SUB_EVIDENCE, field, "not everything was counted, and there is one");
	free(field);
}

static void check_work(const struct checking *checking, const struct work *work, const struct cubin *cubin)
{
	static const struct {
		enum sass_group group;
		const char *field;
	} groups[] = {{SASS_GROUP_GMMA, "evidence.operations_share.gmma"}, {SASS_GROUP_WARP, "evidence.operations_share.warp"}};
	cJSON *facts = work_facts(work, checking->problem);
	struct census census;
	double done = 0;
	bool known = true, all_known = true, names_target;

	if (!same_json(cJSON_GetObjectItemCaseSensitive(facts, "lines"), replay_at(checking->record, "evidence.lines")))
		tell(checking, R_SUB_EVIDENCE, "evidence.lines", "the counts and the code give others");
	check_bytes_share(checking, facts, "least");
	check_bytes_share(checking, facts, "most");
	for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
		const double operations = work_operations(work, groups[i].group, &known);

		if (work->counted < work->functions || work->functions == 0)
			known = false;
		if (known)
			check_share(checking, groups[i].field, operations / checking->problem->flops);
		else if (!cJSON_IsNull(replay_at(checking->record, groups[i].field)))
			tell(checking, R_SUB_EVIDENCE, groups[i].field, "not everything was counted, and there is one");
	}
	done = work_operations(work, SASS_GROUP_GMMA, &known);
	all_known = known;
	done += work_operations(work, SASS_GROUP_TCGEN, &known);
	all_known = all_known && known && work->counted == work->functions && work->functions > 0;
	census_cubin(cubin, &census);
	names_target = false;
	for (size_t i = 0; i < census.lines; i++) {
		const enum sass_group group = sass_group_of(census.line[i].family);

		names_target = names_target || group == SASS_GROUP_GMMA || group == SASS_GROUP_TMA || group == SASS_GROUP_TCGEN;
	}
	census_free(&census);
	if (all_known) {
		check_share(checking, "evidence.share", done / checking->problem->flops);
		if (cJSON_IsTrue(replay_at(checking->record, "evidence.decoy")) != (names_target && done / checking->problem->flops < DECOY_SHARE))
			tell(checking, R_SUB_EVIDENCE, "evidence.decoy", "the counts say otherwise");
	}
	cJSON_Delete(facts);
}

/* Which grade the counts allow, as replay_evidence has it. */
static void check_grade(const struct checking *checking)
{
	const char *state = replay_text(checking->record, "evidence.state"), *grade = replay_text(checking->record, "evidence.evidence");
	const bool counted = cJSON_GetArraySize(replay_at(checking->record, "evidence.functions")) > 0;
	const enum evidence is = !counted ? cJSON_IsObject(replay_at(checking->record, "code")) ? EVIDENCE_STATIC : EVIDENCE_UNKNOWN
	                         : strcmp(state, counts_state_name(COUNTS_EXECUTED)) == 0 || strcmp(state, counts_state_name(COUNTS_NOT_EXECUTED)) == 0
		                         ? EVIDENCE_EXECUTED
	                         : strcmp(state, counts_state_name(COUNTS_REFUSED)) == 0 ? EVIDENCE_REFUSED
	                                                                                 : EVIDENCE_UNKNOWN;
	const cJSON *function;

	if (strcmp(grade, evidence_name(is)) != 0)
		findings_add_field(checking->findings, R_SUB_EVIDENCE, checking->path, "evidence.evidence", "it is '%s', the counts allow '%s'", grade,
		                   evidence_name(is));
	cJSON_ArrayForEach(function, replay_at(checking->record, "evidence.functions"))
	{
		const char *one = replay_text(function, "state");
		const cJSON *call = replay_at(function, "call");

		if (is == EVIDENCE_EXECUTED && !cJSON_IsObject(call))
			findings_add_field(checking->findings, R_SUB_EVIDENCE, checking->path, "evidence.functions", "the call of '%s' that was counted was not looked at", replay_text(function, "function"));
		else if (is == EVIDENCE_EXECUTED && (strcmp(replay_text(call, "strict"), mark_name(MARK_FAIL)) == 0 || replay_value(call, "input_bytes_changed") != 0))
			findings_add_field(checking->findings, R_SUB_EVIDENCE, checking->path, "evidence.functions", "the call of '%s' that was counted is not right",
			                   replay_text(function, "function"));
		if (is == EVIDENCE_EXECUTED && strcmp(one, counts_state_name(COUNTS_EXECUTED)) != 0 && strcmp(one, counts_state_name(COUNTS_NOT_EXECUTED)) != 0)
			findings_add_field(checking->findings, R_SUB_EVIDENCE, checking->path, "evidence.state", "the function '%s' was not counted: %s",
			                   replay_text(function, "function"), one);
	}
}

/* ---- the cubin ---- */

static void check_cubin(const struct checking *checking, const struct candidate *candidate, const struct bytes *text)
{
	const struct sha256 hash = sha256_of(text->data, text->len);
	struct cubin cubin;
	struct error err;
	char hex[SHA256_HEX + 1];

	sha256_hex(&hash, hex);
	if (strcmp(replay_text(checking->record, "code.sha256"), hex) != 0) {
		tell(checking, R_SUB_CODE, "code.sha256", "the frozen cubin beside the PTX has another");
		return;
	}
	if (cubin_read((const uint8_t *)text->data, text->len, candidate->file, &cubin, &err) != OK) {
		tell(checking, R_SUB_CODE, "code.sha256", err.what);
		return;
	}
	cJSON *census = listing_of(&cubin);
	struct plan plan = {0};

	if (!same_json(census, replay_at(checking->record, "code.census")))
		tell(checking, R_SUB_CODE, "code.census", "the cubin has other instructions");
	if (cJSON_IsTrue(replay_at(checking->record, "code.has_variables")) != cubin.has_variables)
		tell(checking, R_SUB_CODE, "code.has_variables", "the cubin says otherwise");
	if (checking->problem != NULL && cJSON_GetArraySize(replay_at(checking->record, "evidence.functions")) > 0 &&
	    plan_make(candidate, checking->problem, &plan, &err) == OK) {
		struct work work = {0};

		add_counts(checking, &cubin, &plan, &work);
		check_work(checking, &work, &cubin);
		work_free(&work);
	}
	plan_free(&plan);
	cJSON_Delete(census);
	cubin_free(&cubin);
}

void code_check(const struct root *root, const cJSON *record, const char *path, const struct problem *problem, struct findings *findings)
{
	const struct checking checking = {.record = record, .path = path, .problem = problem, .findings = findings};
	struct candidate *candidate = NULL;
	struct bytes cubin = {0};
	struct error err;

	check_grade(&checking);
	if (candidate_read(root, replay_text(record, "candidate.directory"), &candidate, &err) != OK) {
		tell(&checking, R_SUB_CODE, "candidate.directory", err.what);
		return;
	}
	check_candidate(&checking, candidate);
	if (!cJSON_IsObject(replay_at(record, "code")))
		; /* there was none to measure */
	else if (candidate_frozen_cubin(root, candidate, &cubin, &err) != OK)
		tell(&checking, R_SUB_CODE, "code.sha256", err.what);
	else
		check_cubin(&checking, candidate, &cubin);
	bytes_free(&cubin);
	candidate_free(candidate);
}
