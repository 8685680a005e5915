/* Where things stand in a bundle. docs/formats.md describes each for people. */
#ifndef PTXSEAL_BUNDLE_LAYOUT_H
#define PTXSEAL_BUNDLE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

#define LAYOUT_SUMS "checksums/SHA256SUMS"
#define LAYOUT_SUMS_SIGNATURE "checksums/SHA256SUMS.sig"
/* Stands there from the first write of a seal to the last one of a root seal. */
#define LAYOUT_UNFINISHED "checksums/unfinished"
#define LAYOUT_UNFINISHED_TEXT "Sealing was begun. It ends with: ptxseal seal --role root\n"
/* In a bundle that travels without its largest parts (leftout.h). */
#define LAYOUT_LEFT_OUT "checksums/left-out.txt"
/* The journal of an admission (submission/admit.h), from its first write to its last. */
#define LAYOUT_ADMITTING "checksums/admitting"

#define LAYOUT_MANIFESTS "manifests/"
#define LAYOUT_MANIFEST_END ".dsse.json"
#define LAYOUT_ROOT_MANIFEST "manifests/root.dsse.json"
#define LAYOUT_TRUST "manifests/trust.json"
#define LAYOUT_KEYS "manifests/keys/"
#define LAYOUT_KEY_END ".pem"

#define LAYOUT_LOG "manifests/log/" /* of submissions: runner/log */
/* Signatures of the sealed files themselves, made after SHA256SUMS, which therefore does not list them (countersign.h). */
#define LAYOUT_COUNTERSIGNATURES "manifests/countersignatures/"
#define LAYOUT_COUNTERSIGNATURE_END ".sshsig"

#define LAYOUT_SOURCES "artifact/sources/"
#define LAYOUT_PROVENANCE "source.json" /* of a source */
#define LAYOUT_EXPECTED "artifact/expected/"
#define LAYOUT_KNOWN "artifact/expected/known.jsonl"
#define LAYOUT_FACTS "artifact/facts/"
#define LAYOUT_TABLES "artifact/tables/"
#define LAYOUT_CLAIMS "artifact/claims/"
#define LAYOUT_CANDIDATES "artifact/candidates/" /* kernels */
#define LAYOUT_REPLAYS "artifact/replays/"       /* measurements on a device */
#define LAYOUT_OBJECTS_DIRECTORY "artifact/objects/sha256"
#define LAYOUT_OBJECTS LAYOUT_OBJECTS_DIRECTORY "/" /* prompts, responses and feedback, by content (objects.h) */
#define LAYOUT_SUBMISSION "artifact/submission.json" /* of a bundle that is a submission */
/* Of an archive: what of each submission is not among its own files stands in manifests/submissions/ID/ under the path it has in the submission. */
#define LAYOUT_SUBMISSIONS "manifests/submissions/"
#define LAYOUT_ENTRY "entry.json" /* of a submission: the leaf that the log has of it */
#define LAYOUT_PROOF "proof"      /* that the log has it */
enum { SUBMISSION_FILE_MAX = 16 << 20 }; /* bytes of a submission.json */
#define LAYOUT_TASKS "tasks/"
#define LAYOUT_PROMPTS "tasks/prompts/" /* templates of what models are asked */
#define LAYOUT_RUNS_DIRECTORY "artifact/runs"
#define LAYOUT_RUNS LAYOUT_RUNS_DIRECTORY "/"
#define LAYOUT_RUN "run.json" /* of a run */
#define LAYOUT_TURNS "turns.jsonl"
#define LAYOUT_QUERY "query.json"               /* of a run that asks a model: how */
#define LAYOUT_EXCHANGES "exchanges.jsonl"     /* what was asked of it */
#define LAYOUT_EVALUATIONS "evaluations.jsonl" /* what became of its answers */
/* What a session has kept of these two and not yet put in its place (ahead.h); of a session of the tool for agents the second. */
#define LAYOUT_EXCHANGES_AHEAD "exchanges.ahead"
#define LAYOUT_EVALUATIONS_AHEAD "evaluations.ahead"
#define LAYOUT_TRAINING_SET "training_set.json" /* of a run of a tuned model: what it was tuned on (training_set.h) */

/* Beside the directories of a bundle that was unpacked (archive/crate.h): a description of it, under no seal. */
#define LAYOUT_CRATE "ro-crate-metadata.json"

/* The directories whose files SHA256SUMS lists, sorted, NULL-terminated. */
extern const char *const layout_sealed[];

/* True if path lies in one of them. */
bool layout_is_sealed(const char *path);

/* True if it also is what SHA256SUMS lists: neither the root manifest, which is signed by itself, nor a countersignature. */
bool layout_is_listed(const char *path);

/* True if a file of that path stands where a bundle keeps something: the list of all such places is in layout.c. A file
 * elsewhere would be sealed, and then be read by nobody. */
bool layout_is_placed(const char *path);

/* True for the write-ahead file of a run. */
bool layout_is_ahead(const char *path);

/* True for a temporary file of root_write (base/file.c), ".ptxseal-" HEX ".tmp": a killed write leaves one. */
bool layout_is_leftover(const char *path);

/* The name of a source, run or key (R_BND_NAME). */
bool layout_name_valid(const char *name);

/* For a path PREFIX NAME "/" REST: true, and the two parts. rest points into path; *name_len bytes of path after the
 * prefix are the name. */
bool layout_split(const char *path, const char *prefix, size_t *name_len, const char **rest);

/* For a path PREFIX NAME END without a further '/': true, and where NAME stands in path. */
bool layout_stem(const char *path, const char *prefix, const char *end, const char **name, size_t *len);

/* For artifact/objects/sha256/AB/HEX: true, and where HEX stands in path. */
bool layout_object(const char *path, const char **hex);

/* True if a file or directory of that name, as the user typed it, is or would stand in a sealed directory of some bundle: it,
 * or a directory above it, is called as one of them, or checksums, and stands beside an artifact/. Nothing needs to be there
 * yet. */
bool layout_inside_bundle(const char *name);

#endif
