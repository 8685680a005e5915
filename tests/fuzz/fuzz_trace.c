/* Any bytes as a definition, a solution and a trace: no crash, and what is taken names what an import rests on. */
#include "fuzz.h"

#include <math.h>

#include "base/json.h"
#include "model/trace_schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = {0};
	struct trace_definition definition;
	struct trace_solution solution;
	struct trace trace;
	cJSON *tree = NULL;

	if (json_parse((const char *)data, size, "trace", &tree, &err) != OK)
		return 0;
	if (trace_definition_read(tree, "trace", &definition, &err) == OK)
		REQUIRE(definition.name[0] != '\0' && trace_definition_equal(&definition, &definition));
	else
		REQUIRE(err.status == MALFORMED);
	if (trace_solution_read(tree, "trace", &solution, &err) == OK)
		REQUIRE(solution.author[0] != '\0' && solution.entry[0] != '\0');
	else
		REQUIRE(err.status == MALFORMED);
	err = (struct error){0};
	if (trace_read(tree, "trace", 7, &trace, &err) == OK)
		REQUIRE(trace.uuid[0] != '\0' && (trace.solution == NULL || (trace.status[0] != '\0' && trace.log != NULL)) &&
		        isfinite(trace.speedup) && trace.speedup >= 0);
	else
		REQUIRE(err.status == MALFORMED && err.line == 7);
	cJSON_Delete(tree);
	return 0;
}
