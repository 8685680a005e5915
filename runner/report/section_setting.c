/* What it was measured in: memcheck, sandbox, libraries, device and host. */
#include <string.h>

#include "../bundle/replays.h"
#include "html.h"
#include "page.h"
#include "sections.h"
#include "show.h"

enum { MEMBERS_MAX = 60, STATES_MAX = 66, FILES_MAX = 20 };

void section_list(const cJSON *record, const struct shown *shown, size_t count, struct bytes *out)
{
	bytes_text(out, "<dl class=facts>\n");
	for (size_t i = 0; i < count; i++) {
		show_begin(out, shown[i].name);
		shown[i].show(out, replay_at(record, shown[i].member));
		show_end(out);
	}
	bytes_text(out, "</dl>\n");
}

void section_picture(const struct kernel *kernel, enum kernel_picture picture, struct bytes *out)
{
	const struct kernel_pictures *pictures = kernel->pictures;

	if (kernel->why_no_pictures != NULL)
		html_put(out, "<p class=note>No picture here: %s.</p>\n", kernel->why_no_pictures);
	if (pictures == NULL || pictures->svg[picture].len == 0)
		return;
	page_figure(pictures->title[picture], &pictures->svg[picture], pictures->caption[picture], out);
	bytes_text(out, "</figcaption></figure>\n");
}

/* Members as they are named in the record, one level deep: objects and arrays as canonical JSON. */
static void put_members(const cJSON *object, struct bytes *out)
{
	size_t rows = 0;

	if (!cJSON_IsObject(object)) {
		bytes_text(out, "<p><span class=unknown>not known</span></p>\n");
		return;
	}
	bytes_text(out, "<dl class=facts>\n");
	for (const cJSON *item = object->child; item != NULL && rows < MEMBERS_MAX; item = item->next, rows++) {
		if (strcmp(item->string, "files") == 0 || strcmp(item->string, "nvml") == 0 || strcmp(item->string, "tried") == 0)
			continue;
		show_begin(out, item->string);
		show_any(out, item);
		show_end(out);
	}
	bytes_text(out, "</dl>\n");
}

static void put_sandbox(const cJSON *record, struct bytes *out)
{
	const cJSON *worker = replay_at(record, "worker.sandbox"), *memcheck = replay_at(record, "memcheck.sandbox");
	const cJSON *first = cJSON_IsObject(worker) ? worker : memcheck;

	if (!cJSON_IsObject(first))
		return;
	page_table("", "Layers of the sandbox that the candidate’s process was in", out);
	bytes_text(out, "<thead><tr><th scope=col>layer</th><th scope=col>while measured</th><th scope=col>under memcheck</th>"
	                "</tr></thead><tbody>\n");
	size_t rows = 0;

	for (const cJSON *item = first->child; item != NULL && rows < MEMBERS_MAX; item = item->next, rows++) {
		html_put(out, "<tr><th scope=row>%s</th><td>", item->string);
		show_verdict(out, worker != NULL ? replay_text(worker, item->string) : "");
		bytes_text(out, "</td><td>");
		show_verdict(out, memcheck != NULL ? replay_text(memcheck, item->string) : "");
		bytes_text(out, "</td></tr>\n");
	}
	bytes_text(out, "</tbody></table></div>\n");
}

static void put_library(const char *title, const cJSON *library, struct bytes *out)
{
	const cJSON *files = library != NULL ? replay_at(library, "files") : NULL;
	size_t rows = 0;

	html_put(out, "<h3>%s</h3>\n", title);
	put_members(library, out);
	for (const cJSON *file = files != NULL ? files->child : NULL; file != NULL && rows < FILES_MAX; file = file->next, rows++) {
		html_put(out, "<p><code>%s</code>, ", replay_text(file, "file"));
		show_count(out, replay_at(file, "bytes"));
		bytes_text(out, " bytes, SHA-256 ");
		show_hash(out, replay_text(file, "sha256"));
		bytes_text(out, "</p>\n");
	}
}

static void put_state(const char *name, const cJSON *state, struct bytes *out)
{
	static const char *const members[] = {"sm_clock_mhz", "memory_clock_mhz", "power_mw", "temperature_c", "memory_temperature_c", "other_compute_processes", "ecc_corrected", "ecc_uncorrected"};

	html_put(out, "<tr><th scope=row>%s</th>", name);
	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
		bytes_text(out, "<td class=n>");
		show_count(out, state != NULL ? replay_at(state, members[i]) : NULL);
		bytes_text(out, "</td>");
	}
	bytes_text(out, "<td>");
	show_any(out, state != NULL ? replay_at(state, "event_reasons.names") : NULL);
	bytes_text(out, "</td></tr>\n");
}

static void put_states(const cJSON *record, struct bytes *out)
{
	const cJSON *during = replay_at(record, "state.during");
	size_t rows = 0;

	page_table("", "The device’s state, as NVML says", out);
	bytes_text(out, "<thead><tr><th scope=col>when</th><th scope=col class=n>SM clock, MHz</th><th scope=col class=n>memory clock, MHz</th>"
	                "<th scope=col class=n>power, mW</th><th scope=col class=n>°C</th><th scope=col class=n>memory °C</th><th scope=col class=n>others’ processes</th><th scope=col class=n>ECC corrected</th>"
	                "<th scope=col class=n>uncorrected</th><th scope=col>reasons for its clocks</th></tr></thead><tbody>\n");
	put_state("before", replay_at(record, "state.before"), out);
	for (const cJSON *state = during != NULL ? during->child : NULL; state != NULL && rows < STATES_MAX; state = state->next, rows++)
		put_state("during", state, out);
	put_state("after", replay_at(record, "state.after"), out);
	bytes_text(out, "</tbody></table></div>\n");
}

void section_setting(const struct kernel *kernel, struct bytes *out)
{
	const cJSON *record = kernel->record;
	static const struct shown memcheck[] = {
		{"errors", "memcheck.errors", show_count},          {"the first", "memcheck.first", show_text},         {"in function", "memcheck.function", show_text},
		{"why there is none", "memcheck.text", show_text},  {"workload", "memcheck.workload", show_text},       {"tool", "memcheck.tool.version", show_text},
		{"SHA-256 of it", "memcheck.tool.sha256", show_hashed}, {"took, ms", "memcheck.took_ms", show_count},
	};

	bytes_text(out, "<h3>memcheck</h3>\n<p>compute-sanitizer’s memcheck, on a small workload: ");
	show_verdict(out, replay_text(record, "memcheck.state"));
	bytes_text(out, "</p>\n");
	section_list(record, memcheck, sizeof memcheck / sizeof memcheck[0], out);
	bytes_text(out, "<h3>Sandbox</h3>\n");
	put_sandbox(record, out);
	put_library("The library that was timed beside it", replay_at(record, "worker.baseline"), out);
	put_library("The library whose errors are the measure", replay_at(record, "library"), out);
	bytes_text(out, "<h3>Device</h3>\n");
	put_members(replay_at(record, "device"), out);
	put_members(replay_at(record, "device.nvml"), out);
	put_states(record, out);
	bytes_text(out, "<h3>Host</h3>\n");
	put_members(replay_at(record, "machine"), out);
	bytes_text(out, "<h3>What was asked for</h3>\n");
	put_members(replay_at(record, "options"), out);
	bytes_text(out, "<h3>Time taken, ms</h3>\n");
	put_members(replay_at(record, "took"), out);
}
