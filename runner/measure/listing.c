#include "listing.h"

#include "../kernel/census.h"

static cJSON *census_json(const struct cubin *cubin, const struct cubin_function *function)
{
	cJSON *object = cJSON_CreateObject();
	cJSON *lines = cJSON_AddArrayToObject(object, "lines");
	struct census census;

	census_function(cubin, function, &census);
	for (size_t i = 0; i < census.lines; i++) {
		const struct census_line *line = &census.line[i];
		cJSON *item = cJSON_CreateObject();

		cJSON_AddNumberToObject(item, "count", (double)line->count);
		cJSON_AddStringToObject(item, "family", sass_family_name(line->family));
		cJSON_AddStringToObject(item, "group", sass_group_name(sass_group_of(line->family)));
		cJSON_AddNumberToObject(item, "never", (double)line->never);
		cJSON_AddNumberToObject(item, "null", (double)line->null);
		cJSON_AddStringToObject(item, "text", line->text);
		cJSON_AddItemToArray(lines, item);
	}
	cJSON_AddStringToObject(object, "function", function->name);
	cJSON_AddNumberToObject(object, "instructions", (double)census.instructions);
	if (function->has_registers)
		cJSON_AddNumberToObject(object, "registers", function->registers);
	cJSON_AddNumberToObject(object, "shared_bytes", (double)function->shared);
	census_free(&census);
	return object;
}

cJSON *listing_of(const struct cubin *cubin)
{
	cJSON *census = cJSON_CreateArray();

	for (size_t i = 0; i < cubin->count; i++)
		cJSON_AddItemToArray(census, census_json(cubin, &cubin->at[i]));
	return census;
}
