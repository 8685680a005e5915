#include "role.h"

#include <stddef.h>
#include <string.h>

#include "statement.h"
#include "trust.h"

const struct role *role_find(const char *name)
{
	static const struct role roles[] = {
		{ROLE_ROOT, PREDICATE_BUNDLE, "seals the bundle as a whole"},
		{ROLE_IMPORT, PREDICATE_IMPORT, "vouches for figures that were carried over from a source"},
		{ROLE_REPLAY, PREDICATE_REPLAY, "vouches for runs that were measured here"},
		{ROLE_LOG, NULL, "signs the checkpoints of the submission log"},
		{ROLE_REVIEW, NULL, "countersigns what was reviewed"},
	};

	for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
		if (strcmp(roles[i].name, name) == 0)
			return &roles[i];
	return NULL;
}
