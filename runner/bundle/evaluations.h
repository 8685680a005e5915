/*
 * What became of a model's answers: artifact/runs/RUN/evaluations.jsonl, one canonical JSON record a turn, in the order in which they were evaluated. With the exchanges it is all that a run's
 * turns follow from. Files of kernels are objects of the bundle; every field is in docs/records.md.
 */
#ifndef PTXSEAL_BUNDLE_EVALUATIONS_H
#define PTXSEAL_BUNDLE_EVALUATIONS_H

#include <cjson/cJSON.h>

#include "ledger.h"

enum {
	EVALUATIONS_FILE_MAX = 1 << 30,  /* bytes of one evaluations.jsonl */
	EVALUATION_LINE_MAX = 1 << 20,   /* bytes of one record */
	EVALUATION_FILES_MAX = 2,
	EVALUATION_TEXT_MAX = 8 << 10,   /* bytes of a text */
};

/* All text is owned by the struct; evaluation_free. */
struct evaluation {
	uint32_t trajectory, turn;
	char *why_none;   /* why there is no kernel; NULL if there is one */
	size_t files;     /* of the kernel; 0 if there is none */
	struct {
		char *path;
		struct sha256 id; /* object */
	} file[EVALUATION_FILES_MAX];
	char *candidate;  /* artifact/candidates/TASK/NAME where it stands; NULL: not compiled, or not kept */
	enum outcome outcome; /* a measured label */
	enum evidence evidence;
	char arch_tag[16];
	char speedup[32]; /* decimal, "0" if it was not timed */
	char *rule;       /* id of what was broken; "" if nothing */
	char *text;       /* what was found; "" if nothing */
	cJSON *facts;     /* object: what feedback tells besides (docs/records.md) */
};
void evaluation_free(struct evaluation *evaluation); /* its fields; also resets it */

/* Append the record as one line, newline included. */
enum status evaluation_write(const struct evaluation *evaluation, struct bytes *out, struct error *err);

/* Read a whole evaluations.jsonl; file is for messages. visit may take what the record owns (resetting it). */
typedef enum status evaluation_visit(void *context, struct evaluation *evaluation, uint64_t line, struct error *err);
enum status evaluations_parse(const char *text, size_t len, const char *file, evaluation_visit *visit, void *context, struct error *err);

#endif
