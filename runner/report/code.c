#include "code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bundle/replays.h"
#include "../kernel/sass.h"
#include "html.h"
#include "kind.h"
#include "page.h"
#include "show.h"

enum {
	NEAR_BYTES = 16 * SASS_BYTES,
	TEXTS_MAX = 100,   /* rows of the list */
	COUNT_WIDTH = 21,  /* characters of the two counts */
	REST_COLUMNS = 6,
	REST_WIDTH = 13,
};

/* How often one instruction ran. */
struct count {
	uint64_t offset;
	double executed, threads;
};

struct counted {
	const cJSON *facts; /* of evidence.functions; NULL: the record says nothing of the function */
	struct count *at;   /* by offset */
	size_t count;
};

static int by_offset(const void *a, const void *b)
{
	const struct count *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

static const cJSON *facts_of(const cJSON *record, const char *function)
{
	const cJSON *list = record != NULL ? replay_at(record, "evidence.functions") : NULL;

	for (const cJSON *item = list != NULL ? list->child : NULL; item != NULL; item = item->next)
		if (strcmp(replay_text(item, "function"), function) == 0)
			return item;
	return NULL;
}

/* Entries are [offset, instruction, executions by warps, threads with the predicate on]; what is not so is passed over. */
static struct counted counted_of(const cJSON *record, const char *function)
{
	struct counted counted = {.facts = facts_of(record, function)};
	const cJSON *list = counted.facts != NULL ? replay_at(counted.facts, "at") : NULL;

	counted.at = mem_array(NULL, cJSON_IsArray(list) ? (size_t)cJSON_GetArraySize(list) + 1 : 1, sizeof *counted.at);
	for (const cJSON *item = list != NULL ? list->child : NULL; item != NULL; item = item->next) {
		const cJSON *offset = item->child, *text = offset != NULL ? offset->next : NULL;
		const cJSON *executed = text != NULL ? text->next : NULL, *threads = executed != NULL ? executed->next : NULL;

		if (cJSON_IsNumber(offset) && offset->valuedouble >= 0 && cJSON_IsNumber(executed) && cJSON_IsNumber(threads))
			counted.at[counted.count++] = (struct count){(uint64_t)offset->valuedouble, executed->valuedouble, threads->valuedouble};
	}
	if (counted.count > 1)
		qsort(counted.at, counted.count, sizeof *counted.at, by_offset);
	return counted;
}

static const struct count *find(const struct counted *counted, uint64_t offset)
{
	const struct count key = {.offset = offset};

	return counted->count == 0 ? NULL : bsearch(&key, counted->at, counted->count, sizeof key, by_offset);
}

/* ---- the list to jump from ---- */

struct text {
	char text[SASS_TEXT_MAX];
	enum sass_group group;
	struct place *places;
	size_t count, room, null;
	double executed, threads;
};

struct texts {
	struct text *at;
	size_t count;
	size_t left; /* instructions of further texts */
};

static struct text *text_of(struct texts *texts, const struct sass *sass)
{
	for (size_t i = 0; i < texts->count; i++)
		if (strcmp(texts->at[i].text, sass->text) == 0)
			return &texts->at[i];
	if (texts->count == TEXTS_MAX)
		return NULL;
	texts->at = mem_array(texts->at, texts->count + 1, sizeof *texts->at);
	texts->at[texts->count] = (struct text){.group = sass_group_of(sass->family)};
	memcpy(texts->at[texts->count].text, sass->text, sizeof sass->text);
	return &texts->at[texts->count++];
}

static void note(struct texts *texts, const struct sass *sass, size_t function, uint64_t offset, bool shown, const struct count *count)
{
	struct text *text = text_of(texts, sass);

	if (text == NULL) {
		texts->left++;
		return;
	}
	if (text->count == text->room) {
		text->room = text->room == 0 ? 16 : text->room * 2;
		text->places = mem_array(text->places, text->room, sizeof *text->places);
	}
	struct place *place = &text->places[text->count++];

	*place = (struct place){.at = offset};
	snprintf(place->text, sizeof place->text, "%04llx", (unsigned long long)offset);
	if (shown)
		snprintf(place->link, sizeof place->link, "S%zu-%llx", function, (unsigned long long)offset);
	text->null += sass->null || sass_never(sass);
	text->executed += count != NULL ? count->executed : 0;
	text->threads += count != NULL ? count->threads : 0;
}

static void put_average(double threads, double executed, struct bytes *out)
{
	char shown[32];

	snprintf(shown, sizeof shown, "%.4g", threads / executed);
	bytes_text(out, shown);
}

static void put_text(const struct text *text, bool counts, struct bytes *out)
{
	html_put(out, "<tr><th scope=row><code>%s</code>", text->text);
	if (text->null > 0)
		html_put(out, " <span class=note>%zu without effect</span>", text->null);
	bytes_text(out, "</th><td>");
	kind_put(text->group, out);
	bytes_text(out, "</td><td class=n>");
	show_number(out, text->count);
	if (counts) {
		bytes_text(out, "</td><td class=n>");
		show_number(out, (uint64_t)text->executed);
		bytes_text(out, "</td><td class=n>");
		if (text->executed > 0)
			put_average(text->threads, text->executed, out);
	}
	bytes_text(out, "</td><td class=places>");
	kind_places(text->places, text->count, NEAR_BYTES, out);
	bytes_text(out, "</td></tr>\n");
}

static void put_list(struct texts *texts, bool counts, struct bytes *out)
{
	if (texts->count > 0) {
		page_table("jump", "Instructions of the families in this function", out);
		bytes_text(out, "<thead><tr><th scope=col>instruction</th>"
		                "<th scope=col>what it is</th><th scope=col class=n>in the code</th>");
		if (counts)
			bytes_text(out, "<th scope=col class=n>executed by warps</th><th scope=col class=n>lanes on average</th>");
		bytes_text(out, "<th scope=col>offsets</th></tr></thead><tbody>\n");
		for (size_t i = 0; i < texts->count; i++)
			put_text(&texts->at[i], counts, out);
		bytes_text(out, "</tbody></table></div>\n");
	}
	if (texts->left > 0)
		html_put(out, "<p class=note>%zu more of further kinds are marked in the code only.</p>\n", texts->left);
	for (size_t i = 0; i < texts->count; i++)
		free(texts->at[i].places);
	free(texts->at);
}

/* ---- the code ---- */

static void put_count(const struct count *count, struct bytes *out)
{
	char digits[32], shown[48];
	size_t to = 0;

	if (count == NULL) {
		bytes_format(out, "%*s", COUNT_WIDTH, "");
		return;
	}
	snprintf(digits, sizeof digits, "%.0f", count->executed);
	for (size_t i = 0, len = strlen(digits); i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			shown[to++] = ',';
		shown[to++] = digits[i];
	}
	shown[to] = '\0';
	bytes_format(out, "%15s ", shown);
	if (count->executed > 0)
		bytes_format(out, "%5.3g", count->threads / count->executed);
	else
		bytes_text(out, "     ");
}

/* One of the families: a line of its own. Texts are the reader's own words. */
static void put_member(const struct sass *sass, size_t function, uint64_t offset, const struct count *count, struct bytes *out)
{
	char guard[8];

	sass_guard_text(sass, guard);
	bytes_format(out, "<span id=S%zu-%llx class=\"m %s\">", function, (unsigned long long)offset, sass_group_name(sass_group_of(sass->family)));
	put_count(count, out);
	bytes_format(out, "  %04llx  %6s<mark>%s</mark>%s\n</span>", (unsigned long long)offset, guard, sass->text,
	             sass_never(sass) ? "  never: its guard is false" : sass->null ? "  no work: its destination is RZ" : "");
}

/* Instructions of no family, of which no more than the mnemonic is known, stand some on a line, those between two of the families in one element. */
struct rest {
	size_t count; /* so far */
};

static void put_other(const struct sass *sass, uint64_t offset, struct rest *rest, struct bytes *out)
{
	char guard[8], text[SASS_TEXT_MAX + 8];

	sass_guard_text(sass, guard);
	snprintf(text, sizeof text, "%s%s", guard, sass->text);
	if (rest->count == 0)
		bytes_text(out, "<span class=rest>");
	if (rest->count % REST_COLUMNS == 0)
		bytes_format(out, "%s%*s  %04llx       ", rest->count > 0 ? "\n" : "", COUNT_WIDTH, "", (unsigned long long)offset);
	bytes_format(out, " %-*s", REST_WIDTH, text);
	rest->count++;
}

static void end_rest(struct rest *rest, struct bytes *out)
{
	if (rest->count > 0)
		bytes_text(out, "\n</span>");
	rest->count = 0;
}

/* What was executed; of a function that could not be counted a number would say that it did nothing. */
static void put_counted(const cJSON *facts, struct bytes *out)
{
	if (facts == NULL) {
		bytes_text(out, " What of it ran is not known.");
		return;
	}
	const char *state = replay_text(facts, "state"), *text = replay_text(facts, "text");

	if (strcmp(state, "executed") == 0 || strcmp(state, "not_executed") == 0) {
		bytes_text(out, " Its warps executed ");
		show_count(out, replay_at(facts, "executed"));
		bytes_text(out, " of all kinds");
	} else {
		bytes_text(out, " What of it ran was not counted");
	}
	html_put(out, " (counting: %s%s%s).", state, text[0] != '\0' ? ", " : "", text);
}

static void put_function(const struct cubin *cubin, size_t function, const cJSON *record, size_t max, struct bytes *out)
{
	const struct cubin_function *at = &cubin->at[function];
	const uint8_t *code = cubin_code(cubin, at);
	struct counted counted = counted_of(record, at->name);
	struct texts texts = {0};
	struct bytes lines = {0};
	uint64_t offset = 0, shown = 0;
	struct rest rest = {0};

	for (; offset < at->size; offset += SASS_BYTES) {
		const struct count *count = find(&counted, offset);
		const bool fits = lines.len < max;
		struct sass sass;

		sass_read(code + offset, cubin->sm, &sass);
		shown += fits ? SASS_BYTES : 0;
		if (sass.family == SASS_OTHER) {
			if (fits)
				put_other(&sass, offset, &rest, &lines);
			continue;
		}
		end_rest(&rest, &lines);
		if (fits)
			put_member(&sass, function, offset, count, &lines);
		note(&texts, &sass, function, offset, fits, count);
	}
	end_rest(&rest, &lines);
	html_put(out, "<h3 id=S%zu>Function <code>%s</code></h3>\n<p>", function, at->name);
	show_number(out, at->size / SASS_BYTES);
	bytes_text(out, " instructions.");
	put_counted(counted.facts, out);
	bytes_text(out, "</p>\n");
	put_list(&texts, counted.facts != NULL, out);
	html_put(out, "<pre class=\"listing sass\" tabindex=0 role=region aria-label=\"Machine code of %s\">", at->name);
	bytes_text(out, "<span class=head>       executed lanes  at          instruction\n</span>");
	bytes_add(out, lines.data, lines.len);
	bytes_text(out, "</pre>\n");
	if (shown < at->size)
		html_put(out, "<p class=note>The code goes on; its last %llu instructions are not shown here.</p>\n", (unsigned long long)((at->size - shown) / SASS_BYTES));
	bytes_free(&lines);
	free(counted.at);
}

void code_put(const struct cubin *cubin, const cJSON *record, size_t max, struct bytes *out)
{
	const size_t begun = out->len;

	for (size_t i = 0; i < cubin->count; i++) {
		const size_t used = out->len - begun;

		if (used >= max) {
			html_put(out, "<p class=note>%zu more functions are not shown here.</p>\n", cubin->count - i);
			return;
		}
		put_function(cubin, i, record, max - used, out);
	}
}
