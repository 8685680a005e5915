/* One measured candidate and everything that a page shows of it, read from the bundle: its record, its files, what they say, and who vouches for them. */
#ifndef PTXSEAL_REPORT_KERNEL_H
#define PTXSEAL_REPORT_KERNEL_H

#include <cjson/cJSON.h>

#include "../bundle/ledger.h"
#include "../kernel/candidate.h"
#include "../kernel/cubin.h"
#include "../measure/plan.h"
#include "witness.h"

enum kernel_file_state {
	KERNEL_FILE_SAME,     /* its bytes are those that the record names */
	KERNEL_FILE_DIFFERS,
	KERNEL_FILE_LEFT_OUT, /* it travels apart (leftout.h) */
	KERNEL_FILE_MISSING,
	KERNEL_FILE_UNREADABLE,
};

/* A file of candidate.files. */
struct kernel_file {
	const char *path;     /* in the record */
	const char *name;     /* the last part of it */
	struct sha256 hash;   /* that the record gives */
	bool hashed;          /* it gives one */
	const cJSON *bytes;   /* that the record gives */
	enum kernel_file_state state;
	struct bytes text;    /* if same or different */
};

enum kernel_picture { KERNEL_SAMPLES, KERNEL_CLOCK, KERNEL_WORK, KERNEL_ERRORS, KERNEL_PICTURES };

/* What is drawn of a record, as SVG; empty where there is nothing to draw. */
struct kernel_pictures {
	struct bytes svg[KERNEL_PICTURES];
	const char *title[KERNEL_PICTURES], *caption[KERNEL_PICTURES];
};

struct kernel {
	const struct root *bundle;
	const struct sealed *sealed;
	const struct manifest *manifest;
	const struct turn *turn; /* of the ledger; NULL: it has none, or its run asked no model */
	const struct kernel_pictures *pictures; /* NULL: there are none, and why_no_pictures says so */
	const char *why_no_pictures;
	bool unverified;  /* the bundle as a whole does not verify */
	const char *path; /* of the record, from the bundle's top */
	const cJSON *record;
	struct kernel_file *files;
	size_t file_count;
	const struct kernel_file *json, *ptx, *cubin, *source; /* of files; NULL: the record names none */

	struct candidate *candidate;  /* NULL: cannot be had, and why_no_candidate says so, or its file is not there */
	struct error why_no_candidate;
	bool has_plan;                /* candidate and problem together */
	struct problem problem;
	struct plan plan;
	struct error why_no_plan;
	bool has_code;                /* the cubin could be read */
	bool is_measured_code;        /* and its bytes are those that ran */
	struct cubin code;
	struct error why_no_code;
};

/* bundle, sealed, manifest, path and record are set, turn and pictures where there are some, and outlive it: read whatever can be had. What cannot is told of in the structure.
 * kernel_close. */
void kernel_open(struct kernel *kernel);
void kernel_close(struct kernel *kernel);

/* Why a file's content is not on the page, as a sentence; "" if it is there. */
const char *kernel_file_why(const struct kernel_file *file);

#endif
