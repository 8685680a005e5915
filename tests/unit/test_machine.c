/* Host facts: what a record says of the machine, and that it names no account. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "base/file.h"
#include "measure/machine.h"

static char scratch[] = "/tmp/ptxseal-test-machine-XXXXXX";

static int set_up(void **state)
{
	(void)state;
	unsetenv("container");
	unsetenv("KUBERNETES_SERVICE_HOST");
	return mkdtemp(scratch) != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	char *command = mem_format("rm -rf '%s'", scratch);
	int rc = system(command);

	free(command);
	return rc;
}

static void put(const char *path, const char *text)
{
	struct root root;
	struct error err;

	assert_int_equal(root_open(scratch, &root, &err), OK);
	assert_int_equal(root_write(&root, path, text, strlen(text), &err), OK);
	root_close(&root);
}

static const char *text(const cJSON *facts, const char *key)
{
	return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(facts, key));
}

static void nothing_to_read_is_unknown(void **state)
{
	(void)state;
	cJSON *facts = machine_facts(scratch);

	assert_string_equal(text(facts, "cpu"), "unknown");
	assert_string_equal(text(facts, "governor"), "unknown");
	assert_string_equal(text(facts, "program"), PTXSEAL_VERSION);
	assert_true(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(facts, "hypervisor")));
	assert_true(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(facts, "memory_mib")));
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(facts, "container")), 0);
	cJSON_Delete(facts);
}

static void facts_are_read_where_linux_puts_them(void **state)
{
	(void)state;
	put("proc/cpuinfo", "processor\t: 0\nmodel name\t: Fast CPU \x1b[1m 9000\nflags\t\t: fpu hypervisor sse\n\nmodel name\t: Other\n");
	put("proc/meminfo", "MemTotal:       131071 kB\nMemFree:  5 kB\n");
	put("proc/1/cgroup", "0::/kubepods/pod1\n");
	put("proc/mounts", "proc /proc proc rw 0 0\noverlay / overlay rw 0 0\n");
	put("proc/version", "Linux version 6.1\n");
	put(".dockerenv", "");
	put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
	cJSON *facts = machine_facts(scratch);
	char *hints = cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(facts, "container"));

	assert_string_equal(text(facts, "cpu"), "Fast CPU \\x1B[1m 9000");
	assert_string_equal(text(facts, "governor"), "performance");
	assert_true(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(facts, "hypervisor")));
	assert_int_equal(cJSON_GetObjectItemCaseSensitive(facts, "memory_mib")->valueint, 127);
	assert_string_equal(hints, "[\"/.dockerenv\",\"kubepods in /proc/1/cgroup\",\"overlay root\"]");
	free(hints);
	cJSON_Delete(facts);
}

static void this_machine_is_known(void **state)
{
	(void)state;
	cJSON *facts = machine_facts("");

	assert_string_not_equal(text(facts, "cpu"), "unknown");
	assert_string_not_equal(text(facts, "kernel"), "unknown");
	assert_string_not_equal(text(facts, "glibc"), "unknown");
	assert_true(cJSON_GetObjectItemCaseSensitive(facts, "cores")->valueint >= 1);
	cJSON_Delete(facts);
}

static void home_directories_are_hidden(void **state)
{
	(void)state;
	static const struct {
		const char *path, *shown;
	} cases[] = {
		{"/srv/me/lib/x.so", "~/lib/x.so"},   {"/srv/me", "/srv/me"},
		{"/srv/mean/x.so", "/srv/mean/x.so"}, {"/root/x.so", "~/x.so"},
		{"/home/jo/a/x.so", "~/a/x.so"},      {"/home/x.so", "/home/x.so"},
		{"/Users/jo/x.so", "~/x.so"},         {"/usr/lib/x.so", "/usr/lib/x.so"},
	};

	setenv("HOME", "/srv/me", 1);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char *shown = machine_path(cases[i].path);

		assert_string_equal(shown, cases[i].shown);
		free(shown);
	}
	setenv("HOME", "/", 1); /* a service's home hides nothing */
	char *shown = machine_path("/usr/lib/x.so");

	assert_string_equal(shown, "/usr/lib/x.so");
	free(shown);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_to_read_is_unknown),
		cmocka_unit_test(facts_are_read_where_linux_puts_them),
		cmocka_unit_test(this_machine_is_known),
		cmocka_unit_test(home_directories_are_hidden),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
