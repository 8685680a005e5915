/*
 * Where in a PTX text the instructions stand that matter as evidence: for people who read a source. What of it runs, only its machine code and counts tell; a mark proves
 * nothing.
 */
#ifndef PTXSEAL_KERNEL_PTX_MARKS_H
#define PTXSEAL_KERNEL_PTX_MARKS_H

#include <stddef.h>
#include <stdint.h>

#include "sass.h"

struct ptx_mark {
	size_t offset, len; /* of the opcode with its modifiers, "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16" */
	uint64_t line;      /* from 1; ended by '\n' alone */
	enum sass_group group; /* never SASS_GROUP_NONE */
};

/* In the order of the text, which none leaves. */
struct ptx_marks {
	struct ptx_mark *at;
	size_t count, room;
};

/*
 * Opcodes as PTX ISA 9.0 has them (sections 9.7.9.25 to .27: copies and tensor maps; 9.7.14 to .16: mma, wgmma, tcgen05; 9.7.19: setmaxnreg). An opcode counts where a statement can begin: at the start, on a new line, behind one of
 * `;{}:` and behind a guard; not in comments and strings. ptxas allows no space within it, though one before a modifier: what stands behind a space is then not part of the mark. Any bytes will do.
 * Free with ptx_marks_free.
 */
void ptx_marks(const char *text, size_t len, struct ptx_marks *marks);
void ptx_marks_free(struct ptx_marks *marks); /* fine on an empty one */

#endif
