/* Growing bytes, hex and base64 (RFC 4648 section 4, canonical form only). */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

static void grows_and_stays_terminated(void **state)
{
	struct bytes b = {0};

	(void)state;
	bytes_add(&b, NULL, 0);
	assert_string_equal(b.data, "");
	bytes_text(&b, "ab");
	bytes_char(&b, 'c');
	bytes_add(&b, "\0d", 2);
	bytes_format(&b, "%d-%s", 42, "x");
	assert_int_equal(b.len, 9);
	assert_memory_equal(b.data, "abc\0d42-x", 10);
	bytes_free(&b);
	assert_null(b.data);
	assert_int_equal(b.len, 0);
	bytes_free(&b);
}

static void keeps_what_it_holds_over_many_sizes(void **state)
{
	(void)state;
	for (size_t size = 0; size < 300; size++) {
		struct bytes b = {0};

		for (size_t i = 0; i < size; i++) {
			bytes_char(&b, (char)('a' + i % 26));
			assert_int_equal(b.data[b.len], '\0');
		}
		bytes_reserve(&b, size);
		assert_true(b.room > b.len + size);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(b.data[i], 'a' + i % 26);
		/* exactly the room there is */
		size_t left = b.room - b.len - 1;

		for (size_t i = 0; i < left; i++)
			bytes_char(&b, 'z');
		assert_int_equal(b.data[b.len], '\0');
		bytes_free(&b);
	}
}

static void formats_beyond_its_room(void **state)
{
	struct bytes b = {0};

	(void)state;
	bytes_format(&b, "%0500d|", 7);
	bytes_format(&b, "%s", "");
	assert_int_equal(b.len, 501);
	assert_memory_equal(b.data + 498, "07|", 4);
	bytes_free(&b);
}

static void copies(void **state)
{
	char *text = mem_text("abc");

	(void)state;
	assert_string_equal(text, "abc");
	free(text);
	text = mem_textn("abcdef", 3);
	assert_string_equal(text, "abc");
	free(text);
	text = mem_format("%s/%d", "a", 5);
	assert_string_equal(text, "a/5");
	free(text);
	int *numbers = mem_alloc(3 * sizeof *numbers);

	assert_int_equal(numbers[0] | numbers[1] | numbers[2], 0);
	numbers[2] = 9;
	numbers = mem_array(numbers, 100, sizeof *numbers);
	assert_int_equal(numbers[2], 9);
	free(numbers);
}

static void hex_both_ways(void **state)
{
	static const uint8_t data[] = {0x00, 0x09, 0xAF, 0xFF};
	char text[9];
	uint8_t back[4] = {0};

	(void)state;
	hex_encode(data, sizeof data, text);
	assert_string_equal(text, "0009afff");
	assert_true(hex_decode(text, back, sizeof back));
	assert_memory_equal(back, data, sizeof data);
	assert_true(hex_decode("", back, 0));
}

/* One text for the same bytes: no capitals, no prefix, no cut, nothing behind. */
static void hex_is_strict(void **state)
{
	static const char *const bad[] = {"0009AFFF", "0009afff0", "0009affg",  "0009aff", "",
					  " 009afff", "0x09afff",  "0009aff\n", "-009afff"};
	uint8_t back[4];

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(hex_decode(bad[i], back, sizeof back));
}

static void expect_base64(const char *plain, const char *encoded)
{
	struct bytes out = {0};
	struct bytes back = {0};

	base64_encode((const uint8_t *)plain, strlen(plain), &out);
	assert_int_equal(out.len, strlen(encoded));
	if (out.len > 0)
		assert_string_equal(out.data, encoded);
	assert_true(base64_decode(encoded, strlen(encoded), &back));
	assert_int_equal(back.len, strlen(plain));
	if (back.len > 0)
		assert_memory_equal(back.data, plain, back.len);
	bytes_free(&out);
	bytes_free(&back);
}

/* RFC 4648 section 10. */
static void base64_both_ways(void **state)
{
	(void)state;
	expect_base64("", "");
	expect_base64("f", "Zg==");
	expect_base64("fo", "Zm8=");
	expect_base64("foo", "Zm9v");
	expect_base64("foob", "Zm9vYg==");
	expect_base64("fooba", "Zm9vYmE=");
	expect_base64("foobar", "Zm9vYmFy");
	expect_base64("\xFB\xFF\xBF", "+/+/");
}

static void base64_of_every_length(void **state)
{
	uint8_t data[200];

	(void)state;
	for (size_t i = 0; i < sizeof data; i++)
		data[i] = (uint8_t)(i * 37 % 251); /* zeros too: they must not be taken for padding */
	for (size_t len = 0; len <= sizeof data; len++) {
		struct bytes out = {0};
		struct bytes back = {0};

		base64_encode(data, len, &out);
		assert_int_equal(out.len, (len + 2) / 3 * 4);
		assert_true(base64_decode(out.data == NULL ? "" : out.data, out.len, &back));
		assert_int_equal(back.len, len);
		if (len > 0)
			assert_memory_equal(back.data, data, len);
		bytes_free(&out);
		bytes_free(&back);
	}
}

/* More than one piece of the encoder's; zeros encode to "AAAA". */
static void base64_of_a_large_run(void **state)
{
	size_t len = (3u << 20) + 1;
	uint8_t *data = mem_alloc(len);
	struct bytes out = {0};
	struct bytes back = {0};

	(void)state;
	base64_encode(data, len, &out);
	assert_int_equal(out.len, 4 * (1u << 20) + 4);
	assert_string_equal(out.data + out.len - 8, "AAAAAA==");
	assert_int_equal(strspn(out.data, "A"), out.len - 2);
	assert_true(base64_decode(out.data, out.len, &back));
	assert_int_equal(back.len, len);
	assert_memory_equal(back.data, data, len);
	bytes_free(&out);
	bytes_free(&back);
	free(data);
}

static void base64_is_strict(void **state)
{
	static const char *const bad[] = {
	    "Zg",     "Zg=",   "Zg===",    "Zm9vYg",       "=",    "====", "Z===", /* padding */
	    "Zh==",   "Zm9=",  "Zm8=Zg==",                         /* unused bits, padding inside */
	    "Zm9v\n", " Zm9v", "Zm9v    ", "Zm\n9v\n\n\n", "Zm9 ", /* white space */
	    "-_-_",   "Zm9!",  "Zm9\xC3",                          /* other alphabets */
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct bytes out = {0};

		if (base64_decode(bad[i], strlen(bad[i]), &out))
			fail_msg("took %s", bad[i]);
		assert_int_equal(out.len, 0);
		bytes_free(&out);
	}
	struct bytes out = {0};

	assert_false(base64_decode("Zm9\0", 4, &out));
	bytes_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(grows_and_stays_terminated),
	    cmocka_unit_test(keeps_what_it_holds_over_many_sizes),
	    cmocka_unit_test(formats_beyond_its_room),
	    cmocka_unit_test(copies),
	    cmocka_unit_test(hex_both_ways),
	    cmocka_unit_test(hex_is_strict),
	    cmocka_unit_test(base64_both_ways),
	    cmocka_unit_test(base64_of_every_length),
	    cmocka_unit_test(base64_of_a_large_run),
	    cmocka_unit_test(base64_is_strict),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
