/* A candidate's machine code: what ptxas here makes of its PTX, or, without ptxas, the cubin that was frozen beside it; and which of the two it is. */
#ifndef PTXSEAL_KERNEL_IMAGE_H
#define PTXSEAL_KERNEL_IMAGE_H

#include <cjson/cJSON.h>

#include "candidate.h"
#include "toolchain.h"

struct image {
	struct bytes cubin;         /* what runs */
	struct sha256 hash;         /* of it */
	bool assembled;             /* here; else it is the frozen one */
	struct toolchain toolchain; /* if assembled */
	struct bytes report;        /* ptxas', if assembled */
	bool frozen;                /* there is a frozen cubin */
	struct sha256 frozen_hash;  /* if frozen: another than hash shows another ptxas, or a cubin that is not of this PTX */
};

/* frozen_only: run the very bytes that were frozen, ptxas or not. R_TLC_* of FAILS: ptxas does not take the PTX. R_CAN_CUBIN: neither ptxas nor a frozen cubin. Free
 * with image_free, also after an error. */
enum status image_make(const struct root *root, const struct candidate *candidate, bool frozen_only, struct image *image, struct error *err);
void image_free(struct image *image);

/* {"assembled","frozen_sha256","ptxas":{"report","sha256","version"} or null,"sha256"}; the caller's to delete. */
cJSON *image_facts(const struct image *image);

#endif
