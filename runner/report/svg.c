#include "svg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <expat.h>

#include "../base/utf8.h"

enum { DEPTH_MAX = 16, PLACEHOLDER_MAX = 24, SVG_BYTES_MAX = 32 << 20 };

#define FONT "system-ui, 'Helvetica Neue', Arial, sans-serif"

/* Names of gnuplot's point types in the SVG, "#gpPt" and a number; lines in units of the scale. */
static const struct {
	int number;
	bool full;
	const char *closed; /* "" for lines that enclose nothing */
	size_t count;
	double at[5][2];
} shapes[] = {
	{0, false, "", 4, {{-1, 0}, {1, 0}, {0, -1}, {0, 1}}},
	{1, false, "", 4, {{-1, -1}, {1, 1}, {1, -1}, {-1, 1}}},
	{3, false, "Z", 4, {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}},
	{4, true, "Z", 4, {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}},
	{5, false, "Z", 0, {{0}}},
	{6, true, "Z", 0, {{0}}},
	{7, false, "Z", 3, {{0, -1.33}, {-1.33, 0.67}, {1.33, 0.67}}},
	{8, true, "Z", 3, {{0, -1.33}, {-1.33, 0.67}, {1.33, 0.67}}},
	{9, false, "Z", 3, {{0, 1.33}, {1.33, -0.67}, {-1.33, -0.67}}},
	{10, true, "Z", 3, {{0, 1.33}, {1.33, -0.67}, {-1.33, -0.67}}},
	{11, false, "Z", 4, {{0, -1.414}, {1.414, 0}, {0, 1.414}, {-1.414, 0}}},
	{12, true, "Z", 4, {{0, -1.414}, {1.414, 0}, {0, 1.414}, {-1.414, 0}}},
	{13, false, "Z", 5, {{0, -1.33}, {-1.265, -0.411}, {-0.782, 1.067}, {0.782, 1.067}, {1.265, -0.411}}},
	{14, true, "Z", 5, {{0, -1.33}, {-1.265, -0.411}, {-0.782, 1.067}, {0.782, 1.067}, {1.265, -0.411}}},
};

struct reader {
	XML_Parser parser;
	const struct figure *figure;
	const struct plot *plot;
	struct bytes *out;
	char fault[160]; /* "" while all is well */
	size_t depth;
	size_t skip;    /* depth of the element whose content is passed over, 0: none */
	size_t inside;  /* depth of the part's group, 0: outside of any */
	size_t part;    /* the one inside, or the next */
	size_t marks;   /* seen of it */
	double width;   /* of lines, as the last g said */
	char *group;    /* opening tag of the group of our own that is open, NULL: none */
	/* of the g around a text */
	double x, y;
	bool turned, bold;
	const char *anchor;
	uint32_t colour;
	bool in_text;
	struct bytes text;
};

void svg_text(const char *text, struct bytes *out)
{
	for (const char *at = text; *at != '\0'; at++)
		if (*at == '&')
			bytes_text(out, "&amp;");
		else if (*at == '<')
			bytes_text(out, "&lt;");
		else if (*at == '>')
			bytes_text(out, "&gt;");
		else if (*at == '"')
			bytes_text(out, "&quot;");
		else
			bytes_char(out, *at);
}

static void fault(struct reader *reader, const char *what, const char *which)
{
	char shown[80];

	if (reader->fault[0] != '\0')
		return;
	utf8_printable(which, strlen(which), shown, sizeof shown);
	snprintf(reader->fault, sizeof reader->fault, "%s '%s'", what, shown);
	XML_StopParser(reader->parser, XML_FALSE);
}

static const char *attribute(const char **attributes, const char *name)
{
	for (; attributes[0] != NULL; attributes += 2)
		if (strcmp(attributes[0], name) == 0)
			return attributes[1];
	return NULL;
}

static bool number(const char **at, double *value)
{
	char *end;

	*value = strtod(*at, &end);
	if (end == *at || !isfinite(*value) || fabs(*value) > 2 * FIGURE_SIDE_MAX)
		return false;
	*at = end;
	return true;
}

/* What printf's "%.2f" writes, to which most of the time of reading a picture would go. */
static size_t two_decimals(double value, char *text, size_t size)
{
	const double hundredths = fabs(value) * 100, below = floor(hundredths);
	const double over = hundredths - below;

	/* The product is off by less than 1e-9 of itself: on which side of a half it is has to be plain. */
	if (!(hundredths < 1e6) || (over > 0.499 && over < 0.501))
		return (size_t)snprintf(text, size, "%.2f", value);
	unsigned number = (unsigned)below + (over > 0.5);
	char digits[16];
	size_t len = 0, at = 0;

	for (; number > 0 || len < 3; number /= 10)
		digits[len++] = (char)('0' + number % 10);
	if (signbit(value))
		text[at++] = '-';
	while (len > 0) {
		text[at++] = digits[--len];
		if (len == 2)
			text[at++] = '.';
	}
	text[at] = '\0';
	return at;
}

/* Two decimals are all that gnuplot gives; none that say nothing. */
static void write_number(struct bytes *out, double value)
{
	char text[32];
	size_t len = two_decimals(value, text, sizeof text);

	while (text[len - 1] == '0')
		len--;
	if (text[len - 1] == '.')
		len--;
	if (strncmp(text, "-0", len) == 0)
		bytes_char(out, '0');
	else
		bytes_add(out, text, len);
}

static bool pair(const char **at, double *x, double *y)
{
	if (!number(at, x) || **at != ',')
		return false;
	++*at;
	return number(at, y);
}

/* "rgb( r, g, b)", "black" */
static bool colour(const char *text, uint32_t *value)
{
	unsigned rgb[3];
	int end = 0;

	if (strcmp(text, "black") == 0) {
		*value = 0;
		return true;
	}
	if (sscanf(text, "rgb(%3u,%3u,%3u)%n", &rgb[0], &rgb[1], &rgb[2], &end) != 3 || text[end] != '\0' || rgb[0] > 255 || rgb[1] > 255 || rgb[2] > 255)
		return false;
	*value = rgb[0] << 16 | rgb[1] << 8 | rgb[2];
	return true;
}

static void read_colour(struct reader *reader, const char *text)
{
	if (text != NULL && strcmp(text, "currentColor") != 0 && strcmp(text, "none") != 0 && !colour(text, &reader->colour))
		fault(reader, "a colour", text);
}

/* Groups of our own follow the parts: what is drawn before the first part of a panel is its axes. */
static void want_group(struct reader *reader, char *group)
{
	if (reader->group != NULL && strcmp(reader->group, group) == 0) {
		free(group);
		return;
	}
	if (reader->group != NULL)
		bytes_text(reader->out, "</g>\n");
	free(reader->group);
	reader->group = group;
	bytes_text(reader->out, group);
}

static void group_for(struct reader *reader)
{
	const struct plot *plot = reader->plot;
	const struct part *part = &plot->parts[reader->part < plot->part_count ? reader->part : plot->part_count - 1];
	struct bytes tag = {0};

	if (reader->inside != 0 && part->kind == PART_NOTHING) {
		fault(reader, "something where nothing is to be drawn", "");
		return;
	}
	if (part->panel == PART_OF_LEGEND && reader->inside == 0) {
		bytes_text(&tag, "<g class=\"legend\">\n");
	} else if (part->panel == PART_OF_LEGEND) {
		bytes_format(&tag, "<g class=\"legend s%u\" color=\"#%06x\">\n", part->style, plot_colour(part->style));
	} else if (reader->inside == 0) {
		bytes_format(&tag, "<g class=\"axes\" data-panel=\"%d\">\n", part->panel);
	} else {
		const char *name = reader->figure->panels[part->panel]->series[part->series]->name;

		bytes_format(&tag, "<g class=\"series s%u\" data-panel=\"%d\" data-series=\"%zu\" color=\"#%06x\">\n<title>", part->style, part->panel, part->series,
		             plot_colour(part->style));
		svg_text(name, &tag);
		bytes_text(&tag, "</title>\n");
	}
	want_group(reader, tag.data);
}

/* class and colour of what is no series. */
static void write_colour(struct reader *reader, uint32_t value)
{
	if (reader->inside != 0 || value == 0)
		return;
	if (value == COLOUR_GRID || value == COLOUR_MUTED || value == COLOUR_FRAME)
		bytes_format(reader->out, " class=\"%s\" color=\"#%06x\"", value == COLOUR_GRID ? "grid" : value == COLOUR_FRAME ? "frame" : "muted", (unsigned)value);
	else
		fault(reader, "a colour of no series", "");
}

static const char *const part_classes[] = {"", "interval", "bar", "line", "mark"};

/* M x,y, L x,y and Z are all there is. */
static void write_path(struct reader *reader, const char *data)
{
	char last = 0;

	bytes_text(reader->out, " d=\"");
	for (const char *at = data; reader->fault[0] == '\0';) {
		double x, y;

		at += strspn(at, " \t\n\r");
		if (*at == '\0')
			break;
		const char command = *at++;

		if (command == 'Z') {
			bytes_char(reader->out, 'Z');
			last = 0;
			continue;
		}
		if ((command != 'M' && command != 'L') || !pair(&at, &x, &y)) {
			fault(reader, "a path", data);
			break;
		}
		bytes_char(reader->out, command == 'L' && last == 'L' ? ' ' : command);
		last = command;
		write_number(reader->out, x);
		bytes_char(reader->out, ' ');
		write_number(reader->out, y);
	}
	bytes_char(reader->out, '"');
}

static void write_dashes(struct reader *reader, const char *dashes)
{
	const char *before = " stroke-dasharray=\"";

	for (const char *at = dashes;; at++) {
		double length;

		if (!number(&at, &length) || length < 0 || (*at != ',' && *at != '\0')) {
			fault(reader, "dashes", dashes);
			return;
		}
		bytes_text(reader->out, before);
		write_number(reader->out, length);
		before = " ";
		if (*at == '\0')
			break;
	}
	bytes_char(reader->out, '"');
}

static void start_path(struct reader *reader, const char **attributes)
{
	const char *data = attribute(attributes, "d"), *dashes = attribute(attributes, "stroke-dasharray");

	if (data == NULL) {
		fault(reader, "a path", "");
		return;
	}
	reader->colour = 0;
	read_colour(reader, attribute(attributes, "stroke"));
	group_for(reader);
	bytes_text(reader->out, "<path");
	if (reader->inside != 0)
		bytes_format(reader->out, " class=\"%s\"", part_classes[reader->plot->parts[reader->part].kind]);
	write_colour(reader, reader->colour);
	bytes_text(reader->out, " stroke=\"currentColor\"");
	if (reader->width != 1) {
		bytes_text(reader->out, " stroke-width=\"");
		write_number(reader->out, reader->width);
		bytes_char(reader->out, '"');
	}
	if (dashes != NULL)
		write_dashes(reader, dashes);
	write_path(reader, data);
	bytes_text(reader->out, "/>\n");
}

/* Bars are the only polygons: an area here, and its border as a path after it. */
static void start_polygon(struct reader *reader, const char **attributes)
{
	const char *points = attribute(attributes, "points"), *opacity = attribute(attributes, "fill-opacity");
	double x, y, opaque;
	size_t corners = 0;

	group_for(reader);
	if (reader->inside == 0 || reader->plot->parts[reader->part].kind != PART_BARS || points == NULL || opacity == NULL || !number(&opacity, &opaque)) {
		fault(reader, "a polygon", points != NULL ? points : "");
		return;
	}
	bytes_format(reader->out, "<path class=\"bar\" fill=\"currentColor\" fill-opacity=\"%.2f\" d=\"", opaque);
	for (const char *at = points + strspn(points, " "); *at != '\0'; at += strspn(at, " ")) {
		if (!pair(&at, &x, &y)) {
			fault(reader, "a polygon", points);
			return;
		}
		bytes_char(reader->out, corners == 0 ? 'M' : corners == 1 ? 'L' : ' ');
		write_number(reader->out, x);
		bytes_char(reader->out, ' ');
		write_number(reader->out, y);
		corners++;
	}
	bytes_text(reader->out, "Z\"/>\n");
	reader->marks++;
}

static bool translation(const char **at, double *x, double *y)
{
	static const char word[] = "translate(";

	if (strncmp(*at, word, sizeof word - 1) != 0)
		return false;
	*at += sizeof word - 1;
	if (!pair(at, x, y) || **at != ')')
		return false;
	++*at;
	return true;
}

static void start_use(struct reader *reader, const char **attributes)
{
	const char *which = attribute(attributes, "xlink:href"), *transform = attribute(attributes, "transform");
	const char *at = transform;
	double x, y, scale;
	size_t shape = 0;

	if (which == NULL || transform == NULL || strncmp(which, "#gpPt", 5) != 0 || !translation(&at, &x, &y) || strncmp(at, " scale(", 7) != 0 || (at += 7, !number(&at, &scale)) ||
	    strcmp(at, ")") != 0) {
		fault(reader, "a mark", which != NULL ? which : "");
		return;
	}
	while (shape < sizeof shapes / sizeof shapes[0] && shapes[shape].number != atoi(which + 5))
		shape++;
	if (shape == sizeof shapes / sizeof shapes[0] || reader->inside == 0 || reader->plot->parts[reader->part].kind != PART_MARKS) {
		fault(reader, "a mark", which);
		return;
	}
	group_for(reader);
	reader->marks++;
	if (shapes[shape].count == 0) {
		bytes_text(reader->out, "<circle class=\"mark\" cx=\"");
		write_number(reader->out, x);
		bytes_text(reader->out, "\" cy=\"");
		write_number(reader->out, y);
		bytes_text(reader->out, "\" r=\"");
		write_number(reader->out, scale);
	} else {
		bytes_text(reader->out, "<path class=\"mark\" transform=\"translate(");
		write_number(reader->out, x);
		bytes_char(reader->out, ' ');
		write_number(reader->out, y);
		bytes_text(reader->out, ")\" d=\"");
		for (size_t i = 0; i < shapes[shape].count; i++) {
			const bool moves = i == 0 || (shapes[shape].closed[0] == '\0' && i % 2 == 0);

			bytes_char(reader->out, moves ? 'M' : i == 1 || shapes[shape].closed[0] == '\0' ? 'L' : ' ');
			write_number(reader->out, scale * shapes[shape].at[i][0]);
			bytes_char(reader->out, ' ');
			write_number(reader->out, scale * shapes[shape].at[i][1]);
		}
		bytes_text(reader->out, shapes[shape].closed);
	}
	bytes_format(reader->out, "\" %s=\"currentColor\"%s/>\n", shapes[shape].full ? "fill" : "stroke", shapes[shape].full ? "" : " stroke-width=\"1.2\"");
}

/* A g that says where and how its text stands. */
static void start_text_group(struct reader *reader, const char **attributes)
{
	const char *transform = attribute(attributes, "transform"), *anchor = attribute(attributes, "text-anchor"), *weight = attribute(attributes, "font-weight");
	static const char *const anchors[] = {"start", "middle", "end"};
	const char *at = transform;

	if (!translation(&at, &reader->x, &reader->y) || (at[0] != '\0' && strncmp(at, " rotate(", 8) != 0)) {
		fault(reader, "a place", transform);
		return;
	}
	reader->turned = false;
	if (at[0] != '\0') {
		double degrees;

		at += 8;
		if (!number(&at, &degrees) || strcmp(at, ")") != 0 || degrees != -90) {
			fault(reader, "a turn", transform);
			return;
		}
		reader->turned = true;
	}
	reader->anchor = NULL;
	for (size_t i = 0; i < 3; i++)
		if (anchor != NULL && strcmp(anchor, anchors[i]) == 0)
			reader->anchor = anchors[i];
	if (reader->anchor == NULL)
		fault(reader, "an anchor", anchor != NULL ? anchor : "");
	reader->bold = weight != NULL && strcmp(weight, "bold") == 0;
	reader->colour = 0;
	read_colour(reader, attribute(attributes, "fill"));
}

static void start_group(struct reader *reader, const char **attributes)
{
	const char *id = attribute(attributes, "id"), *width = attribute(attributes, "stroke-width");

	if (width != NULL && !number(&width, &reader->width))
		fault(reader, "a width", width);
	if (id != NULL && strncmp(id, "gnuplot_plot_", 13) == 0) {
		if (reader->inside != 0 || reader->part >= reader->plot->part_count) {
			fault(reader, "a group", id);
			return;
		}
		reader->inside = reader->depth;
		reader->marks = 0;
	} else if (attribute(attributes, "transform") != NULL) {
		start_text_group(reader, attributes);
	}
}

static void XMLCALL start(void *context, const XML_Char *name, const XML_Char **attributes)
{
	struct reader *reader = context;

	reader->depth++;
	if (reader->depth > DEPTH_MAX)
		fault(reader, "an element deep within others", name);
	if (reader->skip != 0 || reader->fault[0] != '\0')
		return;
	if (strcmp(name, "title") == 0 || strcmp(name, "desc") == 0 || strcmp(name, "defs") == 0)
		reader->skip = reader->depth; /* gnuplot's name and version; marks that are written out here */
	else if (strcmp(name, "g") == 0)
		start_group(reader, attributes);
	else if (strcmp(name, "path") == 0)
		start_path(reader, attributes);
	else if (strcmp(name, "polygon") == 0)
		start_polygon(reader, attributes);
	else if (strcmp(name, "use") == 0)
		start_use(reader, attributes);
	else if (strcmp(name, "text") == 0 && reader->anchor != NULL)
		reader->in_text = true;
	else if (strcmp(name, "rect") == 0 && attribute(attributes, "fill") != NULL && strcmp(attribute(attributes, "fill"), "none") == 0)
		; /* the canvas */
	else if (strcmp(name, "svg") != 0 || reader->depth != 1)
		fault(reader, "an element", name);
}

static void end_text(struct reader *reader)
{
	const char *text = reader->text.data != NULL ? reader->text.data : "";
	char *end;
	unsigned long which;

	if (text[0] == '\0')
		return; /* a tick without one */
	which = strtoul(text + 1, &end, 10);
	if (text[0] != 'T' || text[1] < '0' || text[1] > '9' || *end != '\0' || which >= reader->plot->text_count) {
		fault(reader, "a text", text);
		return;
	}
	if (reader->plot->texts[which][0] == '\0')
		return;
	group_for(reader);
	bytes_text(reader->out, "<text");
	if (reader->turned) {
		bytes_text(reader->out, " transform=\"translate(");
		write_number(reader->out, reader->x);
		bytes_char(reader->out, ' ');
		write_number(reader->out, reader->y);
		bytes_text(reader->out, ") rotate(-90)\"");
	} else {
		bytes_text(reader->out, " x=\"");
		write_number(reader->out, reader->x);
		bytes_text(reader->out, "\" y=\"");
		write_number(reader->out, reader->y);
		bytes_char(reader->out, '"');
	}
	if (strcmp(reader->anchor, "start") != 0)
		bytes_format(reader->out, " text-anchor=\"%s\"", reader->anchor);
	bytes_text(reader->out, " fill=\"currentColor\"");
	if (reader->bold)
		bytes_text(reader->out, " font-weight=\"bold\"");
	write_colour(reader, reader->colour);
	bytes_char(reader->out, '>');
	svg_text(reader->plot->texts[which], reader->out);
	bytes_text(reader->out, "</text>\n");
}

static void XMLCALL end(void *context, const XML_Char *name)
{
	struct reader *reader = context;

	if (reader->fault[0] == '\0' && reader->skip == 0 && strcmp(name, "text") == 0) {
		end_text(reader);
		bytes_free(&reader->text);
		reader->in_text = false;
	}
	if (reader->skip == reader->depth)
		reader->skip = 0;
	if (reader->fault[0] == '\0' && reader->inside == reader->depth) {
		const struct part *part = &reader->plot->parts[reader->part];

		if (reader->marks != part->marks) {
			char *counts = mem_format("%zu of %zu", reader->marks, part->marks);

			fault(reader, "marks", counts);
			free(counts);
		}
		reader->inside = 0;
		reader->part++;
	}
	reader->depth--;
}

static void XMLCALL characters(void *context, const XML_Char *text, int len)
{
	struct reader *reader = context;

	if (reader->in_text && reader->skip == 0 && reader->text.len < PLACEHOLDER_MAX)
		bytes_add(&reader->text, text, (size_t)len);
}

static void XMLCALL doctype(void *context, const XML_Char *name, const XML_Char *system, const XML_Char *public, int internal)
{
	(void)system;
	(void)public;
	(void)internal;
	fault(context, "a document type", name);
}

static void write_head(const struct figure *figure, double height, struct bytes *out)
{
	bytes_format(out,
	             "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"figure\" role=\"img\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" fill=\"none\" "
	             "font-family=\"" FONT "\" font-size=\"11\">\n<title>",
	             figure->width, height, figure->width, height);
	svg_text(figure->title, out);
	bytes_text(out, "</title>\n<desc>");
	svg_text(figure->alt, out);
	bytes_text(out, "</desc>\n");
}

enum status svg_write(const char *text, size_t len, const char *file, const struct figure *figure, const struct plot *plot, struct bytes *out, struct error *err)
{
	struct reader reader = {.parser = XML_ParserCreate("UTF-8"), .figure = figure, .plot = plot, .out = out, .width = 1};
	enum status status = OK;

	if (reader.parser == NULL)
		mem_lacking();
	XML_SetUserData(reader.parser, &reader);
	XML_SetElementHandler(reader.parser, start, end);
	XML_SetCharacterDataHandler(reader.parser, characters);
	XML_SetStartDoctypeDeclHandler(reader.parser, doctype);
	write_head(figure, plot->height, out);
	if (len > SVG_BYTES_MAX)
		status = error_set(err, R_FIG_SVG, file, "%zu bytes", len);
	else if (XML_Parse(reader.parser, text, (int)len, XML_TRUE) == XML_STATUS_OK && reader.fault[0] == '\0' && reader.part != plot->part_count)
		status = error_set(err, R_FIG_SVG, file, "it ends after %zu of %zu parts of %s", reader.part, plot->part_count, figure->name);
	else if (reader.fault[0] != '\0')
		status = error_line(err, R_FIG_SVG, file, XML_GetCurrentLineNumber(reader.parser), "%s, in %s", reader.fault, figure->name);
	else if (XML_GetErrorCode(reader.parser) != XML_ERROR_NONE)
		status = error_line(err, R_FIG_SVG, file, XML_GetCurrentLineNumber(reader.parser), "%s, in %s", XML_ErrorString(XML_GetErrorCode(reader.parser)), figure->name);
	if (reader.group != NULL)
		bytes_text(out, "</g>\n");
	bytes_text(out, "</svg>\n");
	XML_ParserFree(reader.parser);
	bytes_free(&reader.text);
	free(reader.group);
	return status;
}
