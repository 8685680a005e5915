#include "census.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"

static struct census_line *line_of(struct census *census, const struct sass *sass)
{
	for (size_t i = 0; i < census->lines; i++)
		if (census->line[i].family == sass->family && strcmp(census->line[i].text, sass->text) == 0)
			return &census->line[i];
	/* Texts of families are few: all shapes of all of them are some thousands, a real kernel has a dozen. */
	census->line = mem_array(census->line, census->lines + 1, sizeof *census->line);
	struct census_line *line = &census->line[census->lines++];

	*line = (struct census_line){.family = sass->family, .operations_known = true};
	memcpy(line->text, sass->text, sizeof line->text);
	return line;
}

static void count_family(struct census *census, const struct sass *sass)
{
	struct census_line *line = line_of(census, sass);
	uint64_t operations;

	line->count++;
	if (!sass_operations(sass, &operations))
		line->operations_known = false;
	if (sass_never(sass)) {
		line->never++;
	} else if (sass->null) {
		line->null++;
	} else {
		line->operations = operations;
		if (sass->guard != SASS_PREDICATE_TRUE)
			line->guarded++;
	}
}

/* The name differs for one number in a few cases (forms, UTC*MMA), so it counts too. */
static void count_opcode(struct census *census, const struct sass *sass)
{
	char plain[SASS_TEXT_MAX];

	snprintf(plain, sizeof plain, "%s", sass->name != NULL ? sass->name : sass->text);
	if (sass->name == NULL)
		census->unnamed++;
	for (size_t i = 0; i < census->opcodes; i++) {
		struct census_opcode *opcode = &census->opcode[i];

		if (opcode->number == sass->number && strcmp(opcode->name, plain) == 0) {
			opcode->count++;
			return;
		}
	}
	census->opcode = mem_array(census->opcode, census->opcodes + 1, sizeof *census->opcode);
	struct census_opcode *opcode = &census->opcode[census->opcodes++];

	*opcode = (struct census_opcode){.number = sass->number, .count = 1};
	memcpy(opcode->name, plain, sizeof opcode->name);
}

static void count(const struct cubin *cubin, const struct cubin_function *function, struct census *census)
{
	const uint8_t *code = cubin_code(cubin, function);

	for (uint64_t at = 0; at < function->size; at += SASS_BYTES) {
		struct sass sass;

		sass_read(code + at, cubin->sm, &sass);
		census->instructions++;
		count_opcode(census, &sass);
		if (sass.family != SASS_OTHER)
			count_family(census, &sass);
	}
}

static int by_family(const void *a, const void *b)
{
	const struct census_line *x = a, *y = b;

	if (x->family != y->family)
		return x->family < y->family ? -1 : 1;
	return strcmp(x->text, y->text);
}

static int by_count(const void *a, const void *b)
{
	const struct census_opcode *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	int order = strcmp(x->name, y->name);

	return order != 0 ? order : (int)x->number - (int)y->number;
}

static void sort(struct census *census)
{
	if (census->lines > 0)
		qsort(census->line, census->lines, sizeof *census->line, by_family);
	if (census->opcodes > 0)
		qsort(census->opcode, census->opcodes, sizeof *census->opcode, by_count);
}

void census_function(const struct cubin *cubin, const struct cubin_function *function, struct census *census)
{
	*census = (struct census){0};
	count(cubin, function, census);
	sort(census);
}

void census_cubin(const struct cubin *cubin, struct census *census)
{
	*census = (struct census){0};
	for (size_t i = 0; i < cubin->count; i++)
		count(cubin, &cubin->at[i], census);
	sort(census);
}

void census_free(struct census *census)
{
	free(census->line);
	free(census->opcode);
	*census = (struct census){0};
}

uint64_t census_group(const struct census *census, enum sass_group group)
{
	uint64_t count = 0;

	for (size_t i = 0; i < census->lines; i++) {
		const struct census_line *line = &census->line[i];

		if (sass_group_of(line->family) == group)
			count += line->count - line->null - line->never;
	}
	return count;
}
