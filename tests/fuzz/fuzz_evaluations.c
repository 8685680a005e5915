/* Any bytes as evaluations.jsonl: what is read is written again as the same bytes, and gives a feedback. */
#include "fuzz.h"

#include "bundle/evaluations.h"
#include "model/feedback.h"

static enum status write_again(void *context, struct evaluation *evaluation, uint64_t line, struct error *err)
{
	struct bytes feedback = {0};

	REQUIRE(line > 0 && outcome_is_measured(evaluation->outcome));
	feedback_write(evaluation, &feedback);
	REQUIRE(feedback.len > 0);
	bytes_free(&feedback);
	return evaluation_write(evaluation, context, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes again = {0};
	struct error err = {0};

	if (evaluations_parse((const char *)data, size, "f", write_again, &again, &err) == OK)
		REQUIRE(again.len == size && (size == 0 || memcmp(again.data, data, size) == 0));
	else
		REQUIRE(err.line > 0 || err.has_offset);
	bytes_free(&again);
	return 0;
}
