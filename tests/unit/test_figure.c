/* Figures: what can be drawn (R-FIG-007), texts that stand for themselves, and what gnuplot may write (R-FIG-001 to R-FIG-006), with stand-ins where its faults matter. */
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/gnuplot.h"
#include "report/plot.h"
#include "report/svg.h"
#include "scratch.h"

static char *old_path;

static void simple(struct figure *figure)
{
	figure_start(figure, "simple", 300, 200);
	figure_words(figure, "Title & <more>", "Caption", "Alt", "table");
	struct figure_panel *panel = figure_panel(figure, "Panel", 60, 40, 280, 160);
	struct figure_series *series = figure_series(panel, "one", 0, FIGURE_MARKS | FIGURE_LINE | FIGURE_INTERVALS);

	figure_interval(series, 0.25, 0.5, 0.25, 0.75);
	figure_interval(series, 0.75, 0.25, 0, 0.5);
	series = figure_series(panel, "two", 1, FIGURE_BARS);
	series->bar_width = 0.25;
	figure_point(series, 0.5, 1);
}

static bool draw(const struct figure *figure, enum figure_form form, struct bytes *out)
{
	struct gnuplot gnuplot;
	struct error err = {0};

	if (gnuplot_find(&gnuplot, NULL) != OK)
		return false;
	if (gnuplot_draw(&gnuplot, &figure, 1, form, out, &err) != OK)
		fail_msg("%s: %s", err.file, err.what);
	gnuplot_free(&gnuplot);
	return true;
}

/* After element and attribute stand these numbers, to the tenths of a pixel that gnuplot's versions may differ by, and what is between them. */
static void assert_numbers(const char *text, const char *element, const char *attribute, const char *wanted)
{
	const char *at = strstr(text, element);

	at = at != NULL ? strstr(at, attribute) : NULL;
	assert_non_null(at);
	at += strlen(attribute);
	while (*wanted != '\0') {
		char *end, *wanted_end;
		const double number = strtod(at, &end), other = strtod(wanted, &wanted_end);

		if (wanted_end == wanted) {
			assert_int_equal(*at++, *wanted++);
			continue;
		}
		if (fabs(number - other) > 0.05)
			fail_msg("%s: %s, where %s is wanted", element, at, wanted);
		at = end;
		wanted = wanted_end;
	}
}

/* A point in the middle of the axes stands in the middle of the panel; a bar and both ends of an interval where they belong. */
static void numbers_stand_where_they_belong(void **state)
{
	struct figure figure;
	struct bytes out = {0};

	(void)state;
	simple(&figure);
	if (!draw(&figure, FIGURE_SVG, &out))
		skip();
	assert_numbers(out.data, "class=\"interval\"", " d=\"", "M115 130L115 70M225 160L225 100");
	assert_numbers(out.data, "class=\"line\"", " d=\"", "M115 100L225 130");
	assert_numbers(out.data, "class=\"mark\"", " cx=\"", "115\" cy=\"100");
	assert_numbers(strstr(out.data, "class=\"mark\"") + 1, "class=\"mark\"", " cx=\"", "225\" cy=\"130");
	assert_numbers(out.data, "class=\"bar\"", " d=\"", "M142.5 160L197.5 160 197.5 40 142.5 40Z");
	assert_non_null(strstr(out.data, "<title>Title &amp; &lt;more&gt;</title>\n<desc>Alt</desc>"));
	assert_null(strstr(out.data, " id="));
	assert_null(strstr(out.data, "nuplot"));
	bytes_free(&out);
	figure_free(&figure);
}

static void the_same_figure_has_the_same_bytes(void **state)
{
	struct figure figure;

	(void)state;
	simple(&figure);
	for (int form = FIGURE_SVG; form <= FIGURE_PDF; form++) {
		struct bytes one = {0}, other = {0};

		if (!draw(&figure, (enum figure_form)form, &one))
			skip();
		setenv("TZ", "America/New_York", 1);
		setenv("LC_ALL", "de_DE.UTF-8", 1);
		setenv("GNUTERM", "dumb", 1);
		setenv("SOURCE_DATE_EPOCH", "1234567890", 1);
		sleep(1); /* a date in seconds would differ */
		draw(&figure, (enum figure_form)form, &other);
		assert_int_equal(one.len, other.len);
		assert_memory_equal(one.data, other.data, one.len);
		bytes_free(&one);
		bytes_free(&other);
	}
	figure_free(&figure);
}

/* Whatever a name holds is drawn as text, in a title, a name of a row and a legend, and nothing is carried out. */
static void hostile_texts_are_texts(void **state)
{
	static const struct {
		const char *text, *shown;
	} texts[] = {
		{"<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"},
		{"a\" onload=\"x", "a&quot; onload=&quot;x"},
		{"&lt; &#60; &amp;", "&amp;lt; &amp;#60; &amp;amp;"},
		{"`touch executed`", "`touch executed`"},
		{"'; system(\"touch executed\") #", "'; system(&quot;touch executed&quot;) #"},
		{"\"; !touch executed", "&quot;; !touch executed"},
		{"@var $(date) ${HOME} \\101", "@var $(date) ${HOME} \\101"},
		{"{/Symbol a}_b^c ~a{.8-} &{x}", "{/Symbol a}_b^c ~a{.8-} &amp;{x}"},
		{"100%s%n%d %h", "100%s%n%d %h"},
		{"two\nlines\r\tand\x1b[31m", "two\\nlines\\x0D\\x09and\\x1B[31m"},
		{"E\nset output 'x'", "E\\nset output 'x'"},
		{"right\xe2\x80\xaeleft", "right\\u{202E}left"},
		{"zero\xe2\x80\x8bwidth\xef\xbb\xbf", "zero\\u{200B}width\\u{FEFF}"},
		{"not\xff utf8\xc3", "not\\xFF utf8\\xC3"},
		{"\xef\xbf\xbe", "\\u{FFFE}"},
		{"T0", "T0"},
		{"\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d", "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d"},
		{"]]>--><!DOCTYPE x>", "]]&gt;--&gt;&lt;!DOCTYPE x&gt;"},
	};
	char *scratch = scratch_make();

	(void)state;
	assert_int_equal(chdir(scratch), 0);
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct figure figure;
		struct bytes out = {0}, pdf = {0};
		char *in_title = mem_format("font-weight=\"bold\">%s</text>", texts[i].shown);
		char *in_element = mem_format("\">%s</text>", texts[i].shown);
		size_t met = 0;

		figure_start(&figure, "hostile", 700, 200);
		struct figure_panel *panel = figure_panel(&figure, texts[i].text, 400, 60, 690, 160);
		struct figure_series *series = figure_series(panel, texts[i].text, 2, FIGURE_MARKS);

		series->in_legend = true;
		panel->y.names = true;
		figure_tick(&panel->y, 0.5, texts[i].text);
		figure_tick(&panel->x, 0.5, texts[i].text);
		figure_text(panel, 0.25, 0.25, FIGURE_START, false, texts[i].text);
		figure_rule(panel, true, 0.75, texts[i].text);
		figure_axis(&panel->x, texts[i].text, FIGURE_LINEAR, 0, 1);
		figure_point(series, 0.5, 0.5);
		if (!draw(&figure, FIGURE_SVG, &out))
			skip();
		assert_non_null(strstr(out.data, in_title));
		for (const char *at = out.data; (at = strstr(at, in_element)) != NULL; at++)
			met++;
		assert_int_equal(met, 7); /* title, legend, row, tick, text, line, axis */
		assert_null(strstr(out.data, "<script"));
		draw(&figure, FIGURE_PDF, &pdf);
		free(in_element);
		free(in_title);
		bytes_free(&out);
		bytes_free(&pdf);
		figure_free(&figure);
	}
	assert_int_not_equal(access("executed", F_OK), 0);
	assert_int_equal(chdir("/"), 0);
	scratch_remove(scratch);
}

/* A text of a mebibyte is cut and says so; row names give way to the room that there is, in the middle. */
static void long_texts_are_cut(void **state)
{
	struct figure figure;
	struct bytes out = {0};
	char *text = mem_alloc((1 << 20) + 1);

	(void)state;
	memset(text, 'w', 1 << 20);
	memcpy(text + (1 << 20) - 4, "last", 4);
	simple(&figure);
	figure.panels[0]->y.names = true;
	figure_tick(&figure.panels[0]->y, 0.5, text);
	figure_tick(&figure.panels[0]->y, 0.75, "abcdefghijklmnopq");
	if (!draw(&figure, FIGURE_SVG, &out))
		skip();
	assert_true(out.len < 8192);
	assert_non_null(strstr(out.data, ">wwwww…w…</text>"));
	assert_non_null(strstr(out.data, ">abcde…pq</text>"));
	free(text);
	bytes_free(&out);
	figure_free(&figure);
}

static void what_cannot_be_drawn_is_refused(void **state)
{
	(void)state;
	for (int fault = 0; fault < 17; fault++) {
		struct figure figure;
		struct error err = {0};

		simple(&figure);
		struct figure_panel *panel = figure.panels[0];
		struct figure_series *series = panel->series[0];

		if (fault == 0)
			series->points[1].x = NAN;
		else if (fault == 1)
			series->points[1].y = INFINITY;
		else if (fault == 2)
			series->points[0].x = 1.01;
		else if (fault == 3)
			series->points[0].high = 1.5;
		else if (fault == 4)
			series->points[0].low = NAN;
		else if (fault == 5)
			figure_axis(&panel->y, NULL, FIGURE_LOG, 0, 1);
		else if (fault == 6)
			figure_axis(&panel->y, NULL, FIGURE_LINEAR, 1, 1);
		else if (fault == 7)
			figure_axis(&panel->y, NULL, FIGURE_LINEAR, 0, NAN);
		else if (fault == 8)
			figure_tick(&panel->x, 2, "2");
		else if (fault == 9)
			series->style = FIGURE_STYLES;
		else if (fault == 10)
			panel->series[1]->bar_width = 0;
		else if (fault == 11)
			panel->right = 301;
		else if (fault == 12)
			figure_rule(panel, false, -1, NULL);
		else if (fault == 13)
			figure_text(panel, 0.5, 3, FIGURE_START, false, "x");
		else if (fault == 14)
			figure.width = FIGURE_SIDE_MAX + 1;
		else if (fault == 15)
			panel->top = panel->bottom;
		if (fault == 16) {
			assert_int_equal(figure_check(&figure, &err), OK); /* without a fault it can */
		} else {
			assert_int_equal(figure_check(&figure, &err), MALFORMED);
			assert_int_equal(err.rule, R_FIG_DATA);
			assert_string_equal(err.file, "simple");
		}
		figure_free(&figure);
	}
}

/* A gnuplot of our own making: a shell script. */
static void stand_in(char **scratch, const char *script)
{
	*scratch = scratch_make();
	char *name = mem_format("%s/gnuplot", *scratch);
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	fprintf(file, "#!/bin/sh\n%s\n", script);
	fclose(file);
	assert_int_equal(chmod(name, 0755), 0);
	free(name);
	name = mem_format("%s:%s", *scratch, old_path);
	setenv("PATH", name, 1);
	free(name);
}

static void a_gnuplot_with_faults_is_named(void **state)
{
#define HEAD "<?xml version=\"1.0\"?><svg width=\"300\" height=\"200\" xmlns=\"http://www.w3.org/2000/svg\">"
	static const struct {
		const char *script;
		enum rule rule;
		const char *what;
	} faults[] = {
		{"sleep 60", R_FIG_DEADLINE, "not done after 1 s"},
		{"kill -SEGV $$", R_FIG_REFUSED, "it was ended by signal 11; it said: nothing"},
		{"echo '\"figures.gp\" line 3: unknown or ambiguous terminal type' >&2; exit 1", R_FIG_REFUSED,
		 "it ends with 1; it said: \"figures.gp\" line 3: unknown or ambiguous terminal type"},
		{"yes rubbish", R_FIG_REFUSED, "it wrote more than 4194304 bytes of messages"},
		{"echo good day", R_FIG_REFUSED, "it drew no simple; it said: good day"},
		{"echo rubbish >0", R_FIG_SVG, "syntax error, in simple"},
		{"printf '%s' '" HEAD "<script>alert(1)</script></svg>' >0", R_FIG_SVG, "an element 'script', in simple"},
		{"printf '%s' '" HEAD "<image/></svg>' >0", R_FIG_SVG, "an element 'image', in simple"},
		{"printf '%s' '<!DOCTYPE svg [<!ENTITY a \"b\">]><svg>&a;</svg>' >0", R_FIG_SVG, "a document type 'svg', in simple"},
		{"printf '%s' '" HEAD "<path stroke=\"black\" d=\"M0,0 C1,1 2,2 3,3\"/></svg>' >0", R_FIG_SVG, "a path 'M0,0 C1,1 2,2 3,3', in simple"},
		{"printf '%s' '" HEAD "<path stroke=\"url(#x)\" d=\"M0,0\"/></svg>' >0", R_FIG_SVG, "a colour 'url(#x)', in simple"},
		{"printf '%s' '" HEAD "<path stroke=\"rgb(1,2,3)\" d=\"M0,0\"/></svg>' >0", R_FIG_SVG, "a colour of no series '', in simple"},
		{"printf '%s' '" HEAD "<g transform=\"translate(1,1)\" text-anchor=\"end\"><text>hello</text></g></svg>' >0", R_FIG_SVG, "a text 'hello', in simple"},
		{"printf '%s' '" HEAD "<g transform=\"translate(1,1)\" text-anchor=\"end\"><text>T99</text></g></svg>' >0", R_FIG_SVG, "a text 'T99', in simple"},
		{"printf '%s' '" HEAD "<g id=\"gnuplot_plot_1\"/><g id=\"gnuplot_plot_2\"/><g id=\"gnuplot_plot_3\"/></svg>' >0", R_FIG_SVG, "marks '0 of 2', in simple"},
		{"printf '%s' '" HEAD "</svg>' >0", R_FIG_SVG, "it ends after 0 of 4 parts of simple"},
		{"printf '%s' '" HEAD "<g>' >0", R_FIG_SVG, "no element found, in simple"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
		struct figure figure;
		struct gnuplot gnuplot;
		struct error err = {0};
		struct bytes out = {0};
		const struct figure *figures = &figure;
		char *scratch, *name;

		simple(&figure);
		stand_in(&scratch, faults[i].script);
		name = mem_format("%s/gnuplot", scratch);
		assert_int_equal(gnuplot_find(&gnuplot, &err), OK);
		gnuplot.deadline_s = strstr(faults[i].script, "sleep") != NULL ? 1 : 60;
		assert_int_equal(gnuplot_draw(&gnuplot, &figures, 1, FIGURE_SVG, &out, &err), UNAVAILABLE);
		if (err.rule != faults[i].rule || strcmp(err.what, faults[i].what) != 0)
			fail_msg("%s: %s", faults[i].script, err.what);
		assert_string_equal(err.file, name);
		gnuplot_free(&gnuplot);
		bytes_free(&out);
		scratch_remove(scratch);
		free(name);
		figure_free(&figure);
	}
	setenv("PATH", old_path, 1);
}

static void a_pdf_that_is_none_is_refused(void **state)
{
	static const struct {
		const char *script, *what;
	} faults[] = {
		{"echo rubbish >0", "what it wrote for simple is no PDF"},
		{"echo '%PDF-1.5 /CreationDate (D:20261201010203Z)' >0", "the PDF of simple has the time of day in it"},
		{"printf '%%PDF-1.5 /CreationDate (D:' >0", "the PDF of simple has the time of day in it"},
		{"echo '%PDF-1.5' >0; echo \"ERROR: object '${LD_PRELOAD##*/}' cannot be preloaded\"", "its clock cannot be stopped"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
		struct figure figure;
		struct gnuplot gnuplot;
		struct error err = {0};
		struct bytes out = {0};
		const struct figure *figures = &figure;
		char *scratch;

		simple(&figure);
		stand_in(&scratch, faults[i].script);
		assert_int_equal(gnuplot_find(&gnuplot, &err), OK);
		assert_int_equal(gnuplot_draw(&gnuplot, &figures, 1, FIGURE_PDF, &out, &err), UNAVAILABLE);
		if (strcmp(err.what, "there is no DejaVuSans.ttf") != 0) {
			assert_string_equal(err.what, faults[i].what);
			assert_int_equal(err.rule, R_FIG_PDF);
		}
		gnuplot_free(&gnuplot);
		bytes_free(&out);
		scratch_remove(scratch);
		figure_free(&figure);
	}
	setenv("PATH", old_path, 1);
}

static void no_gnuplot_is_said(void **state)
{
	struct gnuplot gnuplot;
	struct error err = {0};
	char *scratch = scratch_make();

	(void)state;
	setenv("PATH", scratch, 1);
	assert_int_equal(gnuplot_find(&gnuplot, &err), UNAVAILABLE);
	assert_int_equal(err.rule, R_FIG_MISSING);
	setenv("PATH", old_path, 1);
	scratch_remove(scratch);
}

/* Drawn beside other work it is the same, and a failure is told at the end. */
static void drawing_goes_on_beside(void **state)
{
	struct figure figure;
	struct gnuplot gnuplot;
	struct bytes one = {0}, other = {0};
	struct error err = {0};
	const struct figure *figures = &figure;

	(void)state;
	simple(&figure);
	if (!draw(&figure, FIGURE_SVG, &one))
		skip();
	assert_int_equal(gnuplot_find(&gnuplot, &err), OK);
	assert_int_equal(gnuplot_end(gnuplot_begin(&gnuplot, &figures, 1, FIGURE_SVG, &other), &err), OK);
	assert_int_equal(one.len, other.len);
	assert_memory_equal(one.data, other.data, one.len);
	bytes_free(&other);
	figure.panels[0]->series[0]->points[0].x = NAN;
	assert_int_equal(gnuplot_end(gnuplot_begin(&gnuplot, &figures, 1, FIGURE_SVG, &other), &err), MALFORMED);
	assert_int_equal(err.rule, R_FIG_DATA);
	assert_int_equal(gnuplot_end(NULL, &err), OK);
	gnuplot_free(&gnuplot);
	bytes_free(&one);
	figure_free(&figure);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_stand_where_they_belong), cmocka_unit_test(the_same_figure_has_the_same_bytes),
		cmocka_unit_test(hostile_texts_are_texts),         cmocka_unit_test(long_texts_are_cut),
		cmocka_unit_test(what_cannot_be_drawn_is_refused), cmocka_unit_test(a_gnuplot_with_faults_is_named),
		cmocka_unit_test(a_pdf_that_is_none_is_refused),   cmocka_unit_test(no_gnuplot_is_said),
		cmocka_unit_test(drawing_goes_on_beside),
	};

	old_path = mem_text(getenv("PATH"));
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);

	free(old_path);
	return failed;
}
