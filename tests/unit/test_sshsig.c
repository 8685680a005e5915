/* SSH signatures: made once with ssh-keygen 9.2 by keys that were thrown away, of the nine bytes "reviewed\n". */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "bundle/sshsig.h"

static const char ed25519_signature[] =
	"-----BEGIN SSH SIGNATURE-----\n"
	"U1NIU0lHAAAAAQAAADMAAAALc3NoLWVkMjU1MTkAAAAgEZt9jaKCfsCfUjy4S9PunIrmYW\n"
	"M3xKfvlZRMlyn3jxQAAAAQcHR4c2VhbC1tYW5pZmVzdAAAAAAAAAAGc2hhNTEyAAAAUwAA\n"
	"AAtzc2gtZWQyNTUxOQAAAEB7q3CwRZLP/4htl98O1LU9LMcoqy+8QLw9PPdA6eY86btI0K\n"
	"BIdePIOSmKcJtQt1eQ864JTFSFMi1ugOMs/psL\n"
	"-----END SSH SIGNATURE-----\n";
static const char p256_signature[] =
	"-----BEGIN SSH SIGNATURE-----\n"
	"U1NIU0lHAAAAAQAAAGgAAAATZWNkc2Etc2hhMi1uaXN0cDI1NgAAAAhuaXN0cDI1NgAAAE\n"
	"EEZzw3vGoDYbSC3yVoXYXmoef3feIYKcw9Q2MT1PjMrJWclfmTMY75NuXR5DOJVuA+TfgW\n"
	"YyeoaRvpZa8BnBrBZQAAABBwdHhzZWFsLW1hbmlmZXN0AAAAAAAAAAZzaGE1MTIAAABkAA\n"
	"AAE2VjZHNhLXNoYTItbmlzdHAyNTYAAABJAAAAIDAP3JNh4qKIPZOjyZsj1KqiFmJVnwk/\n"
	"Beo6QFoDGL4HAAAAIQC/M+qLwSUgeiZAU/IfnfefiiMw9OU1p6bpPTxbEzqowQ==\n"
	"-----END SSH SIGNATURE-----\n";
static const char rsa_signature[] =
	"-----BEGIN SSH SIGNATURE-----\n"
	"U1NIU0lHAAAAAQAAARcAAAAHc3NoLXJzYQAAAAMBAAEAAAEBAL9i3pIgbX5Bd/YDVgWSoV\n"
	"cnln7rv4MU+2tZ+oJmBt6IWZcHQuh1DE6rnL0WqVsEv4Ei0sRHgVi8sVCZ7fTl9dmV0Kfx\n"
	"XVIR0/Aoe5CHdaPz/T2Rs/3rWiynj2EJYI3jzskozM8Vjbmx0WcJQ6xaGltTptosFkbpYY\n"
	"h2z3kzS7ThEno++fJQdhVfKt71Q3Qt30ggn1bSxXhT/eH3m/P/IecHPXp28FoCDuWmo4u8\n"
	"e7M+93BCefe/ciawQ7ZtrpSQD60NJFlzUMy6CYGixsYcFbw3fv0Xlqzw5Tin/+y2h8GXFR\n"
	"DLBwZZ7/KftLB8DHye0ccWfxx79is/AEp9E7KTII0AAAAQcHR4c2VhbC1tYW5pZmVzdAAA\n"
	"AAAAAAAGc2hhNTEyAAABFAAAAAxyc2Etc2hhMi01MTIAAAEAr5OX2FChshtsbUYd4OJDiD\n"
	"IgGT38D6wObM5DJYeVGidMF+MjdgEalA7XOYmGE1jHAX5hWmiUO/r6ooftm4zcGKbh4LEs\n"
	"5yXMA7Kew4S/Wh/bV1sfR7qbZft64+blJ3kzYB97Rds17F2lgYUAxcDfSD0mODt9j5Xoix\n"
	"YDseeUFAxxLcMNzB6zJBJuzQ0VTyQGzdP+6CxtDK3VvNEDMRuNIzAcD78j/vdcB9zERhFQ\n"
	"AqdO2V5axbJ3TgaE6+Qbm25vlVj92pq8joRuvwmaAhWi+i1Xax1TzOZXTFN8xSTPft/5GZ\n"
	"8fMWSRJ/yxfDKb4zS2WutOrXUdgdYztk8U7gs4Ug==\n"
	"-----END SSH SIGNATURE-----\n";
static const char ed25519_public[] =
	"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBGbfY2ign7An1I8uEvT7pyK5mFjN8Sn75WUTJcp948U r"
	"\n";
static const char p256_public[] =
	"ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBGc8N7xqA2G0gt8laF"
	"2F5qHn933iGCnMPUNjE9T4zKyVnJX5kzGO+Tbl0eQziVbgPk34FmMnqGkb6WWvAZwawWU= r"
	"\n";
static const char rsa_public[] =
	"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC/Yt6SIG1+QXf2A1YFkqFXJ5Z+67+DFPtrWfqCZgbeiFmXB0LodQ"
	"xOq5y9FqlbBL+BItLER4FYvLFQme305fXZldCn8V1SEdPwKHuQh3Wj8/09kbP961osp49hCWCN487JKMzPFY25sdFn"
	"CUOsWhpbU6baLBZG6WGIds95M0u04RJ6PvnyUHYVXyre9UN0Ld9IIJ9W0sV4U/3h95vz/yHnBz16dvBaAg7lpqOLvH"
	"uzPvdwQnn3v3ImsEO2ba6UkA+tDSRZc1DMugmBosbGHBW8N379F5as8OU4p//stofBlxUQywcGWe/yn7SwfAx8ntHH"
	"Fn8ce/YrPwBKfROykyCN r"
	"\n";

static const char message[] = "reviewed\n";

static enum status verify(const char *text, size_t len, enum rule *rule)
{
	struct sshsig signature;
	struct error err;
	enum status status = sshsig_parse(text, len, "s", &signature, &err);

	if (status == OK) {
		status = sshsig_verify(&signature, message, strlen(message), "it", "s", &err);
		sshsig_free(&signature);
	}
	*rule = status == OK ? RULE_COUNT : err.rule;
	return status;
}

static void expect_good(const char *text, const char *public_line, enum key_type type)
{
	struct sshsig signature;
	struct bytes out = {0};
	struct key key;
	enum rule rule;
	struct error err;

	assert_int_equal(verify(text, strlen(text), &rule), OK);
	assert_int_equal(sshsig_parse(text, strlen(text), "s", &signature, &err), OK);
	assert_int_equal(signature.key.type, type);
	assert_int_equal(ssh_key_parse(public_line, strlen(public_line), "k", &key, &err), OK);
	assert_string_equal(key.fingerprint, signature.key.fingerprint);
	assert_int_equal(sshsig_verify(&signature, "reviewed", 8, "it", "s", &err), FAILS);
	assert_int_equal(err.rule, R_CSG_BAD);
	sshsig_write(&signature, &out);
	assert_int_equal(verify(out.data, out.len, &rule), OK);
	if (type != KEY_P256)
		assert_string_equal(out.data, text);
	key_free(&key);
	bytes_free(&out);
	sshsig_free(&signature);
}

static void what_ssh_keygen_makes_is_taken(void **state)
{
	(void)state;
	expect_good(ed25519_signature, ed25519_public, KEY_ED25519);
	expect_good(p256_signature, p256_public, KEY_P256);
	expect_good(rsa_signature, rsa_public, KEY_RSA);
}

/* The P-256 signature above has the upper s: a bundle holds the other one, and what is written is read as the same. */
static void an_upper_s_is_written_lower(void **state)
{
	(void)state;
	struct sshsig signature;
	struct bytes out = {0}, again = {0};
	struct error err;

	assert_int_equal(sshsig_parse(p256_signature, strlen(p256_signature), "s", &signature, &err), OK);
	sshsig_write(&signature, &out);
	sshsig_free(&signature);
	assert_string_not_equal(out.data, p256_signature);
	assert_int_equal(sshsig_parse(out.data, out.len, "s", &signature, &err), OK);
	sshsig_write(&signature, &again);
	assert_string_equal(again.data, out.data);
	sshsig_free(&signature);
	bytes_free(&out);
	bytes_free(&again);
}

/* Every bit of every byte of what the armour holds. */
static void expect_flips_refused(const char *text)
{
	struct bytes base64 = {0}, blob = {0};
	enum rule rule;

	for (const char *c = strchr(text, '\n') + 1; *c != '-'; c++)
		if (*c != '\n')
			bytes_char(&base64, *c);
	assert_true(base64_decode(base64.data, base64.len, &blob));
	for (size_t i = 0; i < blob.len; i++) {
		struct bytes changed = {0};

		for (int bit = 0; bit < 8; bit++) {
			blob.data[i] = (char)(blob.data[i] ^ 1 << bit);
			changed.len = 0;
			bytes_text(&changed, "-----BEGIN SSH SIGNATURE-----\n");
			base64_encode((const uint8_t *)blob.data, blob.len, &changed);
			bytes_text(&changed, "\n-----END SSH SIGNATURE-----\n");
			assert_int_not_equal(verify(changed.data, changed.len, &rule), OK);
			blob.data[i] = (char)(blob.data[i] ^ 1 << bit);
		}
		bytes_free(&changed);
	}
	bytes_free(&base64);
	bytes_free(&blob);
}

static void no_changed_bit_is_taken(void **state)
{
	(void)state;
	expect_flips_refused(ed25519_signature);
	expect_flips_refused(p256_signature);
	expect_flips_refused(rsa_signature);
}

static void cut_and_longer_ones_are_refused(void **state)
{
	(void)state;
	struct bytes longer = {0};
	enum rule rule;

	for (size_t len = 0; len + 1 < strlen(ed25519_signature); len++)
		assert_int_equal(verify(ed25519_signature, len, &rule), MALFORMED);
	bytes_text(&longer, ed25519_signature);
	bytes_text(&longer, "more\n");
	assert_int_equal(verify(longer.data, longer.len, &rule), MALFORMED);
	assert_int_equal(rule, R_CSG_FORM);
	bytes_free(&longer);
}

static void lines_that_are_no_public_key_are_refused(void **state)
{
	(void)state;
	static const char *const lines[] = {"", "ssh-ed25519", "ssh-ed25519 ", "ssh-ed25519 AAAA", "ssh-rsa AAAAC3NzaC1lZDI1NTE5", "hello\n"};
	struct key key;
	struct error err;

	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		assert_int_equal(ssh_key_parse(lines[i], strlen(lines[i]), "k", &key, &err), MALFORMED);
		assert_null(key.pkey);
	}
	/* A key that calls itself another type than stands before it. */
	char *line = mem_text(ed25519_public);

	memcpy(line, "ssh-rsa    ", 11);
	assert_int_equal(ssh_key_parse(line, strlen(line), "k", &key, &err), MALFORMED);
	free(line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_ssh_keygen_makes_is_taken),
		cmocka_unit_test(an_upper_s_is_written_lower),
		cmocka_unit_test(no_changed_bit_is_taken),
		cmocka_unit_test(cut_and_longer_ones_are_refused),
		cmocka_unit_test(lines_that_are_no_public_key_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
