/* Do the candidates' PTX texts still assemble to the cubins that were frozen and measured? No GPU, no CUDA types; ptxas is needed. */
#ifndef PTXSEAL_MEASURE_REBUILD_H
#define PTXSEAL_MEASURE_REBUILD_H

#include "../kernel/candidate.h"
#include "../kernel/image.h"

enum rebuilt {
	REBUILT_SAME,       /* the very bytes of the frozen cubin and of every record, and the same census */
	REBUILT_NEW,        /* assembled; nothing was frozen or measured that it could be set beside */
	REBUILT_REFUSED,    /* ptxas refuses the PTX, and nothing says that it ever took it */
	REBUILT_OTHER_TOOL, /* other bytes, by another ptxas than the records name */
	REBUILT_DIFFERS,    /* other bytes by the same ptxas, refused although it was measured, or another census */
	REBUILT_COUNT
};
/* A candidate that was lowered from host code is lowered again, too, where nvcc and TVM-FFI are here. */
enum relowered { RELOWERED_NONE, RELOWERED_SAME, RELOWERED_NOT_TRIED, RELOWERED_DIFFERS };

const char *rebuilt_name(enum rebuilt rebuilt); /* "same", "new", "refused", "other ptxas", "DIFFERS" */

struct rebuild {
	enum rebuilt rebuilt;
	struct image image; /* what was assembled */
	size_t records;     /* that measured this candidate */
	enum relowered relowered;
	char why_not[ERROR_WHAT_MAX]; /* RELOWERED_NOT_TRIED: what lacks */
	enum rule rule;     /* broken, unless REBUILT_SAME or REBUILT_NEW */
	char text[ERROR_WHAT_MAX]; /* why, unless REBUILT_SAME or REBUILT_NEW */
};

/* freeze: write the cubin beside the PTX where there is none. An error is of the machine (no ptxas), or the candidate's description or a record is malformed. rebuild_free in every case. */
enum status rebuild_candidate(const struct root *bundle, const struct candidate *candidate, bool freeze, struct rebuild *rebuild, struct error *err);
void rebuild_free(struct rebuild *rebuild);

#endif
