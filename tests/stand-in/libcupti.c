/*
 * A stand-in for CUPTI beside the one for the driver: SASS metrics of known answers. PTXSEAL_STAND_IN names a file, read when this library is opened; behind its first word, which is
 * libcuda.c's, stands "refuses" (no privilege), "drops" (records), "nothing" (no instruction ran), or counts: OFFSET EXECUTED THREADS, of the first candidate that is launched.
 */
#include <cupti_profiler_target.h>
#include <cupti_result.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stand_in.h"

#define EXPORT __attribute__((visibility("default")))

enum { COUNTS_MAX = 64, EXECUTED = 1, THREADS = 2 };

static char word[16];
static struct {
	unsigned offset;
	unsigned long long executed, threads;
} counts[COUNTS_MAX];
static size_t count;
static char function[256];

__attribute__((constructor)) static void read_file(void)
{
	const char *name = getenv("PTXSEAL_STAND_IN");
	FILE *file = name == NULL ? NULL : fopen(name, "r");
	char first[16];

	if (file == NULL || fscanf(file, "%15s", first) != 1)
		return;
	while (count < COUNTS_MAX && fscanf(file, "%u %llu %llu", &counts[count].offset, &counts[count].executed, &counts[count].threads) == 3)
		count++;
	if (fscanf(file, "%15s", word) != 1)
		word[0] = '\0';
	fclose(file);
}

static void *driver(const char *symbol)
{
	void *library = dlopen(getenv("PTXSEAL_LIBCUDA"), RTLD_NOW | RTLD_NOLOAD);
	void *found = library == NULL ? NULL : dlsym(library, symbol);

	if (library != NULL)
		dlclose(library);
	return found;
}

static CUptiResult switch_counting(bool on)
{
	void *found = driver("stand_in_count");
	void (*call)(bool);

	if (found == NULL)
		return CUPTI_ERROR_NOT_INITIALIZED;
	memcpy(&call, &found, sizeof call);
	call(on);
	return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI cuptiGetResultString(CUptiResult result, const char **text)
{
	*text = result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES" : "an error of the stand-in";
	return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params *params)
{
	(void)params;
	return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params *params)
{
	params->pChipName = "STANDIN";
	return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI cuptiSassMetricsGetProperties(CUpti_SassMetrics_GetProperties_Params *params)
{
	params->metric.metricId = strcmp(params->pMetricName, "smsp__sass_inst_executed") == 0 ? EXECUTED : THREADS;
	return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI cuptiSassMetricsSetConfig(CUpti_SassMetricsSetConfig_Params *params)
{
	(void)params;
	return strcmp(word, "refuses") == 0 ? CUPTI_ERROR_INSUFFICIENT_PRIVILEGES : CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI cuptiSassMetricsUnsetConfig(CUpti_SassMetricsUnsetConfig_Params *params)
{
	(void)params;
	return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI cuptiSassMetricsEnable(CUpti_SassMetricsEnable_Params *params)
{
	(void)params;
	return switch_counting(true);
}

EXPORT CUptiResult CUPTIAPI cuptiSassMetricsDisable(CUpti_SassMetricsDisable_Params *params)
{
	params->numOfDroppedRecords = strcmp(word, "drops") == 0;
	return switch_counting(false);
}

/* A record a metric, as the real one has them; "nothing" ran: records of zeros. */
EXPORT CUptiResult CUPTIAPI cuptiSassMetricsGetDataProperties(CUpti_SassMetricsGetDataProperties_Params *params)
{
	void *found = driver("stand_in_counted");
	const char *(*call)(void);

	if (found == NULL)
		return CUPTI_ERROR_NOT_INITIALIZED;
	memcpy(&call, &found, sizeof call);
	snprintf(function, sizeof function, "%s", call());
	if (count == 0)
		count = 1;
	params->numOfPatchedInstructionRecords = function[0] == '\0' ? 0 : 2 * count;
	params->numOfInstances = 1;
	return CUPTI_SUCCESS;
}

EXPORT CUptiResult CUPTIAPI cuptiSassMetricsFlushData(CUpti_SassMetricsFlushData_Params *params)
{
	for (size_t i = 0; i < params->numOfPatchedInstructionRecords; i++) {
		CUpti_SassMetrics_Data *data = &params->pMetricsData[i];

		data->functionName = function;
		data->pcOffset = counts[i / 2].offset;
		data->pInstanceValues[0].metricId = i % 2 == 0 ? EXECUTED : THREADS;
		data->pInstanceValues[0].value = i % 2 == 0 ? counts[i / 2].executed : counts[i / 2].threads;
	}
	return CUPTI_SUCCESS;
}
