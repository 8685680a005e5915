#include "sse.h"

#include <string.h>

/* Bytes up to the end of the line, or all of them. */
static size_t line_span(const char *at, const char *end)
{
	const char *c = at;

	while (c < end && *c != '\n' && *c != '\r')
		c++;
	return (size_t)(c - at);
}

/* Is the line's field name this one? rest is what stands behind the colon and one space. */
static bool field_is(const char *line, size_t len, const char *name, const char **rest, size_t *rest_len)
{
	const size_t name_len = strlen(name);

	if (len < name_len || memcmp(line, name, name_len) != 0 || (len > name_len && line[name_len] != ':'))
		return false;
	size_t at = name_len + (len > name_len);

	at += at < len && line[at] == ' ';
	*rest = line + at;
	*rest_len = len - at;
	return true;
}

static enum status dispatch(struct sse *sse, struct error *err)
{
	enum status status = OK;

	if (sse->has_data)
		status = sse->event(sse->context, sse->data.data != NULL ? sse->data.data : "", sse->data.len, err);
	sse->data.len = 0;
	sse->has_data = false;
	return status;
}

static enum status take_line(struct sse *sse, const char *line, size_t len, size_t offset, struct error *err)
{
	const char *rest;
	size_t rest_len;

	if (len == 0)
		return dispatch(sse, err);
	if (line[0] == ':')
		return OK;
	if (field_is(line, len, "data", &rest, &rest_len)) {
		if (sse->has_data)
			bytes_char(&sse->data, '\n');
		bytes_add(&sse->data, rest, rest_len);
		sse->has_data = true;
		return OK;
	}
	if (field_is(line, len, "event", &rest, &rest_len) || field_is(line, len, "id", &rest, &rest_len) || field_is(line, len, "retry", &rest, &rest_len))
		return OK;
	return error_at(err, R_SSE_FIELD, sse->file, offset, "a line that begins '%.*s'", (int)(len < 24 ? len : 24), line);
}

enum status sse_feed(struct sse *sse, const char *bytes, size_t len, struct error *err)
{
	const char *at = bytes, *const end = bytes + len;
	enum status status = OK;

	while (at < end && status == OK) {
		if (sse->after_cr && *at == '\n') {
			at++;
			sse->offset++;
			sse->after_cr = false;
			continue;
		}
		sse->after_cr = false;
		const size_t span = line_span(at, end);
		const bool ends = at + span < end;
		const char *line = at;
		size_t line_len = span, offset = sse->offset;

		if (sse->line.len > 0 || !ends) {
			bytes_add(&sse->line, at, span);
			line = sse->line.data;
			line_len = sse->line.len;
			offset -= line_len - span;
		}
		if (ends) {
			if (!sse->begun && line_len >= 3 && memcmp(line, "\xEF\xBB\xBF", 3) == 0) {
				line += 3;
				line_len -= 3;
			}
			sse->begun = true;
			status = take_line(sse, line, line_len, offset, err);
			sse->line.len = 0;
			sse->after_cr = at[span] == '\r';
		}
		at += span + ends;
		sse->offset += span + ends;
	}
	return status;
}

bool sse_ended(const struct sse *sse)
{
	return sse->line.len == 0 && !sse->has_data;
}

void sse_free(struct sse *sse)
{
	bytes_free(&sse->line);
	bytes_free(&sse->data);
}
