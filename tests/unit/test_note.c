/* Signed notes and checkpoints: the example of c2sp.org/signed-note, notes of our own, and what Go's sumdb/note refuses too. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "log/note.h"

/* The example of c2sp.org/signed-note@v1.0.0, section "Verifier keys". */
#define VKEY "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
#define TEXT "This is an example message.\n"
#define SIGNATURE "\xE2\x80\x94 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
#define NOTE TEXT "\n" SIGNATURE

static struct verifier parse_vkey(const char *text)
{
	struct verifier verifier;
	struct error err;

	assert_int_equal(verifier_parse(text, strlen(text), "v", &verifier, &err), OK);
	return verifier;
}

static enum rule open_with(const struct verifier *verifier, const char *text, size_t len, struct note *note)
{
	struct error err = {0};

	return note_open(text, len, "n", &verifier, 1, note, &err) == OK ? RULE_COUNT : err.rule;
}

static void the_specifications_note_opens(void **state)
{
	struct verifier verifier = parse_vkey(VKEY);
	struct bytes again = {0};
	struct note note;

	(void)state;
	assert_string_equal(verifier.name, "example.com/foo");
	assert_int_equal(verifier.id, 0x530d903a);
	verifier_write(&verifier, &again);
	assert_string_equal(again.data, VKEY);
	assert_int_equal(open_with(&verifier, NOTE, strlen(NOTE), &note), RULE_COUNT);
	assert_int_equal(note.len, strlen(TEXT));
	assert_memory_equal(note.text, TEXT, note.len);
	assert_int_equal(note.signers, 1);
	bytes_free(&again);
	verifier_free(&verifier);
}

/* R-LOG-001, 004, 005: whatever byte of it is another one. */
static void no_other_byte_opens(void **state)
{
	struct verifier verifier = parse_vkey(VKEY);
	char text[] = NOTE;
	struct note note;

	(void)state;
	for (size_t i = 0; i < strlen(NOTE); i++)
		for (unsigned bit = 0; bit < 8; bit++) {
			text[i] = (char)(NOTE[i] ^ (1 << bit));
			assert_int_not_equal(open_with(&verifier, text, strlen(NOTE), &note), RULE_COUNT);
			text[i] = NOTE[i];
		}
	for (size_t len = 0; len < strlen(NOTE); len++)
		assert_int_not_equal(open_with(&verifier, text, len, &note), RULE_COUNT);
	verifier_free(&verifier);
}

static void expect(const char *text, enum rule rule)
{
	struct verifier verifier = parse_vkey(VKEY);
	struct note note;

	assert_int_equal(open_with(&verifier, text, strlen(text), &note), rule);
	verifier_free(&verifier);
}

static void the_form_of_a_note_is_strict(void **state)
{
	(void)state;
	expect(TEXT SIGNATURE, R_LOG_NOTE);                          /* no empty line */
	expect(TEXT "\n", R_LOG_NOTE);                               /* no signature */
	expect(NOTE "more\n", R_LOG_NOTE);                           /* a line that is none */
	expect(NOTE "\n", R_LOG_NOTE);                               /* an empty line last */
	expect("a\tb\n\n" SIGNATURE, R_LOG_NOTE);                    /* a control character */
	expect("a\r\n\n" SIGNATURE, R_LOG_NOTE);
	expect("\xFF\n\n" SIGNATURE, R_LOG_NOTE);                    /* no UTF-8 */
	expect(NOTE "\xE2\x80\x94 x AAAAAA==\n", R_LOG_NOTE);         /* an ID alone */
	expect(NOTE "\xE2\x80\x94 x AAAAAAB=\n", R_LOG_NOTE);         /* not canonical base64 */
	expect(NOTE "\xE2\x80\x94 x+y AAAAAAA=\n", R_LOG_NOTE);       /* a name with + */
	expect(NOTE "\xE2\x80\x94 x\xC2\xA0y AAAAAAA=\n", R_LOG_NOTE); /* with a Unicode space */
	expect(NOTE "\xE2\x80\x94 AAAAAAA=\n", R_LOG_NOTE);           /* no name */
	expect(NOTE "- x AAAAAAA=\n", R_LOG_NOTE);                    /* no em dash */
	expect("Other text.\n\n" SIGNATURE, R_LOG_SIGNATURE);
	expect(TEXT "\n\xE2\x80\x94 x AAAAAAA=\n", R_LOG_UNSIGNED);
}

/* Of other names, and of the same name with another ID: known to nobody, so ignored. */
static void signatures_of_others_are_ignored(void **state)
{
	(void)state;
	expect(TEXT "\n\xE2\x80\x94 x AAAAAAA=\n" SIGNATURE "\xE2\x80\x94 example.com/foo AAAAAAA=\n", RULE_COUNT);
	/* But one that bears the known name and ID has to be good, wherever it stands. */
	expect(TEXT "\n" SIGNATURE "\xE2\x80\x94 example.com/foo Uw2QOgA=\n", R_LOG_SIGNATURE);
}

static void a_text_with_empty_lines_ends_at_the_last(void **state)
{
	static const char text[] = "a\n\nb\n";
	struct key one, two;
	struct verifier first, second;
	struct bytes out = {0};
	struct error err;
	struct note note;

	(void)state;
	assert_int_equal(key_generate(&one, &err), OK);
	assert_int_equal(key_generate(&two, &err), OK);
	assert_int_equal(verifier_of("one", &one, &first, &err), OK);
	assert_int_equal(verifier_of("two", &two, &second, &err), OK);
	const struct note_signer signers[] = {{"two", &two}, {"one", &one}};
	const struct verifier *const both[] = {&first, &second};

	assert_int_equal(note_sign(text, strlen(text), signers, 2, &out, &err), OK);
	assert_int_equal(note_open(out.data, out.len, "n", both, 2, &note, &err), OK);
	assert_int_equal(note.signers, 3);
	assert_int_equal(note.len, strlen(text));
	assert_int_equal(note_open(out.data, out.len, "n", both + 1, 1, &note, &err), OK);
	assert_int_equal(note.signers, 1);
	assert_int_equal(note_sign("no end", 6, signers, 1, &out, &err), MALFORMED);
	assert_int_equal(err.rule, R_LOG_NOTE);
	assert_int_equal(note_sign("tab\t\n", 5, signers, 1, &out, &err), MALFORMED);
	verifier_free(&first);
	verifier_free(&second);
	key_free(&one);
	key_free(&two);
	bytes_free(&out);
}

static void too_many_signatures_are_refused(void **state)
{
	struct verifier verifier = parse_vkey(VKEY);
	struct bytes text = {0};
	struct note note;

	(void)state;
	bytes_text(&text, NOTE);
	for (int i = 1; i < NOTE_SIGNATURES_MAX; i++)
		bytes_text(&text, "\xE2\x80\x94 x AAAAAAA=\n");
	assert_int_equal(open_with(&verifier, text.data, text.len, &note), RULE_COUNT);
	bytes_text(&text, "\xE2\x80\x94 x AAAAAAA=\n");
	assert_int_equal(open_with(&verifier, text.data, text.len, &note), R_LOG_NOTE);
	bytes_free(&text);
	verifier_free(&verifier);
}

static void bad_verifier_keys_are_refused(void **state)
{
	static const char *const texts[] = {
		"", "+", "name", "name+530d903a", "name+530d903a+", VKEY "\n", " " VKEY,
		"example.com/foo+530d903b+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", /* another ID */
		"example.com/fop+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", /* another name */
		"example.com/foo+530D903A+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", /* capitals: not the form that is written */
		"example.com/foo+530d903a+BOkyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k", /* another type of signature */
		"example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3Q==", /* cut short */
		"exam ple+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
	};
	struct verifier verifier;
	struct error err;

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		assert_int_equal(verifier_parse(texts[i], strlen(texts[i]), "v", &verifier, &err), MALFORMED);
		assert_int_equal(err.rule, R_LOG_VKEY);
		assert_null(verifier.name);
	}
}

static void names_are_what_the_specification_allows(void **state)
{
	char longest[NOTE_NAME_MAX + 2];

	(void)state;
	memset(longest, 'a', sizeof longest);
	assert_true(note_name_valid("example.org/log", 15));
	assert_true(note_name_valid("\xC3\xA4", 2));
	assert_true(note_name_valid(longest, NOTE_NAME_MAX));
	assert_false(note_name_valid(longest, NOTE_NAME_MAX + 1));
	assert_false(note_name_valid("", 0));
	assert_false(note_name_valid("a b", 3));
	assert_false(note_name_valid("a+b", 3));
	assert_false(note_name_valid("a\nb", 3));
	assert_false(note_name_valid("\xE3\x80\x80", 3)); /* U+3000 */
	assert_false(note_name_valid("\xC3", 1));
}

#define ROOT "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I="
#define EMPTY "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

static void checkpoints_are_read_strictly(void **state)
{
	static const struct {
		const char *text;
		enum status status;
	} texts[] = {
		/* The example of c2sp.org/tlog-checkpoint@v1.0.0. */
		{"example.com/behind-the-sofa\n20852163\n" ROOT "\n", OK},
		{"o\n1\n" ROOT "\nextension\n", OK},
		{"o\n9223372036854775807\n" ROOT "\n", OK},
		{"o\n0\n" EMPTY "\n", OK},
		{"o\n9223372036854775808\n" ROOT "\n", MALFORMED},
		{"o\n0\n" ROOT "\n", MALFORMED},
		{"o\n01\n" ROOT "\n", MALFORMED},
		{"o\n-1\n" ROOT "\n", MALFORMED},
		{"o\n+1\n" ROOT "\n", MALFORMED},
		{"o\n1 \n" ROOT "\n", MALFORMED},
		{"o\n\n" ROOT "\n", MALFORMED},
		{"\n1\n" ROOT "\n", MALFORMED},
		{"o\n1\n" ROOT, MALFORMED},
		{"o\n1\n" ROOT "\n\n", MALFORMED},
		{"o\n1\n" ROOT "\nx", MALFORMED},
		{"o\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2J=\n", MALFORMED}, /* not canonical */
		{"o\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxqw==\n", MALFORMED},
		{"o\n1\n", MALFORMED},
		{"", MALFORMED},
	};
	struct checkpoint checkpoint;
	struct error err;

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		assert_int_equal(checkpoint_parse(texts[i].text, strlen(texts[i].text), "c", &checkpoint, &err), texts[i].status);
		if (texts[i].status != OK)
			assert_int_equal(err.rule, R_LOG_CHECKPOINT);
		checkpoint_free(&checkpoint);
	}
	assert_int_equal(checkpoint_parse(texts[0].text, strlen(texts[0].text), "c", &checkpoint, &err), OK);
	assert_string_equal(checkpoint.origin, "example.com/behind-the-sofa");
	assert_int_equal(checkpoint.size, 20852163);
	assert_int_equal(checkpoint.root.byte[0], 0x0A);
	checkpoint_free(&checkpoint);
}

/* R-LOG-007: a key may sign for one log only, the one of its name. */
static void a_checkpoint_is_of_the_log_of_its_key(void **state)
{
	static const char text[] = "other\n1\n" ROOT "\n";
	struct checkpoint checkpoint = {.origin = strdup("log"), .size = 1};
	struct verifier verifier;
	struct bytes out = {0};
	struct error err;
	struct key key;

	(void)state;
	assert_int_equal(key_generate(&key, &err), OK);
	assert_int_equal(verifier_of("log", &key, &verifier, &err), OK);
	assert_int_equal(checkpoint_sign(&checkpoint, &key, &out, &err), OK);
	checkpoint_free(&checkpoint);
	assert_int_equal(checkpoint_open(out.data, out.len, "c", &verifier, &checkpoint, &err), OK);
	assert_int_equal(checkpoint.size, 1);
	checkpoint_free(&checkpoint);
	bytes_free(&out);
	const struct note_signer signer = {"log", &key};

	assert_int_equal(note_sign(text, strlen(text), &signer, 1, &out, &err), OK);
	assert_int_equal(checkpoint_open(out.data, out.len, "c", &verifier, &checkpoint, &err), FAILS);
	assert_int_equal(err.rule, R_LOG_ORIGIN);
	bytes_free(&out);
	verifier_free(&verifier);
	key_free(&key);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_specifications_note_opens),
		cmocka_unit_test(no_other_byte_opens),
		cmocka_unit_test(the_form_of_a_note_is_strict),
		cmocka_unit_test(signatures_of_others_are_ignored),
		cmocka_unit_test(a_text_with_empty_lines_ends_at_the_last),
		cmocka_unit_test(too_many_signatures_are_refused),
		cmocka_unit_test(bad_verifier_keys_are_refused),
		cmocka_unit_test(names_are_what_the_specification_allows),
		cmocka_unit_test(checkpoints_are_read_strictly),
		cmocka_unit_test(a_checkpoint_is_of_the_log_of_its_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
