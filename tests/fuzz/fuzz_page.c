/*
 * Any bytes as a record, and behind a NUL as its PTX: the page of the candidate has no more than KERNEL_PAGE_MAX bytes, is UTF-8, has the program's own elements and attributes and no other, and no character that is unseen or
 * acts on what is beside it. Each of its pictures can be drawn, or is none.
 */
#include "fuzz.h"

#include <stdio.h>

#include "base/character.h"
#include "base/utf8.h"
#include "bundle/replays.h"
#include "report/kernel_page.h"
#include "report/record_figure.h"

static bool among(const char *words, const char *word, size_t len)
{
	char padded[40];

	if (len > sizeof padded - 3)
		return false;
	snprintf(padded, sizeof padded, " %.*s ", (int)len, word);
	return strstr(words, padded) != NULL;
}

static size_t name(const char *at)
{
	return strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789-");
}

/* Behind <NAME: attributes whose values are in double quotes or have no character that would need them. Returns behind the >. */
static const char *attributes(const char *at, size_t *ids)
{
	static const char known[] = " aria-hidden aria-label class colspan content charset data-l href http-equiv id lang name open role rowspan scope tabindex value ";

	while (*at != '>') {
		at += strspn(at, " ");
		const size_t len = name(at);

		REQUIRE(len > 0 && among(known, at, len));
		*ids += len == 2 && at[0] == 'i' ? 1 : 0;
		at += len;
		if (*at != '=')
			continue;
		at++;
		if (*at == '"') {
			at = strchr(at + 1, '"');
			REQUIRE(at != NULL);
			at++;
		} else {
			at += strcspn(at, " >\"'<=`");
		}
		REQUIRE(*at == ' ' || *at == '>');
	}
	return at + 1;
}

static void check_markup(const char *at)
{
	static const char elements[] = " a b bdi br caption code data dd details div dl dt em figcaption figure footer h1 h2 h3 h4 html i li main mark meta nav ol p pre section span strong style summary table tbody td th thead title tr ul wbr ";
	size_t ids = 0;

	while ((at = strchr(at, '<')) != NULL) {
		at++;
		const bool closes = *at == '/';

		at += closes ? 1 : 0;
		const size_t len = name(at);

		if (strncmp(at, "!DOCTYPE", 8) == 0) {
			at = strchr(at, '>');
			continue;
		}
		REQUIRE(len > 0 && among(elements, at, len));
		const bool style = !closes && strncmp(at, "style>", 6) == 0;

		at = attributes(at + len, &ids);
		if (style)
			at = strstr(at, "</style>");
	}
}

/* Markup aside every character is seen. */
static void check_characters(const struct bytes *page)
{
	for (size_t at = 0; at < page->len;) {
		uint32_t point = 0;
		const size_t step = utf8_next(page->data + at, page->len - at, &point);

		REQUIRE(step > 0 && (point == '\n' || point == '\t' || (point >= 0x20 && point != 0x7F && !character_hidden(point))));
		at += step;
	}
}

/* Text behind the record as the file that the record calls its PTX. */
static void give_ptx(struct kernel *kernel, const char *text, size_t len)
{
	for (size_t i = 0; i < kernel->file_count; i++)
		if (&kernel->files[i] == kernel->ptx) {
			bytes_add(&kernel->files[i].text, text, len);
			bytes_text(&kernel->files[i].text, "");
			kernel->files[i].state = KERNEL_FILE_DIFFERS;
		}
}

static void check_pictures(const cJSON *record)
{
	struct figure figure;

	for (int picture = 0; picture < KERNEL_PICTURES; picture++)
		if (record_figure(record, (enum kernel_picture)picture, &figure)) {
			(void)figure_check(&figure, NULL); /* no crash; what cannot be drawn is left out */
			figure_free(&figure);
		}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct root root = {.fd = -1};
	static struct sealed sealed;
	static const struct manifest manifest;
	const char *text = (const char *)data, *behind = size > 0 ? memchr(text, '\0', size) : NULL;
	const size_t len = behind != NULL ? (size_t)(behind - text) : size;
	struct bytes page = {0};
	cJSON *record = NULL;

	if (root.fd < 0) { /* a bundle with nothing in it */
		char empty[] = "/tmp/ptxseal-fuzz-XXXXXX";

		REQUIRE(mkdtemp(empty) != NULL && root_open(empty, &root, NULL) == OK && remove(empty) == 0);
	}
	if (replay_parse_anywhere(text, len, "record", &record, NULL) != OK)
		return 0;
	struct kernel kernel = {.bundle = &root, .sealed = &sealed, .manifest = &manifest, .why_no_pictures = "there are none here", .unverified = true, .path = "artifact/replays/r/c.json", .record = record};

	kernel_open(&kernel);
	if (behind != NULL)
		give_ptx(&kernel, behind + 1, size - len - 1);
	kernel_page(&kernel, &page);
	REQUIRE(page.len < KERNEL_PAGE_MAX);
	check_characters(&page);
	check_markup(page.data);
	check_pictures(record);
	bytes_free(&page);
	kernel_close(&kernel);
	cJSON_Delete(record);
	return 0;
}
