#include "checksums.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void checksums_free(struct checksums *sums)
{
	for (size_t i = 0; i < sums->count; i++)
		free(sums->at[i].path);
	free(sums->at);
	*sums = (struct checksums){0};
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct checksum *)a)->path, ((const struct checksum *)b)->path);
}

const struct checksum *checksums_find(const struct checksums *sums, const char *path)
{
	struct checksum key = {.path = (char *)path};

	if (sums->count == 0)
		return NULL;
	return bsearch(&key, sums->at, sums->count, sizeof *sums->at, by_path);
}

/* The letter that stands for c after a backslash, or 0 if c is written as it is. */
static char escape_of(char c)
{
	switch (c) {
	case '\\':
		return '\\';
	case '\n':
		return 'n';
	case '\r':
		return 'r';
	default:
		return 0;
	}
}

void checksums_write(const char *path, const struct sha256 *hash, struct bytes *out)
{
	char hex[SHA256_HEX + 1];

	sha256_hex(hash, hex);
	if (strpbrk(path, "\\\n\r") != NULL)
		bytes_char(out, '\\');
	bytes_text(out, hex);
	bytes_text(out, "  ");
	for (const char *c = path; *c != '\0'; c++) {
		char letter = escape_of(*c);

		if (letter != 0)
			bytes_char(out, '\\');
		bytes_char(out, letter != 0 ? letter : *c);
	}
	bytes_char(out, '\n');
}

struct reader {
	const char *file;
	uint64_t line;
	struct checksums *sums;
	bool crlf_told; /* a file from a CR LF system breaks every line in the same way: told once */
	bool broken;
	checksums_fault *fault;
	void *context;
	struct bytes name; /* of the line at hand, unescaped */
};

#define FAULT(reader, rule, ...)                                                                             \
	do {                                                                                                 \
		struct error fault_err;                                                                      \
		error_line(&fault_err, rule, (reader)->file, (reader)->line, __VA_ARGS__);                   \
		(reader)->broken = true;                                                                     \
		if ((reader)->fault != NULL)                                                                 \
			(reader)->fault((reader)->context, &fault_err);                                      \
	} while (0)

/* The name as it was written into reader->name; false (told) if its escapes are not the canonical ones. */
static bool unescape(struct reader *reader, const char *text, size_t len, bool escaped)
{
	bool needed = false;

	reader->name.len = 0;
	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (c == '\r') {
			FAULT(reader, R_SUM_ESCAPE, "a carriage return stands raw in the name");
			return false;
		}
		if (c == '\\') {
			char letter = i + 1 < len ? text[i + 1] : '\0';

			if (!escaped) {
				FAULT(reader, R_SUM_ESCAPE,
				      "the name has a backslash, but the line does not start with one");
				return false;
			}
			if (letter != '\\' && letter != 'n' && letter != 'r') {
				FAULT(reader, R_SUM_ESCAPE, "a backslash in the name is not followed by \\, n or r");
				return false;
			}
			c = (char)(letter == 'n' ? '\n' : letter == 'r' ? '\r' : '\\');
			needed = true;
			i++;
		}
		bytes_char(&reader->name, c);
	}
	if (escaped && !needed) {
		FAULT(reader, R_SUM_ESCAPE, "the line starts with a backslash, but nothing in the name is escaped");
		return false;
	}
	return true;
}

static void add(struct reader *reader, const struct sha256 *hash)
{
	struct checksums *sums = reader->sums;

	if (sums->count == sums->room) {
		sums->room = sums->room == 0 ? 64 : sums->room * 2;
		sums->at = mem_array(sums->at, sums->room, sizeof *sums->at);
	}
	sums->at[sums->count++] = (struct checksum){
		.path = mem_textn(reader->name.data, reader->name.len),
		.hash = *hash,
	};
}

static void read_line(struct reader *reader, const char *line, size_t len)
{
	const size_t separator = 2; /* a space, and a space for text or a star for binary mode */
	char hex[SHA256_HEX + 1];
	struct sha256 hash;

	if (len > 0 && line[len - 1] == '\r') {
		/* The rest of the line is read all the same: one wrong line end a file says enough. */
		if (!reader->crlf_told)
			FAULT(reader, R_SUM_LINE_END, "the line ends in CR LF");
		reader->crlf_told = true;
		len--;
	}
	bool escaped = len > 0 && line[0] == '\\';
	const char *at = line + escaped;
	size_t left = len - escaped;

	if (left >= SHA256_HEX) {
		memcpy(hex, at, SHA256_HEX);
		hex[SHA256_HEX] = '\0';
	}
	if (left < SHA256_HEX || !sha256_parse(hex, &hash)) {
		FAULT(reader, R_SUM_HASH, "the line does not start with 64 lowercase hex digits");
		return;
	}
	at += SHA256_HEX;
	left -= SHA256_HEX;
	if (left <= separator && strncmp(at, "  ", left) == 0) {
		FAULT(reader, R_SUM_NAME, "no name follows the hash");
		return;
	}
	if (left < separator || memcmp(at, "  ", separator) != 0) {
		FAULT(reader, R_SUM_MODE, "the hash is not followed by two spaces");
		return;
	}
	at += separator;
	left -= separator;
	if (!unescape(reader, at, left, escaped))
		return;
	if (!path_valid(reader->name.data, reader->name.len)) {
		FAULT(reader, R_PATH_FORM, "'%s' is not a path beneath the bundle", reader->name.data);
		return;
	}
	add(reader, &hash);
}

/* Two lines for one path would let each reader believe another one: neither order nor luck decides, the first stays and
 * the fault is told. */
static void check_order(struct reader *reader, const struct checksum *before)
{
	const struct checksum *last = &reader->sums->at[reader->sums->count - 1];
	int order = strcmp(before->path, last->path);

	if (order > 0)
		FAULT(reader, R_SUM_ORDER, "'%s' stands after '%s'", last->path, before->path);
	else if (order == 0)
		FAULT(reader, R_SUM_DUPLICATE, "'%s' is listed again", last->path);
}

/* Sort what came unsorted and drop the later lines of a duplicate. */
static void settle(struct reader *reader)
{
	struct checksums *sums = reader->sums;
	size_t kept = 0;

	if (sums->count > 1)
		qsort(sums->at, sums->count, sizeof *sums->at, by_path);
	for (size_t i = 0; i < sums->count; i++) {
		if (kept > 0 && strcmp(sums->at[kept - 1].path, sums->at[i].path) == 0)
			free(sums->at[i].path);
		else
			sums->at[kept++] = sums->at[i];
	}
	sums->count = kept;
}

enum status checksums_parse(const char *text, size_t len, const char *file, struct checksums *sums,
                            checksums_fault *fault, void *context)
{
	struct reader reader = {.file = file, .sums = sums, .fault = fault, .context = context};

	*sums = (struct checksums){0};
	for (size_t at = 0; at < len;) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t line_len = end != NULL ? (size_t)(end - (text + at)) : len - at;
		size_t count = sums->count;

		reader.line++;
		read_line(&reader, text + at, line_len);
		if (sums->count > count && count > 0)
			check_order(&reader, &sums->at[count - 1]);
		if (end == NULL)
			FAULT(&reader, R_SUM_LINE_END, "the last line has no line end: the file may be cut short");
		at += line_len + 1;
	}
	if (len == 0)
		FAULT(&reader, R_SUM_EMPTY, "the file is empty");
	bytes_free(&reader.name);
	if (!reader.broken)
		return OK;
	settle(&reader);
	return MALFORMED;
}
