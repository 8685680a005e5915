/* R-SIG-012: the date that counts is the statement's own, or, where a log took it in, that day. Never today. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "bundle/authority.h"

static struct key key;

static int make_key(void **state)
{
	struct error err;

	(void)state;
	return key_generate(&key, &err) == OK ? 0 : -1;
}

static int free_key(void **state)
{
	(void)state;
	key_free(&key);
	return 0;
}

/* How many findings a signed statement of that date gives, and of which rule, where the key ends on 2026-06-30. */
static size_t judge(const char *date, const char *admitted, enum rule *rule)
{
	struct trust trust = {0};
	struct findings findings = {0};
	const struct authority authority = {.trust = &trust, .admitted = admitted, .findings = &findings};
	struct statement statement = {.predicate_type = mem_text("urn:t"), .predicate = cJSON_CreateObject()};
	struct dsse envelope = {.payload_type = mem_text(STATEMENT_PAYLOAD_TYPE)};
	const struct sha256 hash = sha256_of("x", 1);
	struct bytes text = {0};
	struct signers signers;
	struct error err;

	assert_int_equal(trust_grant(&trust, "keys/a.pem", key.fingerprint, ROLE_IMPORT, "urn:t", "p", false, &err), OK);
	trust.at[0].until = mem_text("2026-06-30");
	assert_int_equal(EVP_PKEY_up_ref(key.pkey), 1);
	trust.at[0].key = key;
	if (date != NULL)
		cJSON_AddStringToObject(statement.predicate, "date", date);
	statement_add(&statement, "f", &hash);
	assert_int_equal(statement_write(&statement, &envelope.payload, &err), OK);
	assert_int_equal(dsse_sign(&envelope, &key, &err), OK);
	dsse_write(&envelope, &text);
	statement_free(&statement);
	bool opened = authority_open(&authority, "m", &text, ROLE_IMPORT, "urn:t", &statement, &signers);
	size_t found = findings.count;

	assert_int_equal(opened, found == 0);
	if (opened)
		statement_free(&statement);
	*rule = found > 0 ? findings.at[0].rule : RULE_COUNT;
	findings_free(&findings);
	dsse_free(&envelope);
	bytes_free(&text);
	trust_free(&trust);
	return found;
}

static void the_statements_own_date_counts(void **state)
{
	enum rule rule;

	(void)state;
	assert_int_equal(judge("2026-06-30", NULL, &rule), 0);
	assert_int_equal(judge("1999-01-01", NULL, &rule), 0); /* back-dated: only a log can tell */
	assert_int_equal(judge("2026-07-01", NULL, &rule), 1);
	assert_int_equal(rule, R_SIG_EXPIRED);
	assert_int_equal(judge(NULL, NULL, &rule), 1);
	assert_int_equal(rule, R_SIG_EXPIRED);
	assert_int_equal(judge("2026-6-3", NULL, &rule), 1);
	assert_int_equal(rule, R_SIG_EXPIRED);
}

static void the_logs_date_goes_before_it(void **state)
{
	enum rule rule;

	(void)state;
	assert_int_equal(judge("1999-01-01", "2026-07-01", &rule), 1);
	assert_int_equal(rule, R_SIG_EXPIRED);
	assert_int_equal(judge("1999-01-01", "2026-06-30", &rule), 0);
	assert_int_equal(judge(NULL, "2026-06-30", &rule), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_statements_own_date_counts),
		cmocka_unit_test(the_logs_date_goes_before_it),
	};

	return cmocka_run_group_tests(tests, make_key, free_key);
}
