/*
 * in-toto Statement v1 (github.com/in-toto/attestation, spec/v1/statement.md): files by name and SHA-256, and a
 * predicate, a JSON object of a named type that says something about them.
 */
#ifndef PTXSEAL_BUNDLE_STATEMENT_H
#define PTXSEAL_BUNDLE_STATEMENT_H

#include <stddef.h>

#include <cjson/cJSON.h>

#include "../base/sha256.h"

#define STATEMENT_PAYLOAD_TYPE "application/vnd.in-toto+json"

/* Predicates; each may also have "date" (statement_date).
 * {"bytes","files","program","roots"}: what SHA256SUMS lists, how much it is, who wrote it, which directories. */
#define PREDICATE_BUNDLE "urn:ptxseal:bundle/v1"
/* {"program","provenance","source"}: provenance is the source's source.json. */
#define PREDICATE_IMPORT "urn:ptxseal:import/v1"
/* {"program","replays":[...],"run","source"}: what replay_predicate (replays.h) takes from a run's records. */
#define PREDICATE_REPLAY "urn:ptxseal:replay/v1"

struct subject {
	char *name; /* path from the top of the bundle */
	struct sha256 hash;
};

/* All owned; statement_free. */
struct statement {
	struct subject *subjects; /* sorted by name bytes when read; written in the order added */
	size_t count;
	size_t room;
	char *predicate_type;
	cJSON *predicate;
};
void statement_free(struct statement *statement);

void statement_add(struct statement *statement, const char *name, const struct sha256 *hash);

/* Append as canonical JSON, without a newline: the payload that is signed. */
enum status statement_write(const struct statement *statement, struct bytes *out, struct error *err);

/* Read a payload whose signature has been checked; file is the manifest's name in messages. */
enum status statement_parse(const char *text, size_t len, const char *file, struct statement *statement,
                            struct error *err);

/* The date that the predicate gives, YYYY-MM-DD, or NULL. Every predicate of ours may have one: when whoever signed says it was made. That is their word; what
 * they cannot have back-dated is what a log took in. */
const char *statement_date(const struct statement *statement);

/* NULL if there is none; for a statement that was read. */
const struct subject *statement_find(const struct statement *statement, const char *name);

#endif
