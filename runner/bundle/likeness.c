#include "likeness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "ledger.h"
#include "replays.h"

const char *alike_name(enum alike alike)
{
	static const char *const names[] = {[ALIKE_SAME] = "same", [ALIKE_WITHIN] = "within tolerance", [ALIKE_DIFFERS] = "DIFFERS"};

	return names[alike];
}

/* tolerance 0: texts have to be the same. Else a relative one, between decimals. */
static const struct {
	const char *member;
	bool result;
	double tolerance;
} members[] = {
	{"candidate.id", true, 0},
	{"problem.workload", true, 0},
	{"code.sha256", true, 0},
	{"outcome.label", true, 0},
	{"outcome.published", true, 0},
	{"outcome.strict", true, 0},
	{"evidence.state", true, 0},
	{"evidence.share", true, LIKENESS_SHARE},
	{"evidence.operations_share.gmma", true, LIKENESS_SHARE},
	{"evidence.operations_share.warp", true, LIKENESS_SHARE},
	{"evidence.decoy", true, 0},
	{"timing.speedup.median", true, LIKENESS_SPEEDUP},
	{"timing.suspect", true, 0},
	{"memcheck.state", false, 0},
	{"memcheck.tool.version", false, 0},
	{"program", false, 0},
	{"date", false, 0},
	{"stand_in", false, 0},
	{"options", false, 0},
	{"device.name", false, 0},
	{"device.nvml.uuid_sha256", false, 0},
	{"device.nvml.vbios", false, 0},
	{"device.nvml.driver_version", false, 0},
	{"device.nvml.cuda_driver_version", false, 0},
	{"device.nvml.ecc_mode", false, 0},
	{"device.nvml.mig_mode", false, 0},
	{"device.nvml.power_limit_enforced_mw", false, 0},
	{"device.nvml.sm_clock_application_mhz", false, 0},
	{"device.nvml.memory_clock_application_mhz", false, 0},
	{"machine", false, 0},
	{"code.ptxas.version", false, 0},
	{"library.version", false, 0},
	{"worker.baseline.version", false, 0},
	{"worker.baseline.algorithm", false, 0},
	{"worker.baseline.chosen", false, 0},
	{"worker.sandbox", false, 0},
	{"timing.candidate_ns.median", false, LIKENESS_FACT},
	{"timing.baseline_ns.median", false, LIKENESS_FACT},
	{"timing.candidate_hz", false, LIKENESS_FACT},
	{"timing.baseline_hz", false, LIKENESS_FACT},
	{"timing.throttled", false, 0},
	{"state.before.temperature_c", false, 0.2},
};

enum { MEMBERS = sizeof members / sizeof members[0] };

static char *text_of(const cJSON *item)
{
	struct bytes text = {0};

	if (item == NULL)
		return mem_text("(none)");
	if (cJSON_IsString(item))
		return mem_text(item->valuestring);
	/* A record was parsed strictly, so it can be written. */
	jcs_write(item, &text, NULL);
	return text.data;
}

static enum alike alike_of(const char *a, const char *b, double tolerance)
{
	double x = 0, y = 0;

	if (strcmp(a, b) == 0)
		return ALIKE_SAME;
	if (tolerance > 0 && decimal_parse(a, strlen(a), &x) && decimal_parse(b, strlen(b), &y) && fabs(x - y) <= tolerance * fmax(x, y))
		return ALIKE_WITHIN;
	return ALIKE_DIFFERS;
}

void likeness_of(const cJSON *a, const cJSON *b, struct likeness *likeness)
{
	*likeness = (struct likeness){.agree = true};
	likeness->at = mem_array(NULL, MEMBERS, sizeof *likeness->at);
	for (size_t i = 0; i < MEMBERS; i++) {
		struct line line = {.member = members[i].member, .result = members[i].result};

		line.a = text_of(replay_at(a, line.member));
		line.b = text_of(replay_at(b, line.member));
		line.alike = alike_of(line.a, line.b, members[i].tolerance);
		if (line.result && line.alike == ALIKE_DIFFERS)
			likeness->agree = false;
		if (!line.result && line.alike == ALIKE_SAME) {
			free(line.a);
			free(line.b);
			continue;
		}
		likeness->at[likeness->count++] = line;
	}
}

void likeness_free(struct likeness *likeness)
{
	for (size_t i = 0; i < likeness->count; i++) {
		free(likeness->at[i].a);
		free(likeness->at[i].b);
	}
	free(likeness->at);
	*likeness = (struct likeness){0};
}
