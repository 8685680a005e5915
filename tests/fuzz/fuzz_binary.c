/* Any bytes as a cubin, fat binary or host object: no crash, what is accepted lies in the file, and its census adds up. */
#include "fuzz.h"

#include "kernel/binary.h"
#include "kernel/census.h"

static void look(const struct cubin *cubin, const uint8_t *data, size_t size)
{
	struct census all;
	uint64_t instructions = 0;

	for (size_t i = 0; i < cubin->count; i++) {
		const struct cubin_function *function = &cubin->at[i];
		const uint8_t *code = cubin_code(cubin, function);
		struct census census;
		uint64_t counted = 0;

		REQUIRE(code >= data && function->size <= size && code + function->size <= data + size);
		REQUIRE(function->size % CUBIN_INSTRUCTION_BYTES == 0 && function->name[0] != '\0');
		REQUIRE(cubin_find(cubin, function->name) == function);
		census_function(cubin, function, &census);
		for (size_t o = 0; o < census.opcodes; o++)
			counted += census.opcode[o].count;
		REQUIRE(counted == census.instructions && counted * CUBIN_INSTRUCTION_BYTES == function->size);
		for (size_t l = 0; l < census.lines; l++)
			REQUIRE(census.line[l].null + census.line[l].never + census.line[l].guarded <= census.line[l].count);
		instructions += census.instructions;
		census_free(&census);
	}
	census_cubin(cubin, &all);
	REQUIRE(all.instructions == instructions);
	census_free(&all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct binary binary;
	struct error err = {0};
	enum status status = binary_read(data, size, "k.cubin", &binary, &err);

	if (status != OK) {
		REQUIRE(status == MALFORMED && err.what[0] != '\0' && binary.at == NULL);
		return 0;
	}
	for (size_t i = 0; i < binary.count; i++)
		if (binary.at[i].readable)
			look(&binary.at[i].cubin, data, size);
	binary_free(&binary);
	return 0;
}
