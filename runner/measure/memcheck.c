#include "memcheck.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/file.h"
#include "inputs.h"
#include "message.h"

enum { START_MS = 120000, RUN_MS = 120000, END_MS = 10000, REPORT_BYTES_MAX = 16 << 20 };

const char *memcheck_mode_name(enum memcheck_mode mode)
{
	return mode == MEMCHECK_OFF ? "off" : mode == MEMCHECK_REQUIRE ? "require" : "auto";
}

const char *memcheck_state_name(enum memcheck_state state)
{
	static const char *const names[MEMCHECK_STATES] = {
		[MEMCHECK_SKIPPED] = "skipped", [MEMCHECK_MISSING] = "missing", [MEMCHECK_CLEAN] = "clean",
		[MEMCHECK_ERRORS] = "errors",   [MEMCHECK_REFUSED] = "refused", [MEMCHECK_FAILED] = "failed",
	};

	return names[state];
}

void memcheck_free(struct memcheck *memcheck)
{
	cJSON_Delete(memcheck->sandbox);
	*memcheck = (struct memcheck){0};
}

static void say(struct memcheck *memcheck, enum memcheck_state state, const char *text)
{
	memcheck->state = state;
	snprintf(memcheck->text, sizeof memcheck->text, "%s", text);
}

/* What came of the worker. */
struct conversation {
	bool opened; /* it was ready for a run */
	bool late;
	struct fate fate;
	struct error why; /* where status is not OK */
	enum status status;
};

static enum status converse(const struct worker_options *options, const struct problem *problem, const struct candidate *candidate,
                            const struct bytes *cubin, struct conversation *conversation, cJSON **sandbox)
{
	const struct trial trial = {.seed = STANDARD_SEED, .base_seed = STANDARD_SEED, .values = VALUES_NORMAL};
	struct guards guards;
	struct worker *worker = NULL;
	enum status status = worker_start(options, problem, candidate, cubin, &worker, &conversation->fate, &conversation->why);

	conversation->opened = status == OK && conversation->fate.kind == FATE_DONE;
	if (status == OK)
		*sandbox = cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(worker_facts(worker), "sandbox"), true);
	if (conversation->opened)
		status = worker_run(worker, &trial, &guards, &conversation->fate, &conversation->why);
	worker_close(worker);
	return status;
}

/* A report with errors is one, whatever became of the run: the tool ends a kernel that has some. */
static void conclude(struct memcheck *memcheck, const struct conversation *conversation)
{
	const struct sanitizer_report *report = &memcheck->report;
	const char *why = conversation->status != OK ? conversation->why.what : conversation->fate.text;

	if (report->whole && report->errors > 0 && conversation->opened)
		say(memcheck, MEMCHECK_ERRORS, "");
	else if (!conversation->opened)
		say(memcheck, MEMCHECK_REFUSED, report->first[0] != '\0' ? report->first : why);
	else if (conversation->status != OK || conversation->fate.kind != FATE_DONE)
		say(memcheck, MEMCHECK_FAILED, why);
	else if (!report->whole)
		say(memcheck, MEMCHECK_FAILED, "the tool's report has no end");
	else
		say(memcheck, MEMCHECK_CLEAN, "");
}

static enum status run_in(const char *directory, const struct sanitizer *sanitizer, const struct problem *problem, const struct candidate *candidate,
                          const struct bytes *cubin, const struct memcheck_options *options, struct memcheck *memcheck, struct error *err)
{
	char self[PATH_MAX] = "";
	char *file = mem_format("%s/report", directory);
	const char *const wrapper[] = {sanitizer->path, "--tool", "memcheck", "--report-api-errors", "no", "--padding", "65536", "--print-limit", "100",
	                               "--log-file", file, self, NULL};
	const struct worker_options how = {
		.program = sanitizer->path,
		.wrapper = wrapper,
		.device = options->device,
		.exact = true,
		.without = options->without != 0 ? options->without : MEMCHECK_WITHOUT,
		.start_ms = options->start_ms != 0 ? options->start_ms : START_MS,
		.load_ms = START_MS,
		.run_ms = options->run_ms != 0 ? options->run_ms : RUN_MS,
		.end_ms = END_MS,
	};
	struct conversation conversation = {.fate = {.launch = -1}};
	struct bytes text = {0};
	struct error none;

	if (options->program != NULL)
		snprintf(self, sizeof self, "%s", options->program);
	else if (readlink("/proc/self/exe", self, sizeof self - 1) <= 0)
		snprintf(self, sizeof self, "/proc/self/exe");
	conversation.status = converse(&how, problem, candidate, cubin, &conversation, &memcheck->sandbox);
	if (file_read(file, REPORT_BYTES_MAX, &text, &none) == OK)
		sanitizer_read(text.data, text.len, &memcheck->report);
	conclude(memcheck, &conversation);
	bytes_free(&text);
	free(file);
	if (conversation.status != UNHEALTHY)
		return OK;
	*err = conversation.why;
	return UNHEALTHY;
}

enum status memcheck_run(const struct sanitizer *sanitizer, const struct problem *problem, const struct candidate *candidate, const struct bytes *cubin,
                         const struct memcheck_options *options, struct memcheck *memcheck, struct error *err)
{
	const char *temporary = getenv("TMPDIR");
	char *directory = mem_format("%s/ptxseal-XXXXXX", temporary != NULL && temporary[0] == '/' ? temporary : "/tmp");
	const uint64_t start = clock_ms();
	enum status status = OK;

	*memcheck = (struct memcheck){0};
	snprintf(memcheck->workload, sizeof memcheck->workload, "%s", problem->workload);
	if (mkdtemp(directory) == NULL) {
		say(memcheck, MEMCHECK_FAILED, "a directory for the report cannot be made");
	} else {
		status = run_in(directory, sanitizer, problem, candidate, cubin, options, memcheck, err);
		file_remove_tree(AT_FDCWD, directory);
	}
	free(directory);
	memcheck->took_ms = clock_ms() - start;
	return status;
}

cJSON *memcheck_facts(const struct memcheck *memcheck, const struct sanitizer *sanitizer)
{
	const bool counted = memcheck->state == MEMCHECK_CLEAN || memcheck->state == MEMCHECK_ERRORS;
	cJSON *facts = cJSON_CreateObject();

	cJSON_AddItemToObject(facts, "errors", counted ? cJSON_CreateNumber((double)memcheck->report.errors) : cJSON_CreateNull());
	cJSON_AddStringToObject(facts, "first", counted ? memcheck->report.first : "");
	cJSON_AddStringToObject(facts, "function", counted ? memcheck->report.function : "");
	cJSON_AddItemToObject(facts, "sandbox", memcheck->sandbox != NULL ? cJSON_Duplicate(memcheck->sandbox, true) : cJSON_CreateNull());
	cJSON_AddStringToObject(facts, "state", memcheck_state_name(memcheck->state));
	cJSON_AddStringToObject(facts, "text", memcheck->text);
	cJSON_AddNumberToObject(facts, "took_ms", (double)memcheck->took_ms);
	cJSON_AddStringToObject(facts, "workload", memcheck->workload);
	if (sanitizer == NULL || sanitizer->path == NULL) {
		cJSON_AddNullToObject(facts, "tool");
		return facts;
	}
	cJSON *tool = cJSON_AddObjectToObject(facts, "tool");
	char hex[SHA256_HEX + 1];

	sha256_hex(&sanitizer->hash, hex);
	cJSON_AddStringToObject(tool, "found", sanitizer->place);
	cJSON_AddStringToObject(tool, "sha256", hex);
	cJSON_AddStringToObject(tool, "version", sanitizer->version);
	return facts;
}
