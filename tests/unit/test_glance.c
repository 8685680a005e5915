/* What the first screen of a report says: rung, bytes and their signer, claims, differences with their reasons, measurements. */
#include "unit.h"

#include <string.h>

#include "report/glance.h"

/* A standing made by hand: nothing of it is read but what the first screen shows. */
struct made {
	struct standing standing;
	struct trusted_key key;
	struct claim claims[3];
	struct decision decisions[3];
	struct difference differences[2];
};

static void make(struct made *made)
{
	*made = (struct made){
		.key = {.file = (char *)"keys/root.pem"},
		.claims = {{.id = (char *)"C1", .table.title = (char *)"One <b>"}, {.id = (char *)"C2", .table.title = (char *)"Two"}, {.id = (char *)"C3", .table.title = (char *)"Three", .is_finding = true}},
		.decisions = {{.verdict = CLAIM_HOLDS, .as_expected = true}, {.verdict = CLAIM_FAILS, .as_expected = true}, {.verdict = CLAIM_NOT_DERIVABLE, .as_expected = true}},
		.differences = {{(char *)"t", (char *)"a", (char *)"c", NULL, NULL, VERDICT_DIFFERS, (char *)"The clock. And more.", DIFFERENCE_KNOWN},
	                        {(char *)"t", (char *)"b", (char *)"c", NULL, NULL, VERDICT_NOT_DERIVABLE, (char *)"Never published", DIFFERENCE_KNOWN}},
	};
	strcpy(made->key.fingerprint, "3efe992d92638e2a13906458211e17fd41d07cce073fcf56e60373d9f302ef93");
	for (int i = 0; i < 3; i++)
		made->decisions[i].claim = &made->claims[i];
	made->standing.verified = (struct verify_report){.files = 557, .bytes = 1536, .date = "2026-11-30"};
	made->standing.verified.root_signers.at[0] = &made->key;
	made->standing.verified.root_signers.count = 1;
	made->standing.derivation.catalogue.claims = made->claims;
	made->standing.derivation.catalogue.claim_count = 3;
	made->standing.decisions = made->decisions;
	made->standing.check = (struct check){.differences = made->differences, .difference_count = 2, .total = {.published = 10, .same = 8, .differs = 1, .not_derivable = 1, .known = 2}};
}

/* Without tags: what a person reads, the words of a line with single spaces between them. */
static void reads(const struct made *made, const char *want)
{
	const struct measured_count measured = {28, 21};
	struct bytes out = {0}, text = {0};
	bool tag = false;

	glance_put(&made->standing, &measured, &out);
	for (size_t i = 0; i < out.len; i++) {
		const char c = out.data[i] == '\n' ? ' ' : out.data[i];

		if (c == '<' || tag) {
			if (!tag && text.len > 0 && text.data[text.len - 1] != ' ')
				bytes_char(&text, ' ');
			tag = c != '>';
		} else if (c != ' ' || (text.len > 0 && text.data[text.len - 1] != ' ')) {
			bytes_char(&text, c);
		}
	}
	assert_string_equal(text.data, want);
	bytes_free(&out);
	bytes_free(&text);
}

static void holds(void **state)
{
	struct made made;

	(void)state;
	make(&made);
	reads(&made, "Rung of the ladder reached 2 of 5 , derivation ✓ integrity ✓ derivation · rebuild · replay · fresh What has a dot was not tried here: it needs a toolkit, a GPU, a model. "
	             "Verified, and signed by whom 557 files , 1.5 KiB: every byte is the one that was signed "
	             "Sealed by keys/root.pem 3efe992d92638e2a13906458211e17fd41d07cce073fcf56e60373d9f302ef93 on 2026-11-30; whether that is the right key only you can say: how . "
	             "Claims of the paper 1 of 2 hold , 1 fails ✗ C2 Two "
	             "What one would take for granted of the data 0 of 1 hold , 1 cannot be decided ∅ C3 Three "
	             "Published cells, derived again 8 of 10 are the same , 1 differ, 1 cannot be derived Each has its reason ; that of the most cells: ≠ 1 of 1: “The clock” ∅ 1 of 1: “Never published” "
	             "Measured on GPUs, earlier 28 kernels , 21 of them correct Their records are in the bundle and were not measured again for this page: each has a page . ");
}

/* Of bytes that were not signed nobody is said to vouch, and what follows from them stands on no rung. */
static void not_signed(void **state)
{
	struct made made;

	(void)state;
	make(&made);
	made.standing.integrity = FAILS;
	made.standing.derived = MALFORMED;
	made.standing.verified.findings.count = 2;
	reads(&made, "Rung of the ladder reached 0 of 5 ✗ integrity ✗ derivation · rebuild · replay · fresh What has a dot was not tried here: it needs a toolkit, a GPU, a model. "
	             "Verified, and signed by whom 557 files , 1.5 KiB They are not what was signed : 2 findings . So nobody vouches for them. ");
}

/* A claim that came out otherwise is among those that are named, whatever it came out as; so are cells that nobody listed. */
static void otherwise(void **state)
{
	struct made made;

	(void)state;
	make(&made);
	made.decisions[0].as_expected = false;
	made.standing.check.total.unknown = 3;
	made.standing.check.total.known = 0;
	made.standing.pinned = made.key.fingerprint;
	reads(&made, "Rung of the ladder reached 1 of 5 , integrity ✓ integrity ✗ derivation · rebuild · replay · fresh What has a dot was not tried here: it needs a toolkit, a GPU, a model. "
	             "Verified, and signed by whom 557 files , 1.5 KiB: every byte is the one that was signed "
	             "Sealed by keys/root.pem 3efe992d92638e2a13906458211e17fd41d07cce073fcf56e60373d9f302ef93 on 2026-11-30; it is the key that the reader named. "
	             "Claims of the paper 1 of 2 hold , 1 fails ✓ C1 One &lt;b&gt; (not as expected) ✗ C2 Two "
	             "What one would take for granted of the data 0 of 1 hold , 1 cannot be decided ∅ C3 Three "
	             "Published cells, derived again 8 of 10 are the same , 1 differ, 1 cannot be derived 3 are not as listed . "
	             "Measured on GPUs, earlier 28 kernels , 21 of them correct Their records are in the bundle and were not measured again for this page: each has a page . ");
}

static void first_sentences(void **state)
{
	char text[600];

	(void)state;
	assert_int_equal(glance_first("", 0), 0);
	assert_int_equal(glance_first("One. Two.", 9), 3);
	assert_int_equal(glance_first("At 0.5 of it", 12), 12);
	memset(text, 'x', sizeof text);
	assert_int_equal(glance_first(text, sizeof text), GLANCE_TEXT_MAX);
	memcpy(text + GLANCE_TEXT_MAX - 1, "€", 3);
	assert_int_equal(glance_first(text, sizeof text), GLANCE_TEXT_MAX - 1);
	memset(text, '\x80', sizeof text); /* no character begins anywhere */
	assert_int_equal(glance_first(text, sizeof text), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(holds), cmocka_unit_test(not_signed), cmocka_unit_test(otherwise), cmocka_unit_test(first_sentences)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
