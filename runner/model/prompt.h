/*
 * Templates of what a model is asked: a directory tasks/prompts/ID of plain text in which {{name}} stands for a value. Rendering is a pure function of template and values. A template that
 * was used is never changed: a new wording is a new directory.
 */
#ifndef PTXSEAL_MODEL_PROMPT_H
#define PTXSEAL_MODEL_PROMPT_H

#include "../base/file.h"
#include "../base/sha256.h"

enum { PROMPT_FILE_MAX = 1 << 20, PROMPT_VALUES_MAX = 24 };

/* The files of a template; an architecture's facts stand in ARCH.txt. */
enum prompt_part {
	PROMPT_TASK,     /* task.txt: the first message */
	PROMPT_FEEDBACK, /* feedback.txt: the message after an answer */
	PROMPT_SINGLE,   /* single.txt: task, last answer and feedback in one message */
	PROMPT_EXAMPLE,  /* example.txt */
	PROMPT_ARCH,     /* hopper.txt, blackwell.txt */
	PROMPT_PARTS
};

struct template {
	char *id;
	struct sha256 hash; /* over all parts: each one's name and bytes, led by their lengths */
	struct bytes part[PROMPT_PARTS];
};

/* R_PRM_NAME: the bundle has no such template, or not for that architecture. template_free in every case. */
enum status template_read(const struct root *bundle, const char *id, const char *arch, struct template *template, struct error *err);
void template_free(struct template *template);

struct prompt_value {
	const char *name;
	char *text;
};

struct prompt_values {
	struct prompt_value at[PROMPT_VALUES_MAX];
	size_t count;
};
void prompt_values_add(struct prompt_values *values, const char *name, char *text); /* takes text over */
void prompt_values_free(struct prompt_values *values);

/* Append the part with its names replaced, once: what a value holds is text. Of the template itself, {{architecture}} and {{example}} are its parts. A name without a value is R_PRM_FORM. */
enum status prompt_render(const struct template *template, enum prompt_part part, const struct prompt_values *values, struct bytes *out, struct error *err);

#endif
