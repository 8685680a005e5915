/* The groups of instructions (kernel/sass.h) as a page marks them: by a letter, a word and a class. */
#ifndef PTXSEAL_REPORT_KIND_H
#define PTXSEAL_REPORT_KIND_H

#include <stdint.h>

#include "../base/bytes.h"
#include "../kernel/sass.h"

struct kind {
	char letter;
	const char *word; /* "wgmma multiply" */
};

/* Of any group but SASS_GROUP_NONE. */
const struct kind *kind_of(enum sass_group group);
/* "<span class="kind gmma">W wgmma multiply</span>" */
void kind_put(enum sass_group group, struct bytes *out);
/* Of the groups that are among those whose bits (1 << group) are set: what each letter stands for, as a list. */
void kind_legend(unsigned groups, struct bytes *out);

/* Where the instructions of one opcode stand: places close together are one link, to the first of them. */
struct place {
	uint64_t at; /* a line, or an offset */
	char link[48]; /* id of the element, without #; "": it is not on the page */
	char text[24]; /* what it is called */
};
/* near: up to this apart two belong together. */
void kind_places(const struct place *places, size_t count, uint64_t near, struct bytes *out);

#endif
