/* What a model is told of a measurement, from its record and from nothing else: whoever has the record says the same of it again. */
#ifndef PTXSEAL_MEASURE_TOLD_H
#define PTXSEAL_MEASURE_TOLD_H

#include "../bundle/evaluations.h"

/* Sets outcome, evidence, arch_tag, speedup, rule and text, and adds to facts (an object) trials, errors, speed, work and sanitizer (docs/records.md). R_RPL_RECORD: the record does not tell. */
enum status told_from(const cJSON *record, const char *path, struct evaluation *evaluation, struct error *err);

#endif
