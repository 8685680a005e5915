#include "response_check.h"

#include <string.h>

#include "../bundle/objects.h"
#include "../bundle/replays.h"
#include "../kernel/candidate.h"
#include "../model/extraction.h"

/* How far a response gives the source, from the least on. */
enum given { GIVEN_NOT, GIVEN_WITHIN, GIVEN_EXACTLY };

struct source {
	enum form form;
	const char *file;
	const struct bytes *text;
};

/* The bytes that extraction takes, which are those of the last block of that kind. */
static bool is_extracted(const struct source *source, const struct bytes *response)
{
	struct extracted extracted;

	extraction_find(source->form, response->data, response->len, &extracted);
	const struct bytes *text = &extracted.file[0].text; /* also where another file of the form was not found */
	const bool same = text->len > 0 && text->len == source->text->len && memcmp(text->data, source->text->data, text->len) == 0;

	extracted_free(&extracted);
	return same;
}

/* Lines end in LF, and the last in nothing. */
static void add_lines(const struct bytes *text, struct bytes *out)
{
	for (size_t i = 0; i < text->len; i++)
		if (text->data[i] != '\r' || i + 1 == text->len || text->data[i + 1] != '\n')
			bytes_char(out, text->data[i]);
	while (out->len > 0 && out->data[out->len - 1] == '\n')
		out->len--;
}

static bool is_within(const struct source *source, const struct bytes *response)
{
	struct bytes a = {0}, b = {0};

	add_lines(response, &a);
	add_lines(source->text, &b);
	const bool within = a.len > 0 && b.len > 0 && memmem(a.data, a.len, b.data, b.len) != NULL;

	bytes_free(&a);
	bytes_free(&b);
	return within;
}

/* The best that the turns of the trajectory give; *named: how many name a response, *fault: why the last that could not be read could not. */
static enum given look(const struct root *root, const struct turn *turns, size_t count, const struct source *source, double trajectory, size_t *named,
                       struct error *fault)
{
	enum given best = GIVEN_NOT;

	for (size_t i = 0; i < count && best < GIVEN_EXACTLY; i++) {
		struct bytes response = {0};
		struct sha256 id;

		if ((double)turns[i].trajectory != trajectory || !sha256_parse(turns[i].response, &id))
			continue;
		++*named;
		if (object_get(root, &id, &response, fault) == OK && response.len > 0)
			best = is_extracted(source, &response) ? GIVEN_EXACTLY : is_within(source, &response) ? GIVEN_WITHIN : best;
		bytes_free(&response);
	}
	return best;
}

void response_check(const struct root *root, const struct turn *turns, size_t count, const cJSON *record, const char *path, struct findings *findings)
{
	const cJSON *trajectory = replay_at(record, "trajectory");
	struct candidate *candidate = NULL;
	struct error fault = {.status = OK};
	size_t named = 0;

	if (!cJSON_IsNumber(trajectory) || candidate_read(root, replay_text(record, "candidate.directory"), &candidate, NULL) != OK)
		return;
	const struct source source = candidate->is_lowered ? (struct source){FORM_KERNEL, candidate->lowering.source, &candidate->source}
	                                                   : (struct source){FORM_PTX, candidate->ptx_file, &candidate->ptx};
	const enum given given = look(root, turns, count, &source, trajectory->valuedouble, &named, &fault);

	if (named > 0 && given == GIVEN_NOT)
		findings_add_field(findings, R_SUB_RESPONSE, path, "candidate.directory", "%s of %s stands in no response of its trajectory%s%s", source.file,
		                   candidate->directory, fault.status != OK ? ": " : "", fault.status != OK ? fault.what : "");
	if (given == GIVEN_WITHIN)
		findings_add_field(findings, R_SUB_EXTRACTED, path, "candidate.directory", "%s of %s is another part of the response", source.file,
		                   candidate->directory);
	candidate_free(candidate);
}
