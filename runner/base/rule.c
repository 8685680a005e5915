#include "rule.h"

static const struct rule_info rules[RULE_COUNT] = {
#define RULE(name, id, status, text, remedy) {#name, id, status, text, remedy},
#include "rule.def"
#undef RULE
};

const struct rule_info *rule_info(enum rule rule)
{
	return &rules[rule];
}
