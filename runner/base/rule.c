#include "rule.h"

static const struct rule_info rules[RULE_COUNT] = {
#define RULE(name, id, status, text, remedy) {#name, id, SEVERITY_ERROR, status, text, remedy},
#define WARNING(name, id, text, remedy) {#name, id, SEVERITY_WARNING, OK, text, remedy},
#define INFO(name, id, text, remedy) {#name, id, SEVERITY_INFO, OK, text, remedy},
#include "rule.def"
#undef RULE
#undef WARNING
#undef INFO
};

const struct rule_info *rule_info(enum rule rule)
{
	return &rules[rule];
}

const char *severity_name(enum severity severity)
{
	static const char *const names[SEVERITY_COUNT] = {"INFO", "WARNING", "ERROR"};

	return names[severity];
}
