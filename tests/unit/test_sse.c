/* Server-sent events: what is an event does not hang on how the bytes were cut (R_SSE_FIELD: what no stream has is refused). */
#include "unit.h"

#include <string.h>

#include "model/sse.h"

static enum status on_event(void *context, const char *data, size_t len, struct error *err)
{
	(void)err;
	bytes_char(context, '[');
	bytes_add(context, data, len);
	bytes_char(context, ']');
	return OK;
}

/* Fed in pieces of that size. */
static enum status feed(const char *text, size_t len, size_t piece, struct bytes *events, bool *ended, struct error *err)
{
	struct sse sse = {.event = on_event, .context = events, .file = "stream"};
	enum status status = OK;

	bytes_text(events, "");
	for (size_t at = 0; at < len && status == OK; at += piece)
		status = sse_feed(&sse, text + at, len - at < piece ? len - at : piece, err);
	*ended = sse_ended(&sse);
	sse_free(&sse);
	return status;
}

static void expect(const char *text, const char *events, bool ends)
{
	for (size_t piece = 1; piece <= strlen(text); piece++) {
		struct bytes got = {0};
		bool ended;

		assert_int_equal(feed(text, strlen(text), piece, &got, &ended, NULL), OK);
		assert_string_equal(got.data, events);
		assert_int_equal(ended, ends);
		bytes_free(&got);
	}
}

static void events_however_cut(void **state)
{
	(void)state;
	expect("data: a\n\ndata: b\n\n", "[a][b]", true);
	expect("data: a\r\n\r\ndata: b\r\n\r\n", "[a][b]", true);
	expect("data: a\r\rdata: b\r\r", "[a][b]", true);
	expect("data: a\ndata: b\r\ndata\ndata:c\n\n", "[a\nb\n\nc]", true);
	expect("\xEF\xBB\xBF" "data: a\n\n", "[a]", true);
	expect(": comment\n\n:\n\nevent: x\nid: 1\nretry: 5\ndata:  a \n\nevent: y\n\n", "[ a ]", true);
	expect("data:\n\n", "[]", true);
	expect("data: a\n\ndata: b\n", "[a]", false);
	expect("data: a\n\ndata: b", "[a]", false);
	expect("\n\n", "", true);
}

static void other_lines_are_refused(void **state)
{
	static const struct {
		const char *text;
		uint64_t offset; /* bytes before the line */
	} cases[] = {
		{"upstream error\n\n", 0}, {"data: a\n\n{\"error\":1}\n", 9}, {" data: a\n\n", 0}, {"Data: a\n\n", 0}, {"dataset: a\n\n", 0}, {"data: a\n\n\xEF\xBB\xBF" "data: b\n", 9},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		for (size_t piece = 1; piece <= strlen(cases[i].text); piece++) {
			struct bytes got = {0};
			struct error err = {0};
			bool ended;

			assert_int_equal(feed(cases[i].text, strlen(cases[i].text), piece, &got, &ended, &err), MALFORMED);
			assert_int_equal(err.rule, R_SSE_FIELD);
			assert_true(err.has_offset && err.offset == cases[i].offset);
			bytes_free(&got);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(events_however_cut),
		cmocka_unit_test(other_lines_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
