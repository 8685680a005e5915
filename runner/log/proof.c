#include "proof.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"

/* Proofs of both kinds are a head, which ends in the number that the proof is about, hashes, an empty line, and a checkpoint. */
static void write_proof(const char *head, uint64_t number, const struct merkle_proof *proof, const struct bytes *note, struct bytes *out)
{
	bytes_format(out, "%s%" PRIu64 "\n", head, number);
	for (size_t i = 0; i < proof->count; i++)
		line_add_hash(&proof->at[i], out);
	bytes_char(out, '\n');
	bytes_add(out, note->data, note->len);
}

/* The hashes and the empty line; lines is left at the checkpoint. */
static enum status read_hashes(struct lines *lines, const char *file, struct merkle_proof *proof, struct error *err)
{
	const char *line = NULL;
	size_t len = 1;

	proof->count = 0;
	while (lines_next(lines, &line, &len) && len > 0) {
		if (proof->count == MERKLE_PROOF_MAX)
			return error_set(err, R_LOG_PROOF, file, "more than %d hashes", MERKLE_PROOF_MAX);
		if (!line_hash(line, len, &proof->at[proof->count++]))
			return error_set(err, R_LOG_PROOF, file, "hash %zu is not 32 bytes in base64", proof->count);
	}
	return len == 0 ? OK : error_set(err, R_LOG_PROOF, file, "no empty line before a checkpoint");
}

static enum status damaged(const struct tlog *log, struct error *err)
{
	char *path = tlog_path(log, TLOG_CHECKPOINT);
	enum status status = error_set(err, R_LOG_ROOT, path, "the tiles do not lead to its root hash; `ptxseal log audit` finds which is wrong");

	free(path);
	return status;
}

enum status tlog_prove(struct tlog *log, uint64_t index, struct bytes *out, struct error *err)
{
	struct merkle_proof proof;
	struct sha256 leaf;

	if (index >= log->head.size)
		return error_set(err, R_LOG_INDEX, "", "%" PRIu64 ", of a log of %" PRIu64 " entries", index, log->head.size);
	enum status status = merkle_inclusion(index, log->head.size, tlog_node, log, &proof, err);

	if (status == OK)
		status = tlog_node(log, 0, index, &leaf, err);
	if (status == OK && !merkle_included(&leaf, index, log->head.size, &proof, &log->head.root))
		status = damaged(log, err);
	if (status == OK)
		write_proof(PROOF_HEAD "\nindex ", index, &proof, &log->note, out);
	return status;
}

/* Head line, `extra` in between, which anybody can write there and we read past, and the index. */
static enum status read_inclusion(const char *text, size_t len, const char *file, uint64_t *index, struct merkle_proof *proof,
                                  struct lines *lines, struct error *err)
{
	static const char extra[] = "extra ";
	struct bytes ignored = {0};
	const char *line;
	size_t line_len;

	*lines = (struct lines){text, len};
	if (!lines_next(lines, &line, &line_len) || line_len != strlen(PROOF_HEAD) || memcmp(line, PROOF_HEAD, line_len) != 0)
		return error_set(err, R_LOG_PROOF, file, "its first line is not %s", PROOF_HEAD);
	bool more = lines_next(lines, &line, &line_len);

	if (more && line_len > strlen(extra) && memcmp(line, extra, strlen(extra)) == 0) {
		bool held = base64_decode(line + strlen(extra), line_len - strlen(extra), &ignored);

		bytes_free(&ignored);
		if (!held)
			return error_set(err, R_LOG_PROOF, file, "what follows `extra` is not base64");
		more = lines_next(lines, &line, &line_len);
	}
	if (!more || !line_number(line, line_len, "index ", index))
		return error_set(err, R_LOG_PROOF, file, "no line with `index` and a number");
	return read_hashes(lines, file, proof, err);
}

enum status tlog_verify_proof(const char *text, size_t len, const char *file, const void *entry, size_t entry_len,
                              const struct verifier *verifier, uint64_t *index, struct checkpoint *head, struct error *err)
{
	struct checkpoint checkpoint = {0};
	struct merkle_proof proof;
	struct lines lines;
	enum status status = read_inclusion(text, len, file, index, &proof, &lines, err);

	if (status == OK)
		status = checkpoint_open(lines.at, lines.left, file, verifier, &checkpoint, err);
	if (status == OK) {
		struct sha256 leaf = merkle_leaf(entry, entry_len);

		if (!merkle_included(&leaf, *index, checkpoint.size, &proof, &checkpoint.root))
			status = error_set(err, R_LOG_INCLUSION, file, "it does not lead from this entry at index %" PRIu64
			                   " to the root hash of %" PRIu64 " entries", *index, checkpoint.size);
	}
	if (status == OK && head != NULL)
		*head = checkpoint;
	else
		checkpoint_free(&checkpoint);
	return status;
}

enum status tlog_prove_growth(struct tlog *log, const char *old, size_t old_len, const char *old_file, struct bytes *out, struct error *err)
{
	struct checkpoint before;
	struct merkle_proof proof;
	struct sha256 root;
	enum status status = checkpoint_open(old, old_len, old_file, &log->verifier, &before, err);

	if (status != OK)
		return status;
	if (before.size > log->head.size)
		status = error_set(err, R_LOG_GROWTH, old_file, "it has %" PRIu64 " entries, the log now %" PRIu64, before.size, log->head.size);
	if (status == OK)
		status = merkle_consistency(before.size, log->head.size, tlog_node, log, &proof, err);
	if (status == OK)
		status = merkle_root(log->head.size, tlog_node, log, &root, err);
	if (status == OK && memcmp(&root, &log->head.root, sizeof root) != 0)
		status = damaged(log, err);
	if (status == OK && !merkle_consistent(before.size, &before.root, log->head.size, &log->head.root, &proof))
		status = error_set(err, R_LOG_GROWTH, old_file, "the first %" PRIu64 " entries of the log are not those that it has", before.size);
	if (status == OK)
		write_proof("old ", before.size, &proof, &log->note, out);
	checkpoint_free(&before);
	return status;
}

enum status tlog_verify_growth(const char *text, size_t len, const char *file, const char *old, size_t old_len, const char *old_file,
                               const struct verifier *verifier, struct checkpoint *head, struct error *err)
{
	struct checkpoint before = {0}, now = {0};
	struct lines lines = {text, len};
	struct merkle_proof proof;
	uint64_t size = 0;
	const char *line;
	size_t line_len;
	enum status status = OK;

	if (!lines_next(&lines, &line, &line_len) || !line_number(line, line_len, "old ", &size))
		status = error_set(err, R_LOG_PROOF, file, "its first line is not `old` and a number");
	if (status == OK)
		status = read_hashes(&lines, file, &proof, err);
	if (status == OK)
		status = checkpoint_open(lines.at, lines.left, file, verifier, &now, err);
	if (status == OK)
		status = checkpoint_open(old, old_len, old_file, verifier, &before, err);
	if (status == OK && before.size != size)
		status = error_set(err, R_LOG_PROOF, file, "it starts from %" PRIu64 " entries, %s has %" PRIu64, size, old_file, before.size);
	if (status == OK && !merkle_consistent(before.size, &before.root, now.size, &now.root, &proof))
		status = error_set(err, R_LOG_GROWTH, file, "it does not lead from the %" PRIu64 " entries of %s to its own %" PRIu64, before.size,
		                   old_file, now.size);
	checkpoint_free(&before);
	if (status == OK && head != NULL)
		*head = now;
	else
		checkpoint_free(&now);
	return status;
}
