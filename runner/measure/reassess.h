/*
 * Do the frozen replies of a run contain the kernels that were evaluated, and do these compile to what was recorded? Every turn's reply is read, its kernel extracted, assembled and looked at again.
 * Needs the toolkit and no GPU; without the tools only what is extracted is compared.
 */
#ifndef PTXSEAL_MEASURE_REASSESS_H
#define PTXSEAL_MEASURE_REASSESS_H

#include "../base/file.h"
#include "../bundle/evaluations.h"
#include "rebuild.h"

struct reassessment {
	const struct evaluation *evaluation; /* the record */
	enum rebuilt rebuilt;  /* REBUILT_SAME, _OTHER_TOOL, _DIFFERS */
	bool compiled;         /* false: there is no kernel, or no tools */
	enum rule rule;        /* broken, unless REBUILT_SAME */
	const char *text;      /* what differs, "" if nothing */
};

typedef void reassess_report(void *context, const struct reassessment *reassessment);

/* Each turn of the run in the order of its evaluations' numbers. The bundle has the run's query.json. why_not: of ERROR_WHAT_MAX bytes, why nothing was compiled; "" otherwise. */
enum status reassess_run(const struct root *bundle, const char *run, reassess_report *report, void *context, char *why_not, struct error *err);

/* The bundle's runs that asked a model: names, sorted; free each and the array. */
enum status reassess_list(const struct root *bundle, char ***runs, size_t *count, struct error *err);

#endif
