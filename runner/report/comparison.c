#include "comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bundle/replays.h"
#include "gnuplot.h"
#include "html.h"
#include "kernel_page.h"
#include "page.h"
#include "show.h"

enum { DRAWN_MAX = 40 };

/* ---- the two sides ---- */

static const cJSON *record_of(const struct sides *sides, size_t i, bool b)
{
	const size_t only = b ? sides->only_b_count : sides->only_a_count;

	if (i < sides->count)
		return b ? sides->at[i].b : sides->at[i].a;
	return i - sides->count < only ? (b ? sides->only_b : sides->only_a)[i - sides->count] : NULL;
}

/* Each value of a member that a side's records have, in the order of their first. */
static void put_values(const struct sides *sides, bool b, const char *member, struct bytes *out)
{
	const cJSON *record;
	size_t shown = 0;

	for (size_t i = 0; (record = record_of(sides, i, b)) != NULL; i++) {
		bool before = false;

		for (size_t j = 0; j < i && !before; j++)
			before = strcmp(replay_text(record_of(sides, j, b), member), replay_text(record, member)) == 0;
		if (before)
			continue;
		html_put(out, "%s%s", shown > 0 ? ", " : "", replay_text(record, member));
		shown++;
	}
}

static void put_sides(const struct sides *sides, struct bytes *out)
{
	static const struct {
		const char *name, *member;
	} rows[] = {{"runs", "run"}, {"measured on", "date"}, {"device", "device.name"}, {"driver", "device.nvml.driver_version"}, {"ptxas", "code.ptxas.version"}, {"program", "program"}};

	page_table("", "What their records say of where they come from", out);
	bytes_text(out, "<thead><tr><th scope=col>of</th><th scope=col>A</th><th scope=col>B</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		html_put(out, "<tr><th scope=row>%s</th><td>", rows[i].name);
		put_values(sides, false, rows[i].member, out);
		bytes_text(out, "</td><td>");
		put_values(sides, true, rows[i].member, out);
		bytes_text(out, "</td></tr>\n");
	}
	bytes_text(out, "</tbody></table></div>\n");
}

static bool any_stand_in(const struct sides *sides)
{
	for (int b = 0; b < 2; b++) {
		const cJSON *record;

		for (size_t i = 0; (record = record_of(sides, i, b == 1)) != NULL; i++)
			if (cJSON_IsTrue(replay_at(record, "stand_in")))
				return true;
	}
	return false;
}

/* ---- verdicts ---- */

static void put_alike(enum alike alike, struct bytes *out)
{
	static const char *const marks[] = {[ALIKE_SAME] = "good\"><span aria-hidden=true>=</span>", [ALIKE_WITHIN] = "good\"><span aria-hidden=true>≈</span>",
	                                    [ALIKE_DIFFERS] = "bad\"><span aria-hidden=true>≠</span>"};

	bytes_format(out, "<span class=\"verdict %s ", marks[alike]);
	html_put(out, "%s</span>", alike_name(alike));
}

static const struct line *line_of(const struct likeness *likeness, const char *member)
{
	for (size_t i = 0; i < likeness->count; i++)
		if (strcmp(likeness->at[i].member, member) == 0)
			return &likeness->at[i];
	return NULL;
}

static size_t count_of(const struct likeness *likeness, bool results, enum alike alike)
{
	size_t count = 0;

	for (size_t i = 0; i < likeness->count; i++)
		count += likeness->at[i].result == results && likeness->at[i].alike == alike;
	return count;
}

/* By how much B's speed is another than A's. */
static void put_change(const struct side_pair *pair, struct bytes *out)
{
	const double a = replay_value(pair->a, "timing.speedup.median"), b = replay_value(pair->b, "timing.speedup.median");
	char shown[32];

	if (!(a > 0) || !(b > 0)) {
		bytes_text(out, "–");
		return;
	}
	snprintf(shown, sizeof shown, "%+.2f %%", (b / a - 1) * 100);
	bytes_text(out, shown);
}

static void put_speed(const cJSON *record, struct bytes *out)
{
	if (replay_at(record, "timing.speedup.median") == NULL) {
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

static void put_pair(const struct side_pair *pair, size_t number, struct bytes *out)
{
	const struct line *speed = line_of(&pair->likeness, "timing.speedup.median");

	html_put(out, "<tr><th scope=row><a href=\"#pair-%zu\">%s / %s</a></th><td>", number, replay_text(pair->a, "problem.task"), replay_text(pair->a, "candidate.name"));
	put_alike(pair->likeness.agree ? ALIKE_SAME : ALIKE_DIFFERS, out);
	bytes_text(out, "</td><td class=n>");
	put_speed(pair->a, out);
	bytes_text(out, "</td><td class=n>");
	put_speed(pair->b, out);
	bytes_text(out, "</td><td class=n>");
	put_change(pair, out);
	bytes_text(out, "</td><td>");
	if (speed != NULL)
		put_alike(speed->alike, out);
	html_put(out, "</td><td class=n>%zu</td><td class=n>%zu</td></tr>\n", count_of(&pair->likeness, true, ALIKE_DIFFERS), count_of(&pair->likeness, false, ALIKE_DIFFERS));
}

static void put_pairs(const struct sides *sides, struct bytes *out)
{
	page_table("", "Candidates that both have. Speed is the library’s time / the candidate’s, with its 95 % interval; 1 % is within tolerance", out);
	bytes_text(out, "<thead><tr><th scope=col>candidate</th>"
	                "<th scope=col>results</th><th scope=col class=n>speed in A</th><th scope=col class=n>speed in B</th><th scope=col class=n>B beside A</th><th scope=col>speed</th>"
	                "<th scope=col class=n>results that differ</th><th scope=col class=n>facts that differ</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < sides->count; i++)
		put_pair(&sides->at[i], i, out);
	bytes_text(out, "</tbody></table></div>\n");
}

/* ---- results that moved, facts that are not the same ---- */

static void put_moved(const struct sides *sides, struct bytes *out)
{
	page_table("", "Results beyond tolerance", out);
	bytes_text(out, "<thead><tr><th scope=col>candidate</th><th scope=col>result</th><th scope=col>A</th><th scope=col>B</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < sides->count; i++) {
		const struct likeness *likeness = &sides->at[i].likeness;

		for (size_t j = 0; j < likeness->count; j++)
			if (likeness->at[j].result && likeness->at[j].alike == ALIKE_DIFFERS)
				html_put(out, "<tr><th scope=row><a href=\"#pair-%zu\">%s / %s</a></th><td><code>%s</code></td><td class=value>%s</td><td class=value>%s</td></tr>\n", i,
				         replay_text(sides->at[i].a, "problem.task"), replay_text(sides->at[i].a, "candidate.name"), likeness->at[j].member, likeness->at[j].a, likeness->at[j].b);
	}
	bytes_text(out, "</tbody></table></div>\n");
}

/* One fact and what is said of it, in some pairs. */
struct fact {
	const struct line *line;         /* of the first */
	const struct side_pair *pair;
	size_t pairs;
	bool same_values;                /* in all of them */
};

static size_t facts_of(const struct sides *sides, struct fact **facts)
{
	size_t count = 0, room = 0;

	*facts = NULL;
	for (size_t i = 0; i < sides->count; i++)
		for (size_t j = 0; j < sides->at[i].likeness.count; j++) {
			const struct line *line = &sides->at[i].likeness.at[j];
			size_t at = 0;

			if (line->result)
				continue;
			while (at < count && (strcmp((*facts)[at].line->member, line->member) != 0 || (*facts)[at].line->alike != line->alike))
				at++;
			if (at == count) {
				if (count == room) {
					room = room == 0 ? 32 : room * 2;
					*facts = mem_array(*facts, room, sizeof **facts);
				}
				(*facts)[count++] = (struct fact){.line = line, .pair = &sides->at[i], .same_values = true};
			}
			(*facts)[at].pairs++;
			(*facts)[at].same_values = (*facts)[at].same_values && strcmp((*facts)[at].line->a, line->a) == 0 && strcmp((*facts)[at].line->b, line->b) == 0;
		}
	return count;
}

/* What differs first. */
static int by_weight(const void *a, const void *b)
{
	const struct fact *x = a, *y = b;
	const int order = (y->line->alike > x->line->alike) - (y->line->alike < x->line->alike);

	return order != 0 ? order : strcmp(x->line->member, y->line->member);
}

/* Of two objects only the members that are not the same. */
static void put_members(const cJSON *of, const cJSON *other, struct bytes *out)
{
	bool any = false;

	for (const cJSON *item = of->child; item != NULL; item = item->next) {
		if (cJSON_Compare(item, cJSON_GetObjectItemCaseSensitive(other, item->string), true))
			continue;
		html_put(out, "%s%s: ", any ? "<br>" : "", item->string);
		show_any(out, item);
		any = true;
	}
	if (!any)
		bytes_text(out, "–");
}

/* The value of side A or B of a line. */
static void put_value(const struct side_pair *pair, const struct line *line, bool b, struct bytes *out)
{
	const cJSON *of = replay_at(b ? pair->b : pair->a, line->member), *other = replay_at(b ? pair->a : pair->b, line->member);

	bytes_text(out, "<td class=value>");
	if (cJSON_IsObject(of) && cJSON_IsObject(other) && line->alike != ALIKE_SAME)
		put_members(of, other, out);
	else
		html_put(out, "%s", b ? line->b : line->a);
	bytes_text(out, "</td>");
}

static void put_fact(const struct fact *fact, struct bytes *out)
{
	html_put(out, "<tr><th scope=row><code>%s</code></th><td>", fact->line->member);
	put_alike(fact->line->alike, out);
	bytes_text(out, "</td>");
	if (fact->same_values) {
		put_value(fact->pair, fact->line, false, out);
		put_value(fact->pair, fact->line, true, out);
	} else {
		bytes_text(out, "<td colspan=2 class=note>a value of its own for each: candidate by candidate, below</td>");
	}
	html_put(out, "<td class=n>%zu</td></tr>\n", fact->pairs);
}

static void put_facts(const struct sides *sides, struct bytes *out)
{
	struct fact *facts;
	const size_t count = facts_of(sides, &facts);

	if (count == 0)
		bytes_text(out, "<p>None: device, driver, clocks, libraries, toolchain, host and options are the same.</p>\n");
	if (count > 1)
		qsort(facts, count, sizeof *facts, by_weight);
	if (count > 0) {
		page_table("", "Facts that are not the same; one of them may explain a result that moved", out);
		bytes_text(out, "<thead><tr><th scope=col>fact</th><th scope=col>verdict</th><th scope=col>A</th><th scope=col>B</th>"
		                "<th scope=col class=n>candidates</th></tr></thead><tbody>\n");
	}
	for (size_t i = 0; i < count; i++)
		put_fact(&facts[i], out);
	if (count > 0)
		bytes_text(out, "</tbody></table></div>\n");
	free(facts);
}

static void put_lines(const struct side_pair *pair, size_t number, struct bytes *out)
{
	const struct likeness *likeness = &pair->likeness;

	html_put(out, "<h3 id=\"pair-%zu\">%s</h3>\n<details%s><summary>%zu results, %zu facts that are not the same</summary>\n", number,
	         replay_text(pair->a, "candidate.directory"), likeness->agree ? "" : " open",
	         count_of(likeness, true, ALIKE_SAME) + count_of(likeness, true, ALIKE_WITHIN) + count_of(likeness, true, ALIKE_DIFFERS),
	         count_of(likeness, false, ALIKE_WITHIN) + count_of(likeness, false, ALIKE_DIFFERS));
	page_scroll("Members of both records", out);
	bytes_text(out, "<table><thead><tr><th scope=col>member</th><th scope=col>kind</th><th scope=col>verdict</th><th scope=col>A</th><th scope=col>B</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < likeness->count; i++) {
		const struct line *line = &likeness->at[i];

		html_put(out, "<tr><th scope=row><code>%s</code></th><td>%s</td><td>", line->member, line->result ? "result" : "fact");
		put_alike(line->alike, out);
		bytes_text(out, "</td>");
		put_value(pair, line, false, out);
		put_value(pair, line, true, out);
		bytes_text(out, "</tr>\n");
	}
	bytes_text(out, "</tbody></table></div></details>\n");
}

static void put_only(const char *side, const cJSON *const *records, size_t count, struct bytes *out)
{
	if (count == 0)
		return;
	html_put(out, "<h3>Only in %s</h3>\n<ul>\n", side);
	for (size_t i = 0; i < count; i++)
		html_put(out, "<li>%s, run %s: %s\n", replay_text(records[i], "candidate.directory"), replay_text(records[i], "run"), replay_text(records[i], "outcome.label"));
	bytes_text(out, "</ul>\n");
}

/* ---- the picture ---- */

struct speeds {
	double at[DRAWN_MAX][2][3]; /* of a candidate and side: median, low, high */
	char *name[DRAWN_MAX];
	size_t count;
};

static void take_speeds(const struct sides *sides, struct speeds *speeds)
{
	static const char *const members[] = {"timing.speedup.median", "timing.speedup.low", "timing.speedup.high"};

	*speeds = (struct speeds){0};
	for (size_t i = 0; i < sides->count && speeds->count < DRAWN_MAX; i++) {
		bool known = true;

		for (int side = 0; side < 2; side++)
			for (int member = 0; member < 3; member++) {
				const double value = replay_value(side == 0 ? sides->at[i].a : sides->at[i].b, members[member]);

				speeds->at[speeds->count][side][member] = value;
				known = known && isfinite(value);
			}
		if (known)
			speeds->name[speeds->count++] = mem_format("%s / %s", replay_text(sides->at[i].a, "problem.task"), replay_text(sides->at[i].a, "candidate.name"));
	}
}

static void draw_speeds(const struct speeds *speeds, struct figure *figure)
{
	const double height = 40 + 20 * (double)speeds->count;
	double most = 1;

	figure_start(figure, "compare", FIGURE_WIDTH, height + 44);
	struct figure_panel *panel = figure_panel(figure, NULL, 272, FIGURE_LEGEND + 8, FIGURE_WIDTH - 16, height + 4);
	struct figure_series *sides[2] = {figure_series(panel, "A", 0, FIGURE_MARKS | FIGURE_INTERVALS), figure_series(panel, "B", 1, FIGURE_MARKS | FIGURE_INTERVALS)};

	for (int side = 0; side < 2; side++) {
		sides[side]->in_legend = sides[side]->along_x = true;
		sides[side]->hollow = side == 1;
		for (size_t i = 0; i < speeds->count; i++) {
			const double *at = speeds->at[i][side];

			figure_interval(sides[side], at[0], (double)i + (side == 0 ? 0.85 : 1.15), at[1], at[2]);
			most = fmax(most, at[2]);
		}
	}
	for (size_t i = 0; i < speeds->count; i++)
		figure_tick(&panel->y, (double)i + 1, speeds->name[i]);
	figure_axis(&panel->y, NULL, FIGURE_LINEAR, (double)speeds->count + 0.5, 0.5);
	panel->y.names = true;
	figure_axis(&panel->x, "times the library’s speed", FIGURE_LINEAR, 0, most * 1.06);
	figure_rule(panel, true, 1, NULL);
	figure_words(figure, "Speed in A and B", "Medians with their 95 % intervals, most of which are narrower than the marks; the line is the library.", "The speeds of the two sides, candidate by candidate: their numbers are in the table.", NULL);
}

static enum status put_picture(const struct sides *sides, struct bytes *out, struct error *err)
{
	struct speeds speeds;
	struct gnuplot gnuplot = {0};
	struct figure figure;
	struct bytes svg = {0};
	enum status status = OK;

	take_speeds(sides, &speeds);
	if (speeds.count == 0)
		return OK;
	draw_speeds(&speeds, &figure);
	if (gnuplot_find(&gnuplot, err) != OK) {
		*err = (struct error){0};
		bytes_text(out, "<p class=note>No picture here: there is no gnuplot; with it the page has one.</p>\n");
	} else {
		const struct figure *one = &figure;

		status = gnuplot_draw(&gnuplot, &one, 1, FIGURE_SVG, &svg, err);
		if (status == OK) {
			page_figure(figure.title, &svg, figure.caption, out);
			bytes_text(out, "</figcaption></figure>\n");
		}
	}
	gnuplot_free(&gnuplot);
	figure_free(&figure);
	bytes_free(&svg);
	for (size_t i = 0; i < speeds.count; i++)
		free(speeds.name[i]);
	return status;
}

/* ---- the page ---- */

static size_t differing(const struct sides *sides)
{
	size_t count = 0;

	for (size_t i = 0; i < sides->count; i++)
		count += !sides->at[i].likeness.agree;
	return count;
}

static void put_summary(const struct sides *sides, struct bytes *out)
{
	bytes_text(out, "<dl class=headline>\n");
	show_begin(out, "results");
	put_alike(sides->agree ? ALIKE_SAME : ALIKE_DIFFERS, out);
	show_end(out);
	show_begin(out, "candidates compared");
	show_number(out, sides->count);
	show_end(out);
	show_begin(out, "of them differ");
	show_number(out, differing(sides));
	show_end(out);
	show_begin(out, "in only one of the two");
	show_number(out, sides->only_a_count + sides->only_b_count);
	show_end(out);
	char tolerances[160];

	snprintf(tolerances, sizeof tolerances, "speedups within %g %%, shares of work within %g %%, measured facts within %g %%", LIKENESS_SPEEDUP * 100, LIKENESS_SHARE * 100, LIKENESS_FACT * 100);
	html_put(out, "</dl>\n<p>“Same” and “within tolerance” are what <code>ptxseal compare</code> says of the same records: %s; all else has to be equal.</p>\n", tolerances);
}

enum status comparison_page(const struct sides *sides, struct bytes *out, struct error *err)
{
	struct page_link links[] = {{"#sides", "The two sides"}, {"#speed", "Speed"}, {"#moved", "What moved"}, {"#facts", "Facts"}, {"#pairs", "Candidate by candidate"}, {"#only", "In only one"}};
	struct page page = {.title = "Replays side by side", .links = links, .link_count = sizeof links / sizeof links[0], .style = kernel_style};

	page_begin(&page, out);
	if (any_stand_in(sides))
		bytes_text(out, "<p class=stand-in role=note><strong>STAND-IN DEVICE</strong> Some of these records were not measured on a GPU: a program that stands in for the driver, made for tests, answered.</p>\n");
	put_summary(sides, out);
	bytes_text(out, "<section id=sides>\n<h2>The two sides</h2>\n");
	put_sides(sides, out);
	bytes_text(out, "</section>\n<section id=speed>\n<h2>Speed</h2>\n");
	const enum status status = put_picture(sides, out, err);

	put_pairs(sides, out);
	bytes_text(out, "</section>\n<section id=moved>\n<h2>What moved beyond tolerance</h2>\n");
	if (sides->agree)
		bytes_text(out, "<p>Nothing.</p>\n");
	else
		put_moved(sides, out);
	bytes_text(out, "</section>\n<section id=facts>\n<h2>Which recorded facts differ</h2>\n");
	put_facts(sides, out);
	bytes_text(out, "</section>\n<section id=pairs>\n<h2>Candidate by candidate</h2>\n");
	for (size_t i = 0; i < sides->count; i++)
		put_lines(&sides->at[i], i, out);
	bytes_text(out, "</section>\n<section id=only>\n<h2>In only one of the two</h2>\n");
	if (sides->only_a_count + sides->only_b_count == 0)
		bytes_text(out, "<p>Nothing.</p>\n");
	put_only("A", sides->only_a, sides->only_a_count, out);
	put_only("B", sides->only_b, sides->only_b_count, out);
	bytes_text(out, "</section>\n");
	page_end(&page, out);
	return status;
}
