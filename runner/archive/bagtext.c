#include "bagtext.h"

#include <ctype.h>
#include <errno.h>
#include <iconv.h>
#include <string.h>
#include <strings.h>

#include "../base/utf8.h"

bool bag_is_rfc(struct bag_version version)
{
	return version.major >= 1;
}

bool bag_next_line(const struct bytes *text, size_t *at, const char **line, size_t *len)
{
	size_t start = *at, end = start;

	if (start >= text->len)
		return false;
	while (end < text->len && text->data[end] != '\n' && text->data[end] != '\r')
		end++;
	*line = text->data + start;
	*len = end - start;
	if (end + 1 < text->len && text->data[end] == '\r' && text->data[end + 1] == '\n')
		end++;
	*at = end + 1;
	return true;
}

/* Digits without a leading zero, at most three; returns what follows them, or NULL. */
static const char *number(const char *at, const char *end, bool zeros, unsigned *value)
{
	const char *start = at;

	*value = 0;
	while (at < end && at - start < 3 && isdigit((unsigned char)*at))
		*value = *value * 10 + (unsigned)(*at++ - '0');
	return at == start || (!zeros && at - start > 1 && *start == '0') ? NULL : at;
}

static bool version_line(const char *line, size_t len, struct bag_version *version)
{
	static const char head[] = "BagIt-Version: ";
	const char *end = line + len, *at = line + strlen(head);

	if (len < strlen(head) || memcmp(line, head, strlen(head)) != 0)
		return false;
	at = number(at, end, false, &version->major);
	if (at == NULL || at == end || *at != '.')
		return false;
	return number(at + 1, end, true, &version->minor) == end;
}

static bool encoding_line(const char *line, size_t len, const char **encoding, bool *known)
{
	static const char head[] = "Tag-File-Character-Encoding: ";
	/* Those that bags have. iconv knows more, and some of its converters had faults. */
	static const char *const encodings[] = {"UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE", "ISO-8859-1", "US-ASCII"};
	size_t name = len - strlen(head);

	*known = false;
	if (len <= strlen(head) || memcmp(line, head, strlen(head)) != 0)
		return false;
	for (size_t i = 0; i < name; i++)
		if (!isgraph((unsigned char)line[strlen(head) + i]))
			return false;
	for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
		if (strlen(encodings[i]) == name && strncasecmp(encodings[i], line + strlen(head), name) == 0) {
			*encoding = encodings[i];
			*known = true;
		}
	}
	return true;
}

bool bag_declaration(const char *text, size_t len, struct bag_version *version, const char **encoding, bool *known)
{
	const struct bytes all = {.data = (char *)text, .len = len};
	const char *line;
	size_t at = 0, line_len;

	*encoding = NULL;
	*known = false;
	return bag_next_line(&all, &at, &line, &line_len) && version_line(line, line_len, version) && bag_next_line(&all, &at, &line, &line_len) &&
	       encoding_line(line, line_len, encoding, known) && at >= len;
}

bool bag_decode(const char *encoding, const char *text, size_t len, struct bytes *out)
{
	if (encoding == NULL || strcmp(encoding, "UTF-8") == 0) {
		size_t mark = len >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;

		bytes_reserve(out, len + 1);
		bytes_add(out, text + mark, len - mark);
		return utf8_check(text, len) == len;
	}
	iconv_t converter = iconv_open("UTF-8", encoding);
	char *in = (char *)text;
	bool good = converter != (iconv_t)-1;

	bytes_reserve(out, 1);
	while (good && len > 0) {
		char part[4096], *to = part;
		size_t room = sizeof part;

		good = iconv(converter, &in, &len, &to, &room) != (size_t)-1 || errno == E2BIG;
		bytes_add(out, part, sizeof part - room);
	}
	if (converter != (iconv_t)-1)
		iconv_close(converter);
	return good;
}

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool bag_read_line(const char *line, size_t len, size_t sum_bytes, struct bag_line *out)
{
	size_t at = 0;

	*out = (struct bag_line){0};
	if (len < 2 * sum_bytes + 2)
		return false;
	for (; at < 2 * sum_bytes; at += 2) {
		int high = hex_digit(line[at]), low = hex_digit(line[at + 1]);

		if (high < 0 || low < 0)
			return false;
		out->sum[at / 2] = (uint8_t)(high << 4 | low);
	}
	if (line[at] != ' ' && line[at] != '\t')
		return false;
	while (at < len && (line[at] == ' ' || line[at] == '\t'))
		at++;
	out->starred = at < len && line[at] == '*';
	at += out->starred;
	out->path = line + at;
	out->path_len = len - at;
	return at < len;
}

bool bag_decode_path(const char *path, size_t len, bool rfc, struct bytes *out)
{
	bool good = true;

	if (len > 2 && path[0] == '.' && path[1] == '/')
		path += 2, len -= 2;
	bytes_reserve(out, len + 1);
	for (size_t i = 0; i < len; i++) {
		bool escape = path[i] == '%' && len - i > 2;
		int code = escape && hex_digit(path[i + 1]) >= 0 && hex_digit(path[i + 2]) >= 0
		                   ? hex_digit(path[i + 1]) << 4 | hex_digit(path[i + 2])
		                   : -1;

		if (code == '\r' || code == '\n' || (code == '%' && rfc)) {
			bytes_char(out, (char)code);
			i += 2;
		} else {
			good = good && (path[i] != '%' || !rfc);
			bytes_char(out, path[i]);
		}
	}
	return good;
}

void bag_write_line(const char *path, const struct sha256 *hash, struct bytes *out)
{
	char hex[SHA256_HEX + 1];

	sha256_hex(hash, hex);
	bytes_add(out, hex, SHA256_HEX);
	bytes_text(out, "  ");
	for (const char *c = path; *c != '\0'; c++) {
		if (*c == '\r' || *c == '\n' || *c == '%')
			bytes_format(out, "%%%02X", (unsigned)*c);
		else
			bytes_char(out, *c);
	}
	bytes_char(out, '\n');
}
