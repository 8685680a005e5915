/*
 * Records of replays in a bundle: artifact/replays/RUN/CANDIDATE.json, written by measure/record.h. Here is what of them a seal, a table or another replay
 * needs to know; the whole form stands in docs/records.md.
 *
 * A run of a source of the kind REPLAY_KIND was measured by this program. Its manifest is manifests/RUN.dsse.json, by a key of the role `replay`; its subjects are run.json,
 * turns.jsonl, every record of the run, and every file of a candidate that a record names.
 */
#ifndef PTXSEAL_BUNDLE_REPLAYS_H
#define PTXSEAL_BUNDLE_REPLAYS_H

#include <cjson/cJSON.h>

#include "../base/file.h"
#include "../base/sha256.h"

#define REPLAY_SCHEMA "ptxseal-replay/1"
#define REPLAY_SOURCE "ptxseal" /* what a replay is of where nothing else is said */
#define REPLAY_KIND "replay"    /* in source.json: the runs of the source were measured */
#define REPLAY_DIRECTORY "artifact/replays"

enum { REPLAY_RECORD_MAX = 32 << 20 }; /* bytes of one record */

/* Strict JSON of the right schema, run and candidate as its path says. cJSON_Delete(*record). */
enum status replay_read(const struct root *root, const char *path, cJSON **record, struct error *err);
/* The same from memory; path is for messages and for what it says. */
enum status replay_parse(const char *text, size_t len, const char *path, cJSON **record, struct error *err);

/* A record that was copied elsewhere: path says nothing of it. */
enum status replay_parse_anywhere(const char *text, size_t len, const char *path, cJSON **record, struct error *err);

/* The member at the end of a path of names, "timing.speedup.median"; NULL if there is none. */
const cJSON *replay_at(const cJSON *record, const char *path);
/* Its text, or "" if there is none or it is no text. */
const char *replay_text(const cJSON *record, const char *path);
/* Its number, written as one or as a decimal in a string; NAN if there is none. */
double replay_value(const cJSON *record, const char *path);

/* The files of the candidate that a record names: calls with each path and hash. */
typedef enum status replay_file(void *context, const char *path, const struct sha256 *hash, struct error *err);
enum status replay_files(const cJSON *record, const char *path, replay_file *file, void *context, struct error *err);

/*
 * artifact/sources/SOURCE/source.json anew, from all records of the source's runs in the bundle: {"kind":"replay","program","runs":[{"date","device","device_facts_sha256","program","records","run"}...],
 * "source"}. device_facts_sha256 is of the record's "device" as canonical JSON: the same for two runs on one unchanged machine.
 */
enum status replay_source_write(const struct root *root, const char *source, const char *program, struct error *err);

/* A measured number as records carry it: nine significant digits, "0.972345995", "1.5e-05"; "infinite" for what is not finite. */
enum { REPLAY_NUMBER_MAX = 32 };
void replay_number(double value, char out[REPLAY_NUMBER_MAX]);

/* What a run's manifest says of a record: driver, clocks asked for and seen, toolchain, libraries, hashes of inputs. */
cJSON *replay_summary(const cJSON *record);
/* What a run's manifest says, from the summaries of its records, an array in the order of their paths. */
cJSON *replay_predicate(const char *program, const char *run, const char *source, const cJSON *summaries);

#endif
