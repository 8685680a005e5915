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

/*
 * What may be wider than the screen stands in a box of its own, which is scrolled by itself, also by keyboard, and shows at its edges that there is more (report.css). label says what is in it.
 * page_scroll begins it, </div> ends it.
 */
void page_scroll(const char *label, struct bytes *out);
/* A table in such a box, named by its caption; class may be "". </table></div> ends it. */
void page_table(const char *class, const char *caption, struct bytes *out);
/* A figure in such a box, and what is said of it beside or below it. More may follow that; </figcaption></figure> ends it. */
void page_figure(const char *title, const struct bytes *svg, const char *caption, struct bytes *out);

/* Append a name, of whatever bytes, that may break behind each of its words. */
void page_name(const char *name, struct bytes *out);

/* Append what shows a grade of evidence (bundle/ledger.h: "reported" ..., or "none"), by mark and by word. */
void page_grade(const char *evidence, struct bytes *out);

/* Append what shows a verdict ("HOLDS", "FAILS", "DOES NOT HOLD", "NOT DERIVABLE", "SAME", "DIFFERS", or another word), by mark and by word. */
void page_verdict(const char *verdict, struct bytes *out);

#endif
