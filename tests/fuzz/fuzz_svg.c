/* Any bytes as what gnuplot wrote for a small figure. No crash; what is taken has no id, link, script or style, and every mark of the figure. */
#include "fuzz.h"

#include "report/plot.h"
#include "report/svg.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct figure figure;
	struct plot plot;
	struct bytes program = {0}, out = {0};

	figure_start(&figure, "fuzzed", 300, 200);
	struct figure_panel *panel = figure_panel(&figure, "<Panel>", 60, 60, 280, 160);
	struct figure_series *series = figure_series(panel, "one & two", 0, FIGURE_MARKS | FIGURE_LINE | FIGURE_INTERVALS);

	series->in_legend = true;
	figure_interval(series, 0.25, 0.5, 0.25, 0.75);
	figure_interval(series, 0.75, 0.25, 0, 0.5);
	series = figure_series(panel, "bars", 1, FIGURE_BARS);
	series->bar_width = 0.25;
	figure_point(series, 0.5, 1);
	figure_panel(&figure, NULL, 10, 170, 20, 180);
	REQUIRE(figure_check(&figure, NULL) == OK);
	plot_write(&figure, FIGURE_SVG, "0", &program, &plot);
	if (svg_write((const char *)data, size, "0", &figure, &plot, &out, NULL) == OK) {
		size_t marks = 0;

		for (const char *at = out.data; (at = strstr(at, "class=\"mark\"")) != NULL; at++)
			marks++;
		REQUIRE(marks == 3);
		REQUIRE(strstr(out.data, " id=") == NULL && strstr(out.data, "href") == NULL && strstr(out.data, "<script") == NULL && strstr(out.data, "style=") == NULL);
	}
	bytes_free(&program);
	bytes_free(&out);
	plot_free(&plot);
	figure_free(&figure);
	return 0;
}
