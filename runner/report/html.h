/*
 * HTML as text grows: markup is the program's own, and whatever comes from a bundle is text in it and nothing else. Every byte of such text is shown: markup
 * characters as themselves, what is invisible or would act on its surroundings (control characters, bidirectional and other format characters, bytes that are
 * not UTF-8) by name, and what is too long cut with a word on how much.
 *
 * In an element such a name is <span class=odd>U+202E</span>, in an attribute ‹U+202E›. Control characters of ASCII are shown as their pictures (␛).
 * Text with letters that run from right to left stands in a <bdi>, so that it does not reorder what is beside it.
 */
#ifndef PTXSEAL_REPORT_HTML_H
#define PTXSEAL_REPORT_HTML_H

#include <stddef.h>

#include "../base/bytes.h"

enum {
	HTML_TEXT_MAX = 16 << 10, /* bytes of a %s of html_put */
	HTML_LINE_MAX = 2 << 10,  /* bytes of a line of html_lines */
	HTML_MARKS_MAX = 4        /* combining characters in a row that are shown as such */
};

enum html_place {
	HTML_ELEMENT,   /* between tags; line ends and tabs are shown by name */
	HTML_LINES,     /* in a <pre>: line ends and tabs are themselves */
	HTML_ATTRIBUTE, /* between the double quotes of an attribute */
};

/* Append the first bytes of text, at most about max of them, as whole characters; what is left out is told of. */
void html_text(const char *text, size_t len, size_t max, enum html_place place, struct bytes *out);

/*
 * Append markup, in which %s stands for text (NUL-terminated; NULL as ""), and %d, %u, %zu, %ld, %lu, %lld and %llu, without flags and widths, for numbers; %% is a
 * percent sign. Where a %s stands, in an element or in an attribute, is seen from the markup before it: what stands in an attribute has to be between double quotes.
 */
void html_put(struct bytes *out, const char *markup, ...) __attribute__((format(printf, 2, 3)));

/* Append the lines of a file as they shall stand in a <pre>, each cut at HTML_LINE_MAX. */
void html_lines(const char *text, size_t len, struct bytes *out);

#endif
