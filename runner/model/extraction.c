#include "extraction.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../base/json.h"
#include "../base/plural.h"

enum kind { KIND_CUDA, KIND_PTX, KIND_JSON, KIND_UNSAID, KIND_OTHER, KIND_COUNT };

const char *form_name(enum form form)
{
	return form == FORM_KERNEL ? "kernel.cu" : "ptx";
}

bool form_parse(const char *text, enum form *form)
{
	for (int i = 0; i < FORM_COUNT; i++) {
		*form = (enum form)i;
		if (strcmp(text, form_name(*form)) == 0)
			return true;
	}
	return false;
}

/* ---- lines ---- */

struct line {
	const char *text;
	size_t len; /* without its end */
};

/* The line at *at, which then is the next one's start. Ends are LF and CRLF. */
static struct line next_line(const char **at, const char *end)
{
	const char *newline = memchr(*at, '\n', (size_t)(end - *at));
	struct line line = {*at, (size_t)((newline != NULL ? newline : end) - *at)};

	*at = newline != NULL ? newline + 1 : end;
	if (newline != NULL && line.len > 0 && line.text[line.len - 1] == '\r')
		line.len--;
	return line;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* A line that opens or closes a block. */
struct fence {
	size_t indent; /* bytes before it */
	char mark;     /* '`' or '~' */
	size_t length; /* of marks, 3 or more */
	const char *info;
	size_t info_len; /* what follows, trimmed; 0: it may close */
};

static bool fence_read(const struct line *line, struct fence *fence)
{
	size_t at = 0, end = line->len;

	while (at < end && is_blank(line->text[at]))
		at++;
	if (at == end || (line->text[at] != '`' && line->text[at] != '~'))
		return false;
	*fence = (struct fence){.indent = at, .mark = line->text[at]};
	while (at < end && line->text[at] == fence->mark)
		at++;
	fence->length = at - fence->indent;
	while (at < end && is_blank(line->text[at]))
		at++;
	while (end > at && is_blank(line->text[end - 1]))
		end--;
	fence->info = line->text + at;
	fence->info_len = end - at;
	/* ```code``` within a line is no fence (CommonMark 4.5). */
	return fence->length >= 3 && (fence->mark == '~' || memchr(fence->info, '`', fence->info_len) == NULL);
}

/* ---- kinds ---- */

/* The first word of the info string: "```cuda title=kernel.cu", "```{.cpp}", "```kernel.cu". */
static enum kind kind_of(const struct fence *fence)
{
	static const struct {
		const char *word;
		enum kind kind;
	} words[] = {{"cuda", KIND_CUDA}, {"cu", KIND_CUDA}, {"cuda-c", KIND_CUDA}, {"cuda-cpp", KIND_CUDA}, {"cuda-c++", KIND_CUDA}, {"c++", KIND_CUDA}, {"cpp", KIND_CUDA}, {"cxx", KIND_CUDA},
	             {"cc", KIND_CUDA}, {"c", KIND_CUDA}, {"kernel.cu", KIND_CUDA}, {"ptx", KIND_PTX}, {"kernel.ptx", KIND_PTX}, {"json", KIND_JSON}, {"launches.json", KIND_JSON}};
	const char *text = fence->info;
	size_t len = fence->info_len, word = 0;

	if (len == 0)
		return KIND_UNSAID;
	while (len > 0 && (*text == '{' || *text == '.')) {
		text++;
		len--;
	}
	while (word < len && !is_blank(text[word]) && strchr("{}:,=", text[word]) == NULL)
		word++;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strlen(words[i].word) == word && strncasecmp(text, words[i].word, word) == 0)
			return words[i].kind;
	return KIND_OTHER;
}

static bool holds(const struct bytes *text, const char *what)
{
	return text->len > 0 && memmem(text->data, text->len, what, strlen(what)) != NULL;
}

/* It exports run, as the contract asks. */
static bool is_kernel(const struct bytes *text)
{
	return holds(text, "TVM_FFI_DLL_EXPORT_TYPED_FUNC") || holds(text, "__tvm_ffi_run");
}

/* A line begins with the directive that every module begins with. */
static bool is_module(const struct bytes *text)
{
	if (text->len == 0)
		return false;
	for (const char *at = text->data, *end = text->data + text->len; at < end;) {
		struct line line = next_line(&at, end);

		while (line.len > 0 && is_blank(*line.text)) {
			line.text++;
			line.len--;
		}
		if (line.len > 8 && strncmp(line.text, ".version", 8) == 0 && is_blank(line.text[8]))
			return true;
	}
	return false;
}

static bool is_launches(const struct bytes *text)
{
	cJSON *tree = NULL;
	const bool is = text->len > 0 && json_parse(text->data, text->len, "", &tree, NULL) == OK && cJSON_IsObject(tree) &&
	                cJSON_IsArray(cJSON_GetObjectItemCaseSensitive(tree, "launches"));

	cJSON_Delete(tree);
	return is;
}

/* What each file of a form has to be. */
struct wanted {
	const char *path;
	enum kind kind;
	bool (*valid)(const struct bytes *text);
	const char *what; /* for people */
	const char *lacks; /* what a block of the kind does not do that is not valid */
};

static const struct wanted wanted[FORM_COUNT][EXTRACTION_FILES_MAX] = {
	[FORM_KERNEL] = {{"kernel.cu", KIND_CUDA, is_kernel, "CUDA C++", "exports run through TVM-FFI"}},
	[FORM_PTX] = {{"kernel.ptx", KIND_PTX, is_module, "PTX", "is a whole module with .version"},
	              {"launches.json", KIND_JSON, is_launches, "JSON", "is an object with launches"}},
};

/* ---- blocks ---- */

struct block {
	struct fence fence;
	struct bytes text;
	bool holds_block; /* then it is a wrapper, and no code itself */
};

struct search {
	const struct wanted *wanted;
	size_t files;
	struct extracted *extracted;
	struct block open[EXTRACTION_DEPTH_MAX]; /* each within the one before */
	size_t depth;
	size_t blocks;                         /* closed ones */
	size_t of_kind[EXTRACTION_FILES_MAX];  /* of them: of the kind, valid or not */
	size_t too_large;
};

/* A block that was closed: it takes the place of an earlier one. */
static void take(struct search *search, struct block *block)
{
	const enum kind kind = kind_of(&block->fence);

	search->blocks++;
	for (size_t i = 0; i < search->files; i++) {
		const struct wanted *want = &search->wanted[i];

		if (kind != want->kind && kind != KIND_UNSAID)
			continue;
		search->of_kind[i] += kind == want->kind;
		if (block->text.len > EXTRACTION_BYTES_MAX) {
			search->too_large++;
		} else if (!block->holds_block && want->valid(&block->text)) {
			struct bytes *text = &search->extracted->file[i].text;

			bytes_free(text);
			bytes_add(text, block->text.data, block->text.len);
		}
	}
}

static void drop(struct search *search)
{
	bytes_free(&search->open[--search->depth].text);
}

/* The block that a bare fence closes: the innermost of its very mark and length, else the innermost of its mark that is not longer; SIZE_MAX if none. */
static size_t closes(const struct search *search, const struct fence *fence)
{
	size_t shorter = SIZE_MAX;

	if (fence->info_len > 0)
		return SIZE_MAX;
	for (size_t i = search->depth; i-- > 0;) {
		const struct fence *open = &search->open[i].fence;

		if (open->mark == fence->mark && open->length == fence->length)
			return i;
		if (shorter == SIZE_MAX && open->mark == fence->mark && open->length < fence->length)
			shorter = i;
	}
	return shorter;
}

/* Without the fence's own indentation, as far as the line has it. */
static void add_line(struct block *block, struct line line)
{
	for (size_t i = 0; i < block->fence.indent && line.len > 0 && is_blank(*line.text); i++) {
		line.text++;
		line.len--;
	}
	if (block->text.len <= EXTRACTION_BYTES_MAX) {
		bytes_add(&block->text, line.text, line.len);
		bytes_char(&block->text, '\n');
	}
}

static void read_line(struct search *search, struct line line)
{
	struct fence fence;
	const bool is_fence = fence_read(&line, &fence);
	const size_t closed = is_fence ? closes(search, &fence) : SIZE_MAX;

	if (closed != SIZE_MAX) {
		while (search->depth > closed + 1)
			drop(search); /* what is open within it was never closed */
		take(search, &search->open[closed]);
		drop(search);
		if (search->depth > 0)
			search->open[search->depth - 1].holds_block = true;
	}
	/* To those around it a block is text. */
	for (size_t i = 0; i < search->depth; i++)
		add_line(&search->open[i], line);
	if (is_fence && closed == SIZE_MAX && search->depth < EXTRACTION_DEPTH_MAX)
		search->open[search->depth++] = (struct block){.fence = fence};
}

/* ---- what was not found ---- */

static char *reason(const struct search *search, size_t file)
{
	const struct wanted *want = &search->wanted[file];

	if (search->too_large > 0)
		return mem_format("a fenced block has more than %d bytes", EXTRACTION_BYTES_MAX);
	if (search->of_kind[file] > 0)
		return mem_format("none of the %zu closed fenced block%s of %s %s", search->of_kind[file], plural(search->of_kind[file]), want->what, want->lacks);
	if (search->depth > 0)
		return mem_format("the last fenced block is not closed, and no closed one is of %s", want->what);
	if (search->blocks > 0)
		return mem_format("none of the %zu fenced block%s is of %s", search->blocks, plural(search->blocks), want->what);
	return mem_format("there is no fenced block");
}

bool extraction_find(enum form form, const char *text, size_t len, struct extracted *extracted)
{
	struct search *search = mem_alloc(sizeof *search);
	const char *at = text;

	*extracted = (struct extracted){0};
	*search = (struct search){.wanted = wanted[form], .extracted = extracted};
	while (search->files < EXTRACTION_FILES_MAX && wanted[form][search->files].path != NULL)
		search->files++;
	while (at < text + len) {
		const struct line line = next_line(&at, text + len);

		read_line(search, line);
	}
	for (size_t i = 0; i < search->files; i++) {
		extracted->file[i].path = search->wanted[i].path;
		if (extracted->file[i].text.len == 0 && extracted->why == NULL)
			extracted->why = reason(search, i);
	}
	extracted->count = extracted->why == NULL ? search->files : 0;
	while (search->depth > 0)
		drop(search);
	free(search);
	return extracted->why == NULL;
}

void extracted_free(struct extracted *extracted)
{
	for (size_t i = 0; i < EXTRACTION_FILES_MAX; i++)
		bytes_free(&extracted->file[i].text);
	free(extracted->why);
	*extracted = (struct extracted){0};
}
