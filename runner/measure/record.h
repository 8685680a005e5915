/* The record of a replay: everything that was measured, as canonical JSON (docs/records.md, "artifact/replays/RUN/CANDIDATE.json"). */
#ifndef PTXSEAL_MEASURE_RECORD_H
#define PTXSEAL_MEASURE_RECORD_H

#include <cjson/cJSON.h>

#include "../bundle/replays.h"
#include "replay.h"

/* SHA-256 of one input. */
struct input_hash {
	struct trial trial;
	size_t tensor; /* of problem->tensors */
	struct sha256 hash;
};

/* What is the same for all candidates of a session and task. */
struct record_session {
	const char *run;
	const char *date;        /* YYYY-MM-DD, UTC */
	bool stand_in;
	const cJSON *device, *machine, *library; /* facts; copied */
	const struct input_hash *hashes;
	size_t hash_count;
	bool standard_known;     /* artifact/facts/inputs.jsonl has the standard seed's, and they are the same */
	const struct replay_options *options;
	size_t trials;           /* that were asked for */
};

/* The caller deletes it. trajectory: its number in the run, from 0. */
cJSON *record_make(const struct record_session *session, const struct replay *replay, uint64_t trajectory);

#endif
