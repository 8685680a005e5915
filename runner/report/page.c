#include "page.h"

#include <string.h>

#include "../base/sha256.h"
#include "html.h"

static const char style[] =
#include "report.css.inc"
#include "figure.css.inc"
	;
static const char script[] =
#include "report.js.inc"
	;

/* 'sha256-BASE64', as a policy names what it allows (Content Security Policy Level 3, section 2.3.1). */
static void put_hash(const char *text, struct bytes *out)
{
	const struct sha256 hash = sha256_of(text, strlen(text));

	bytes_text(out, "'sha256-");
	base64_encode(hash.byte, sizeof hash.byte, out);
	bytes_text(out, "'");
}

void page_begin(const struct page *page, struct bytes *out)
{
	bytes_text(out, "<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src ");
	put_hash(style, out);
	if (page->style != NULL) {
		bytes_char(out, ' ');
		put_hash(page->style, out);
	}
	bytes_text(out, "; script-src ");
	if (page->script)
		put_hash(script, out);
	else
		bytes_text(out, "'none'");
	bytes_text(out, "; base-uri 'none'; form-action 'none'\">\n<meta name=viewport content=\"width=device-width, initial-scale=1\">\n"
	                "<meta name=color-scheme content=\"light dark\">\n");
	html_put(out, "<title>%s</title>\n<style>", page->title);
	bytes_text(out, style);
	if (page->style != NULL) {
		bytes_text(out, "</style>\n<style>");
		bytes_text(out, page->style);
	}
	bytes_text(out, "</style>\n<a class=skip href=\"#main\">Skip to the content</a>\n");
	if (page->link_count > 0) {
		bytes_text(out, "<nav aria-label=\"On this page\"><ul>\n");
		for (size_t i = 0; i < page->link_count; i++)
			html_put(out, "<li><a href=\"%s\">%s</a>\n", page->links[i].href, page->links[i].text);
		bytes_text(out, "</ul></nav>\n");
	}
	html_put(out, "<main id=main>\n<h1>%s</h1>\n", page->title);
}

void page_end(const struct page *page, struct bytes *out)
{
	bytes_text(out, "</main>\n<footer>Written by ptxseal " PTXSEAL_VERSION " from the bundle alone: no clock, no network, no other file.</footer>\n");
	if (page->script) {
		bytes_text(out, "<script>");
		bytes_text(out, script);
		bytes_text(out, "</script>\n");
	}
	bytes_text(out, "</html>\n");
}

void page_name(const char *name, struct bytes *out)
{
	for (size_t len; *name != '\0'; name += len) {
		len = strcspn(name, "_-/");
		len += name[len] != '\0' ? 1 : 0;
		html_text(name, len, HTML_TEXT_MAX, HTML_ELEMENT, out);
		if (name[len] != '\0')
			bytes_text(out, "<wbr>");
	}
}

void page_scroll(const char *label, struct bytes *out)
{
	html_put(out, "<div class=scroll tabindex=0 role=group aria-label=\"%s\">", label);
}

void page_table(const char *class, const char *caption, struct bytes *out)
{
	page_scroll(caption, out);
	html_put(out, "<table class=\"%s\"><caption>%s</caption>\n", class, caption);
}

void page_figure(const char *title, const struct bytes *svg, const char *caption, struct bytes *out)
{
	bytes_text(out, "<figure>");
	page_scroll(title, out);
	bytes_add(out, svg->data, svg->len);
	html_put(out, "</div><figcaption><p>%s</p>\n", caption);
}

struct mark {
	const char *word;
	const char *mark;
	const char *class;
};

static void put_mark(const struct mark *marks, size_t count, const char *word, const char *class, struct bytes *out)
{
	const struct mark *found = NULL;

	for (size_t i = 0; i < count; i++)
		if (strcmp(marks[i].word, word) == 0)
			found = &marks[i];
	bytes_format(out, "<span class=\"%s%s%s\">", class, found != NULL ? " " : "", found != NULL ? found->class : "");
	if (found != NULL)
		bytes_format(out, "<span aria-hidden=true>%s</span> ", found->mark);
	html_put(out, "%s</span>", word);
}

void page_grade(const char *evidence, struct bytes *out)
{
	static const struct mark grades[] = {{"reported", "○", "g1"}, {"static", "◐", "g2"},  {"executed", "●", "g3"},
	                                     {"unknown", "◌", "g0"},  {"refused", "⊘", "gx"}, {"none", "–", "g0"}};

	put_mark(grades, sizeof grades / sizeof grades[0], evidence, "grade", out);
}

void page_verdict(const char *verdict, struct bytes *out)
{
	static const struct mark verdicts[] = {{"HOLDS", "✓", "good"},          {"SAME", "=", "good"},         {"FAILS", "✗", "bad"},
	                                       {"DOES NOT HOLD", "✗", "bad"},   {"DIFFERS", "≠", "differs"},   {"NOT DERIVABLE", "∅", "open"},
	                                       {"NOT AS EXPECTED", "!", "bad"}, {"NOT LOOKED AT", "·", "open"}};

	put_mark(verdicts, sizeof verdicts / sizeof verdicts[0], verdict, "verdict", out);
}
