/* How fast it ran beside the vendor library, and what the machine did meanwhile. */
#include <stdio.h>
#include <string.h>

#include "../base/jcs.h"
#include "../bundle/replays.h"
#include "html.h"
#include "page.h"
#include "sections.h"
#include "show.h"

enum { SAMPLES_BYTES_MAX = 96 << 10, INTERVALS = 5 };

static void put_interval(const char *name, const cJSON *interval, void (*show)(struct bytes *, const cJSON *), struct bytes *out)
{
	static const char *const members[] = {"median", "low", "high"};

	html_put(out, "<tr><th scope=row>%s</th>", name);
	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
		bytes_text(out, "<td class=n>");
		show(out, interval != NULL ? replay_at(interval, members[i]) : NULL);
		bytes_text(out, "</td>");
	}
	bytes_text(out, "<td class=n>");
	show_count(out, interval != NULL ? replay_at(interval, "count") : NULL);
	bytes_text(out, "</td><td class=n>");
	show_count(out, interval != NULL ? replay_at(interval, "rank") : NULL);
	bytes_text(out, "</td></tr>\n");
}

static void show_decimal_6(struct bytes *out, const cJSON *item)
{
	show_decimal(out, item, 6);
}

static void put_intervals(const cJSON *record, struct bytes *out)
{
	static const struct {
		const char *name, *member;
		void (*show)(struct bytes *, const cJSON *);
	} intervals[INTERVALS] = {
		{"speedup: baseline time / candidate time", "timing.speedup", show_decimal_6},
		{"the same in SM cycles", "timing.cycles", show_decimal_6},
		{"control: the library beside itself", "timing.control", show_decimal_6},
		{"candidate’s time", "timing.candidate_ns", show_time},
		{"baseline’s time", "timing.baseline_ns", show_time},
	};

	page_table("intervals", "Medians with 95 % intervals by order statistics: from the k-th least to the k-th greatest sample", out);
	bytes_text(out, "<thead><tr><th scope=col>of</th>"
	                "<th scope=col class=n>median</th><th scope=col class=n>low</th><th scope=col class=n>high</th><th scope=col class=n>samples</th><th scope=col class=n>k</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < INTERVALS; i++)
		put_interval(intervals[i].name, replay_at(record, intervals[i].member), intervals[i].show, out);
	bytes_text(out, "</tbody></table></div>\n");
}

/* Rows as the record has them, comma-separated: a table of hundreds of rows that few read, and some copy. */
static void put_samples(const char *title, const cJSON *columns, const cJSON *rows, struct bytes *out)
{
	struct bytes text = {0}, row = {0};
	int shown = 0;

	if (!cJSON_IsArray(columns) || !cJSON_IsArray(rows) || rows->child == NULL)
		return;
	for (const cJSON *column = columns->child; column != NULL; column = column->next)
		bytes_format(&text, "%s%s", column == columns->child ? "" : ",", cJSON_IsString(column) ? column->valuestring : "");
	bytes_char(&text, '\n');
	for (const cJSON *item = rows->child; item != NULL && text.len < SAMPLES_BYTES_MAX; item = item->next, shown++) {
		row.len = 0;
		if (jcs_write(item, &row, NULL) != OK || row.len < 2)
			continue;
		for (size_t i = 1; i + 1 < row.len; i++)
			if (row.data[i] != '"')
				bytes_char(&text, row.data[i]);
		bytes_char(&text, '\n');
	}
	html_put(out, "<details><summary>%s: all %d, as comma-separated values</summary>\n<pre class=data tabindex=0 role=region aria-label=\"%s\">", title, cJSON_GetArraySize(rows), title);
	html_lines(text.data, text.len, out);
	bytes_text(out, "</pre>\n");
	if (shown < cJSON_GetArraySize(rows))
		html_put(out, "<p class=note>%d more stand in the record.</p>\n", cJSON_GetArraySize(rows) - shown);
	bytes_text(out, "</details>\n");
	bytes_free(&text);
	bytes_free(&row);
}

static void put_suspect(const cJSON *suspect, struct bytes *out)
{
	if (!cJSON_IsArray(suspect) || suspect->child == NULL)
		return;
	bytes_text(out, "<div class=warning><p><strong>Suspect</strong>, for these reasons:</p><ul>\n");
	for (const cJSON *item = suspect->child; item != NULL; item = item->next) {
		bytes_text(out, "<li>");
		show_text(out, item);
		bytes_char(out, '\n');
	}
	bytes_text(out, "</ul></div>\n");
}

void section_timing(const struct kernel *kernel, struct bytes *out)
{
	const cJSON *record = kernel->record;
	static const struct shown shown[] = {
		{"pairs timed", "timing.pairs", show_count},
		{"of them to warm up, not counted", "timing.warm_up_pairs", show_count},
		{"throttled, left out", "timing.throttled", show_count},
		{"why it ended", "timing.ended_by", show_text},
		{"took, ms", "timing.elapsed_ms", show_count},
		{"SM clock, candidate", "timing.candidate_hz", show_frequency},
		{"SM clock, baseline", "timing.baseline_hz", show_frequency},
		{"host’s wait beyond the events", "timing.hidden_ns", show_time},
		{"timer", "timing.timer", show_text},
	};
	static const struct shown roofline[] = {
		{"not faster than", "timing.roofline.floor_ns", show_time},
		{"operations a second at the greatest clock", "timing.roofline.flops_per_s", show_count},
		{"operations a clock and SM", "timing.roofline.operations_per_clock_and_sm", show_count},
		{"SMs", "timing.roofline.sms", show_count},
		{"greatest SM clock", "timing.roofline.sm_hz", show_frequency},
		{"memory, bytes a second", "timing.roofline.bytes_per_s", show_count},
		{"memory bus, bits", "timing.roofline.bus_bits", show_count},
		{"memory clock", "timing.roofline.memory_hz", show_frequency},
	};

	if (!cJSON_IsObject(replay_at(record, "timing"))) {
		bytes_text(out, "<p>It was not timed: speed is measured of what is right.</p>\n");
		return;
	}
	put_suspect(replay_at(record, "timing.suspect"), out);
	put_intervals(record, out);
	section_picture(kernel, KERNEL_SAMPLES, out);
	section_picture(kernel, KERNEL_CLOCK, out);
	section_list(record, shown, sizeof shown / sizeof shown[0], out);
	bytes_text(out, "<h3>Roofline</h3>\n");
	section_list(record, roofline, sizeof roofline / sizeof roofline[0], out);
	put_samples("Samples", replay_at(record, "timing.columns"), replay_at(record, "timing.samples"), out);
	put_samples("Control samples", replay_at(record, "timing.columns"), replay_at(record, "timing.control_samples"), out);
}
