#include "note.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/evp.h>

#include "../base/utf8.h"
#include "lines.h"
#include "merkle.h"

enum {
	ED25519 = 1, /* the type of signature */
	ED25519_BYTES = 32,
	ID_BYTES = 4,
	SIGNATURE_LINE_MAX = ID_BYTES + KEY_SIGNATURE_BYTES,
};

#define DASH "\xE2\x80\x94 " /* em dash and space, which signature lines begin with */

void verifier_free(struct verifier *verifier)
{
	free(verifier->name);
	key_free(&verifier->key);
	*verifier = (struct verifier){0};
}

/* Unicode's White_Space beyond ASCII (PropList.txt). */
static bool is_space(uint32_t point)
{
	return point == ' ' || point == 0x85 || point == 0xA0 || point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 ||
	       point == 0x2029 || point == 0x202F || point == 0x205F || point == 0x3000;
}

bool note_name_valid(const char *name, size_t len)
{
	if (len == 0 || len > NOTE_NAME_MAX)
		return false;
	for (size_t at = 0; at < len;) {
		uint32_t point;
		size_t step = utf8_next(name + at, len - at, &point);

		if (step == 0 || point < 0x20 || point == 0x7F || point == '+' || is_space(point))
			return false;
		at += step;
	}
	return true;
}

static bool raw_public(const struct key *key, uint8_t out[1 + ED25519_BYTES])
{
	size_t len = ED25519_BYTES;

	out[0] = ED25519;
	return EVP_PKEY_is_a(key->pkey, "ED25519") && EVP_PKEY_get_raw_public_key(key->pkey, out + 1, &len) == 1 && len == ED25519_BYTES;
}

static uint32_t big_endian(const void *data)
{
	const uint8_t *byte = data;

	return (uint32_t)byte[0] << 24 | (uint32_t)byte[1] << 16 | (uint32_t)byte[2] << 8 | byte[3];
}

static uint32_t key_id(const char *name, size_t len, const uint8_t raw[1 + ED25519_BYTES])
{
	struct bytes text = {0};

	bytes_add(&text, name, len);
	bytes_char(&text, '\n');
	bytes_add(&text, raw, 1 + ED25519_BYTES);
	struct sha256 hash = sha256_of(text.data, text.len);

	bytes_free(&text);
	return big_endian(hash.byte);
}

/* The raw key and its ID under that name. */
static enum status identify(const char *name, const struct key *key, uint8_t raw[1 + ED25519_BYTES], uint32_t *id, struct error *err)
{
	if (!note_name_valid(name, strlen(name)))
		return error_set(err, R_LOG_NAME, "", "'%s' is not such a name", name);
	if (!raw_public(key, raw))
		return error_set(err, R_KEY_TYPE, "", "the key %s is not of Ed25519", key->fingerprint);
	*id = key_id(name, strlen(name), raw);
	return OK;
}

/* The key of a vkey's last part, or the public half of a key. */
static enum status adopt_public(const uint8_t raw[1 + ED25519_BYTES], const char *file, struct key *key, struct error *err)
{
	EVP_PKEY *pkey = EVP_PKEY_new_raw_public_key_ex(NULL, "ED25519", NULL, raw + 1, ED25519_BYTES);

	if (pkey != NULL)
		return key_adopt(pkey, file, key, err);
	ERR_clear_error();
	return error_set(err, R_LOG_VKEY, file, "libcrypto does not take its key");
}

enum status verifier_of(const char *name, const struct key *key, struct verifier *verifier, struct error *err)
{
	uint8_t raw[1 + ED25519_BYTES];
	enum status status;

	*verifier = (struct verifier){0};
	status = identify(name, key, raw, &verifier->id, err);
	if (status == OK)
		status = adopt_public(raw, "", &verifier->key, err);
	if (status == OK)
		verifier->name = mem_text(name);
	return status;
}

enum status verifier_parse(const char *text, size_t len, const char *file, struct verifier *verifier, struct error *err)
{
	const char *name_end = len > 0 ? memchr(text, '+', len) : NULL;
	const size_t name_len = name_end != NULL ? (size_t)(name_end - text) : 0;
	const size_t head = name_len + 1 + 2 * ID_BYTES + 1; /* up to the key */
	struct bytes raw = {0};
	uint8_t id[ID_BYTES];

	*verifier = (struct verifier){0};
	if (!note_name_valid(text, name_len) || len <= head || text[head - 1] != '+')
		return error_set(err, R_LOG_VKEY, file, "not a name, 8 digits and a key, joined by +");
	char *digits = mem_textn(name_end + 1, 2 * ID_BYTES);
	bool hex = hex_decode(digits, id, ID_BYTES);

	free(digits);
	if (!hex)
		return error_set(err, R_LOG_VKEY, file, "its ID is not 8 lowercase hex digits");
	if (!base64_decode(text + head, len - head, &raw) || raw.len != 1 + ED25519_BYTES || raw.data[0] != ED25519) {
		bytes_free(&raw);
		return error_set(err, R_LOG_VKEY, file, "its last part is not an Ed25519 key: base64 of the byte 1 and 32 bytes");
	}
	enum status status = adopt_public((const uint8_t *)raw.data, file, &verifier->key, err);

	if (status == OK && key_id(text, name_len, (const uint8_t *)raw.data) != big_endian(id))
		status = error_set(err, R_LOG_VKEY, file, "its ID is not that of its name and key");
	bytes_free(&raw);
	if (status != OK) {
		verifier_free(verifier);
		return status;
	}
	verifier->name = mem_textn(text, name_len);
	verifier->id = big_endian(id);
	return OK;
}

void verifier_write(const struct verifier *verifier, struct bytes *out)
{
	uint8_t raw[1 + ED25519_BYTES];

	raw_public(&verifier->key, raw);
	bytes_format(out, "%s+%08" PRIx32 "+", verifier->name, verifier->id);
	base64_encode(raw, sizeof raw, out);
}

/* The offset of the first byte that a note may not hold, or len. */
static size_t check_text(const char *text, size_t len)
{
	size_t end = utf8_check(text, len);

	for (size_t i = 0; i < end; i++)
		if ((unsigned char)text[i] < 0x20 && text[i] != '\n')
			return i;
	return end;
}

struct signature {
	const char *name;
	size_t name_len;
	uint32_t id;
	struct bytes bytes;
};

static bool parse_signature(const char *line, size_t len, struct signature *signature)
{
	const size_t head = strlen(DASH);

	*signature = (struct signature){0};
	if (len <= head || memcmp(line, DASH, head) != 0)
		return false;
	const char *name = line + head, *space = memchr(name, ' ', len - head);
	const size_t name_len = space != NULL ? (size_t)(space - name) : 0;

	if (!note_name_valid(name, name_len))
		return false;
	if (!base64_decode(space + 1, len - head - name_len - 1, &signature->bytes) || signature->bytes.len <= ID_BYTES) {
		bytes_free(&signature->bytes);
		return false;
	}
	signature->name = name;
	signature->name_len = name_len;
	signature->id = big_endian(signature->bytes.data);
	return true;
}

static bool is_by(const struct signature *signature, const struct verifier *verifier)
{
	return signature->id == verifier->id && signature->name_len == strlen(verifier->name) &&
	       memcmp(signature->name, verifier->name, signature->name_len) == 0;
}

static enum status check_signature(const struct signature *signature, const char *file, const struct verifier *const *known, size_t count,
                                   struct note *note, struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		if (!is_by(signature, known[i]))
			continue;
		if (!key_verify(&known[i]->key, note->text, note->len, signature->bytes.data + ID_BYTES, signature->bytes.len - ID_BYTES))
			return error_set(err, R_LOG_SIGNATURE, file, "the signature of %s is not over this text", known[i]->name);
		note->signers |= UINT32_C(1) << i;
	}
	return OK;
}

enum status note_open(const char *text, size_t len, const char *file, const struct verifier *const *known, size_t count,
                      struct note *note, struct error *err)
{
	size_t end = len;

	*note = (struct note){0};
	if (len > NOTE_BYTES_MAX)
		return error_set(err, R_LOG_NOTE, file, "%zu bytes, the limit is %d", len, NOTE_BYTES_MAX);
	if ((end = check_text(text, len)) != len)
		return error_at(err, R_LOG_NOTE, file, end, "a control character, or no UTF-8");
	while (end > 1 && !(text[end - 1] == '\n' && text[end - 2] == '\n'))
		end--;
	if (end <= 1 || text[len - 1] != '\n')
		return error_set(err, R_LOG_NOTE, file, "no empty line with lines of signatures below it");

	struct lines lines = {text + end, len - end};
	const char *line;
	size_t line_len, signatures = 0;

	note->text = text;
	note->len = end - 1;
	while (lines_next(&lines, &line, &line_len)) {
		struct signature signature;

		if (!parse_signature(line, line_len, &signature))
			return error_at(err, R_LOG_NOTE, file, (uint64_t)(line - text), "not a line of a signature");
		enum status status = ++signatures > NOTE_SIGNATURES_MAX
		                             ? error_set(err, R_LOG_NOTE, file, "more than %d signatures", NOTE_SIGNATURES_MAX)
		                             : check_signature(&signature, file, known, count, note, err);

		bytes_free(&signature.bytes);
		if (status != OK)
			return status;
	}
	if (signatures == 0)
		return error_set(err, R_LOG_NOTE, file, "no signature stands below the last empty line");
	if (note->signers == 0)
		return error_set(err, R_LOG_UNSIGNED, file, "none of its signatures is by %s",
		                 count == 1 ? known[0]->name : "a known key");
	return OK;
}

static enum status add_signature(const char *text, size_t len, const struct note_signer *signer, struct bytes *out, struct error *err)
{
	uint8_t raw[1 + ED25519_BYTES], line[SIGNATURE_LINE_MAX];
	uint32_t id;
	enum status status = identify(signer->name, signer->key, raw, &id, err);

	if (status != OK)
		return status;
	for (unsigned i = 0; i < ID_BYTES; i++)
		line[i] = (uint8_t)(id >> (24 - 8 * i));
	status = key_sign(signer->key, text, len, line + ID_BYTES, err);
	if (status == OK) {
		bytes_format(out, DASH "%s ", signer->name);
		base64_encode(line, sizeof line, out);
		bytes_char(out, '\n');
	}
	return status;
}

enum status note_sign(const char *text, size_t len, const struct note_signer *signers, size_t count, struct bytes *out, struct error *err)
{
	struct bytes note = {0};
	enum status status = OK;
	size_t end = check_text(text, len);

	if (end != len)
		return error_at(err, R_LOG_NOTE, "", end, "a control character, or no UTF-8");
	if (len == 0 || text[len - 1] != '\n')
		return error_set(err, R_LOG_NOTE, "", "the text does not end in a newline");
	bytes_add(&note, text, len);
	bytes_char(&note, '\n');
	for (size_t i = 0; i < count && status == OK; i++)
		status = add_signature(text, len, &signers[i], &note, err);
	if (status == OK)
		bytes_add(out, note.data, note.len);
	bytes_free(&note);
	return status;
}

void checkpoint_free(struct checkpoint *checkpoint)
{
	free(checkpoint->origin);
	*checkpoint = (struct checkpoint){0};
}

enum status checkpoint_parse(const char *text, size_t len, const char *file, struct checkpoint *checkpoint, struct error *err)
{
	struct lines lines = {text, len};
	struct sha256 empty = merkle_empty();
	const char *line, *origin;
	size_t line_len, origin_len;

	*checkpoint = (struct checkpoint){0};
	if (!lines_next(&lines, &origin, &origin_len) || origin_len == 0)
		return error_set(err, R_LOG_CHECKPOINT, file, "no line with the log's origin");
	if (!lines_next(&lines, &line, &line_len) || !line_number(line, line_len, "", &checkpoint->size))
		return error_line(err, R_LOG_CHECKPOINT, file, 2, "not a number of entries");
	if (!lines_next(&lines, &line, &line_len) || !line_hash(line, line_len, &checkpoint->root))
		return error_line(err, R_LOG_CHECKPOINT, file, 3, "not 32 bytes in base64");
	if (checkpoint->size == 0 && memcmp(&checkpoint->root, &empty, sizeof empty) != 0)
		return error_line(err, R_LOG_CHECKPOINT, file, 3, "not the hash of an empty tree");
	while (lines_next(&lines, &line, &line_len))
		if (line_len == 0)
			return error_set(err, R_LOG_CHECKPOINT, file, "an empty line among its extensions");
	if (lines.left > 0)
		return error_set(err, R_LOG_CHECKPOINT, file, "its last line does not end");
	checkpoint->origin = mem_textn(origin, origin_len);
	return OK;
}

enum status checkpoint_open(const char *text, size_t len, const char *file, const struct verifier *verifier,
                            struct checkpoint *checkpoint, struct error *err)
{
	struct note note;
	enum status status = note_open(text, len, file, &verifier, 1, &note, err);

	*checkpoint = (struct checkpoint){0};
	if (status == OK)
		status = checkpoint_parse(note.text, note.len, file, checkpoint, err);
	if (status == OK && strcmp(checkpoint->origin, verifier->name) != 0) {
		status = error_set(err, R_LOG_ORIGIN, file, "it is of %s, signed by the key of %s", checkpoint->origin, verifier->name);
		checkpoint_free(checkpoint);
	}
	return status;
}

enum status checkpoint_sign(const struct checkpoint *checkpoint, const struct key *key, struct bytes *out, struct error *err)
{
	const struct note_signer signer = {checkpoint->origin, key};
	struct bytes text = {0};

	bytes_format(&text, "%s\n%" PRIu64 "\n", checkpoint->origin, checkpoint->size);
	line_add_hash(&checkpoint->root, &text);
	enum status status = note_sign(text.data, text.len, &signer, 1, out, err);

	bytes_free(&text);
	return status;
}
