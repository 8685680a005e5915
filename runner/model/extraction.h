/*
 * From a reply to a candidate's files, by one rule (docs/query.md, "From a reply to a kernel"): the last valid fenced block of the right kind. A pure function of the text, so that live and
 * frozen runs find the same.
 */
#ifndef PTXSEAL_MODEL_EXTRACTION_H
#define PTXSEAL_MODEL_EXTRACTION_H

#include "../base/bytes.h"

/* What a run asks for: one kernel.cu with host code, or a PTX module and its launches. */
enum form { FORM_KERNEL, FORM_PTX, FORM_COUNT };
const char *form_name(enum form form); /* "kernel.cu", "ptx" */
bool form_parse(const char *text, enum form *form);

enum {
	EXTRACTION_FILES_MAX = 2,
	EXTRACTION_BYTES_MAX = 4 << 20, /* of one file */
	EXTRACTION_DEPTH_MAX = 16,      /* of blocks within blocks */
};

struct extracted_file {
	const char *path; /* "kernel.cu"; "kernel.ptx", "launches.json" */
	struct bytes text;
};

struct extracted {
	struct extracted_file file[EXTRACTION_FILES_MAX];
	size_t count;
	char *why; /* one sentence without full stop; NULL if it was found */
};

/* text: what a reply says, without reasoning; UTF-8. True if all files of the form are there. extracted_free in every case. */
bool extraction_find(enum form form, const char *text, size_t len, struct extracted *extracted);
void extracted_free(struct extracted *extracted);

#endif
