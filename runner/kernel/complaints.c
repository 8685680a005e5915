#include "complaints.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool holds(const char *line, size_t len, const char *word)
{
	return memmem(line, len, word, strlen(word)) != NULL;
}

/* "kernel.cu(3): error: ...", "ptxas kernel.ptx, line 7; error   : ...", "ptxas fatal   : ...", "/usr/bin/ld: ...: undefined reference to"; not the sums that end them. */
static bool is_complaint(const char *line, size_t len)
{
	if (holds(line, len, "detected in the compilation of") || holds(line, len, "aborted due to errors") || holds(line, len, "returned 1 exit status"))
		return false;
	return holds(line, len, "error:") || holds(line, len, "error   :") || holds(line, len, "error :") || holds(line, len, "fatal") || holds(line, len, "undefined reference");
}

static bool in_path(char c)
{
	return isalnum((unsigned char)c) || strchr("/._+-", c) != NULL;
}

/* The rest comes from the kernel's text, and may be anything. */
static void add_printing(char c, struct bytes *out)
{
	if (c >= ' ' && c <= '~')
		bytes_char(out, c);
	else
		bytes_format(out, "\\x%02x", (unsigned char)c);
}

/* A line without the directories of its paths. */
static void add_clean(const char *line, size_t len, struct bytes *out)
{
	const size_t most = len < COMPLAINT_BYTES ? len : COMPLAINT_BYTES;

	for (size_t at = 0; at < most;) {
		size_t end = at, last = at;

		if (line[at] == '/' && (at == 0 || !in_path(line[at - 1])))
			for (; end < len && line[end] != '\0' && in_path(line[end]); end++)
				if (line[end] == '/')
					last = end + 1;
		if (end > at + 1) {
			bytes_add(out, line + last, end - last);
			at = end;
		} else {
			add_printing(line[at++], out);
		}
	}
	if (most < len)
		bytes_text(out, "...");
}

void complaints_add(const char *output, struct bytes *out)
{
	size_t shown = 0, more = 0;

	for (const char *line = output; *line != '\0';) {
		const size_t len = strcspn(line, "\n");

		if (is_complaint(line, len) && shown < COMPLAINTS_LINES) {
			if (shown++ > 0)
				bytes_char(out, '\n');
			add_clean(line, len, out);
		} else {
			more += is_complaint(line, len);
		}
		line += len + (line[len] == '\n');
	}
	if (more > 0)
		bytes_format(out, "\nand %zu more", more);
}
