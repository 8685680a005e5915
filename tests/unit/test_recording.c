/* A record is read as what a stranger's code may have written: R-LOW-008 for what is none, and each end by its own rule. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/recording.h"

#define END(how, kind, text) "],\"end\":\"" how "\",\"kind\":\"" kind "\",\"text\":\"" text "\"}\n"
#define LAUNCH \
	"{\"call\":\"launch\",\"function\":\"f\",\"grid\":[\"1\",\"2\",\"3\"],\"block\":[\"32\",\"1\",\"1\"],\"cluster\":[\"2\",\"1\",\"1\"],\"shared\":\"7\"," \
	"\"parameters\":[\"00ff\",\"01\"]}"
#define RETURNED END("returned", "", "")

static enum status read_text(const char *text, struct error *err)
{
	struct recording *recording = mem_alloc(sizeof *recording);
	const enum status status = recording_read(text, strlen(text), recording, err);

	recording_free(recording);
	free(recording);
	return status;
}

static void breaks(const char *text, enum rule rule)
{
	struct error err = {0};

	if (read_text(text, &err) == OK || err.rule != rule)
		fail_msg("%s: rule %s, %s", text, rule_info(err.rule)->id, err.what);
}

static void reads(void **state)
{
	(void)state;
	static const char text[] =
		"{\"calls\":[{\"call\":\"malloc\",\"address\":\"35184372088832\",\"bytes\":\"100\"},"
		"{\"call\":\"asked\",\"attribute\":\"97\",\"value\":\"232448\"},{\"call\":\"asked\",\"attribute\":\"16\",\"value\":\"132\"},"
		"{\"call\":\"asked\",\"attribute\":\"97\",\"value\":\"232448\"}," LAUNCH
		",{\"call\":\"memset\",\"address\":\"35184372088832\",\"bytes\":\"100\",\"value\":\"255\"}" RETURNED;
	struct recording *recording = mem_alloc(sizeof *recording);
	struct error err = {0};

	if (recording_read(text, strlen(text), recording, &err) != OK)
		fail_msg("%s", err.what);
	assert_int_equal(recording->allocation_count, 1);
	assert_int_equal(recording->allocations[0].bytes, 100);
	assert_int_equal(recording->asked_count, 2);
	assert_int_equal(recording->asked[0].attribute, 16);
	assert_int_equal(recording->asked[1].value, 232448);
	assert_int_equal(recording->launch_count, 1);
	assert_int_equal(recording->launches[0].grid[2], 3);
	assert_int_equal(recording->launches[0].cluster[0], 2);
	assert_int_equal(recording->launches[0].shared, 7);
	assert_int_equal(recording->launches[0].parameters[0].size, 2);
	assert_int_equal(recording->launches[0].parameters[0].bytes[1], 0xFF);
	assert_int_equal(recording->fills[0].launch, 1);
	assert_int_equal(recording->fills[0].value, 255);
	recording_free(recording);
	free(recording);
}

static void ends(void **state)
{
	(void)state;
	breaks("{\"calls\":[" END("raised", "", "no"), R_LOW_END);
	breaks("{\"calls\":[" END("unloadable", "", "no"), R_LOW_CALLS);
	breaks("{\"calls\":[" END("unexported", "", ""), R_LOW_EXPORT);
	breaks("{\"calls\":[" END("unsafe", "", "no"), R_LOW_SANDBOX);
	breaks("{\"calls\":[" END("tools", "", "no"), R_LOW_TOOLS);
	breaks("{\"calls\":[" END("refused", "order", "no"), R_LOW_ORDER);
	breaks("{\"calls\":[" END("refused", "", "no"), R_LOW_RECORD);
	breaks("{\"calls\":[" END("over", "", "no"), R_LOW_RECORD);
	breaks("{\"calls\":[" RETURNED, R_LOW_EXPORT); /* nothing was launched */
}

static void is_none(void **state)
{
	(void)state;
	breaks("", R_LOW_RECORD);
	breaks("{}", R_LOW_RECORD);
	breaks("[]", R_LOW_RECORD);
	breaks("{\"calls\":[" LAUNCH RETURNED "{\"calls\":[" LAUNCH RETURNED, R_LOW_RECORD);
	breaks("{\"calls\":{},\"end\":\"returned\",\"kind\":\"\",\"text\":\"\"}", R_LOW_RECORD);
	breaks("{\"calls\":[7" RETURNED, R_LOW_RECORD);
	breaks("{\"calls\":[{\"call\":\"copy\"}" RETURNED, R_LOW_RECORD);
	breaks("{\"calls\":[{\"call\":\"malloc\",\"address\":1,\"bytes\":\"1\"}" RETURNED, R_LOW_RECORD);
	breaks("{\"calls\":[{\"call\":\"malloc\",\"address\":\"-1\",\"bytes\":\"1\"}" RETURNED, R_LOW_RECORD);
	breaks("{\"calls\":[{\"call\":\"malloc\",\"address\":\"18446744073709551616\",\"bytes\":\"1\"}" RETURNED, R_LOW_RECORD);
	breaks("{\"calls\":[{\"call\":\"memset\",\"address\":\"1\",\"bytes\":\"1\",\"value\":\"256\"}" RETURNED, R_LOW_RECORD);
	breaks("{\"calls\":[{\"call\":\"asked\",\"attribute\":\"0\",\"value\":\"1\"}" RETURNED, R_LOW_RECORD);
	breaks("{\"calls\":[{\"call\":\"asked\",\"attribute\":\"1\",\"value\":\"1\"},{\"call\":\"asked\",\"attribute\":\"1\",\"value\":\"2\"}" RETURNED, R_LOW_RECORD);
	breaks("{\"calls\":[{\"call\":\"launch\",\"function\":\"f\",\"grid\":[\"1\"]}" RETURNED, R_LOW_RECORD);
	breaks("{\"calls\":[{\"call\":\"launch\",\"grid\":[\"1\",\"1\",\"1\"]}" RETURNED, R_LOW_RECORD);
	breaks("{\"calls\":[{\"call\":\"launch\",\"function\":\"f\",\"grid\":[\"1\",\"2\",\"3\"],\"block\":[\"32\",\"1\",\"1\"],\"cluster\":[\"2\",\"1\",\"1\"],"
	       "\"shared\":\"7\",\"parameters\":[\"0g\"]}" RETURNED,
	       R_LOW_RECORD);
	breaks("{\"calls\":[{\"call\":\"launch\",\"function\":\"f\",\"grid\":[\"1\",\"2\",\"3\"],\"block\":[\"32\",\"1\",\"1\"],\"cluster\":[\"2\",\"1\",\"1\"],"
	       "\"shared\":\"7\",\"parameters\":[\"\"]}" RETURNED,
	       R_LOW_RECORD);
	breaks("{\"calls\":[{\"call\":\"map\",\"token\":\"00\",\"dims\":[\"1\"]}" RETURNED, R_LOW_RECORD);
}

static void too_many(void **state)
{
	(void)state;
	struct bytes text = {0};

	bytes_text(&text, "{\"calls\":[" LAUNCH);
	for (int i = 0; i < CANDIDATE_LAUNCHES_MAX; i++)
		bytes_text(&text, "," LAUNCH);
	bytes_text(&text, RETURNED);
	breaks(text.data, R_LOW_LAUNCH);
	bytes_free(&text);
	bytes_text(&text, "{\"calls\":[{\"call\":\"malloc\",\"address\":\"1\",\"bytes\":\"1\"}");
	for (int i = 0; i < RECORDED_ALLOCATIONS_MAX; i++)
		bytes_text(&text, ",{\"call\":\"malloc\",\"address\":\"1\",\"bytes\":\"1\"}");
	bytes_text(&text, RETURNED);
	breaks(text.data, R_LOW_LAUNCH);
	bytes_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(reads), cmocka_unit_test(ends), cmocka_unit_test(is_none), cmocka_unit_test(too_many)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
