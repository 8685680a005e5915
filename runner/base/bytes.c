#include "bytes.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "rule.h"

enum { FORMAT_ROOM = 48 }; /* bytes that most texts fit into when they are formatted */

void mem_lacking(void)
{
	fputs("ptxseal: out of memory; nothing was left half-written, try on a larger machine\n", stderr);
	exit(UNAVAILABLE);
}

void *mem_alloc(size_t size)
{
	void *p = calloc(1, size == 0 ? 1 : size);

	if (p == NULL)
		mem_lacking();
	return p;
}

void *mem_array(void *old, size_t count, size_t size)
{
	void *p = reallocarray(old, count == 0 ? 1 : count, size);

	if (p == NULL)
		mem_lacking();
	return p;
}

char *mem_textn(const char *text, size_t len)
{
	char *copy = mem_array(NULL, len + 1, 1);

	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

char *mem_text(const char *text)
{
	return mem_textn(text, strlen(text));
}

char *mem_format(const char *fmt, ...)
{
	va_list args;
	char *text = NULL;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		mem_lacking();
	va_end(args);
	return text;
}

void bytes_free(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes){0};
}

void bytes_reserve(struct bytes *b, size_t more)
{
	if (b->room - b->len > more) /* strictly: one byte stays for the NUL */
		return;
	if (more > SIZE_MAX / 2 - b->len - 1)
		mem_lacking();
	size_t room = b->room < 64 ? 64 : b->room;

	while (room - b->len <= more)
		room = room > SIZE_MAX / 2 ? b->len + more + 1 : room * 2;
	b->data = mem_array(b->data, room, 1);
	b->room = room;
}

void bytes_add(struct bytes *b, const void *data, size_t len)
{
	bytes_reserve(b, len);
	if (len != 0)
		memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void bytes_text(struct bytes *b, const char *text)
{
	bytes_add(b, text, strlen(text));
}

void bytes_char(struct bytes *b, char c)
{
	bytes_add(b, &c, 1);
}

void bytes_format(struct bytes *b, const char *fmt, ...)
{
	va_list args;

	bytes_reserve(b, FORMAT_ROOM);
	for (;;) {
		const size_t room = b->room - b->len;

		va_start(args, fmt);
		int n = vsnprintf(b->data + b->len, room, fmt, args);
		va_end(args);
		if (n < 0)
			mem_lacking();
		if ((size_t)n < room) {
			b->len += (size_t)n;
			return;
		}
		bytes_reserve(b, (size_t)n);
	}
}

void hex_encode(const uint8_t *data, size_t len, char *out)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < len; i++) {
		out[2 * i] = digits[data[i] >> 4];
		out[2 * i + 1] = digits[data[i] & 15];
	}
	out[2 * len] = '\0';
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

bool hex_decode(const char *text, uint8_t *out, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		int high = hex_digit(text[2 * i]);
		int low = high < 0 ? -1 : hex_digit(text[2 * i + 1]);

		if (low < 0)
			return false;
		out[i] = (uint8_t)(high << 4 | low);
	}
	return text[2 * len] == '\0';
}

void base64_encode(const uint8_t *data, size_t len, struct bytes *out)
{
	/* EVP_EncodeBlock takes an int; 3 * 2^20 bytes at a time keep whole groups of three. */
	for (size_t at = 0; at < len;) {
		size_t part = len - at < (3u << 20) ? len - at : 3u << 20;

		bytes_reserve(out, (part + 2) / 3 * 4);
		out->len += (size_t)EVP_EncodeBlock((unsigned char *)out->data + out->len, data + at, (int)part);
		at += part;
	}
}

bool base64_decode(const char *text, size_t len, struct bytes *out)
{
	struct bytes raw = {0};
	struct bytes again = {0};
	bool same = false;

	if (len % 4 != 0 || len > INT_MAX / 2)
		return false;
	bytes_reserve(&raw, len);
	int n = EVP_DecodeBlock((unsigned char *)raw.data, (const unsigned char *)text, (int)len);

	if (n >= 0) {
		/* EVP counts padding as zero bytes and forgives white space and stray bits:
		 * only a text that encodes back to itself is taken. */
		raw.len = (size_t)n;
		for (size_t i = len; i > 0 && i + 2 > len && text[i - 1] == '='; i--)
			raw.len--;
		base64_encode((const uint8_t *)raw.data, raw.len, &again);
		same = again.len == len && (len == 0 || memcmp(again.data, text, len) == 0);
	}
	if (same)
		bytes_add(out, raw.data, raw.len);
	bytes_free(&again);
	bytes_free(&raw);
	return same;
}
