/* Replays side by side, as a page of its own: what moved beyond tolerance, which recorded fact differs, what agrees, what only one of the two has. */
#ifndef PTXSEAL_REPORT_COMPARISON_H
#define PTXSEAL_REPORT_COMPARISON_H

#include "../measure/sidebyside.h"

/* A function of the records alone (the picture: and of gnuplot's version; without gnuplot there is none, and the page says so). At least one pair. */
enum status comparison_page(const struct sides *sides, struct bytes *out, struct error *err);

#endif
