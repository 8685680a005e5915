/* Any bytes as an in-toto statement: no crash, and what is taken, written again, is read as the same and written as the same
 * bytes. */
#include "fuzz.h"

#include "bundle/statement.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct statement statement, again;
	struct bytes out = {0}, second = {0};
	struct error err;
	enum status status = statement_parse((const char *)data, size, "m", &statement, &err);

	REQUIRE(status == OK || (status == MALFORMED && statement.count == 0 && statement.predicate == NULL));
	if (status != OK)
		return 0;
	for (size_t i = 0; i < statement.count; i++)
		REQUIRE(statement_find(&statement, statement.subjects[i].name) == &statement.subjects[i]);
	REQUIRE(statement_write(&statement, &out, &err) == OK);
	status = statement_parse(out.data, out.len, "m", &again, &err);
	/* 1e20 in the predicate is taken, but canonical JSON writes it as an integer, which is refused beyond 2^53. */
	REQUIRE(status == OK || err.rule == R_JSON_RANGE);
	if (status == OK) {
		REQUIRE(statement_write(&again, &second, &err) == OK);
		REQUIRE(out.len == second.len && memcmp(out.data, second.data, out.len) == 0);
	}
	statement_free(&statement);
	statement_free(&again);
	bytes_free(&out);
	bytes_free(&second);
	return 0;
}
