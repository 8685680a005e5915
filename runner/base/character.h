/*
 * What a character does to a reader's eye: shows nothing or reorders others, and how many columns of a terminal it takes. Constant tables, made from the
 * Unicode Character Database 14.0: a locale's would differ from machine to machine.
 */
#ifndef PTXSEAL_BASE_CHARACTER_H
#define PTXSEAL_BASE_CHARACTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Controls (Cc), line and paragraph separators, format characters (Cf, but for the Arabic and Kaithi number signs, which show), all others that are
 * Default_Ignorable_Code_Point, noncharacters, and the empty braille pattern. The controls of the bidirectional algorithm (UAX #9) are among them. */
bool character_hidden(uint32_t point);

/* Columns: 0 for combining marks (Mn, Me) and the medial and final letters of Hangul, 2 for East Asian wide and fullwidth ones (UAX #11: W, F), else 1.
 * Of hidden ones it says 1: they are to be shown as escapes (base/utf8.h). */
unsigned character_width(uint32_t point);

/* Columns of a text without hidden characters; a byte that is not UTF-8 takes one. */
size_t text_width(const char *text, size_t len);

#endif
