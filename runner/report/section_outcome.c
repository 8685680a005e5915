/* What became of a candidate, by which rule, and which instructions did the work. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../base/rule.h"
#include "../bundle/replays.h"
#include "html.h"
#include "kind.h"
#include "page.h"
#include "sections.h"
#include "show.h"

enum { LINES_MAX = 200 };

static const struct rule_info *rule_of(const char *id)
{
	for (int i = 0; i < RULE_COUNT; i++)
		if (strcmp(rule_info((enum rule)i)->id, id) == 0)
			return rule_info((enum rule)i);
	return NULL;
}

/* The rule that was broken, in its own words, and what was found. */
static void put_rule(const cJSON *record, struct bytes *out)
{
	const char *id = replay_text(record, "outcome.rule"), *text = replay_text(record, "outcome.text");
	const struct rule_info *rule = rule_of(id);

	if (text[0] != '\0')
		html_put(out, "<p class=found>%s</p>\n", text);
	if (id[0] == '\0')
		return;
	html_put(out, "<p>Rule broken: <b>%s</b>", id);
	if (rule != NULL)
		html_put(out, ": %s; %s.", rule->text, rule->remedy);
	bytes_text(out, "</p>\n");
}

static void put_tally(const cJSON *record, const char *passed, const char *of, struct bytes *out)
{
	show_count(out, replay_at(record, passed));
	bytes_text(out, " of ");
	show_count(out, replay_at(record, of));
}

/* The published rule and ours side by side. */
static void put_verdicts(const cJSON *record, struct bytes *out)
{
	const cJSON *passed = replay_at(record, "accounting.passed"), *failed = replay_at(record, "accounting.failed");

	page_table("cards verdicts", "Two verdicts, side by side", out);
	bytes_text(out, "<thead><tr><th scope=col>rule</th><th scope=col>what it asks</th>"
	                "<th scope=col>verdict</th><th scope=col class=n>trials that keep it</th><th scope=col class=n>the library itself</th></tr></thead><tbody>\n"
	                "<tr><th scope=row>strict, which decides</th><td>relative RMS error at most twice the library’s on the same inputs, its quantiles at most four times, all finite</td><td>");
	show_verdict(out, replay_text(record, "outcome.strict"));
	bytes_text(out, "</td><td class=n data-l=trials>");
	show_count(out, passed);
	bytes_text(out, " passed, ");
	show_count(out, failed);
	bytes_text(out, " failed of all</td><td class=n data-l=\"the library\">is the measure</td></tr>\n"
	                "<tr><th scope=row>published, of PTXBench</th><td>no element with both absolute and relative error over 0.01, in trials of normal values</td><td>");
	show_verdict(out, replay_text(record, "outcome.published"));
	bytes_text(out, "</td><td class=n data-l=trials>");
	put_tally(record, "outcome.published_passed", "outcome.published_trials", out);
	bytes_text(out, "</td><td class=n data-l=\"the library\">");
	put_tally(record, "outcome.library_passed", "outcome.published_trials", out);
	bytes_text(out, "</td></tr>\n</tbody></table></div>\n");
}

static void put_headline(const cJSON *record, struct bytes *out)
{
	bytes_text(out, "<dl class=headline>\n");
	show_begin(out, "outcome");
	show_verdict(out, replay_text(record, "outcome.label"));
	show_end(out);
	show_begin(out, "evidence");
	page_grade(replay_text(record, "evidence.evidence"), out);
	show_end(out);
	show_begin(out, "speed, times the library’s");
	if (cJSON_IsObject(replay_at(record, "timing.speedup"))) {
		bytes_text(out, "<strong>");
		show_decimal(out, replay_at(record, "timing.speedup.median"), 4);
		bytes_text(out, "</strong> <span class=note>[");
		show_decimal(out, replay_at(record, "timing.speedup.low"), 4);
		bytes_text(out, ", ");
		show_decimal(out, replay_at(record, "timing.speedup.high"), 4);
		bytes_text(out, "]</span>");
	} else {
		bytes_text(out, "<span class=unknown>not timed</span>");
	}
	show_end(out);
	show_begin(out, "share of the task’s FLOPs by target instructions");
	show_share(out, replay_at(record, "evidence.share"), 3);
	show_end(out);
	bytes_text(out, "</dl>\n");
}

static void show_axes(struct bytes *out, const cJSON *axes)
{
	const char *before = "";

	for (const cJSON *axis = cJSON_IsObject(axes) ? axes->child : NULL; axis != NULL; axis = axis->next) {
		html_put(out, "%s%s = ", before, axis->string);
		show_any(out, axis);
		before = ", ";
	}
	if (before[0] == '\0')
		show_any(out, axes);
}

void section_outcome(const struct kernel *kernel, struct bytes *out)
{
	const cJSON *record = kernel->record;
	static const struct shown shown[] = {
		{"task", "problem.task", show_text},
		{"workload", "problem.workload", show_text},
		{"its axes", "problem.axes", show_axes},
		{"label", "candidate.label", show_text},
		{"origin", "candidate.origin", show_text},
		{"architecture", "candidate.arch", show_text},
		{"run", "run", show_text},
		{"trajectory", "trajectory", show_count},
		{"measured on", "date", show_text},
		{"device", "device.name", show_text},
		{"program", "program", show_text},
	};

	put_headline(record, out);
	put_rule(record, out);
	put_verdicts(record, out);
	section_list(record, shown, sizeof shown / sizeof shown[0], out);
}

/* ---- work ---- */

static enum sass_group group_of(const char *name)
{
	for (unsigned group = 0; group < SASS_GROUP_COUNT; group++)
		if (strcmp(sass_group_name((enum sass_group)group), name) == 0)
			return (enum sass_group)group;
	return SASS_GROUP_NONE;
}

/* Operations as a share of the task's. */
static void put_share(const cJSON *record, const cJSON *operations, struct bytes *out)
{
	const double flops = replay_value(record, "problem.flops");
	char shown[48];

	if (!cJSON_IsNumber(operations)) {
		bytes_text(out, "<span class=unknown>not known</span>");
		return;
	}
	snprintf(shown, sizeof shown, "%.3g %%", isfinite(flops) && flops > 0 ? operations->valuedouble / flops * 100 : 0);
	bytes_text(out, shown);
}

static void put_line(const cJSON *record, const cJSON *line, struct bytes *out)
{
	const enum sass_group group = group_of(replay_text(line, "group"));

	html_put(out, "<tr><th scope=row><code>%s</code></th><td>", replay_text(line, "text"));
	if (group != SASS_GROUP_NONE)
		kind_put(group, out);
	static const char *const counts[] = {"instructions", "executed", "effective", "null", "threads_true"};

	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
		bytes_text(out, "</td><td class=n>");
		show_count(out, replay_at(line, counts[i]));
	}
	bytes_text(out, "</td><td class=n>");
	show_count(out, replay_at(line, "operations"));
	bytes_text(out, "</td><td class=n>");
	put_share(record, replay_at(line, "operations"), out);
	bytes_text(out, "</td></tr>\n");
}

static void put_lines(const cJSON *record, struct bytes *out)
{
	const cJSON *lines = replay_at(record, "evidence.lines");
	size_t rows = 0;

	if (!cJSON_IsArray(lines) || lines->child == NULL) {
		bytes_text(out, "<p>The record has no counts of instructions of the families.</p>\n");
		return;
	}
	page_table("work", "Instructions of the families, as counted while the kernel ran", out);
	bytes_text(out, "<thead><tr><th scope=col>instruction</th><th scope=col>what it is</th>"
	                "<th scope=col class=n>in the code</th><th scope=col class=n>executed by warps</th><th scope=col class=n>of them with effect</th><th scope=col class=n>without destination</th>"
	                "<th scope=col class=n>threads with the predicate on</th><th scope=col class=n>operations</th><th scope=col class=n>of the task’s FLOPs</th></tr></thead><tbody>\n");
	for (const cJSON *line = lines->child; line != NULL && rows < LINES_MAX; line = line->next, rows++)
		put_line(record, line, out);
	bytes_text(out, "</tbody></table></div>\n");
	if (cJSON_GetArraySize(lines) > LINES_MAX)
		html_put(out, "<p class=note>The record has %d lines more.</p>\n", cJSON_GetArraySize(lines) - LINES_MAX);
}

/* Where counting failed there are no shares, and the counts beside them are what it had come to: nothing. */
static bool is_known(const cJSON *item)
{
	return item != NULL && !cJSON_IsNull(item);
}

static void put_copied(const cJSON *record, struct bytes *out)
{
	const cJSON *least = replay_at(record, "evidence.bytes_share.least"), *most = replay_at(record, "evidence.bytes_share.most");

	show_begin(out, "copied through tensor maps");
	if (is_known(least) && is_known(most)) {
		show_bytes(out, replay_at(record, "evidence.tma_bytes_least"));
		bytes_text(out, " to ");
		show_bytes(out, replay_at(record, "evidence.tma_bytes_most"));
		bytes_text(out, ", that is ");
		show_share(out, least, 4);
		bytes_text(out, " to ");
		show_share(out, most, 4);
		bytes_text(out, " of the least traffic, ");
		show_bytes(out, replay_at(record, "problem.bytes"));
	} else {
		show_share(out, NULL, 4);
	}
	show_end(out);
	show_begin(out, "instructions of all kinds, executed by warps");
	show_count(out, is_known(replay_at(record, "evidence.share")) ? replay_at(record, "evidence.warps") : NULL);
	show_end(out);
}

static void put_shares(const cJSON *record, struct bytes *out)
{
	static const struct {
		const char *name, *member;
	} shares[] = {{"by wgmma", "evidence.operations_share.gmma"}, {"by tcgen05", "evidence.operations_share.tcgen"}, {"by warps’ multiplies", "evidence.operations_share.warp"}};

	bytes_text(out, "<dl class=facts>\n");
	show_begin(out, "FLOPs of the task");
	show_count(out, replay_at(record, "problem.flops"));
	show_end(out);
	for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
		const cJSON *share = replay_at(record, shares[i].member);

		show_begin(out, shares[i].name);
		show_share(out, share, 4);
		if (is_known(share))
			bytes_text(out, " of the task’s FLOPs");
		show_end(out);
	}
	put_copied(record, out);
	bytes_text(out, "</dl>\n");
}

void section_work(const struct kernel *kernel, struct bytes *out)
{
	const cJSON *record = kernel->record;
	static const struct shown shown[] = {
		{"state of counting", "evidence.state", show_text},   {"all functions counted", "evidence.complete", show_truth},
		{"architectures in the code", "evidence.arch_tag", show_text},
	};

	if (cJSON_IsTrue(replay_at(record, "evidence.decoy")))
		bytes_text(out, "<p class=warning><strong>Decoy.</strong> Target instructions execute here, and do next to none of the work.</p>\n");
	put_shares(record, out);
	section_picture(kernel, KERNEL_WORK, out);
	put_lines(record, out);
	section_list(record, shown, sizeof shown / sizeof shown[0], out);
	bytes_text(out, "<p class=note>An execution counts for a multiply with its threads whose predicate was on, divided by 32; what has no destination did nothing. More than 100 % is work beyond the task’s: "
	                "padding, recomputing. Bytes through tensor maps lie between the least and the greatest box of the maps that the function is given.</p>\n");
}
