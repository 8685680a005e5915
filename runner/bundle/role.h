/* What a key may be for. */
#ifndef PTXSEAL_BUNDLE_ROLE_H
#define PTXSEAL_BUNDLE_ROLE_H

struct role {
	const char *name;
	const char *predicate; /* the type of statement it signs; NULL: none, it signs files as they are */
	const char *purpose;   /* for people: the default in trust.json */
};

/* NULL if there is no role of that name. */
const struct role *role_find(const char *name);

#endif
