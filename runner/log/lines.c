#include "lines.h"

#include <string.h>

bool lines_next(struct lines *lines, const char **line, size_t *len)
{
	const char *end = lines->left > 0 ? memchr(lines->at, '\n', lines->left) : NULL;

	if (end == NULL)
		return false;
	*line = lines->at;
	*len = (size_t)(end - lines->at);
	lines->at += *len + 1;
	lines->left -= *len + 1;
	return true;
}

bool line_number(const char *line, size_t len, const char *prefix, uint64_t *number)
{
	size_t head = strlen(prefix);
	uint64_t value = 0;

	if (len <= head || memcmp(line, prefix, head) != 0 || (line[head] == '0' && len > head + 1))
		return false;
	for (size_t i = head; i < len; i++) {
		uint64_t digit = (uint64_t)(unsigned char)line[i] - '0';

		if (digit > 9 || value > (INT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*number = value;
	return true;
}

bool line_hash(const char *line, size_t len, struct sha256 *hash)
{
	enum { BASE64_BYTES = (SHA256_BYTES + 2) / 3 * 4 };
	struct bytes decoded = {0};
	bool held = len == BASE64_BYTES && base64_decode(line, len, &decoded) && decoded.len == SHA256_BYTES;

	if (held)
		memcpy(hash->byte, decoded.data, SHA256_BYTES);
	bytes_free(&decoded);
	return held;
}

void line_add_hash(const struct sha256 *hash, struct bytes *out)
{
	base64_encode(hash->byte, SHA256_BYTES, out);
	bytes_char(out, '\n');
}
