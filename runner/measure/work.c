#include "work.h"

#include <stdlib.h>
#include <string.h>

enum { WARP_THREADS = 32 };

/* A box's bytes among the maps of a function's launches. */
struct boxes {
	double least, most;
};

static double box_bytes(const struct plan_map *map)
{
	double bytes = element_bytes(map->element);

	for (unsigned i = 0; i < map->rank; i++)
		bytes *= map->box[i];
	return bytes;
}

static void add_box(struct boxes *boxes, const struct plan_map *map)
{
	const double bytes = box_bytes(map);

	boxes->least = boxes->most == 0 || bytes < boxes->least ? bytes : boxes->least;
	boxes->most = bytes > boxes->most ? bytes : boxes->most;
}

static struct boxes boxes_of(const struct plan *plan, const char *function)
{
	struct boxes boxes = {0, 0};

	for (size_t i = 0; i < plan->launch_count; i++) {
		const struct plan_launch *launch = &plan->launches[i];

		for (size_t j = 0; j < launch->parameter_count && strcmp(launch->function, function) == 0; j++) {
			const struct plan_parameter *parameter = &launch->parameters[j];

			if (parameter->kind == PARAMETER_MAP)
				add_box(&boxes, &plan->maps[parameter->index]);
			for (size_t k = 0; k < parameter->patch_count; k++)
				if (parameter->patches[k].kind == PARAMETER_MAP)
					add_box(&boxes, &plan->maps[parameter->patches[k].index]);
		}
	}
	return boxes;
}

/*
 * Executions that did something. A multiply is a whole warp's, so its threads with the predicate on, divided by 32, are its effective executions. The other
 * families may be issued by one thread of a warp; there each execution with the predicate on has one such thread at least, which bounds it from above.
 */
static uint64_t effective(const struct sass *sass, const struct instruction_count *count)
{
	const enum sass_group group = sass_group_of(sass->family);
	const uint64_t on = group == SASS_GROUP_GMMA || group == SASS_GROUP_WARP ? count->threads_true / WARP_THREADS : count->threads_true;

	if (sass->null || sass_never(sass))
		return 0;
	return on < count->executed ? on : count->executed;
}

static struct work_line *find_line(struct work *work, const struct sass *sass)
{
	for (size_t i = 0; i < work->lines; i++)
		if (work->line[i].family == sass->family && strcmp(work->line[i].text, sass->text) == 0)
			return &work->line[i];
	work->line = mem_array(work->line, work->lines + 1, sizeof *work->line);
	work->line[work->lines] = (struct work_line){.family = sass->family, .operations_known = true};
	strcpy(work->line[work->lines].text, sass->text);
	return &work->line[work->lines++];
}

static void add_count(struct work *work, const struct sass *sass, const struct instruction_count *count, struct boxes boxes)
{
	struct work_line *line = find_line(work, sass);
	const uint64_t done = effective(sass, count);
	uint64_t operations = 0;

	line->instructions++;
	line->executed += count->executed;
	line->threads_true += count->threads_true;
	line->effective += done;
	line->null += sass->null ? count->executed : 0;
	/* An instruction that never did anything hides no work, whatever its shape. */
	if (!sass_operations(sass, &operations) && done > 0)
		line->operations_known = false;
	line->operations += (double)operations * (double)done;
	if (sass_group_of(sass->family) == SASS_GROUP_TMA) {
		line->bytes_least += boxes.least * (double)done;
		line->bytes_most += boxes.most * (double)done;
	}
}

static int by_family(const void *a, const void *b)
{
	const struct work_line *x = a, *y = b;

	return x->family != y->family ? (int)x->family - (int)y->family : strcmp(x->text, y->text);
}

enum status work_add(struct work *work, const struct counts *counts, const struct cubin *cubin, const struct plan *plan, struct error *err)
{
	const struct cubin_function *function = cubin_find(cubin, counts->function);
	const struct boxes boxes = boxes_of(plan, counts->function);

	work->functions++;
	if (function == NULL)
		return error_set(err, R_EVD_JOIN, cubin->elf.file, "there is no function '%s'", counts->function);
	for (size_t i = 0; i < counts->count; i++) {
		const uint64_t offset = counts->at[i].offset;
		struct sass sass;

		if (offset % CUBIN_INSTRUCTION_BYTES != 0 || offset >= function->size)
			return error_set(err, R_EVD_JOIN, cubin->elf.file, "a count at offset %llu of '%s', which has %llu bytes",
			                 (unsigned long long)offset, counts->function, (unsigned long long)function->size);
		work->warps += counts->at[i].executed;
		sass_read(cubin_code(cubin, function) + offset, cubin->sm, &sass);
		if (sass.family != SASS_OTHER)
			add_count(work, &sass, &counts->at[i], boxes);
	}
	if (work->lines > 0)
		qsort(work->line, work->lines, sizeof *work->line, by_family);
	work->counted += counts->state == COUNTS_EXECUTED || counts->state == COUNTS_NOT_EXECUTED;
	return OK;
}

void work_free(struct work *work)
{
	free(work->line);
	*work = (struct work){0};
}

double work_operations(const struct work *work, enum sass_group group, bool *known)
{
	double sum = 0;

	*known = true;
	for (size_t i = 0; i < work->lines; i++) {
		if (sass_group_of(work->line[i].family) != group)
			continue;
		sum += work->line[i].operations;
		*known = *known && work->line[i].operations_known;
	}
	return sum;
}

static cJSON *line_facts(const struct work_line *line)
{
	cJSON *facts = cJSON_CreateObject();

	cJSON_AddStringToObject(facts, "family", sass_family_name(line->family));
	cJSON_AddStringToObject(facts, "group", sass_group_name(sass_group_of(line->family)));
	cJSON_AddStringToObject(facts, "text", line->text);
	cJSON_AddNumberToObject(facts, "instructions", (double)line->instructions);
	cJSON_AddNumberToObject(facts, "executed", (double)line->executed);
	cJSON_AddNumberToObject(facts, "threads_true", (double)line->threads_true);
	cJSON_AddNumberToObject(facts, "effective", (double)line->effective);
	cJSON_AddNumberToObject(facts, "null", (double)line->null);
	if (line->operations_known)
		cJSON_AddNumberToObject(facts, "operations", line->operations);
	else
		cJSON_AddNullToObject(facts, "operations");
	return facts;
}

static bool complete(const struct work *work)
{
	return work->functions > 0 && work->counted == work->functions;
}

static void add_share(cJSON *shares, const struct work *work, enum sass_group group, double whole)
{
	bool known;
	const double operations = work_operations(work, group, &known);

	if (complete(work) && known)
		cJSON_AddNumberToObject(shares, sass_group_name(group), operations / whole);
	else
		cJSON_AddNullToObject(shares, sass_group_name(group));
}

static void add_bytes_share(cJSON *shares, const char *key, const struct work *work, double share)
{
	if (complete(work))
		cJSON_AddNumberToObject(shares, key, share);
	else
		cJSON_AddNullToObject(shares, key);
}

cJSON *work_facts(const struct work *work, const struct problem *problem)
{
	cJSON *facts = cJSON_CreateObject();
	cJSON *lines = cJSON_AddArrayToObject(facts, "lines");
	cJSON *shares = cJSON_AddObjectToObject(facts, "operations_share");
	cJSON *bytes = cJSON_AddObjectToObject(facts, "bytes_share");
	double least = 0, most = 0;

	for (size_t i = 0; i < work->lines; i++) {
		cJSON_AddItemToArray(lines, line_facts(&work->line[i]));
		least += work->line[i].bytes_least;
		most += work->line[i].bytes_most;
	}
	cJSON_AddBoolToObject(facts, "complete", complete(work));
	cJSON_AddNumberToObject(facts, "warps", (double)work->warps);
	add_share(shares, work, SASS_GROUP_GMMA, problem->flops);
	add_share(shares, work, SASS_GROUP_TCGEN, problem->flops);
	add_share(shares, work, SASS_GROUP_WARP, problem->flops);
	add_bytes_share(bytes, "least", work, least / problem->bytes);
	add_bytes_share(bytes, "most", work, most / problem->bytes);
	return facts;
}
