/*
 * What a bundle already has, by what it is and not by what it is called: kernels, cubins, responses, samples, seeds, models, devices. Of an archive, so that a submission can be
 * held against it, and of the submission itself.
 */
#ifndef PTXSEAL_SUBMISSION_KNOWN_H
#define PTXSEAL_SUBMISSION_KNOWN_H

#include <cjson/cJSON.h>

#include "../base/file.h"
#include "../base/sha256.h"
#include "../bundle/exchanges.h"
#include "../bundle/finding.h"

enum known_kind {
	KNOWN_PTX,      /* form of a candidate's PTX (kernel/ptxform.h); where: its directory */
	KNOWN_CUBIN,    /* SHA-256 of a cubin's code, of the whole file if it cannot be read; where: its directory */
	KNOWN_RESPONSE, /* object; where: its run */
	KNOWN_EXCHANGE, /* of a try: its request, its reply and when it was made; where: its run */
	KNOWN_REPLY,    /* of a request and the reply to it, as objects; where: its run */
	KNOWN_TOOK,     /* of the same, and how long the try took to its first byte and to its end; where: its run */
	KNOWN_PACE,     /* of the same, and how long after the first try of its file it was made; where: its run */
	KNOWN_SAMPLES,  /* of a column of times in timing.samples of a record, its values in order of size; where: the record */
	KNOWN_CALL,     /* of a sample: whose call, its time on the device and its time on the host's clock; where: the record */
	KNOWN_SEED,     /* of the text of a sample's seed; where: the record */
	KNOWN_MODEL,    /* of the name of a model (known_model); where: its source */
	KNOWN_DEVICE,   /* of the name of a device; where: the record */
	KNOWN_KEY,      /* of the fingerprint of a key that sealed a submission; where: the submission's id */
};

struct known_thing {
	enum known_kind kind;
	struct sha256 hash;
	const char *where; /* one of the places */
};

/* Sorted by kind, hash, where; known_free. */
struct known {
	struct known_thing *at;
	size_t count, room;
	char **places;
	size_t place_count, place_room;
};
void known_free(struct known *known);

/* Everything beneath root. What cannot be read is passed over: whoever checks that bundle tells of it. */
void known_take(const struct root *root, struct known *known);

/* The first of that kind and hash whose place is not `but` (may be NULL), or NULL. */
const struct known_thing *known_find(const struct known *known, enum known_kind kind, const struct sha256 *hash, const char *but);

/* Of an exchange; known_reply of one that has a reply. */
struct sha256 known_exchange(const struct exchange *exchange);
struct sha256 known_reply(const struct exchange *exchange);
/* The KNOWN_TOOK or KNOWN_PACE of an exchange that has a reply; first: known_started of the first in its file. False where the time is too short to know one by: two askings of a fast endpoint take the same. */
bool known_time(const struct exchange *exchange, enum known_kind kind, int64_t first, struct sha256 *hash);
int64_t known_started(const struct exchange *exchange); /* ms since 1970 */
struct sha256 known_text(const char *text);  /* SHA-256 of a text */
struct sha256 known_model(const char *model); /* of a model's name as a reader takes it (name_fold) */

/* Of a record: which column of timing.samples is of that name; -1 if none. */
int known_column(const cJSON *record, const char *name);

enum { KNOWN_TIMES = 2 }; /* columns of times: the candidate's, the baseline's */
/* The KNOWN_SAMPLES of such a column. False if it has too few values to be known by them. */
bool known_times(const cJSON *record, int time, struct sha256 *hash);

struct known_calls {
	const char *where; /* the record that has the most of them; of several the first by its bytes; NULL: none has any */
	size_t count;      /* how many of the record's calls it has */
};
/* Of a record, calls of that column of times which another one has too: the same two times, in whatever order. *calls: how many the record has. */
struct known_calls known_calls(const struct known *known, const cJSON *record, int time, const char *but, size_t *calls);

#endif
