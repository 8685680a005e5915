#include "nvml.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../base/bytes.h"
#include "../base/sha256.h"
#include "../base/utf8.h"

/* nvmlReturn_t, nvmlClockType_t, nvmlPerfPolicyType_t, NVML_FI_DEV_MEMORY_TEMP, NVML_VOLATILE_ECC and nvmlComputeMode_t of nvml.h. */
enum { NVML_SUCCESS = 0, NVML_ERROR_NOT_SUPPORTED = 3, NVML_ERROR_NO_PERMISSION = 4, NVML_ERROR_INSUFFICIENT_SIZE = 7 };
enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEMORY = 2 };
enum { NVML_VIOLATION_POWER = 0, NVML_VIOLATION_THERMAL = 1 };
enum { NVML_FIELD_MEMORY_TEMPERATURE = 82, NVML_VALUE_UNSIGNED_INT = 1 };
enum { NVML_VOLATILE_ECC = 0, PROCESSES_MAX = 64 };

struct violation { /* nvmlViolationTime_t */
	unsigned long long reference, violation;
};

struct field_value { /* nvmlFieldValue_t */
	unsigned field, scope;
	long long timestamp, latency;
	int value_type, result;
	union {
		unsigned number;
		unsigned long long all;
	} value;
};

struct process { /* nvmlProcessInfo_t of the _v3 function */
	unsigned pid;
	unsigned long long used_memory;
	unsigned gpu_instance, compute_instance;
};

/* How a text is asked for. */
enum text_how { DEVICE, SYSTEM };

/* How a number is asked for, where `x` is the argument. */
enum number_how {
	ONE,           /* f(device, unsigned *) */
	FIRST_OF_TWO,  /* f(device, unsigned *now, unsigned *pending) */
	INDEXED,       /* f(device, x, unsigned *) */
	EVENT_REASONS, /* f(device, unsigned long long *) */
	ECC_COUNT,     /* f(device, x = error type, volatile, unsigned long long *) */
	VIOLATION,     /* f(device, x = policy, struct violation *) */
	FIELD,         /* f(device, 1, struct field_value *), field x */
	PROCESSES,     /* f(device, unsigned *count, struct process *) */
	SYSTEM_INT     /* f(int *) */
};

/* How a number is written. */
enum number_written { NUMBER, SWITCH, COMPUTE_MODE, CUDA_VERSION_TEXT, REASONS };

static enum nvml_standing standing_of(int result)
{
	switch (result) {
	case NVML_SUCCESS:
		return NVML_KNOWN;
	case NVML_ERROR_NO_PERMISSION:
		return NVML_REFUSED;
	case NVML_ERROR_NOT_SUPPORTED:
		return NVML_UNSUPPORTED;
	default:
		return NVML_UNKNOWN;
	}
}

static bool find(const struct nvml *nvml, const char *function, void *pointer)
{
	return nvml->library.handle != NULL && library_function(&nvml->library, function, pointer, NULL) == OK;
}

static struct nvml_text ask_text(const struct nvml *nvml, enum text_how how, const char *function)
{
	struct nvml_text out = {.standing = NVML_UNKNOWN};
	char raw[NVML_TEXT_MAX] = "";
	int (*of_device)(void *, char *, unsigned);
	int (*of_system)(char *, unsigned);

	if (how == DEVICE && nvml->device != NULL && find(nvml, function, &of_device))
		out.standing = standing_of(of_device(nvml->device, raw, sizeof raw));
	if (how == SYSTEM && find(nvml, function, &of_system))
		out.standing = standing_of(of_system(raw, sizeof raw));
	if (out.standing == NVML_KNOWN)
		utf8_printable(raw, strnlen(raw, sizeof raw - 1), out.text, sizeof out.text);
	return out;
}

/* This process, its parent, or one that it started: a worker. The name in /proc/PID/stat may hold anything, but ends with the last parenthesis. */
static bool is_ours(pid_t pid)
{
	char path[40], text[512];
	long parent = 0;

	if (pid == getpid() || pid == getppid())
		return true;
	snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
	FILE *file = fopen(path, "re");
	const size_t len = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;

	if (file != NULL)
		fclose(file);
	text[len] = '\0';
	const char *end = strrchr(text, ')');

	return end != NULL && sscanf(end + 1, " %*c %ld", &parent) == 1 && parent == (long)getpid();
}

static int ask_processes(int (*f)(void *, unsigned *, struct process *), void *device, uint64_t *value)
{
	struct process processes[PROCESSES_MAX];
	unsigned count = PROCESSES_MAX;
	int result = f(device, &count, processes);

	*value = 0;
	if (result == NVML_ERROR_INSUFFICIENT_SIZE) {
		*value = count; /* it says how many there are, ours among them or not */
		return NVML_SUCCESS;
	}
	for (unsigned i = 0; result == NVML_SUCCESS && i < count && i < PROCESSES_MAX; i++)
		if (!is_ours((pid_t)processes[i].pid))
			++*value;
	return result;
}

static int ask_field(int (*f)(void *, int, struct field_value *), void *device, unsigned field, uint64_t *value)
{
	struct field_value asked = {.field = field};
	int result = f(device, 1, &asked);

	if (result != NVML_SUCCESS)
		return result;
	if (asked.result == NVML_SUCCESS && asked.value_type != NVML_VALUE_UNSIGNED_INT)
		return NVML_ERROR_NOT_SUPPORTED;
	*value = asked.value.number;
	return asked.result;
}

/* Any function that gives a number, device first where it takes one. */
union number_function {
	int (*one)(void *, unsigned *);
	int (*two)(void *, unsigned *, unsigned *);
	int (*indexed)(void *, unsigned, unsigned *);
	int (*reasons)(void *, unsigned long long *);
	int (*ecc)(void *, unsigned, unsigned, unsigned long long *);
	int (*violation)(void *, unsigned, struct violation *);
	int (*fields)(void *, int, struct field_value *);
	int (*processes)(void *, unsigned *, struct process *);
	int (*of_system)(int *);
};

static int call(union number_function f, enum number_how how, void *device, unsigned x, uint64_t *value)
{
	unsigned small = 0;
	unsigned pending = 0;
	unsigned long long large = 0;
	struct violation times = {0};
	int number = 0;
	int result = 0;

	switch (how) {
	case ONE:
		result = f.one(device, &small);
		*value = small;
		return result;
	case FIRST_OF_TWO:
		result = f.two(device, &small, &pending);
		*value = small;
		return result;
	case INDEXED:
		result = f.indexed(device, x, &small);
		*value = small;
		return result;
	case EVENT_REASONS:
		result = f.reasons(device, &large);
		*value = large;
		return result;
	case ECC_COUNT:
		result = f.ecc(device, x, NVML_VOLATILE_ECC, &large);
		*value = large;
		return result;
	case VIOLATION:
		result = f.violation(device, x, &times);
		*value = times.violation;
		return result;
	case FIELD:
		return ask_field(f.fields, device, x, value);
	case PROCESSES:
		return ask_processes(f.processes, device, value);
	case SYSTEM_INT:
		break;
	}
	result = f.of_system(&number);
	*value = number > 0 ? (uint64_t)number : 0;
	return result;
}

static struct nvml_number ask_number(const struct nvml *nvml, enum number_how how, const char *function, unsigned x)
{
	union number_function f;
	uint64_t value = 0;

	if (how != SYSTEM_INT && nvml->device == NULL)
		return (struct nvml_number){.standing = NVML_UNKNOWN};
	/* Drivers before 535 know the event reasons by another name. */
	if (!find(nvml, function, &f) &&
	    (how != EVENT_REASONS || !find(nvml, "nvmlDeviceGetCurrentClocksThrottleReasons", &f)))
		return (struct nvml_number){.standing = NVML_UNKNOWN};
	enum nvml_standing standing = standing_of(call(f, how, nvml->device, x, &value));

	return (struct nvml_number){standing, standing == NVML_KNOWN ? value : 0};
}

static enum status start(struct nvml *nvml, struct error *err)
{
	int (*init)(void);
	int (*by_bus)(const char *, void **);
	enum status status = library_open(LIBRARY_NVML, &nvml->library, err);

	if (status != OK)
		return status;
	if ((status = library_function(&nvml->library, "nvmlInit_v2", &init, err)) != OK)
		return status;
	int result = init();

	if (result != NVML_SUCCESS)
		return error_set(err, R_GPU_LIBRARY, nvml->library.path, "nvmlInit_v2 returned %d", result);
	if ((status = library_function(&nvml->library, "nvmlDeviceGetHandleByPciBusId_v2", &by_bus, err)) != OK)
		return status;
	if ((result = by_bus(nvml->pci_bus_id, &nvml->device)) != NVML_SUCCESS) {
		nvml->device = NULL;
		return error_set(err, R_GPU_LIBRARY, nvml->library.path, "it knows no device at %s: %d", nvml->pci_bus_id, result);
	}
	return OK;
}

void nvml_open(struct nvml *nvml, const char *pci_bus_id)
{
	struct error err;

	*nvml = (struct nvml){0};
	snprintf(nvml->pci_bus_id, sizeof nvml->pci_bus_id, "%s", pci_bus_id);
	if (start(nvml, &err) == OK)
		return;
	/* Where it was looked for is the reader's business, not the record's. */
	snprintf(nvml->why, sizeof nvml->why, "%s", nvml->library.handle != NULL ? err.what : LIBRARY_NVML " could not be opened");
}

void nvml_close(struct nvml *nvml)
{
	int (*shut)(void);

	if (find(nvml, "nvmlShutdown", &shut))
		shut();
	library_close(&nvml->library);
	nvml->device = NULL;
}

void nvml_read_device(const struct nvml *nvml, struct nvml_device *device)
{
#define READ_TEXT(field, how, function) device->field = ask_text(nvml, how, function);
#define READ_NUMBER(field, how, function, argument, written) device->field = ask_number(nvml, how, function, argument);
	NVML_DEVICE_TEXTS(READ_TEXT)
	NVML_DEVICE_NUMBERS(READ_NUMBER)
#undef READ_NUMBER
#undef READ_TEXT
}

void nvml_read_state(const struct nvml *nvml, struct nvml_state *state)
{
#define READ_NUMBER(field, how, function, argument, written) state->field = ask_number(nvml, how, function, argument);
	NVML_STATE_NUMBERS(READ_NUMBER)
#undef READ_NUMBER
}

static const char *standing_name(enum nvml_standing standing)
{
	switch (standing) {
	case NVML_REFUSED:
		return "refused";
	case NVML_UNSUPPORTED:
		return "unsupported";
	default:
		return "unknown";
	}
}

static cJSON *reasons_json(uint64_t mask)
{
	static const struct {
		uint64_t bit;
		const char *name;
	} known[] = {
		{NVML_REASON_IDLE, "gpu idle"},
		{NVML_REASON_APPLICATION_CLOCKS, "applications clocks setting"},
		{NVML_REASON_POWER_CAP, "software power cap"},
		{NVML_REASON_HW_SLOWDOWN, "hardware slowdown"},
		{NVML_REASON_SYNC_BOOST, "sync boost"},
		{NVML_REASON_SW_THERMAL, "software thermal slowdown"},
		{NVML_REASON_HW_THERMAL, "hardware thermal slowdown"},
		{NVML_REASON_POWER_BRAKE, "hardware power brake"},
		{NVML_REASON_DISPLAY_CLOCK, "display clock setting"},
	};
	cJSON *reasons = cJSON_CreateObject();
	cJSON *names = cJSON_CreateArray();
	char hex[24];

	snprintf(hex, sizeof hex, "0x%" PRIx64, mask);
	cJSON_AddStringToObject(reasons, "mask", hex);
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if ((mask & known[i].bit) != 0)
			cJSON_AddItemToArray(names, cJSON_CreateString(known[i].name));
	cJSON_AddItemToObject(reasons, "names", names);
	return reasons;
}

static cJSON *compute_mode_json(uint64_t value)
{
	static const char *const names[] = {"default", "exclusive thread", "prohibited", "exclusive process"};

	return value < sizeof names / sizeof names[0] ? cJSON_CreateString(names[value]) : cJSON_CreateNumber((double)value);
}

static cJSON *number_json(struct nvml_number number, enum number_written written)
{
	char text[32];

	if (number.standing != NVML_KNOWN)
		return cJSON_CreateString(standing_name(number.standing));
	switch (written) {
	case SWITCH:
		return cJSON_CreateString(number.value != 0 ? "on" : "off");
	case COMPUTE_MODE:
		return compute_mode_json(number.value);
	case CUDA_VERSION_TEXT: /* 1000 * major + 10 * minor */
		snprintf(text, sizeof text, "%" PRIu64 ".%" PRIu64, number.value / 1000, number.value % 1000 / 10);
		return cJSON_CreateString(text);
	case REASONS:
		return reasons_json(number.value);
	case NUMBER:
		break;
	}
	return cJSON_CreateNumber((double)number.value);
}

static cJSON *text_json(const struct nvml_text *text)
{
	return cJSON_CreateString(text->standing == NVML_KNOWN ? text->text : standing_name(text->standing));
}

/* Two records tell whether they are of one device, and name it to nobody. */
static cJSON *hidden_json(const struct nvml_text *text)
{
	char hex[SHA256_HEX + 1];

	if (text->standing != NVML_KNOWN)
		return text_json(text);
	const struct sha256 hash = sha256_of(text->text, strlen(text->text));

	sha256_hex(&hash, hex);
	return cJSON_CreateString(hex);
}

cJSON *nvml_device_facts(const struct nvml *nvml, const struct nvml_device *device)
{
	cJSON *facts = cJSON_CreateObject();

	cJSON_AddStringToObject(facts, "pci_bus_id", nvml->pci_bus_id);
	if (nvml->why[0] != '\0')
		cJSON_AddStringToObject(facts, "nvml", nvml->why);
	else
		cJSON_AddNullToObject(facts, "nvml");
#define WRITE_TEXT(field, how, function) cJSON_AddItemToObject(facts, #field, text_json(&device->field));
#define WRITE_NUMBER(field, how, function, argument, written)                                                                  \
	cJSON_AddItemToObject(facts, #field, number_json(device->field, written));
	NVML_DEVICE_TEXTS(WRITE_TEXT)
	NVML_DEVICE_NUMBERS(WRITE_NUMBER)
#undef WRITE_NUMBER
#undef WRITE_TEXT
	cJSON_DeleteItemFromObjectCaseSensitive(facts, "uuid");
	cJSON_AddItemToObject(facts, "uuid_sha256", hidden_json(&device->uuid));
	return facts;
}

cJSON *nvml_state_facts(const struct nvml_state *state)
{
	cJSON *facts = cJSON_CreateObject();

#define WRITE_NUMBER(field, how, function, argument, written)                                                                  \
	cJSON_AddItemToObject(facts, #field, number_json(state->field, written));
	NVML_STATE_NUMBERS(WRITE_NUMBER)
#undef WRITE_NUMBER
	return facts;
}
