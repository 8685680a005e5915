/*
 * The frame of every page of a report: head, style, script, navigation, foot. A page is one file that asks for no other: its Content-Security-Policy allows the one style sheet
 * and the one script in it, by their hashes, and nothing else. So there are no style="..." attributes (SVG has presentation attributes instead: fill="...") and no event
 * attributes; they would do nothing, and the browser would complain of each.
 */
#ifndef PTXSEAL_REPORT_PAGE_H
#define PTXSEAL_REPORT_PAGE_H

#include "../base/bytes.h"

struct page_link {
	const char *href;
	const char *text;
};

struct page {
	const char *title;
	const struct page_link *links; /* the navigation at the top, in their order */
	size_t link_count;
	const char *style; /* more of it than report.css, the program's own; NULL: none */
	bool script; /* does it need the script? (report.js: tables that are sorted and filtered, cells that show their evidence) */
};

/* Everything up to the page's <main> and its <h1>, which is the title. Sections with <h2> follow. */
void page_begin(const struct page *page, struct bytes *out);
void page_end(const struct page *page, struct bytes *out);

/* Append what shows a grade of evidence (bundle/ledger.h: "reported" ..., or "none"), by mark and by word. */
void page_grade(const char *evidence, struct bytes *out);

/* Append what shows a verdict ("HOLDS", "FAILS", "DOES NOT HOLD", "NOT DERIVABLE", "SAME", "DIFFERS", or another word), by mark and by word. */
void page_verdict(const char *verdict, struct bytes *out);

#endif
