/* What NVML says becomes facts, and what it does not say too: against libraries of known answers that the test makes. */
#include "unit.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/jcs.h"
#include "fake_library.h"
#include "measure/nvml.h"

static char scratch[] = "/tmp/ptxseal-test-nvml-XXXXXX";

/* Which of these a fake has, and what it answers, is chosen with -D. Written from NVML's documentation, not through nvml.c's declarations. */
static const char source[] =
	"#include <stdlib.h>\n"
	"#include <string.h>\n"
	"#include <unistd.h>\n"
	"typedef struct device *dev;\n"
	"struct device { int x; };\n"
	"static struct device only;\n"
	"#define TEXT(name, value) int name(dev d, char *s, unsigned n) { if (d != &only) return 2; strncpy(s, value, n); return R; }\n"
	"#define ONE(name, value) int name(dev d, unsigned *v) { if (d != &only) return 2; *v = value; return R; }\n"
	"int nvmlInit_v2(void) { return INIT; }\n"
	"int nvmlShutdown(void) { return 0; }\n"
	"int nvmlDeviceGetHandleByPciBusId_v2(const char *s, dev *d) { *d = &only; return strcmp(s, \"0000:04:00.0\") == 0 ? 0 : 6; }\n"
	"#ifndef BARE\n"
	"int nvmlSystemGetDriverVersion(char *s, unsigned n) { strncpy(s, \"580.1\", n); return R; }\n"
	"int nvmlSystemGetNVMLVersion(char *s, unsigned n) { strncpy(s, \"13.580.1\", n); return R; }\n"
	"int nvmlSystemGetCudaDriverVersion_v2(int *v) { *v = 13010; return R; }\n"
	"TEXT(nvmlDeviceGetName, \"Fake GPU\\x1b\") TEXT(nvmlDeviceGetUUID, \"GPU-1\") TEXT(nvmlDeviceGetVbiosVersion, \"96.00\")\n"
	"int nvmlDeviceGetEccMode(dev d, unsigned *a, unsigned *b) { *a = 1; *b = 0; return R; }\n"
	"int nvmlDeviceGetMigMode(dev d, unsigned *a, unsigned *b) { *a = 0; *b = 1; return 3; }\n"
	"ONE(nvmlDeviceGetPersistenceMode, 0) ONE(nvmlDeviceGetComputeMode, 3) ONE(nvmlDeviceGetPowerManagementLimit, 650000)\n"
	"ONE(nvmlDeviceGetPowerManagementDefaultLimit, 700000) ONE(nvmlDeviceGetEnforcedPowerLimit, 640000)\n"
	"ONE(nvmlDeviceGetMaxPcieLinkGeneration, 5) ONE(nvmlDeviceGetMaxPcieLinkWidth, 16) ONE(nvmlDeviceGetCurrPcieLinkGeneration, 4)\n"
	"ONE(nvmlDeviceGetCurrPcieLinkWidth, 8) ONE(nvmlDeviceGetPowerUsage, 70500)\n"
	"int nvmlDeviceGetMaxClockInfo(dev d, unsigned t, unsigned *v) { *v = t == 1 ? 1980 : t == 2 ? 3201 : 1; return R; }\n"
	"int nvmlDeviceGetApplicationsClock(dev d, unsigned t, unsigned *v) { *v = t == 1 ? 1830 : t == 2 ? 3200 : 1; return 4; }\n"
	"int nvmlDeviceGetClockInfo(dev d, unsigned t, unsigned *v) { *v = t == 1 ? 345 : t == 2 ? 3201 : 1; return R; }\n"
	"int nvmlDeviceGetTemperature(dev d, unsigned t, unsigned *v) { *v = 31 + t; return R; }\n"
	"struct field { unsigned id, scope; long long time, latency; int type, result; union { double d; unsigned u; unsigned long long l; } v; };\n"
	"int nvmlDeviceGetFieldValues(dev d, int n, struct field *f) { if (n != 1 || f->id != 82) return 2; f->type = 1; f->result = R; f->v.u = 44; return 0; }\n"
	"int nvmlDeviceGetTotalEccErrors(dev d, unsigned t, unsigned c, unsigned long long *v) { *v = (t == 0 ? 12 : 3) + 100 * c; return R; }\n"
	"struct violation { unsigned long long at, time; };\n"
	"int nvmlDeviceGetViolationStatus(dev d, unsigned p, struct violation *v) { v->at = 9; v->time = p == 0 ? 5000000000 : p == 1 ? 7 : 8; return R; }\n"
	"struct process { unsigned pid; unsigned long long memory; unsigned gi, ci; };\n"
	"int nvmlDeviceGetComputeRunningProcesses_v3(dev d, unsigned *n, struct process *p) { if (*n < 5) return 7; *n = 5; memset(p, 0, 5 * sizeof *p);\n"
	"	p[0].pid = getpid(); p[1].pid = getppid(); p[2].pid = p[3].pid = 1 << 30; p[4].pid = getenv(\"FAKE_CHILD\") ? atoi(getenv(\"FAKE_CHILD\")) : getpid(); return R; }\n"
	"int REASONS(dev d, unsigned long long *v) { *v = 0x204; return R; }\n"
	"#endif\n";

static const char bus[] = "0000:04:00.0";

static void make_fake(const char *options)
{
	assert_true(fake_library(scratch, LIBRARY_NVML, source, options));
	setenv("PTXSEAL_CUDA_LIBS", scratch, 1);
}

/* Both records of the device, as canonical JSON. */
static char *facts(const char *pci_bus_id)
{
	struct nvml nvml;
	struct nvml_device device;
	struct nvml_state now;
	struct bytes out = {0};
	struct error err;

	nvml_open(&nvml, pci_bus_id);
	nvml_read_device(&nvml, &device);
	nvml_read_state(&nvml, &now);
	cJSON *first = nvml_device_facts(&nvml, &device);
	cJSON *second = nvml_state_facts(&now);

	assert_int_equal(jcs_write(first, &out, &err), OK);
	bytes_char(&out, '\n');
	assert_int_equal(jcs_write(second, &out, &err), OK);
	cJSON_Delete(first);
	cJSON_Delete(second);
	nvml_close(&nvml);
	return out.data;
}

static void expect(const char *pci_bus_id, const char *expected)
{
	char *got = facts(pci_bus_id);

	assert_string_equal(got, expected);
	free(got);
}

static void known_answers_become_facts(void **state)
{
	(void)state;
	make_fake("-w -DR=0 -DINIT=0 -DREASONS=nvmlDeviceGetCurrentClocksEventReasons");

	/* A worker of ours is none of the others. */
	const pid_t child = fork();
	char *number = mem_format("%ld", (long)child);

	if (child == 0) {
		pause();
		_exit(0);
	}
	setenv("FAKE_CHILD", number, 1);
	free(number);
	expect(bus, "{\"compute_mode\":\"exclusive process\",\"cuda_driver_version\":\"13.1\",\"driver_version\":\"580.1\",\"ecc_mode\":\"on\","
	            "\"memory_clock_application_mhz\":\"refused\",\"memory_clock_max_mhz\":3201,\"mig_mode\":\"unsupported\","
	            "\"name\":\"Fake GPU\\\\x1B\",\"nvml\":null,\"nvml_version\":\"13.580.1\",\"pci_bus_id\":\"0000:04:00.0\","
	            "\"pcie_generation_max\":5,\"pcie_width_max\":16,\"persistence_mode\":\"off\",\"power_limit_default_mw\":700000,"
	            "\"power_limit_enforced_mw\":640000,\"power_limit_mw\":650000,\"sm_clock_application_mhz\":\"refused\","
	            "\"sm_clock_max_mhz\":1980,\"uuid_sha256\":\"9207b013e156f37cec549f82186437e60fc0c86e7f467930feca402cab39a3d6\",\"vbios\":\"96.00\"}\n"
	            "{\"ecc_corrected\":12,\"ecc_uncorrected\":3,\"event_reasons\":{\"mask\":\"0x204\",\"names\":[\"software power cap\"]},"
	            "\"memory_clock_mhz\":3201,\"memory_temperature_c\":44,\"other_compute_processes\":2,\"pcie_generation\":4,"
	            "\"pcie_width\":8,\"power_mw\":70500,\"power_violation_ns\":5000000000,\"sm_clock_mhz\":345,\"temperature_c\":31,"
	            "\"thermal_violation_ns\":7}");
	unsetenv("FAKE_CHILD");
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

static void older_name_of_event_reasons_serves(void **state)
{
	(void)state;
	make_fake("-w -DR=0 -DINIT=0 -DREASONS=nvmlDeviceGetCurrentClocksThrottleReasons");
	char *got = facts(bus);

	assert_non_null(strstr(got, "\"event_reasons\":{\"mask\":\"0x204\""));
	free(got);
}

/* Every value of both records stands as that text. */
static void expect_all(const char *pci_bus_id, const char *text, const char *why)
{
	char *got = facts(pci_bus_id);
	char *second = strchr(got, '\n');
	const cJSON *value;

	*second++ = '\0';
	cJSON *device = cJSON_Parse(got);
	cJSON *now = cJSON_Parse(second);
	int said = 0;

	cJSON_ArrayForEach(value, device)
	{
		if (strcmp(value->string, "pci_bus_id") == 0)
			assert_string_equal(cJSON_GetStringValue(value), pci_bus_id);
		else if (strcmp(value->string, "nvml") == 0)
			assert_true(why == NULL ? cJSON_IsNull(value) : strstr(cJSON_GetStringValue(value), why) != NULL);
		else if (strcmp(value->string, "mig_mode") != 0 && strstr(value->string, "application") == NULL)
			said += strcmp(cJSON_GetStringValue(value), text) == 0;
	}
	assert_int_equal(said, cJSON_GetArraySize(device) - 5);
	cJSON_ArrayForEach(value, now) assert_string_equal(cJSON_GetStringValue(value), text);
	cJSON_Delete(device);
	cJSON_Delete(now);
	free(got);
}

static void refusals_are_facts(void **state)
{
	(void)state;
	make_fake("-w -DR=4 -DINIT=0 -DREASONS=nvmlDeviceGetCurrentClocksEventReasons");
	expect_all(bus, "refused", NULL);
	make_fake("-w -DR=3 -DINIT=0 -DREASONS=nvmlDeviceGetCurrentClocksEventReasons");
	expect_all(bus, "unsupported", NULL);
	make_fake("-w -DR=999 -DINIT=0 -DREASONS=nvmlDeviceGetCurrentClocksEventReasons");
	expect_all(bus, "unknown", NULL);
}

static void missing_functions_are_unknown(void **state)
{
	(void)state;
	make_fake("-w -DBARE -DR=0 -DINIT=0 -DREASONS=x");
	expect_all(bus, "unknown", NULL);
}

static void library_that_does_not_start_is_said(void **state)
{
	(void)state;
	make_fake("-w -DBARE -DR=0 -DINIT=9 -DREASONS=x");
	expect_all(bus, "unknown", "nvmlInit_v2 returned 9");
}

static void device_it_does_not_know_is_said(void **state)
{
	(void)state;
	make_fake("-w -DBARE -DR=0 -DINIT=0 -DREASONS=x");
	expect_all("0000:05:00.0", "unknown", "it knows no device at 0000:05:00.0: 6");
}

static void absence_is_said(void **state)
{
	(void)state;
	struct library library;

	remove_tree(scratch);
	setenv("PTXSEAL_CUDA_LIBS", scratch, 1);
	if (library_open(LIBRARY_NVML, &library, NULL) == OK) {
		library_close(&library);
		puts("skipped: this machine has an NVIDIA driver");
		skip();
	}
	expect_all(bus, "unknown", "libnvidia-ml.so.1 could not be opened");
}

static int set_up(void **state)
{
	(void)state;
	return mkdtemp(scratch) != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	remove_tree(scratch);
	return 0;
}

static int start(void **state)
{
	(void)state;
	if (system("command -v ${CC:-cc} >/dev/null") != 0) {
		puts("skipped: there is no C compiler to make a library with");
		skip();
	}
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(known_answers_become_facts, start),
		cmocka_unit_test_setup(older_name_of_event_reasons_serves, start),
		cmocka_unit_test_setup(refusals_are_facts, start),
		cmocka_unit_test_setup(missing_functions_are_unknown, start),
		cmocka_unit_test_setup(library_that_does_not_start_is_said, start),
		cmocka_unit_test_setup(device_it_does_not_know_is_said, start),
		cmocka_unit_test(absence_is_said),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
