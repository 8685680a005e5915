/*
 * The list of rules: one line a rule in rule.def, from which the enum, the
 * texts of error messages, `ptxseal rules`, --json reports and docs/rules.md
 * are all made.  A rule id is stable: it is never reused for something else.
 *
 * What breaks a RULE is an ERROR. A WARNING or INFO is something that a reader of the report should know and decide: it
 * stops nothing, and its status is OK.
 */
#ifndef PTXSEAL_BASE_RULE_H
#define PTXSEAL_BASE_RULE_H

/* What a function returns and a command exits with (docs/design.md, "Exit codes"). */
enum status {
	OK = 0,          /* it holds */
	FAILS = 1,       /* it does not hold: a check failed, a cell differs */
	USAGE = 2,       /* the command line is wrong */
	MALFORMED = 3,   /* the input is malformed or not allowed */
	UNAVAILABLE = 4, /* it could not be tried here: no space, no permission, no tool */
	UNHEALTHY = 5,   /* the device has to be taken out of service */
	STOPPED = 75     /* stopped half-way on request; everything done so far is kept */
};

enum rule {
#define RULE(name, id, status, text, remedy) name,
#define WARNING(name, id, text, remedy) name,
#define INFO(name, id, text, remedy) name,
#include "rule.def"
#undef RULE
#undef WARNING
#undef INFO
	RULE_COUNT
};

enum severity { SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_ERROR, SEVERITY_COUNT };
const char *severity_name(enum severity severity); /* "INFO", "WARNING", "ERROR" */

struct rule_info {
	const char *name;   /* the enum's own spelling, "R_JSON_UTF8" */
	const char *id;     /* "R-JSN-001" */
	enum severity severity;
	enum status status; /* what a breach makes a command exit with; OK if and only if it is no ERROR */
	const char *text;   /* what must be so, one sentence without full stop */
	const char *remedy; /* what the reader can do, one sentence without full stop */
};

/* Never NULL; rule must be below RULE_COUNT. */
const struct rule_info *rule_info(enum rule rule);

#endif
