#include "count.h"

#include <cupti_profiler_target.h>
#include <cupti_result.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"
#include "evidence.h"
#include "library.h"

/* CUPTI_FUNCTION(symbol): looked up in the library. */
#define CUPTI_FUNCTIONS(F)                                                                                              \
	F(cuptiGetResultString) F(cuptiProfilerInitialize) F(cuptiDeviceGetChipName) F(cuptiSassMetricsGetProperties)   \
	F(cuptiSassMetricsSetConfig) F(cuptiSassMetricsEnable) F(cuptiSassMetricsGetDataProperties)                     \
	F(cuptiSassMetricsFlushData) F(cuptiSassMetricsDisable) F(cuptiSassMetricsUnsetConfig)

struct cupti {
#define CUPTI_POINTER(symbol) __typeof__(&symbol) symbol;
	CUPTI_FUNCTIONS(CUPTI_POINTER)
#undef CUPTI_POINTER
};

enum { METRIC_EXECUTED, METRIC_THREADS_TRUE, METRICS };

static const char *const metric_names[METRICS] = {
	[METRIC_EXECUTED] = "smsp__sass_inst_executed",
	[METRIC_THREADS_TRUE] = "smsp__sass_thread_inst_executed_pred_on",
};

struct counter {
	struct library library;
	struct cupti cupti;
	CUcontext context;
	int device;
	char *function;
	uint64_t metric[METRICS]; /* CUPTI's ids */
	bool enabled;
	enum counts_state state; /* COUNTS_EXECUTED as long as nothing went wrong */
	char text[ERROR_WHAT_MAX];
};

static bool fail(struct counter *counter, enum counts_state state, const char *text)
{
	counter->state = state;
	snprintf(counter->text, sizeof counter->text, "%s", text);
	return false;
}

static bool check(struct counter *counter, CUptiResult result, const char *tried)
{
	const char *name = NULL;
	char text[sizeof counter->text];

	if (result == CUPTI_SUCCESS)
		return true;
	if (counter->cupti.cuptiGetResultString(result, &name) != CUPTI_SUCCESS || name == NULL)
		name = "an error CUPTI has no name for";
	snprintf(text, sizeof text, "%s: %s", tried, name);
	return fail(counter, result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ? COUNTS_REFUSED : COUNTS_FAILED, text);
}

static void open_library(struct counter *counter)
{
	struct error err = {0};
	enum status status = library_open(LIBRARY_CUPTI, &counter->library, &err);

#define CUPTI_FIND(symbol)                                                                                              \
	if (status == OK)                                                                                               \
		status = library_function(&counter->library, #symbol, &counter->cupti.symbol, &err);
	CUPTI_FUNCTIONS(CUPTI_FIND)
#undef CUPTI_FIND
	if (status != OK)
		fail(counter, COUNTS_UNKNOWN, err.what);
}

/* To be called right before cuptiSassMetricsEnable: a kernel launched between the configuration and that call leaves CUPTI without any
 * record (seen with CUPTI 2025.3.1 on an H200), while kernels launched before both do no harm. */
static bool configure(struct counter *counter)
{
	const struct cupti *cupti = &counter->cupti;
	CUpti_Profiler_Initialize_Params initialize = {.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
	CUpti_Device_GetChipName_Params chip = {.structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE, .deviceIndex = (size_t)counter->device};
	CUpti_SassMetrics_Config configs[METRICS] = {{0}};

	if (!check(counter, cupti->cuptiProfilerInitialize(&initialize), "starting CUPTI") ||
	    !check(counter, cupti->cuptiDeviceGetChipName(&chip), "asking CUPTI for the chip"))
		return false;
	for (int i = 0; i < METRICS; i++) {
		CUpti_SassMetrics_GetProperties_Params properties = {
			.structSize = CUpti_SassMetrics_GetProperties_Params_STRUCT_SIZE,
			.pChipName = chip.pChipName,
			.pMetricName = metric_names[i],
		};

		if (!check(counter, cupti->cuptiSassMetricsGetProperties(&properties), metric_names[i]))
			return false;
		counter->metric[i] = properties.metric.metricId;
		configs[i].metricId = properties.metric.metricId;
		configs[i].outputGranularity = CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU;
	}
	CUpti_SassMetricsSetConfig_Params set = {
		.structSize = CUpti_SassMetricsSetConfig_Params_STRUCT_SIZE,
		.deviceIndex = (uint32_t)counter->device,
		.numOfMetricConfig = METRICS,
		.pConfigs = configs,
	};

	return check(counter, cupti->cuptiSassMetricsSetConfig(&set), "choosing CUPTI's metrics");
}

void counter_open(CUcontext context, int device, const char *function, struct counter **counter)
{
	struct counter *made = mem_alloc(sizeof *made);

	made->context = context;
	made->device = device;
	made->function = mem_text(function);
	made->state = COUNTS_EXECUTED;
	open_library(made);
	*counter = made;
}

const char *counter_function(const struct counter *counter)
{
	return counter->function;
}

void counter_enable(struct counter *counter)
{
	CUpti_SassMetricsEnable_Params enable = {
		.structSize = CUpti_SassMetricsEnable_Params_STRUCT_SIZE,
		.ctx = counter->context,
		.enableLazyPatching = 1,
	};

	if (counter->state == COUNTS_EXECUTED && configure(counter))
		counter->enabled = check(counter, counter->cupti.cuptiSassMetricsEnable(&enable), "switching CUPTI on");
}

/* One instruction's counts; CUPTI gives a record a metric. */
struct row {
	uint64_t offset;
	uint64_t values[METRICS];
};

static int by_offset(const void *a, const void *b)
{
	const uint64_t x = ((const struct row *)a)->offset, y = ((const struct row *)b)->offset;

	return x < y ? -1 : x > y;
}

static struct row row_of(const struct counter *counter, const CUpti_SassMetrics_Data *data, size_t instances)
{
	struct row row = {.offset = data->pcOffset};

	for (size_t i = 0; i < instances; i++)
		for (int metric = 0; metric < METRICS; metric++)
			if (data->pInstanceValues[i].metricId == counter->metric[metric])
				row.values[metric] += data->pInstanceValues[i].value;
	return row;
}

static void add_record(cJSON *records, const struct row *row)
{
	cJSON *record = cJSON_CreateArray();
	char text[24];

	cJSON_AddItemToArray(record, cJSON_CreateNumber((double)row->offset));
	for (int metric = 0; metric < METRICS; metric++) {
		snprintf(text, sizeof text, "%" PRIu64, row->values[metric]);
		cJSON_AddItemToArray(record, cJSON_CreateString(text));
	}
	cJSON_AddItemToArray(records, record);
}

/* Rows of one offset become one record. */
static void add_records(struct counter *counter, cJSON *records, struct row *rows, size_t count)
{
	bool executed = false;

	qsort(rows, count, sizeof *rows, by_offset);
	for (size_t i = 0; i < count;) {
		struct row sum = {.offset = rows[i].offset};

		for (; i < count && rows[i].offset == sum.offset; i++)
			for (int metric = 0; metric < METRICS; metric++)
				sum.values[metric] += rows[i].values[metric];
		executed = executed || sum.values[METRIC_EXECUTED] > 0;
		add_record(records, &sum);
	}
	if (!executed)
		fail(counter, COUNTS_NOT_EXECUTED, "no instruction of the function ran");
}

static void collect(struct counter *counter, const CUpti_SassMetricsGetDataProperties_Params *size, CUpti_SassMetrics_Data *data, cJSON *records)
{
	const size_t count = size->numOfPatchedInstructionRecords;
	CUpti_SassMetricsFlushData_Params flush = {
		.structSize = CUpti_SassMetricsFlushData_Params_STRUCT_SIZE,
		.ctx = counter->context,
		.numOfPatchedInstructionRecords = count,
		.numOfInstances = size->numOfInstances,
		.pMetricsData = data,
	};
	struct row *rows = mem_array(NULL, count + 1, sizeof *rows);
	size_t found = 0;

	if (check(counter, counter->cupti.cuptiSassMetricsFlushData(&flush), "reading CUPTI's counts")) {
		for (size_t i = 0; i < count; i++)
			if (data[i].functionName != NULL && strcmp(data[i].functionName, counter->function) == 0)
				rows[found++] = row_of(counter, &data[i], size->numOfInstances);
		add_records(counter, records, rows, found);
	}
	free(rows);
}

static void read_records(struct counter *counter, cJSON *records)
{
	CUpti_SassMetricsGetDataProperties_Params size = {.structSize = CUpti_SassMetricsGetDataProperties_Params_STRUCT_SIZE, .ctx = counter->context};

	if (!check(counter, counter->cupti.cuptiSassMetricsGetDataProperties(&size), "asking how many counts CUPTI has"))
		return;
	if (size.numOfPatchedInstructionRecords == 0) {
		fail(counter, COUNTS_FAILED, "CUPTI has no record of the launch");
		return;
	}
	CUpti_SassMetrics_Data *data = mem_alloc(size.numOfPatchedInstructionRecords * sizeof *data);
	CUpti_SassMetrics_InstanceValue *values = mem_alloc((size.numOfPatchedInstructionRecords * size.numOfInstances + 1) * sizeof *values);

	for (size_t i = 0; i < size.numOfPatchedInstructionRecords; i++) {
		data[i].structSize = sizeof *data;
		data[i].pInstanceValues = values + i * size.numOfInstances;
	}
	collect(counter, &size, data, records);
	free(data);
	free(values);
}

/* Also says whether records were lost. */
static void disable(struct counter *counter)
{
	CUpti_SassMetricsDisable_Params off = {.structSize = CUpti_SassMetricsDisable_Params_STRUCT_SIZE, .ctx = counter->context};
	CUpti_SassMetricsUnsetConfig_Params unset = {.structSize = CUpti_SassMetricsUnsetConfig_Params_STRUCT_SIZE};

	counter->enabled = false;
	if (check(counter, counter->cupti.cuptiSassMetricsDisable(&off), "switching CUPTI off") && off.numOfDroppedRecords > 0)
		fail(counter, COUNTS_FAILED, "CUPTI dropped records");
	counter->cupti.cuptiSassMetricsUnsetConfig(&unset);
}

cJSON *counter_read(struct counter *counter)
{
	cJSON *counts = cJSON_CreateObject();
	cJSON *records = cJSON_AddArrayToObject(counts, "records");

	if (counter->enabled) {
		read_records(counter, records);
		disable(counter);
	} else if (counter->state == COUNTS_EXECUTED) {
		fail(counter, COUNTS_NOT_EXECUTED, "the candidate does not launch the function");
	}
	cJSON_AddStringToObject(counts, "function", counter->function);
	cJSON_AddStringToObject(counts, "state", counts_state_name(counter->state));
	cJSON_AddStringToObject(counts, "text", counter->text);
	return counts;
}

void counter_close(struct counter *counter)
{
	if (counter == NULL)
		return;
	if (counter->enabled)
		disable(counter);
	free(counter->function);
	free(counter);
}
