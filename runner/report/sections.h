/* The sections of a kernel page, in files of their own: each appends what stands behind its <h2>. */
#ifndef PTXSEAL_REPORT_SECTIONS_H
#define PTXSEAL_REPORT_SECTIONS_H

#include "kernel.h"

void section_outcome(const struct kernel *kernel, struct bytes *out);
void section_work(const struct kernel *kernel, struct bytes *out);
void section_launches(const struct kernel *kernel, struct bytes *out);
void section_resources(const struct kernel *kernel, struct bytes *out);
void section_trials(const struct kernel *kernel, struct bytes *out);
void section_timing(const struct kernel *kernel, struct bytes *out);
void section_setting(const struct kernel *kernel, struct bytes *out);
void section_conversation(const struct kernel *kernel, struct bytes *out); /* nothing for a candidate that no model was asked for */
void section_files(const struct kernel *kernel, struct bytes *out);

/* A list of members of the record, each with its name. */
struct shown {
	const char *name;
	const char *member;
	void (*show)(struct bytes *out, const cJSON *item);
};
void section_list(const cJSON *record, const struct shown *shown, size_t count, struct bytes *out);

/* The picture, or what is said in its place. */
void section_picture(const struct kernel *kernel, enum kernel_picture picture, struct bytes *out);

#endif
