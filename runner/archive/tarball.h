/*
 * The packed bundle: one .tar.zst with a BagIt 1.0 bag in it, whose payload is a bundle and an RO-Crate (docs/formats.md, "The packed bundle").
 *
 *   bundle/bag-info.txt  bundle/bagit.txt  bundle/data/...  bundle/manifest-sha256.txt  bundle/tagmanifest-sha256.txt
 *
 * bundle/data/ is the bundle itself: artifact/, checksums/, manifests/, tasks/, and ro-crate-metadata.json beside them.
 */
#ifndef PTXSEAL_ARCHIVE_TARBALL_H
#define PTXSEAL_ARCHIVE_TARBALL_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/sha256.h"
#include "../bundle/leftout.h"
#include "../bundle/verify.h"

enum {
	TARBALL_FILES_MAX = 200000,
	TARBALL_DEPTH_MAX = 64,         /* parts of a path */
	TARBALL_LEVEL_DEFAULT = 3,      /* zstd's own */
	TARBALL_LEVEL_MAX = 19,         /* above it windows grow beyond what a reader takes */
	TARBALL_THREADS = 2,            /* each takes some 20 MiB at the default level */
	TARBALL_THREADS_MAX = 64,
};
#define TARBALL_BYTES_MAX (UINT64_C(256) << 30) /* of all files together */

#define TARBALL_TOP "bundle/"
#define TARBALL_DATA "data"                     /* where the bundle is in what was unpacked */
#define TARBALL_CRATE "ro-crate-metadata.json"
#define TARBALL_TAGS "tagmanifest-sha256.txt"

/* What else is asked of a bundle whose seal was looked at: its findings are added. At hand is all of manifests/, and of the rest what verifying reads. */
typedef void tarball_also(void *context, const struct root *bundle, struct findings *findings);

struct tarball_pack_options {
	tarball_also *also; /* asked of the bundle, too, with no context, before file is replaced; NULL: nothing more */
	enum level level;
	int zstd_level;   /* 1 to TARBALL_LEVEL_MAX; 0: the default */
	unsigned threads; /* that compress; 0: as many as there are cores, TARBALL_THREADS at most. The bytes are the same for every number */
	bool quiet;       /* no progress line */
};

struct tarball_report {
	struct verify_report verify; /* of the bundle that was packed or unpacked */
	uint64_t files;              /* in the archive */
	uint64_t bytes;              /* of them */
	uint64_t packed;             /* bytes of the archive */
	struct sha256 tags;          /* pack: SHA-256 of TARBALL_TAGS: it stands for every byte of the tar archive (docs/formats.md, "The bytes") */
};
void tarball_report_free(struct tarball_report *report);

/*
 * Pack the bundle into file, which is replaced atomically. Each file is read once, hashed and checked against its seal on the way: a bundle that does not verify is
 * not packed (FAILS, report->verify.findings). Else err says why not; what stood in file before then still does.
 */
enum status tarball_pack(const struct root *bundle, const char *file, const struct tarball_pack_options *options, struct tarball_report *report,
                         struct error *err);

/*
 * Unpack file into the new directory, which must not exist: DIR/bagit.txt, ..., the bundle in DIR/data. All is written to a private directory beside it,
 * ".ptxseal-HEX.draft" (base/draft.h), each file made anew beneath its handle and never through a link, and renamed once the bag holds. Whatever is wrong, nothing is left behind;
 * a run that was killed leaves that directory, which the next one with the same parent removes when no process holds it any more.
 *
 * MALFORMED: not an archive that pack writes. FAILS: a bag whose hashes differ; report->verify.findings says where. The bundle in it is not verified
 * here: bundle_verify does that.
 */
enum status tarball_unpack(const char *file, const char *directory, bool quiet, struct tarball_report *report, struct error *err);

/* Verify the bundle in file as bundle_verify does with a directory, reading it once and writing nothing, and also (NULL: nothing more) beside it. OK, or FAILS with
 * report->verify.findings; else err says why it is no packed bundle. Where manifests/ is more than can be kept, also is not asked, and that is told (R_PCK_KEPT). */
enum status tarball_verify(const char *file, const struct verify_options *options, tarball_also *also, void *context, struct tarball_report *report,
                           struct error *err);

#endif
