#include "record.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct recorder_setup recorder;

static char text[RECORDER_TEXT_MAX];
static size_t used;
static bool first_call = true, first_field, running, full;

static void add(const char *bytes, size_t len)
{
	/* What does not fit makes the whole a refusal (recorder_end). */
	full = full || len > sizeof text - used;
	if (full)
		return;
	memcpy(text + used, bytes, len);
	used += len;
}

static void add_text(const char *words)
{
	add(words, strlen(words));
}

/* As a JSON text; what is no printable ASCII becomes '?'. */
static void add_quoted(const char *words)
{
	add("\"", 1);
	for (; *words != '\0'; words++) {
		if (*words == '"' || *words == '\\')
			add("\\", 1);
		add(*words >= 0x20 && *words < 0x7F ? words : "?", 1);
	}
	add("\"", 1);
}

static void key_of(const char *key)
{
	if (!first_field)
		add(",", 1);
	first_field = false;
	if (key == NULL)
		return;
	add_quoted(key);
	add(":", 1);
}

void record_begin(const char *call)
{
	add_text(first_call ? "{" : ",{");
	first_call = false;
	first_field = true;
	record_text("call", call);
}

void record_text(const char *key, const char *words)
{
	key_of(key);
	add_quoted(words);
}

void record_number(const char *key, uint64_t value)
{
	char digits[32];

	snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
	record_text(key, digits);
}

void record_hex(const char *key, const void *bytes, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *at = bytes;

	key_of(key);
	add("\"", 1);
	for (size_t i = 0; i < len; i++)
		add((const char[]){digits[at[i] >> 4], digits[at[i] & 15]}, 2);
	add("\"", 1);
}

void record_list(const char *key)
{
	key_of(key);
	add("[", 1);
	first_field = true;
}

void record_list_end(void)
{
	add("]", 1);
	first_field = false;
}

void record_numbers(const char *key, const uint64_t *values, size_t count)
{
	record_list(key);
	for (size_t i = 0; i < count; i++)
		record_number(NULL, values[i]);
	record_list_end();
}

void record_end(void)
{
	add("}", 1);
}

static void write_all(const char *bytes, size_t len)
{
	while (len > 0) {
		const ssize_t n = write(recorder.to, bytes, len);

		if (n <= 0)
			_exit(1);
		bytes += n;
		len -= (size_t)n;
	}
}

EXPORT void recorder_open(const struct recorder_setup *setup)
{
	recorder = *setup;
}

EXPORT void recorder_begin(void)
{
	running = true;
}

EXPORT _Noreturn void recorder_end(const char *how, const char *kind, const char *words)
{
	static const char head[] = "{\"calls\":[";

	if (full) {
		how = "refused";
		kind = "calls";
		words = "it makes more calls than a record holds";
	}
	/* The calls that led to a refusal are of no use. */
	if (strcmp(how, "returned") != 0)
		used = 0;
	const size_t calls = used;

	full = false;
	add_text("],\"end\":");
	add_quoted(how);
	add_text(",\"kind\":");
	add_quoted(kind);
	add_text(",\"text\":");
	add_quoted(words);
	add_text("}\n");
	if (full)
		_exit(1);
	write_all(head, sizeof head - 1);
	write_all(text, calls);
	write_all(text + calls, used - calls);
	_exit(0);
}

_Noreturn void record_refuse(const char *kind, const char *format, ...)
{
	char words[512];
	va_list args;

	va_start(args, format);
	vsnprintf(words, sizeof words, format, args);
	va_end(args);
	recorder_end("refused", kind, words);
}

void record_running(const char *call)
{
	if (!running)
		record_refuse("calls", "%s is called while the code is loaded, before run", call);
}
