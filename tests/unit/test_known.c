/* What an archive already has: samples, calls and seeds of records, by what they are and not by where they stand (submission/known.h). */
#include "unit.h"

#include "scratch.h"

#include "submission/known.h"

static char *directory;
static struct root root;

static int begin(void **state)
{
	(void)state;
	directory = scratch_make();
	assert_int_equal(root_open(directory, &root, NULL), OK);
	return 0;
}

static int end(void **state)
{
	(void)state;
	root_close(&root);
	scratch_remove(directory);
	return 0;
}

/* A record of 20 calls: call i has the device's time 1000 + 10 i and the host's 2000 + 7 i; the baseline's are 5000 higher. */
enum { CALLS = 20 };

struct call {
	unsigned candidate, candidate_wall, baseline, baseline_wall;
};

static void calls_of(struct call calls[CALLS])
{
	for (unsigned i = 0; i < CALLS; i++)
		calls[i] = (struct call){1000 + 10 * i, 2000 + 7 * i, 6000 + 10 * i, 7000 + 7 * i};
}

static cJSON *record_of(const struct call *calls, size_t count, const char *run, unsigned first_seed)
{
	struct bytes text = {0};

	bytes_format(&text,
	             "{\"candidate\":{\"arch\":\"sm_90a\",\"directory\":\"artifact/candidates/t/n\",\"files\":[],\"id\":\"\",\"label\":\"\",\"name\":\"n\"},\"date\":\"\",\"device\":{\"name\":\"D\"},"
	             "\"evidence\":{\"arch_tag\":\"\",\"evidence\":\"\"},\"outcome\":{\"label\":\"\",\"published\":\"\",\"strict\":\"\"},\"problem\":{\"task\":\"t\",\"workload\":\"\"},"
	             "\"program\":\"\",\"run\":\"%s\",\"schema\":\"ptxseal-replay/1\",\"stand_in\":false,\"trials\":[],"
	             "\"timing\":{\"columns\":[\"seed\",\"candidate_ns\",\"baseline_ns\",\"candidate_wall_ns\",\"baseline_wall_ns\"],\"samples\":[",
	             run);
	for (size_t i = 0; i < count; i++)
		bytes_format(&text, "%s[\"%zu\",%u,%u,%u,%u]", i > 0 ? "," : "", first_seed + i, calls[i].candidate, calls[i].baseline, calls[i].candidate_wall,
		             calls[i].baseline_wall);
	bytes_text(&text, "]},\"trajectory\":0}");
	cJSON *record = cJSON_ParseWithLength(text.data, text.len);

	assert_non_null(record);
	bytes_free(&text);
	return record;
}

static void put(const char *run, cJSON *record)
{
	char *path = mem_format("artifact/replays/%s/n.json", run), *text = cJSON_PrintUnformatted(record);
	struct bytes line = {0};

	bytes_format(&line, "%s\n", text);
	assert_int_equal(root_write(&root, path, line.data, line.len, NULL), OK);
	bytes_free(&line);
	cJSON_free(text);
	free(path);
	cJSON_Delete(record);
}

static void columns_are_found_by_their_names(void **state)
{
	cJSON *record = record_of((struct call[]){{1, 2, 3, 4}}, 1, "r", 1);

	(void)state;
	assert_int_equal(known_column(record, "seed"), 0);
	assert_int_equal(known_column(record, "baseline_wall_ns"), 4);
	assert_int_equal(known_column(record, "candidate_hz"), -1);
	cJSON_Delete(record);
}

/* SHA-256 of "candidate_ns 1000 1010 ... 1150", as sha256sum gives it. */
static void times_are_known_in_order_of_size_from_sixteen_on(void **state)
{
	struct call calls[CALLS], back[CALLS];
	struct sha256 hash, again;
	char hex[SHA256_HEX + 1];

	(void)state;
	calls_of(calls);
	for (size_t i = 0; i < 16; i++)
		back[i] = calls[15 - i];
	cJSON *fifteen = record_of(calls, 15, "r", 1), *sixteen = record_of(calls, 16, "r", 1), *turned = record_of(back, 16, "r", 100);

	assert_false(known_times(fifteen, 0, &hash));
	assert_true(known_times(sixteen, 0, &hash));
	assert_true(known_times(turned, 0, &again));
	sha256_hex(&hash, hex);
	assert_string_equal(hex, "cb3e102da272757a0007ea12a96a084966ae15d195b360e20ffdc0c7f978d2a8");
	assert_memory_equal(&hash, &again, sizeof hash);
	cJSON_Delete(fifteen);
	cJSON_Delete(sixteen);
	cJSON_Delete(turned);
}

static void equal_times_are_no_times(void **state)
{
	struct call calls[CALLS];
	struct sha256 hash;

	(void)state;
	for (size_t i = 0; i < CALLS; i++)
		calls[i] = (struct call){1000, 2000, 1000, 2000};
	cJSON *record = record_of(calls, CALLS, "r", 1);

	assert_false(known_times(record, 0, &hash));
	assert_false(known_times(record, 1, &hash));
	cJSON_Delete(record);
}

static void what_stands_in_a_bundle_is_found_by_what_it_is(void **state)
{
	struct call calls[CALLS];
	struct known known;

	(void)state;
	calls_of(calls);
	put("one", record_of(calls, CALLS, "one", 1));
	known_take(&root, &known);
	const struct sha256 seed = known_text("7"), none = known_text("99"), device = known_text("D");
	const struct known_thing *thing = known_find(&known, KNOWN_SEED, &seed, NULL);

	assert_non_null(thing);
	assert_string_equal(thing->where, "artifact/replays/one/n.json");
	assert_null(known_find(&known, KNOWN_SEED, &seed, "artifact/replays/one/n.json"));
	assert_null(known_find(&known, KNOWN_SEED, &none, NULL));
	assert_null(known_find(&known, KNOWN_DEVICE, &seed, NULL));
	assert_non_null(known_find(&known, KNOWN_DEVICE, &device, NULL));
	known_free(&known);
}

/* However they are ordered, and whatever their seeds are; the record that has the most of them is named. */
static void calls_of_another_record_are_counted(void **state)
{
	struct call calls[CALLS], mine[CALLS], other[CALLS];
	struct known known;
	struct known_calls same;
	size_t count;

	(void)state;
	calls_of(calls);
	for (size_t i = 0; i < CALLS; i++)
		other[i] = i < 2 ? calls[i] : (struct call){9000 + (unsigned)i, 9000, 9000, 9000};
	put("one", record_of(calls, CALLS, "one", 1));
	put("another", record_of(other, CALLS, "another", 1));
	/* Five calls of `one` in the other order, of which `another` has two. The sixth has the device's time alone. */
	for (size_t i = 0; i < CALLS; i++)
		mine[i] = i < 5 ? calls[4 - i] : (struct call){3000 + (unsigned)i, 1, 2, 3};
	mine[5].candidate = calls[5].candidate;
	for (size_t i = 0; i < CALLS; i++)
		mine[i].baseline_wall++;
	cJSON *record = record_of(mine, CALLS, "mine", 500);

	known_take(&root, &known);
	same = known_calls(&known, record, 0, NULL, &count);
	assert_int_equal(count, CALLS);
	assert_int_equal(same.count, 5);
	assert_string_equal(same.where, "artifact/replays/one/n.json");
	same = known_calls(&known, record, 0, "artifact/replays/one/n.json", &count);
	assert_int_equal(same.count, 2);
	assert_string_equal(same.where, "artifact/replays/another/n.json");
	/* Another time on the host's clock: another call. */
	same = known_calls(&known, record, 1, NULL, &count);
	assert_int_equal(same.count, 0);
	assert_null(same.where);
	cJSON_Delete(record);
	known_free(&known);
}

/* A call that a record has twice counts once for each call of mine. */
static void a_call_that_stands_there_twice_is_one(void **state)
{
	const struct call twice[] = {{10, 20, 30, 40}, {10, 20, 30, 40}}, mine[] = {{10, 20, 31, 40}};
	struct known known;
	size_t count;

	(void)state;
	put("one", record_of(twice, 2, "one", 1));
	known_take(&root, &known);
	cJSON *record = record_of(mine, 1, "mine", 9);

	assert_int_equal(known_calls(&known, record, 0, NULL, &count).count, 1);
	assert_int_equal(count, 1);
	cJSON_Delete(record);
	known_free(&known);
}

/* `date -u -d 2026-02-28T23:59:59.987Z +%s%3N`, and so on. */
static void times_are_counted_from_1970(void **state)
{
	static const struct {
		const char *text;
		int64_t ms;
	} times[] = {{"1970-01-01T00:00:00.000Z", 0},           {"1969-12-31T23:59:59.999Z", -1},         {"2000-02-29T12:00:00.001Z", 951825600001},
	             {"2026-02-28T23:59:59.987Z", 1772323199987}, {"2024-12-31T00:00:00.500Z", 1735603200500}};

	(void)state;
	for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
		struct exchange exchange = {0};

		memcpy(exchange.started, times[i].text, sizeof exchange.started);
		assert_int_equal(known_started(&exchange), times[i].ms);
	}
}

/* R-SUB-029: an exchange is known by its times from a tenth of a second on, and by each of them. */
static void exchanges_are_known_by_their_times(void **state)
{
	struct exchange a = {.started = "2026-01-01T00:00:01.000Z", .has_response = true, .first_byte_ms = 7, .took_ms = 100}, b = a;
	struct sha256 x, y;

	(void)state;
	assert_true(known_time(&a, KNOWN_TOOK, 0, &x));
	assert_true(known_time(&b, KNOWN_TOOK, 1, &y));
	assert_memory_equal(&x, &y, sizeof x);
	b.first_byte_ms = 8;
	known_time(&b, KNOWN_TOOK, 0, &y);
	assert_memory_not_equal(&x, &y, sizeof x);
	b = a;
	b.took_ms = 101;
	known_time(&b, KNOWN_TOOK, 0, &y);
	assert_memory_not_equal(&x, &y, sizeof x);
	b = a;
	b.response.byte[0] = 1;
	known_time(&b, KNOWN_TOOK, 0, &y);
	assert_memory_not_equal(&x, &y, sizeof x);
	b.took_ms = 99;
	assert_false(known_time(&b, KNOWN_TOOK, 0, &y));
	const int64_t at = known_started(&a);

	assert_true(known_time(&a, KNOWN_PACE, at - 100, &x));
	assert_true(known_time(&a, KNOWN_PACE, at - 101, &y));
	assert_memory_not_equal(&x, &y, sizeof x);
	assert_false(known_time(&a, KNOWN_PACE, at - 99, &y));
	assert_false(known_time(&a, KNOWN_PACE, at + 5000, &y));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_counted_from_1970),
		cmocka_unit_test(exchanges_are_known_by_their_times),
		cmocka_unit_test(columns_are_found_by_their_names),
		cmocka_unit_test(times_are_known_in_order_of_size_from_sixteen_on),
		cmocka_unit_test(equal_times_are_no_times),
		cmocka_unit_test_setup_teardown(what_stands_in_a_bundle_is_found_by_what_it_is, begin, end),
		cmocka_unit_test_setup_teardown(calls_of_another_record_are_counted, begin, end),
		cmocka_unit_test_setup_teardown(a_call_that_stands_there_twice_is_one, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
