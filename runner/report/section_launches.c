/* What is launched, as data, and what it takes of the machine. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../bundle/replays.h"
#include "html.h"
#include "page.h"
#include "sections.h"
#include "show.h"

enum { REPORT_MAX = 32 << 10 };

/* An expression, and what it comes to if that is known and looks otherwise. */
static void put_expression(const char *text, bool known, uint64_t value, struct bytes *out)
{
	char digits[24];

	snprintf(digits, sizeof digits, "%" PRIu64, value);
	html_put(out, "<code>%s</code>", text);
	if (known && strcmp(text, digits) != 0) {
		bytes_text(out, " = ");
		show_number(out, value);
	}
}

static void put_three(const char *const texts[3], const uint32_t *values, struct bytes *out)
{
	for (int i = 0; i < 3; i++) {
		bytes_text(out, i > 0 ? " × " : "");
		put_expression(texts[i], values != NULL, values != NULL ? values[i] : 0, out);
	}
}

static void put_parameter(const struct candidate_parameter *parameter, const struct plan_parameter *plan, struct bytes *out)
{
	static const char *const kinds[PARAMETER_COUNT] = {[PARAMETER_TENSOR] = "tensor", [PARAMETER_MAP] = "map", [PARAMETER_BUFFER] = "buffer", [PARAMETER_U32] = "u32",
	                                                   [PARAMETER_U64] = "u64",       [PARAMETER_F32] = "f32", [PARAMETER_BYTES] = "bytes"};

	html_put(out, "<li><span class=note>%s</span> ", kinds[parameter->kind]);
	if (parameter->kind == PARAMETER_U32 || parameter->kind == PARAMETER_U64)
		put_expression(parameter->text, plan != NULL, plan != NULL ? plan->value : 0, out);
	else
		html_put(out, "<code>%s</code>", parameter->text);
	if (parameter->plus != NULL)
		html_put(out, " + <code>%s</code> bytes", parameter->plus);
	for (size_t i = 0; i < parameter->patch_count; i++) {
		const struct candidate_patch *patch = &parameter->patches[i];

		html_put(out, "%s%s <code>%s</code>%s%s at byte %lu", i == 0 ? ", in it " : ", ", kinds[patch->kind], patch->name, patch->plus != NULL ? " + " : "",
		         patch->plus, (unsigned long)patch->offset);
	}
	bytes_text(out, "\n");
}

static void put_launch(const struct kernel *kernel, size_t index, struct bytes *out)
{
	const struct candidate_launch *launch = &kernel->candidate->launches[index];
	const struct plan_launch *plan = kernel->has_plan ? &kernel->plan.launches[index] : NULL;

	html_put(out, "<h3>Launch %zu: <code>%s</code></h3>\n<dl class=facts>\n", index + 1, launch->function);
	show_begin(out, "grid, in blocks");
	put_three(launch->grid, plan != NULL ? plan->grid : NULL, out);
	show_end(out);
	show_begin(out, "block, in threads");
	put_three(launch->block, plan != NULL ? plan->block : NULL, out);
	show_end(out);
	show_begin(out, "cluster, in blocks");
	put_three(launch->cluster, plan != NULL ? plan->cluster : NULL, out);
	show_end(out);
	if (plan != NULL) {
		show_begin(out, "blocks, and threads in all");
		const uint64_t blocks = (uint64_t)plan->grid[0] * plan->grid[1] * plan->grid[2];

		show_number(out, blocks);
		bytes_text(out, " blocks, ");
		show_number(out, blocks * plan->block[0] * plan->block[1] * plan->block[2]);
		bytes_text(out, " threads");
		show_end(out);
	}
	show_begin(out, "dynamic shared memory, bytes a block");
	put_expression(launch->shared, plan != NULL, plan != NULL ? plan->shared : 0, out);
	show_end(out);
	bytes_text(out, "</dl>\n<p>Parameters, in their order:</p>\n<ol class=parameters>\n");
	for (size_t i = 0; i < launch->parameter_count; i++)
		put_parameter(&launch->parameters[i], plan != NULL ? &plan->parameters[i] : NULL, out);
	bytes_text(out, "</ol>\n");
}

static void put_expressions(const char *const *texts, size_t count, struct bytes *out)
{
	bytes_text(out, "</td><td>");
	for (size_t i = 0; i < count; i++)
		html_put(out, "%s<code>%s</code>", i > 0 ? " × " : "", texts[i]);
}

static void put_maps(const struct kernel *kernel, struct bytes *out)
{
	static const char *const elements[ELEMENT_COUNT] = {[ELEMENT_U8] = "uint8",   [ELEMENT_U16] = "uint16",  [ELEMENT_U32] = "uint32",    [ELEMENT_I32] = "int32",  [ELEMENT_U64] = "uint64",
	                                                    [ELEMENT_I64] = "int64", [ELEMENT_F16] = "float16", [ELEMENT_BF16] = "bfloat16", [ELEMENT_F32] = "float32"};
	const struct candidate *candidate = kernel->candidate;

	page_table("", "Tensor maps: fastest dimension first, strides in bytes from the second on", out);
	bytes_text(out, "<thead><tr><th scope=col>map</th><th scope=col>of</th><th scope=col>type</th>"
	                "<th scope=col>dimensions</th><th scope=col>strides</th><th scope=col>box</th><th scope=col class=n>bytes a box</th><th scope=col class=n>swizzle</th><th scope=col class=n>interleave</th>"
	                "<th scope=col class=n>L2 promotion</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < candidate->map_count; i++) {
		const struct candidate_map *map = &candidate->maps[i];

		html_put(out, "<tr><th scope=row><code>%s</code></th><td>%s <code>%s</code>", map->name, map->on_buffer ? "buffer" : "tensor", map->target);
		if (map->plus != NULL)
			html_put(out, " + <code>%s</code>", map->plus);
		html_put(out, "</td><td>%s", elements[map->element]);
		put_expressions(map->dims, map->rank, out);
		put_expressions(map->strides, map->rank - 1, out);
		put_expressions(map->box, map->rank, out);
		bytes_text(out, "</td><td class=n>");
		if (kernel->has_plan) {
			uint64_t bytes = element_bytes(map->element);

			for (unsigned d = 0; d < map->rank; d++)
				bytes *= kernel->plan.maps[i].box[d];
			show_number(out, bytes);
		}
		html_put(out, "</td><td class=n>%u</td><td class=n>%u</td><td class=n>%u</td></tr>\n", map->swizzle, map->interleave, map->l2);
	}
	bytes_text(out, "</tbody></table></div>\n");
}

static void put_buffers(const struct kernel *kernel, struct bytes *out)
{
	const struct candidate *candidate = kernel->candidate;

	page_table("", "Scratch buffers", out);
	bytes_text(out, "<thead><tr><th scope=col>buffer</th><th scope=col>bytes</th><th scope=col>before each call</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < candidate->buffer_count; i++) {
		const struct candidate_buffer *buffer = &candidate->buffers[i];

		html_put(out, "<tr><th scope=row><code>%s</code></th><td>", buffer->name);
		put_expression(buffer->bytes, kernel->has_plan, kernel->has_plan ? kernel->plan.buffers[i].bytes : 0, out);
		if (buffer->filled)
			html_put(out, "</td><td>all bytes set to %u, as part of the call</td></tr>\n", buffer->fill);
		else
			bytes_text(out, "</td><td>poisoned: the candidate relies on nothing</td></tr>\n");
	}
	bytes_text(out, "</tbody></table></div>\n");
}

void section_launches(const struct kernel *kernel, struct bytes *out)
{
	const struct candidate *candidate = kernel->candidate;

	if (candidate == NULL) {
		html_put(out, "<p class=warning>%s%s</p>\n", kernel_file_why(kernel->json), kernel->why_no_candidate.what);
		return;
	}
	html_put(out, "<p>What runs is data, in <code>candidate.json</code>: %zu launch%s in one stream, in this order.", candidate->launch_count, candidate->launch_count == 1 ? "" : "es");
	if (candidate->is_lowered)
		html_put(out, " It was lowered from <code>%s</code>, whose host code never ran where something is measured.", candidate->lowering.source);
	bytes_text(out, "</p>\n");
	if (!kernel->has_plan)
		html_put(out, "<p class=note>What the expressions come to is not known: %s.</p>\n", kernel->why_no_plan.what);
	for (size_t i = 0; i < candidate->launch_count; i++)
		put_launch(kernel, i, out);
	if (candidate->map_count > 0)
		put_maps(kernel, out);
	if (candidate->buffer_count > 0)
		put_buffers(kernel, out);
}

/* ---- resources ---- */

/* The census counts what stands in the code; the worker says what the driver loaded. */
static const cJSON *loaded_of(const cJSON *record, const char *function)
{
	const cJSON *list = replay_at(record, "worker.functions");

	for (const cJSON *item = list != NULL ? list->child : NULL; item != NULL; item = item->next)
		if (strcmp(replay_text(item, "function"), function) == 0)
			return item;
	return NULL;
}

static void put_cell(const cJSON *item, struct bytes *out)
{
	bytes_text(out, "<td class=n>");
	if (item == NULL)
		bytes_text(out, "–");
	else
		show_count(out, item);
	bytes_text(out, "</td>");
}

static void put_function(const cJSON *record, const cJSON *census, struct bytes *out)
{
	const cJSON *loaded = loaded_of(record, replay_text(census, "function"));

	html_put(out, "<tr><th scope=row><code>%s</code></th>", replay_text(census, "function"));
	put_cell(replay_at(census, "registers"), out);
	put_cell(replay_at(census, "shared_bytes"), out);
	put_cell(replay_at(census, "instructions"), out);
	static const char *const members[] = {"registers", "shared_bytes", "local_bytes", "max_threads", "parameters"};

	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
		put_cell(loaded != NULL ? replay_at(loaded, members[i]) : NULL, out);
	bytes_text(out, "</tr>\n");
}

void section_resources(const struct kernel *kernel, struct bytes *out)
{
	const cJSON *record = kernel->record, *census = replay_at(record, "code.census");
	const char *report = replay_text(record, "code.ptxas.report");
	static const struct shown shown[] = {
		{"ptxas", "code.ptxas.version", show_text},
		{"SHA-256 of ptxas", "code.ptxas.sha256", show_hashed},
		{"assembled for this replay", "code.assembled", show_truth},
		{"SHA-256 of the code that ran", "code.sha256", show_hashed},
		{"SHA-256 of the frozen cubin", "code.frozen_sha256", show_hashed},
	};
	size_t rows = 0;

	if (!cJSON_IsArray(census)) {
		bytes_text(out, "<p>There is no code: it was not assembled.</p>\n");
		return;
	}
	page_table("", "Of each function: as it stands in the cubin, and as the driver loaded it", out);
	bytes_text(out, "<thead><tr><th scope=col>function</th><th scope=col class=n>registers a thread</th>"
	                "<th scope=col class=n>static shared bytes, with the toolchain’s own</th><th scope=col class=n>instructions</th><th scope=col class=n>loaded: registers</th><th scope=col class=n>static shared bytes</th>"
	                "<th scope=col class=n>local bytes a thread</th><th scope=col class=n>greatest block</th><th scope=col class=n>parameters</th></tr></thead><tbody>\n");
	for (const cJSON *item = census->child; item != NULL && rows < 64; item = item->next, rows++)
		put_function(record, item, out);
	bytes_text(out, "</tbody></table></div>\n");
	section_list(record, shown, sizeof shown / sizeof shown[0], out);
	if (report[0] != '\0') {
		bytes_text(out, "<details><summary>What ptxas reported</summary>\n<pre class=report tabindex=0 role=region aria-label=\"Report of ptxas\">");
		const size_t len = strlen(report);

		html_lines(report, len < REPORT_MAX ? len : REPORT_MAX, out);
		bytes_text(out, len > REPORT_MAX ? "\n…</pre></details>\n" : "</pre></details>\n");
	}
}
