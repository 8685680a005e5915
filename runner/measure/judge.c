#include "judge.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "baseline.h"
#include "cuda.h"
#include "inputs.h"
#include "share.h"
#include "support.h"

enum { NAME_BYTES_MAX = 256 };

struct expected {
	struct trial trial;
	bool made;
	CUdeviceptr reference[PROBLEM_TENSORS_MAX]; /* fp32, by output */
	CUdeviceptr computed[PROBLEM_TENSORS_MAX];  /* by tensor; 0 for what is not computed */
	struct comparison library[PROBLEM_TENSORS_MAX];
	bool has_library;
};

struct judge {
	struct cuda cuda;
	CUdevice device;
	CUcontext context;
	CUstream stream;
	struct support *support;
	struct nvml nvml;
	char name[NAME_BYTES_MAX];
	/* of the problem */
	const struct problem *problem;
	CUdeviceptr tensors[PROBLEM_TENSORS_MAX]; /* inputs, and the library's outputs */
	CUdeviceptr scratch, upload;
	struct baseline *baseline;
	cJSON *facts;
	struct expected **kept;
	size_t kept_count;
	uint64_t keep_bytes; /* that may still be kept */
	struct expected loose;
	const struct expected *current; /* whose inputs stand in tensors */
};

static enum status check(const struct judge *judge, CUresult result, const char *tried, struct error *err)
{
	return cuda_check(&judge->cuda, result, tried, err);
}

static enum status allocate(const struct judge *judge, CUdeviceptr *memory, uint64_t bytes, struct error *err)
{
	return bytes == 0 ? OK : check(judge, judge->cuda.cuMemAlloc(memory, bytes), "allocating memory to judge with", err);
}

static void release(const struct judge *judge, CUdeviceptr *memory)
{
	if (*memory != 0)
		judge->cuda.cuMemFree(*memory);
	*memory = 0;
}

/* ---- the device ---- */

static enum status name_device(struct judge *judge, struct error *err)
{
	char bus_id[32] = "";
	enum status status = check(judge, judge->cuda.cuCtxGetDevice(&judge->device), "finding the device", err);

	if (status == OK)
		status = check(judge, judge->cuda.cuDeviceGetName(judge->name, sizeof judge->name, judge->device), "asking for the device's name", err);
	if (status == OK)
		status = check(judge, judge->cuda.cuDeviceGetPCIBusId(bus_id, sizeof bus_id, judge->device), "asking for the device's place", err);
	if (status == OK)
		nvml_open(&judge->nvml, bus_id);
	return status;
}

enum status judge_open(int device, struct judge **judge, struct error *err)
{
	struct judge *made = mem_alloc(sizeof *made);
	enum status status = cuda_open(&made->cuda, err);

	if (status == OK)
		status = cuda_context(&made->cuda, device, &made->context, err);
	if (status == OK)
		status = check(made, made->cuda.cuStreamCreate(&made->stream, CU_STREAM_NON_BLOCKING), "making a stream", err);
	if (status == OK)
		status = support_open(&made->cuda, &made->support, err);
	if (status == OK)
		status = name_device(made, err);
	*judge = status == OK ? made : NULL;
	if (status != OK)
		judge_close(made);
	return status;
}

static void free_expected(const struct judge *judge, struct expected *expected)
{
	for (size_t i = 0; i < PROBLEM_TENSORS_MAX; i++) {
		release(judge, &expected->reference[i]);
		release(judge, &expected->computed[i]);
	}
}

static void leave_problem(struct judge *judge)
{
	for (size_t i = 0; i < judge->kept_count; i++) {
		free_expected(judge, judge->kept[i]);
		free(judge->kept[i]);
	}
	free(judge->kept);
	free_expected(judge, &judge->loose);
	for (size_t i = 0; i < PROBLEM_TENSORS_MAX; i++)
		release(judge, &judge->tensors[i]);
	release(judge, &judge->scratch);
	release(judge, &judge->upload);
	baseline_close(judge->baseline);
	cJSON_Delete(judge->facts);
	judge->baseline = NULL;
	judge->facts = NULL;
	judge->kept = NULL;
	judge->kept_count = 0;
	judge->loose = (struct expected){0};
	judge->current = NULL;
	judge->problem = NULL;
}

void judge_close(struct judge *judge)
{
	if (judge == NULL)
		return;
	leave_problem(judge);
	support_close(judge->support);
	nvml_close(&judge->nvml);
	if (judge->context != NULL)
		judge->cuda.cuCtxDestroy(judge->context);
	free(judge);
}

enum status judge_here(struct judge *judge, struct error *err)
{
	return check(judge, judge->cuda.cuCtxSetCurrent(judge->context), "working on another thread", err);
}

static uint64_t attribute(const struct judge *judge, CUdevice_attribute which)
{
	int value = 0;

	return judge->cuda.cuDeviceGetAttribute(&value, which, judge->device) == CUDA_SUCCESS && value > 0 ? (uint64_t)value : 0;
}

static int compute_capability(const struct judge *judge)
{
	return (int)(attribute(judge, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 + attribute(judge, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
}

cJSON *judge_device_facts(const struct judge *judge)
{
	const struct {
		const char *key;
		CUdevice_attribute attribute;
	} numbers[] = {{"l2_bytes", CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE},
	               {"memory_bus_bits", CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH},
	               {"memory_clock_khz", CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE},
	               {"shared_bytes_per_block", CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN},
	               {"sm_clock_khz", CU_DEVICE_ATTRIBUTE_CLOCK_RATE},
	               {"sms", CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT}};
	cJSON *facts = cJSON_CreateObject();
	struct nvml_device device;
	const char *slash = strrchr(judge->cuda.path, '/');
	size_t memory = 0;

	nvml_read_device(&judge->nvml, &device);
	cJSON_AddItemToObject(facts, "nvml", nvml_device_facts(&judge->nvml, &device));
	cJSON_AddStringToObject(facts, "name", judge->name);
	cJSON_AddNumberToObject(facts, "compute_capability", compute_capability(judge));
	cJSON_AddStringToObject(facts, "driver_library", slash != NULL ? slash + 1 : judge->cuda.path);
	judge->cuda.cuDeviceTotalMem(&memory, judge->device);
	cJSON_AddNumberToObject(facts, "memory_mib", (double)(memory >> 20));
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		cJSON_AddNumberToObject(facts, numbers[i].key, (double)attribute(judge, numbers[i].attribute));
	return facts;
}

const char *judge_device_name(const struct judge *judge)
{
	return judge->name;
}

bool judge_is_stand_in(const struct judge *judge)
{
	return strstr(judge->name, "stand-in") != NULL;
}

void judge_state(const struct judge *judge, struct nvml_state *state)
{
	nvml_read_state(&judge->nvml, state);
}

void judge_roofline(const struct judge *judge, struct roofline *roofline)
{
	*roofline = (struct roofline){
		.sms = attribute(judge, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
		.sm_hz = attribute(judge, CU_DEVICE_ATTRIBUTE_CLOCK_RATE) * 1000,
		.memory_hz = attribute(judge, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) * 1000,
		.bus_bits = attribute(judge, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH),
	};
	roofline_set(roofline, compute_capability(judge), judge->problem);
}

/* ---- the problem ---- */

static enum status allocate_problem(struct judge *judge, struct error *err)
{
	const struct problem *problem = judge->problem;
	size_t available = 0, total = 0;
	uint64_t largest = 0;
	enum status status = OK;

	for (size_t i = 0; i < problem->tensor_count && status == OK; i++) {
		status = allocate(judge, &judge->tensors[i], problem->tensors[i].bytes, err);
		largest = problem->tensors[i].bytes > largest ? problem->tensors[i].bytes : largest;
	}
	if (status == OK)
		status = allocate(judge, &judge->scratch, support_reference_scratch(problem), err);
	if (status == OK)
		status = allocate(judge, &judge->upload, largest, err);
	if (status == OK)
		status = check(judge, judge->cuda.cuMemGetInfo(&available, &total), "asking for free memory", err);
	judge->keep_bytes = available / 2;
	return status;
}

/* The library is missed, not needed: the published verdict and the counts do without it. */
static void open_library(struct judge *judge)
{
	struct error why = {0};

	if (baseline_open(&judge->cuda, judge->problem, judge->stream, BASELINE_FIRST, &judge->baseline, &judge->facts, &why) == OK) {
		cJSON_AddItemToObject(judge->facts, "files", baseline_files(judge->baseline));
		return;
	}
	judge->facts = cJSON_CreateObject();
	cJSON_AddStringToObject(judge->facts, "missing", why.what);
	cJSON_AddStringToObject(judge->facts, "rule", rule_info(why.rule)->id);
}

enum status judge_set(struct judge *judge, const struct problem *problem, struct error *err)
{
	leave_problem(judge);
	judge->problem = problem;
	const enum status status = allocate_problem(judge, err);

	if (status == OK)
		open_library(judge);
	return status;
}

bool judge_has_library(const struct judge *judge)
{
	return judge->baseline != NULL;
}

const cJSON *judge_library_facts(const struct judge *judge)
{
	return judge->facts;
}

/* ---- what is expected ---- */

static bool same_base(const struct expected *expected, const struct trial *trial)
{
	return expected->made && expected->trial.base_seed == trial->base_seed && expected->trial.values == trial->values;
}

static bool same_trial(const struct expected *expected, const struct trial *trial)
{
	return same_base(expected, trial) && expected->trial.seed == trial->seed;
}

/* One with that base, whose computed inputs need not be computed again; NULL if there is none. */
static const struct expected *find_base(const struct judge *judge, const struct trial *trial)
{
	for (size_t i = 0; i < judge->kept_count; i++)
		if (same_base(judge->kept[i], trial))
			return judge->kept[i];
	return same_base(&judge->loose, trial) ? &judge->loose : NULL;
}

static enum status copy_computed(const struct judge *judge, const CUdeviceptr *from, const CUdeviceptr *to, struct error *err)
{
	enum status status = OK;

	for (size_t i = 0; i < judge->problem->tensor_count && status == OK; i++)
		if (judge->problem->tensors[i].computed)
			status = check(judge, judge->cuda.cuMemcpyDtoDAsync(to[i], from[i], judge->problem->tensors[i].bytes, judge->stream),
			               "copying computed inputs", err);
	return status;
}

/* All inputs of the trial into tensors. base: where computed ones are had from; NULL: they are computed. */
static enum status fill_inputs(struct judge *judge, const struct trial *trial, const struct expected *base, struct error *err)
{
	const struct problem *problem = judge->problem;
	enum status status = OK;

	judge->current = NULL;
	for (size_t i = 0; i < problem->tensor_count && status == OK; i++) {
		const struct tensor *tensor = &problem->tensors[i];

		if (!tensor->output && !tensor->computed)
			status = support_fill(judge->support, judge->stream, judge->tensors[i], tensor->dtype, tensor->count,
			                      input_seed(problem, i, trial->base_seed, trial->seed), (uint32_t)i, input_values(tensor, trial->values), err);
	}
	if (status != OK)
		return status;
	if (base != NULL)
		return copy_computed(judge, base->computed, judge->tensors, err);
	return support_computed_inputs(judge->support, judge->stream, problem, judge->tensors, err);
}

static enum status be_current(struct judge *judge, const struct expected *expected, struct error *err)
{
	if (judge->current == expected)
		return OK;
	const enum status status = fill_inputs(judge, &expected->trial, expected, err);

	if (status == OK)
		judge->current = expected;
	return status;
}

/* The library's results on the inputs that stand in tensors, beside the reference. */
static enum status ask_library(struct judge *judge, struct expected *expected, struct error *err)
{
	const struct problem *problem = judge->problem;
	enum status status = OK;
	size_t output = 0;

	if (judge->baseline == NULL)
		return OK;
	for (size_t i = 0; i < problem->tensor_count && status == OK; i++)
		if (problem->tensors[i].output)
			status = support_poison(judge->support, judge->stream, judge->tensors[i], problem->tensors[i].bytes, err);
	if (status == OK)
		status = baseline_run(judge->baseline, judge->tensors, err);
	for (size_t i = 0; i < problem->tensor_count && status == OK; i++) {
		const struct tensor *tensor = &problem->tensors[i];

		if (!tensor->output)
			continue;
		status = support_compare(judge->support, judge->tensors[i], tensor->dtype, expected->reference[output], tensor->count,
		                         &expected->library[output], err);
		output++;
	}
	expected->has_library = status == OK;
	return status;
}

static enum status make_expected(struct judge *judge, const struct trial *trial, struct expected *expected, struct error *err)
{
	enum status status = fill_inputs(judge, trial, find_base(judge, trial), err);

	expected->trial = *trial;
	if (status == OK)
		status = copy_computed(judge, judge->tensors, expected->computed, err);
	if (status == OK)
		status = support_reference(judge->support, judge->stream, judge->problem, judge->tensors, expected->reference, judge->scratch, err);
	if (status == OK)
		status = ask_library(judge, expected, err);
	if (status == OK)
		status = check(judge, judge->cuda.cuCtxSynchronize(), "computing the reference", err);
	expected->made = status == OK;
	judge->current = status == OK ? expected : NULL;
	return status;
}

static uint64_t expected_bytes(const struct problem *problem)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < problem->tensor_count; i++)
		bytes += problem->tensors[i].output ? problem->tensors[i].count * sizeof(float) : problem->tensors[i].computed ? problem->tensors[i].bytes : 0;
	return bytes;
}

static enum status allocate_expected(const struct judge *judge, struct expected *expected, struct error *err)
{
	const struct problem *problem = judge->problem;
	enum status status = OK;
	size_t output = 0;

	for (size_t i = 0; i < problem->tensor_count && status == OK; i++) {
		const struct tensor *tensor = &problem->tensors[i];

		if (tensor->output)
			status = allocate(judge, &expected->reference[output++], tensor->count * sizeof(float), err);
		else if (tensor->computed)
			status = allocate(judge, &expected->computed[i], tensor->bytes, err);
	}
	return status;
}

/* Where the next one goes: a new one that is kept, or the loose one. */
static enum status find_room(struct judge *judge, bool keep, struct expected **room, struct error *err)
{
	const uint64_t bytes = expected_bytes(judge->problem);

	*room = &judge->loose;
	if (keep && bytes <= judge->keep_bytes) {
		judge->keep_bytes -= bytes;
		*room = mem_alloc(sizeof **room);
		judge->kept = mem_array(judge->kept, judge->kept_count + 1, sizeof *judge->kept);
		judge->kept[judge->kept_count++] = *room;
	}
	return (*room)->reference[0] == 0 ? allocate_expected(judge, *room, err) : OK;
}

enum status judge_expect(struct judge *judge, const struct trial *trial, bool keep, const struct expected **expected, struct error *err)
{
	struct expected *room = NULL;

	for (size_t i = 0; i < judge->kept_count; i++) {
		if (same_trial(judge->kept[i], trial)) {
			*expected = judge->kept[i];
			return OK;
		}
	}
	enum status status = find_room(judge, keep, &room, err);

	if (status == OK)
		status = make_expected(judge, trial, room, err);
	*expected = room;
	return status;
}

const struct comparison *expected_library(const struct expected *expected)
{
	return expected->has_library ? expected->library : NULL;
}

/* ---- hashes ---- */

struct hash_task {
	void *data;
	uint64_t len;
	struct sha256 hash;
	pthread_t thread;
	bool started;
};

static void *hash_one(void *argument)
{
	struct hash_task *task = argument;

	task->hash = sha256_of(task->data, task->len);
	return NULL;
}

/* A thread a tensor: there are few, of about the same size. */
static void hash_all(struct hash_task *tasks, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (tasks[i].data != NULL)
			tasks[i].started = pthread_create(&tasks[i].thread, NULL, hash_one, &tasks[i]) == 0;
	for (size_t i = 0; i < count; i++) {
		if (tasks[i].started)
			pthread_join(tasks[i].thread, NULL);
		else if (tasks[i].data != NULL)
			hash_one(&tasks[i]);
	}
}

enum status judge_hash_inputs(struct judge *judge, const struct expected *expected, struct sha256 hashes[PROBLEM_TENSORS_MAX], struct error *err)
{
	const struct problem *problem = judge->problem;
	struct hash_task tasks[PROBLEM_TENSORS_MAX] = {0};
	enum status status = be_current(judge, expected, err);

	if (status == OK)
		status = check(judge, judge->cuda.cuCtxSynchronize(), "making inputs", err);
	for (size_t i = 0; i < problem->tensor_count && status == OK; i++) {
		if (problem->tensors[i].output)
			continue;
		tasks[i].len = problem->tensors[i].bytes;
		tasks[i].data = mem_alloc(tasks[i].len);
		status = check(judge, judge->cuda.cuMemcpyDtoH(tasks[i].data, judge->tensors[i], tasks[i].len), "copying inputs to hash them", err);
	}
	if (status == OK)
		hash_all(tasks, problem->tensor_count);
	for (size_t i = 0; i < problem->tensor_count; i++) {
		hashes[i] = tasks[i].hash;
		free(tasks[i].data);
	}
	return status;
}

/* ---- beside a worker ---- */

void judge_pin(struct judge *judge, const struct worker *worker)
{
	judge->cuda.cuMemHostRegister(worker_tensor(worker, 0), exchange_bytes(judge->problem), 0);
}

void judge_release(struct judge *judge, const struct worker *worker)
{
	judge->cuda.cuMemHostUnregister(worker_tensor(worker, 0));
}

enum status judge_give_computed(struct judge *judge, const struct trial *trial, const struct worker *worker, struct error *err)
{
	const struct problem *problem = judge->problem;
	const struct expected *base = find_base(judge, trial);
	enum status status = OK;

	if (problem->family != FAMILY_ATTENTION_BACKWARD)
		return OK;
	if (base == NULL)
		status = judge_expect(judge, trial, false, &base, err);
	for (size_t i = 0; i < problem->tensor_count && status == OK; i++)
		if (problem->tensors[i].computed)
			status = check(judge, judge->cuda.cuMemcpyDtoH(worker_tensor(worker, i), base->computed[i], problem->tensors[i].bytes),
			               "giving computed inputs", err);
	return status;
}

static enum status upload(const struct judge *judge, const struct worker *worker, size_t i, struct error *err)
{
	return check(judge, judge->cuda.cuMemcpyHtoD(judge->upload, worker_tensor(worker, i), judge->problem->tensors[i].bytes),
	             "taking what a worker gave back", err);
}

enum status judge_compare(struct judge *judge, const struct expected *expected, const struct worker *worker, struct observed *observed,
                          struct error *err)
{
	const struct problem *problem = judge->problem;
	enum status status = be_current(judge, expected, err);
	size_t output = 0;

	*observed = (struct observed){0};
	for (size_t i = 0; i < problem->tensor_count && status == OK; i++) {
		const struct tensor *tensor = &problem->tensors[i];

		status = upload(judge, worker, i, err);
		if (status == OK && !tensor->output)
			status = support_differ(judge->support, judge->upload, judge->tensors[i], tensor->bytes, &observed->input_changed[i], err);
		if (status == OK && tensor->output) {
			status = support_compare(judge->support, judge->upload, tensor->dtype, expected->reference[output], tensor->count,
			                         &observed->output[output], err);
			output++;
		}
	}
	return status;
}
