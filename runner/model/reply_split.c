/* Reasoning inside content. */
#include "reply.h"

#include <string.h>

static const char *const tags[] = {"think>", "thinking>", "thought>", "reasoning>", "seed:think>"};
enum { TAGS = sizeof tags / sizeof tags[0] };

static bool stands_at(const char *at, const char *end, const char *text)
{
	const size_t len = strlen(text);

	return (size_t)(end - at) >= len && memcmp(at, text, len) == 0;
}

/* The tag that stands there, behind "<" or "</"; -1 if none does. */
static int tag_at(const char *at, const char *end, const char *lead)
{
	if (stands_at(at, end, lead))
		for (int i = 0; i < TAGS; i++)
			if (stands_at(at + strlen(lead), end, tags[i]))
				return i;
	return -1;
}

/* The first tag of that lead from there on (of that number, or any: -1); end if there is none. */
static const char *find_tag(const char *at, const char *end, const char *lead, int tag, size_t *len)
{
	for (; at < end && (at = memchr(at, '<', (size_t)(end - at))) != NULL; at++) {
		const int found = tag_at(at, end, lead);

		if (found >= 0 && (tag < 0 || found == tag)) {
			*len = strlen(lead) + strlen(tags[found]);
			return at;
		}
	}
	*len = 0;
	return end;
}

/* A fence of code blocks, as CommonMark has them: up to three spaces, then three or more of ` or ~. */
struct fence {
	char of; /* 0: outside any block */
	size_t length;
};

static void pass_line(const char *line, const char *end, struct fence *fence)
{
	size_t spaces = 0, length = 0;

	while (line + spaces < end && spaces < 3 && line[spaces] == ' ')
		spaces++;
	line += spaces;
	while (line + length < end && (line[length] == '`' || line[length] == '~') && line[length] == line[0])
		length++;
	if (length < 3)
		return;
	if (fence->of == 0) {
		*fence = (struct fence){.of = line[0], .length = length};
		return;
	}
	if (line[0] != fence->of || length < fence->length)
		return;
	for (const char *c = line + length; c < end; c++)
		if (*c != ' ' && *c != '\t' && *c != '\r')
			return;
	fence->of = 0;
}

void reply_split(const char *text, size_t len, struct bytes *content, struct bytes *reasoning)
{
	const char *at = text, *const end = text + len;
	struct fence fence = {0};
	size_t tag_len, closing_len;
	const char *closing = find_tag(at, end, "</", -1, &closing_len);

	if (closing < end && find_tag(at, closing, "<", -1, &tag_len) == closing) {
		bytes_add(reasoning, text, (size_t)(closing - text));
		at = closing + closing_len;
	}
	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *next = newline != NULL ? newline + 1 : end, *first = at;

		while (first < next && (*first == ' ' || *first == '\t'))
			first++;
		const int tag = fence.of == 0 ? tag_at(first, end, "<") : -1;

		if (tag >= 0) {
			const char *inside = first + 1 + strlen(tags[tag]);

			closing = find_tag(inside, end, "</", tag, &closing_len);
			bytes_add(reasoning, inside, (size_t)(closing - inside));
			at = closing + closing_len;
			continue;
		}
		pass_line(at, newline != NULL ? newline : end, &fence);
		bytes_add(content, at, (size_t)(next - at));
		at = next;
	}
}
