/*
 * What the driver's management library says of the device. libnvidia-ml.so.1 comes with the driver, its header does not, so the few functions
 * used are declared here and in nvml.c (https://docs.nvidia.com/deploy/nvml-api/). Nothing is ever set, only read, and nothing here fails: what
 * cannot be had is a fact too.
 */
#ifndef PTXSEAL_MEASURE_NVML_H
#define PTXSEAL_MEASURE_NVML_H

#include <stdint.h>

#include <cjson/cJSON.h>

#include "library.h"

enum nvml_standing {
	NVML_UNKNOWN,     /* no library, no such function in it, no such device, or an error of another kind */
	NVML_REFUSED,     /* NVML_ERROR_NO_PERMISSION */
	NVML_UNSUPPORTED, /* NVML_ERROR_NOT_SUPPORTED: the device or its mode has no such thing */
	NVML_KNOWN
};

enum { NVML_TEXT_MAX = 96 };

struct nvml_text {
	enum nvml_standing standing;
	char text[NVML_TEXT_MAX];
};

struct nvml_number {
	enum nvml_standing standing;
	uint64_t value; /* 0 unless KNOWN */
};

/* F(field, how it is asked, function, argument, how it is written): nvml.c says what the two hows mean. */
#define NVML_DEVICE_TEXTS(F)                                                                   \
	F(name, DEVICE, "nvmlDeviceGetName")                                                   \
	F(uuid, DEVICE, "nvmlDeviceGetUUID")                                                   \
	F(vbios, DEVICE, "nvmlDeviceGetVbiosVersion")                                          \
	F(driver_version, SYSTEM, "nvmlSystemGetDriverVersion")                                \
	F(nvml_version, SYSTEM, "nvmlSystemGetNVMLVersion")

#define NVML_DEVICE_NUMBERS(F)                                                                                  \
	F(cuda_driver_version, SYSTEM_INT, "nvmlSystemGetCudaDriverVersion_v2", 0, CUDA_VERSION_TEXT)           \
	F(ecc_mode, FIRST_OF_TWO, "nvmlDeviceGetEccMode", 0, SWITCH)                                            \
	F(mig_mode, FIRST_OF_TWO, "nvmlDeviceGetMigMode", 0, SWITCH)                                            \
	F(persistence_mode, ONE, "nvmlDeviceGetPersistenceMode", 0, SWITCH)                                     \
	F(compute_mode, ONE, "nvmlDeviceGetComputeMode", 0, COMPUTE_MODE)                                       \
	F(power_limit_mw, ONE, "nvmlDeviceGetPowerManagementLimit", 0, NUMBER)                                  \
	F(power_limit_default_mw, ONE, "nvmlDeviceGetPowerManagementDefaultLimit", 0, NUMBER)                   \
	F(power_limit_enforced_mw, ONE, "nvmlDeviceGetEnforcedPowerLimit", 0, NUMBER)                           \
	F(sm_clock_max_mhz, INDEXED, "nvmlDeviceGetMaxClockInfo", NVML_CLOCK_SM, NUMBER)                        \
	F(memory_clock_max_mhz, INDEXED, "nvmlDeviceGetMaxClockInfo", NVML_CLOCK_MEMORY, NUMBER)                \
	F(sm_clock_application_mhz, INDEXED, "nvmlDeviceGetApplicationsClock", NVML_CLOCK_SM, NUMBER)           \
	F(memory_clock_application_mhz, INDEXED, "nvmlDeviceGetApplicationsClock", NVML_CLOCK_MEMORY, NUMBER)   \
	F(pcie_generation_max, ONE, "nvmlDeviceGetMaxPcieLinkGeneration", 0, NUMBER)                            \
	F(pcie_width_max, ONE, "nvmlDeviceGetMaxPcieLinkWidth", 0, NUMBER)

/* other_compute_processes: those that use the device and are neither this process nor its parent, nor one that it started. */
#define NVML_STATE_NUMBERS(F)                                                                                   \
	F(sm_clock_mhz, INDEXED, "nvmlDeviceGetClockInfo", NVML_CLOCK_SM, NUMBER)                               \
	F(memory_clock_mhz, INDEXED, "nvmlDeviceGetClockInfo", NVML_CLOCK_MEMORY, NUMBER)                       \
	F(power_mw, ONE, "nvmlDeviceGetPowerUsage", 0, NUMBER)                                                  \
	F(temperature_c, INDEXED, "nvmlDeviceGetTemperature", 0, NUMBER)                                        \
	F(memory_temperature_c, FIELD, "nvmlDeviceGetFieldValues", NVML_FIELD_MEMORY_TEMPERATURE, NUMBER)       \
	F(event_reasons, EVENT_REASONS, "nvmlDeviceGetCurrentClocksEventReasons", 0, REASONS)                   \
	F(power_violation_ns, VIOLATION, "nvmlDeviceGetViolationStatus", NVML_VIOLATION_POWER, NUMBER)          \
	F(thermal_violation_ns, VIOLATION, "nvmlDeviceGetViolationStatus", NVML_VIOLATION_THERMAL, NUMBER)      \
	F(ecc_corrected, ECC_COUNT, "nvmlDeviceGetTotalEccErrors", 0, NUMBER)                                   \
	F(ecc_uncorrected, ECC_COUNT, "nvmlDeviceGetTotalEccErrors", 1, NUMBER)                                 \
	F(pcie_generation, ONE, "nvmlDeviceGetCurrPcieLinkGeneration", 0, NUMBER)                               \
	F(pcie_width, ONE, "nvmlDeviceGetCurrPcieLinkWidth", 0, NUMBER)                                         \
	F(other_compute_processes, PROCESSES, "nvmlDeviceGetComputeRunningProcesses_v3", 0, NUMBER)

#define NVML_TEXT_MEMBER(field, how, function) struct nvml_text field;
#define NVML_NUMBER_MEMBER(field, how, function, argument, written) struct nvml_number field;

/* What stays as it is while a replay runs. */
struct nvml_device {
	NVML_DEVICE_TEXTS(NVML_TEXT_MEMBER)
	NVML_DEVICE_NUMBERS(NVML_NUMBER_MEMBER)
};

/* What changes: take one before, during and after. Counts of ECC errors are those since the driver was loaded. */
struct nvml_state {
	NVML_STATE_NUMBERS(NVML_NUMBER_MEMBER)
};

#undef NVML_TEXT_MEMBER
#undef NVML_NUMBER_MEMBER

/* Bits of event_reasons (nvmlClocksEventReasons); newer drivers may set others. */
enum {
	NVML_REASON_IDLE = 0x1,
	NVML_REASON_APPLICATION_CLOCKS = 0x2,
	NVML_REASON_POWER_CAP = 0x4,
	NVML_REASON_HW_SLOWDOWN = 0x8,
	NVML_REASON_SYNC_BOOST = 0x10,
	NVML_REASON_SW_THERMAL = 0x20,
	NVML_REASON_HW_THERMAL = 0x40,
	NVML_REASON_POWER_BRAKE = 0x80,
	NVML_REASON_DISPLAY_CLOCK = 0x100,
	/* a sample of a device in one of these is throttled; a power cap is none (statistics.h) */
	NVML_SLOWDOWNS = NVML_REASON_HW_SLOWDOWN | NVML_REASON_SW_THERMAL | NVML_REASON_HW_THERMAL | NVML_REASON_POWER_BRAKE
};

struct nvml {
	struct library library;
	void *device;             /* nvmlDevice_t; NULL if there is none */
	char pci_bus_id[32];
	char why[ERROR_WHAT_MAX]; /* why nothing can be known; "" if something can */
};

/* The device at that PCI bus id (cuDeviceGetPCIBusId: CUDA numbers devices otherwise than NVML). */
void nvml_open(struct nvml *nvml, const char *pci_bus_id);
void nvml_close(struct nvml *nvml);

void nvml_read_device(const struct nvml *nvml, struct nvml_device *device);
void nvml_read_state(const struct nvml *nvml, struct nvml_state *state);

/* Objects with the members' names as keys: numbers, on/off, texts, and "unknown", "refused" or "unsupported" for what is not KNOWN. event_reasons is {"mask","names"}.
 * The device's has uuid_sha256 in place of the UUID, the pci_bus_id, and "nvml": null or why nothing can be known. The caller deletes them. */
cJSON *nvml_device_facts(const struct nvml *nvml, const struct nvml_device *device);
cJSON *nvml_state_facts(const struct nvml_state *state);

#endif
