#include "authority.h"

#include <stdlib.h>
#include <string.h>

#include "layout.h"

/* Take an envelope apart, telling what is wrong with its form. False if there is none to free. */
static bool open_envelope(const struct authority *authority, const char *file, const struct bytes *text,
                          struct dsse *envelope)
{
	struct bytes again = {0};
	struct error err;

	if (dsse_parse(text->data, text->len, file, envelope, &err) != OK) {
		findings_error(authority->findings, file, &err);
		return false;
	}
	dsse_write(envelope, &again);
	if (again.len != text->len || memcmp(again.data, text->data, again.len) != 0)
		findings_add(authority->findings, R_SIG_CANONICAL, file, "it is written in another form");
	bytes_free(&again);
	return true;
}

bool authority_check_form(const struct authority *authority, const char *file, const struct bytes *text)
{
	struct dsse envelope;
	bool is_one = open_envelope(authority, file, text, &envelope);

	if (is_one)
		dsse_free(&envelope);
	return is_one;
}

static bool check_date(const struct authority *authority, const char *file, const struct trusted_key *signer,
                       const char *date)
{
	const char *counts = authority->admitted != NULL ? authority->admitted : date;

	if (trust_allows_date(signer, counts))
		return true;
	if (counts == NULL)
		findings_add(authority->findings, R_SIG_EXPIRED, file, "signed with %s, which ends on %s, and it has no date",
		             signer->file, signer->until);
	else
		findings_add(authority->findings, R_SIG_EXPIRED, file, "signed with %s, which ends on %s, and %s is %s",
		             signer->file, signer->until,
		             authority->admitted != NULL ? "the day the log took it in" : "its date", counts);
	return false;
}

static bool check_role(const struct authority *authority, const char *file, const struct trusted_key *signer,
                       const char *role)
{
	size_t before = authority->findings->count;

	if (signer->revoked != NULL)
		findings_add(authority->findings, R_SIG_REVOKED, file, "signed with %s, revoked: %s", signer->file,
		             signer->revoked);
	if (!words_have(&signer->roles, role))
		findings_add(authority->findings, R_SIG_ROLE, file, "signed with %s, which has not the role '%s'", signer->file,
		             role);
	return authority->findings->count == before;
}

bool authority_allows(const struct authority *authority, const char *file, const struct trusted_key *signer,
                      const char *role, const char *date)
{
	bool may = check_role(authority, file, signer, role);

	return check_date(authority, file, signer, date) && may;
}

/* The entry of the key that made a signature, or NULL (told). */
static const struct trusted_key *find_signer(const struct authority *authority, const char *file, struct dsse *envelope,
                                             size_t at)
{
	const struct dsse_signature *signature = &envelope->signatures[at];
	const struct trusted_key *trusted = trust_find(authority->trust, signature->keyid);
	bool signed_by = false;

	if (trusted == NULL) {
		findings_add(authority->findings, R_SIG_UNKNOWN, file, "signed with the key %s", signature->keyid);
		return NULL;
	}
	if (trusted->key.pkey == NULL)
		return NULL; /* its file is a finding of its own */
	const struct key *const keys[] = {&trusted->key};

	if (dsse_verify_all(envelope, keys, 1, &signed_by) == 0) {
		findings_add(authority->findings, R_SIG_BAD, file, "its signature does not match, by %s", trusted->file);
		return NULL;
	}
	if (!key_signature_is_canonical(&trusted->key, signature->bytes.data, signature->bytes.len)) {
		findings_add(authority->findings, R_SIG_CANONICAL, file, "its signature by %s is in another form", trusted->file);
		return NULL;
	}
	return trusted;
}

/* Every signature of a bundle's envelope is good, and by a key that has the role. False (told) if not. */
static bool find_signers(const struct authority *authority, const char *file, struct dsse *envelope, const char *role,
                         struct signers *signers)
{
	bool good = true;

	*signers = (struct signers){0};
	if (!dsse_is_ordered(envelope)) {
		bool named = true;

		for (size_t i = 0; i < envelope->count; i++)
			named = named && envelope->signatures[i].keyid[0] != '\0';
		findings_add(authority->findings, R_SIG_COUNT, file, "%s",
		             named ? "a key signs twice, or its signatures are not sorted by keyid" : "its signature has no keyid");
		return false;
	}
	for (size_t i = 0; i < envelope->count; i++) {
		const struct trusted_key *signer = find_signer(authority, file, envelope, i);

		if (signer != NULL && check_role(authority, file, signer, role))
			signers->at[signers->count++] = signer;
		else
			good = false;
	}
	return good;
}

static bool check_pinned(const struct authority *authority, const char *file, const struct signers *signers)
{
	bool found = authority->pinned == NULL;

	for (size_t i = 0; i < signers->count && !found; i++)
		found = strcmp(authority->pinned, signers->at[i]->fingerprint) == 0;
	if (!found)
		findings_add(authority->findings, R_SIG_PINNED, file, "signed with the key %s%s", signers->at[0]->fingerprint,
		             signers->count > 1 ? " and others" : "");
	return found;
}

/* What the signed statement is, and whether each of them may sign that. */
static bool check_statement(const struct authority *authority, const char *file, const struct statement *statement,
                            const char *predicate_type, const struct signers *signers)
{
	bool good = true;

	if (strcmp(statement->predicate_type, predicate_type) != 0) {
		findings_add(authority->findings, R_STM_TYPE, file, "its predicateType is '%s', not '%s'",
		             statement->predicate_type, predicate_type);
		return false;
	}
	for (size_t i = 0; i < signers->count; i++) {
		if (!words_have(&signers->at[i]->predicates, predicate_type)) {
			findings_add(authority->findings, R_SIG_PREDICATE, file, "%s may not sign '%s'", signers->at[i]->file,
			             predicate_type);
			good = false;
		}
		good = check_date(authority, file, signers->at[i], statement_date(statement)) && good;
	}
	return good;
}

bool authority_open(const struct authority *authority, const char *file, const struct bytes *text, const char *role,
                    const char *predicate_type, struct statement *statement, struct signers *signers)
{
	unsigned threshold = trust_threshold(authority->trust, role);
	struct dsse envelope;
	struct error err;

	*statement = (struct statement){0};
	if (!open_envelope(authority, file, text, &envelope))
		return false;
	bool believed = find_signers(authority, file, &envelope, role, signers);

	if (believed && strcmp(role, ROLE_ROOT) == 0)
		believed = check_pinned(authority, file, signers);
	if (believed && !authority->awaiting && signers->count < threshold) {
		findings_add(authority->findings, R_SIG_THRESHOLD, file, "%zu of %u keys of the role '%s' have signed",
		             signers->count, threshold, role);
		believed = false;
	}
	if (believed && strcmp(envelope.payload_type, STATEMENT_PAYLOAD_TYPE) != 0) {
		findings_add(authority->findings, R_SIG_PAYLOAD, file, "its payloadType is '%s'", envelope.payload_type);
		believed = false;
	}
	if (believed && statement_parse(envelope.payload.data, envelope.payload.len, file, statement, &err) != OK) {
		findings_error(authority->findings, file, &err);
		believed = false;
	}
	believed = believed && check_statement(authority, file, statement, predicate_type, signers);
	dsse_free(&envelope);
	if (!believed)
		statement_free(statement);
	return believed;
}
