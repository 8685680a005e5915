/* Of report.html: the measured candidates, each with its page. */
#include <stdlib.h>
#include <string.h>

#include "../bundle/replays.h"
#include "html.h"
#include "kernels.h"
#include "page.h"
#include "parts.h"
#include "pictures.h"
#include "show.h"

#define MEASURED_TABLE "measured" /* the table of what the overviews draw; a bundle may lack it */

struct state {
	struct kernels kernels;
	struct pictures *pictures;
};

static void put_speed(const cJSON *record, struct bytes *out)
{
	if (!cJSON_IsObject(replay_at(record, "timing.speedup"))) {
		bytes_text(out, "<span class=unknown>not timed</span>");
		return;
	}
	show_decimal(out, replay_at(record, "timing.speedup.median"), 4);
	bytes_text(out, " [");
	show_decimal(out, replay_at(record, "timing.speedup.low"), 4);
	bytes_text(out, ", ");
	show_decimal(out, replay_at(record, "timing.speedup.high"), 4);
	bytes_text(out, "]");
}

static void put_row(const struct measured *at, struct bytes *out)
{
	const cJSON *record = at->record;

	html_put(out, "<tr><th scope=row><a href=\"%s\">%s</a>%s</th><td>", at->file, replay_text(record, "candidate.name"), cJSON_IsTrue(replay_at(record, "stand_in")) ? " STAND-IN DEVICE" : "");
	show_verdict(out, replay_text(record, "outcome.label"));
	bytes_text(out, "</td><td>");
	page_grade(replay_text(record, "evidence.evidence"), out);
	bytes_text(out, "</td><td class=n>");
	put_speed(record, out);
	bytes_text(out, "</td><td class=n>");
	show_share(out, replay_at(record, "evidence.share"), 3);
	html_put(out, "%s</td><td>", cJSON_IsTrue(replay_at(record, "evidence.decoy")) ? ", decoy" : "");
	show_verdict(out, replay_text(record, "outcome.strict"));
	bytes_text(out, "</td><td>");
	show_verdict(out, replay_text(record, "outcome.published"));
	html_put(out, "</td><td>%s</td></tr>\n", replay_text(record, "device.name"));
}

/* Those of one task that stand together, under its name. */
static void put_rows(const struct kernels *kernels, struct bytes *out)
{
	const char *task = NULL;

	for (size_t i = 0; i < kernels->count; i++) {
		const char *of = replay_text(kernels->at[i].record, "problem.task");

		if (task == NULL || strcmp(of, task) != 0)
			html_put(out, "<tbody><tr class=of><td colspan=8><b>%s</b></td></tr>\n", of);
		put_row(&kernels->at[i], out);
		task = of;
	}
}

static void put_list(const struct kernels *kernels, struct bytes *out)
{
	html_put(out, "<p>%zu candidates were measured. Each has a page: its source and machine code with counts, launches, trials, timing, and who vouches for it.</p>\n", kernels->count);
	if (kernels->unread > 0)
		html_put(out, "<p class=warning>%zu records cannot be read; the first: %s: %s.</p>\n", kernels->unread, kernels->why.file, kernels->why.what);
	page_table("kernels", "Measured candidates. Speed: the library’s time / the candidate’s, with its 95 % interval. Target instructions: the share of the task’s FLOPs that they did; over 100 % is work beyond the task’s, "
	                      "a decoy has them and does next to nothing by them. Strict: an error no worse than the library’s, which decides the outcome; published: the rule of PTXBench", out);
	bytes_text(out, "<thead><tr><th scope=col>candidate</th>"
	                "<th scope=col>outcome</th><th scope=col>evidence</th><th scope=col class=n>speed</th><th scope=col class=n>FLOPs by target instructions</th><th scope=col>strict</th><th scope=col>published</th>"
	                "<th scope=col>device</th></tr></thead>\n");
	put_rows(kernels, out);
	bytes_text(out, "</table></div>\n");
}

static void add_file(struct report *report, const char *name, const char *end, const struct bytes *text)
{
	char *path = mem_format("figures/%s.%s", name, end);
	struct bytes copy = {0};

	bytes_add(&copy, text->data, text->len);
	report_add(report, path, &copy);
	free(path);
}

static void put_overview(struct report *report, const struct kernels *kernels, const struct overview_picture *picture, struct bytes *out)
{
	const struct figure *figure = &picture->overview.figure;

	html_put(out, "<h3 id=\"fig-%s\">%s</h3>\n", figure->name, figure->title);
	if (picture->svg.len > 0) {
		page_figure(figure->title, &picture->svg, figure->caption, out);
		add_file(report, figure->name, "svg", &picture->svg);
	} else {
		html_put(out, "<p class=note>No picture here: %s.</p>\n<p>%s</p>\n", kernels->why_no_pictures, figure->caption);
	}
	if (picture->pdf.len > 0)
		add_file(report, figure->name, "pdf", &picture->pdf);
	add_file(report, figure->name, "csv", &picture->overview.csv);
	bytes_text(out, "<p class=beside>");
	if (report->trail != NULL && catalogue_table(&report->standing->derivation.catalogue, MEASURED_TABLE) != NULL)
		bytes_text(out, "Table and SQL: <a href=\"#t-" MEASURED_TABLE "\">" MEASURED_TABLE "</a>. ");
	html_put(out, "Numbers drawn: <a href=\"figures/%s.csv\">CSV</a>.", figure->name);
	if (picture->svg.len > 0)
		html_put(out, " Picture: <a href=\"figures/%s.svg\">SVG</a>", figure->name);
	if (picture->pdf.len > 0)
		html_put(out, ", <a href=\"figures/%s.pdf\">PDF</a>", figure->name);
	bytes_text(out, picture->svg.len > 0 ? ".</p>\n</figcaption></figure>\n" : "</p>\n");
}

enum status kernels_begin(struct report *report, void **state, struct error *err)
{
	struct state *made = mem_alloc(sizeof *made);
	const enum status status = kernels_read(report->bundle, &made->kernels, err);

	*state = made;
	made->kernels.unverified = report->standing->integrity != OK;
	if (status == OK)
		made->pictures = pictures_begin(&made->kernels);
	return status;
}

static enum status add_pages(struct report *report, const struct kernels *kernels, struct error *err)
{
	struct bytes *pages = mem_alloc((kernels->count + 1) * sizeof *pages);
	const enum status status = kernels_make(kernels, pages, err);

	for (size_t i = 0; i < kernels->count; i++) {
		if (status == OK)
			report_add(report, kernels->at[i].file, &pages[i]);
		bytes_free(&pages[i]);
	}
	free(pages);
	return status;
}

enum status kernels_part(struct report *report, void *state, struct bytes *out, struct error *err)
{
	struct state *made = state;

	if (made->kernels.count == 0 && made->kernels.unread == 0)
		return OK;
	put_list(&made->kernels, out);
	const enum status status = pictures_wait(made->pictures, err);

	if (status != OK)
		return status;
	for (int kind = 0; kind < OVERVIEWS; kind++)
		if (pictures_overviews(made->pictures)[kind].is_there)
			put_overview(report, &made->kernels, &pictures_overviews(made->pictures)[kind], out);
	return add_pages(report, &made->kernels, err);
}

void kernels_end(void *state)
{
	struct state *made = state;

	if (made == NULL)
		return;
	pictures_free(made->pictures);
	kernels_free(&made->kernels);
	free(made);
}
