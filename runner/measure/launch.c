#include "launch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PORTABLE_CLUSTER_MAX = 8, DEFAULT_SHARED_MAX = 48 << 10 };

struct program_launch {
	CUfunction function;
	void *values[CANDIDATE_PARAMETERS_MAX];    /* what cuLaunchKernelEx takes: where each parameter's bytes are */
	uint64_t numbers[CANDIDATE_PARAMETERS_MAX]; /* addresses and scalars, little-endian as the device reads them */
	uint8_t *bytes[CANDIDATE_PARAMETERS_MAX];   /* PARAMETER_BYTES: a copy, for addresses to be written into */
};

struct program {
	const struct cuda *cuda;
	const struct plan *plan;
	CUmodule module;
	struct program_launch *launches;
	CUtensorMap maps[CANDIDATE_MAPS_MAX]; /* aligned to 64 by their type */
	CUdeviceptr buffers[CANDIDATE_BUFFERS_MAX];
};

static enum status attribute(const struct cuda *cuda, CUfunction function, CUfunction_attribute name, int *value, struct error *err)
{
	return cuda_check(cuda, cuda->cuFuncGetAttribute(value, name, function), "asking a function's attributes", err);
}

/* The driver lays the parameters out itself, by the sizes in the cubin: it is enough that number and sizes agree. */
static enum status check_parameters(const struct program *program, size_t index, struct error *err)
{
	const struct plan_launch *launch = &program->plan->launches[index];
	const struct cuda *cuda = program->cuda;
	const CUfunction function = program->launches[index].function;
	size_t offset = 0, size = 0;

	for (size_t i = 0; i < launch->parameter_count; i++) {
		if (cuda->cuFuncGetParamInfo(function, i, &offset, &size) != CUDA_SUCCESS)
			return error_set(err, R_CAN_PARAMETER, "", "launch %zu gives '%s' %zu parameters; it has %zu", index, launch->function,
			                 launch->parameter_count, i);
		const unsigned given = launch->parameters[i].size;

		if (size != given)
			return error_set(err, R_CAN_PARAMETER, "", "launch %zu: parameter %zu of '%s' has %zu bytes; %u are given", index, i,
			                 launch->function, size, given);
	}
	if (cuda->cuFuncGetParamInfo(function, launch->parameter_count, &offset, &size) == CUDA_SUCCESS)
		return error_set(err, R_CAN_PARAMETER, "", "launch %zu gives '%s' %zu parameters; it has more", index, launch->function,
		                 launch->parameter_count);
	return OK;
}

static enum status device_limit(const struct cuda *cuda, CUdevice_attribute name, int *value, struct error *err)
{
	CUdevice device;
	enum status status = cuda_check(cuda, cuda->cuCtxGetDevice(&device), "finding the context's device", err);

	return status == OK ? cuda_check(cuda, cuda->cuDeviceGetAttribute(value, name, device), "asking the device's limits", err) : status;
}

static enum status set_attribute(const struct cuda *cuda, CUfunction function, CUfunction_attribute name, int value, struct error *err)
{
	return cuda_check(cuda, cuda->cuFuncSetAttribute(function, name, value), "setting a function's attributes", err);
}

static enum status prepare_resources(const struct program *program, size_t index, struct error *err)
{
	const struct cuda *cuda = program->cuda;
	const struct plan_launch *launch = &program->plan->launches[index];
	const CUfunction function = program->launches[index].function;
	const unsigned threads = launch->block[0] * launch->block[1] * launch->block[2];
	int shared_max = 0, fixed = 0, threads_max = 0;
	enum status status = device_limit(cuda, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &shared_max, err);

	if (status == OK)
		status = attribute(cuda, function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &fixed, err);
	if (status == OK)
		status = attribute(cuda, function, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &threads_max, err);
	if (status != OK)
		return status;
	if (launch->shared > (unsigned)shared_max || (unsigned)fixed > (unsigned)shared_max - launch->shared)
		return error_set(err, R_GPU_LAUNCH, "", "launch %zu: '%s' needs %u bytes of shared memory; a block of this device has %d", index,
		                 launch->function, launch->shared + (unsigned)fixed, shared_max);
	if (threads > (unsigned)threads_max)
		return error_set(err, R_GPU_LAUNCH, "", "launch %zu: '%s' is for at most %d threads a block; %u are asked for", index,
		                 launch->function, threads_max, threads);
	if (launch->shared + (unsigned)fixed > DEFAULT_SHARED_MAX)
		status = set_attribute(cuda, function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared_max - fixed, err);
	if (status == OK && launch->cluster[0] * launch->cluster[1] * launch->cluster[2] > PORTABLE_CLUSTER_MAX)
		status = set_attribute(cuda, function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1, err);
	return status;
}

/* Scalars are what they are; maps stand where they stay. Addresses come with program_bind. */
static void lay_out(struct program *program, size_t index)
{
	const struct plan_launch *launch = &program->plan->launches[index];
	struct program_launch *own = &program->launches[index];

	for (size_t i = 0; i < launch->parameter_count; i++) {
		const struct plan_parameter *parameter = &launch->parameters[i];

		own->numbers[i] = parameter->value;
		own->values[i] = parameter->kind == PARAMETER_MAP ? (void *)&program->maps[parameter->index] : (void *)&own->numbers[i];
		if (parameter->kind == PARAMETER_BYTES) {
			own->bytes[i] = mem_alloc(parameter->size);
			memcpy(own->bytes[i], parameter->bytes, parameter->size);
			own->values[i] = own->bytes[i];
		}
	}
}

static enum status find_function(struct program *program, size_t index, struct error *err)
{
	struct error inner = {0};
	const char *name = program->plan->launches[index].function;
	enum status status = cuda_check(program->cuda, program->cuda->cuModuleGetFunction(&program->launches[index].function, program->module, name),
	                                "finding a function", &inner);

	return status == OK ? OK : error_set(err, inner.rule, "", "'%s': %s", name, inner.what);
}

/* What host code was told of a device when it was lowered has to be so here. */
static enum status check_asked(const struct cuda *cuda, const struct plan *plan, struct error *err)
{
	enum status status = OK;

	for (size_t i = 0; i < plan->asked_count && status == OK; i++) {
		int value = 0;

		status = device_limit(cuda, (CUdevice_attribute)plan->asked[i].attribute, &value, err);
		if (status == OK && value != plan->asked[i].value)
			status = error_set(err, R_LOW_ASKED, "", "attribute %d of this device is %d; host code was told %lld", plan->asked[i].attribute, value,
			                   (long long)plan->asked[i].value);
	}
	return status;
}

enum status program_open(const struct cuda *cuda, const struct plan *plan, const void *cubin, struct program **program, struct error *err)
{
	/* Over-aligned by CUtensorMap. */
	struct program *made = aligned_alloc(_Alignof(struct program), sizeof *made);

	if (made == NULL)
		mem_lacking();
	memset(made, 0, sizeof *made);
	made->cuda = cuda;
	made->plan = plan;
	made->launches = mem_alloc(plan->launch_count * sizeof *made->launches);
	enum status status = check_asked(cuda, plan, err);

	if (status == OK)
		status = cuda_check(cuda, cuda->cuModuleLoadData(&made->module, cubin), "loading the candidate's code", err);
	for (size_t i = 0; i < plan->launch_count && status == OK; i++) {
		status = find_function(made, i, err);
		if (status == OK)
			status = check_parameters(made, i, err);
		if (status == OK)
			status = prepare_resources(made, i, err);
		lay_out(made, i);
	}
	*program = status == OK ? made : NULL;
	if (status != OK)
		program_close(made);
	return status;
}

void program_close(struct program *program)
{
	if (program == NULL)
		return;
	if (program->module != NULL)
		program->cuda->cuModuleUnload(program->module);
	for (size_t i = 0; i < program->plan->launch_count; i++)
		for (size_t j = 0; j < CANDIDATE_PARAMETERS_MAX; j++)
			free(program->launches[i].bytes[j]);
	free(program->launches);
	free(program);
}

cJSON *program_facts(const struct program *program)
{
	static const struct {
		const char *name;
		CUfunction_attribute attribute;
	} asked[] = {{"registers", CU_FUNC_ATTRIBUTE_NUM_REGS},
	             {"shared_bytes", CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES},
	             {"local_bytes", CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES},
	             {"max_threads", CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK}};
	cJSON *facts = cJSON_CreateArray();

	for (size_t i = 0; i < program->plan->launch_count; i++) {
		cJSON *one = cJSON_CreateObject();
		int value = 0;

		cJSON_AddStringToObject(one, "function", program->plan->launches[i].function);
		cJSON_AddNumberToObject(one, "parameters", (double)program->plan->launches[i].parameter_count);
		for (size_t j = 0; j < sizeof asked / sizeof asked[0]; j++)
			if (attribute(program->cuda, program->launches[i].function, asked[j].attribute, &value, NULL) == OK)
				cJSON_AddNumberToObject(one, asked[j].name, value);
		cJSON_AddItemToArray(facts, one);
	}
	return facts;
}

static CUtensorMapDataType map_type(enum element element)
{
	static const CUtensorMapDataType types[ELEMENT_COUNT] = {
		[ELEMENT_U8] = CU_TENSOR_MAP_DATA_TYPE_UINT8,     [ELEMENT_U16] = CU_TENSOR_MAP_DATA_TYPE_UINT16,
		[ELEMENT_U32] = CU_TENSOR_MAP_DATA_TYPE_UINT32,   [ELEMENT_I32] = CU_TENSOR_MAP_DATA_TYPE_INT32,
		[ELEMENT_U64] = CU_TENSOR_MAP_DATA_TYPE_UINT64,   [ELEMENT_I64] = CU_TENSOR_MAP_DATA_TYPE_INT64,
		[ELEMENT_F16] = CU_TENSOR_MAP_DATA_TYPE_FLOAT16,  [ELEMENT_BF16] = CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
		[ELEMENT_F32] = CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
	};

	return types[element];
}

static CUtensorMapSwizzle map_swizzle(unsigned bytes)
{
	return bytes == 128 ? CU_TENSOR_MAP_SWIZZLE_128B : bytes == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
	       : bytes == 32 ? CU_TENSOR_MAP_SWIZZLE_32B : CU_TENSOR_MAP_SWIZZLE_NONE;
}

static CUtensorMapInterleave map_interleave(unsigned bytes)
{
	return bytes == 32 ? CU_TENSOR_MAP_INTERLEAVE_32B : bytes == 16 ? CU_TENSOR_MAP_INTERLEAVE_16B : CU_TENSOR_MAP_INTERLEAVE_NONE;
}

static CUtensorMapL2promotion map_l2(unsigned bytes)
{
	return bytes == 256 ? CU_TENSOR_MAP_L2_PROMOTION_L2_256B : bytes == 128 ? CU_TENSOR_MAP_L2_PROMOTION_L2_128B
	       : bytes == 64 ? CU_TENSOR_MAP_L2_PROMOTION_L2_64B : CU_TENSOR_MAP_L2_PROMOTION_NONE;
}

/* The driver refuses what the plan's checks let through: the description is to blame. */
static enum status encode(struct program *program, size_t index, CUdeviceptr address, struct error *err)
{
	const struct plan_map *map = &program->plan->maps[index];
	cuuint64_t dims[MAP_RANK_MAX], strides[MAP_RANK_MAX];
	cuuint32_t box[MAP_RANK_MAX], steps[MAP_RANK_MAX];

	for (unsigned i = 0; i < map->rank; i++) {
		dims[i] = map->dims[i];
		strides[i] = i + 1 < map->rank ? map->strides[i] : 0;
		box[i] = map->box[i];
		steps[i] = 1;
	}
	const CUresult result = program->cuda->cuTensorMapEncodeTiled(
		&program->maps[index], map_type(map->element), map->rank, (void *)(uintptr_t)address, dims, strides, box, steps,
		map_interleave(map->interleave), map_swizzle(map->swizzle), map_l2(map->l2), CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);

	if (result == CUDA_ERROR_INVALID_VALUE)
		return error_set(err, R_CAN_MAP, "", "the driver does not take map %zu", index);
	return cuda_check(program->cuda, result, "encoding a tensor map", err);
}

/* Where a tensor or buffer stands now. */
static CUdeviceptr address_of(enum parameter_kind kind, size_t index, const CUdeviceptr *tensors, const CUdeviceptr *buffers)
{
	return kind == PARAMETER_TENSOR ? tensors[index] : buffers[index];
}

static void patch(const struct program *program, const struct plan_parameter *parameter, uint8_t *bytes, const CUdeviceptr *tensors,
                  const CUdeviceptr *buffers)
{
	for (size_t i = 0; i < parameter->patch_count; i++) {
		const struct plan_patch *at = &parameter->patches[i];

		if (at->kind == PARAMETER_MAP) {
			memcpy(bytes + at->offset, &program->maps[at->index], sizeof program->maps[at->index]);
		} else {
			const CUdeviceptr address = address_of(at->kind, at->index, tensors, buffers) + at->plus;

			memcpy(bytes + at->offset, &address, sizeof address);
		}
	}
}

enum status program_bind(struct program *program, const CUdeviceptr *tensors, const CUdeviceptr *buffers, struct error *err)
{
	const struct plan *plan = program->plan;
	enum status status = OK;

	memcpy(program->buffers, buffers, plan->buffer_count * sizeof *buffers);
	for (size_t i = 0; i < plan->map_count && status == OK; i++) {
		const struct plan_map *map = &plan->maps[i];
		const enum parameter_kind kind = map->on_buffer ? PARAMETER_BUFFER : PARAMETER_TENSOR;

		status = encode(program, i, address_of(kind, map->target, tensors, buffers) + map->plus, err);
	}
	for (size_t i = 0; i < plan->launch_count; i++) {
		for (size_t j = 0; j < plan->launches[i].parameter_count; j++) {
			const struct plan_parameter *parameter = &plan->launches[i].parameters[j];

			if (parameter->kind == PARAMETER_TENSOR || parameter->kind == PARAMETER_BUFFER)
				program->launches[i].numbers[j] = address_of(parameter->kind, parameter->index, tensors, buffers) + parameter->value;
			else if (parameter->kind == PARAMETER_BYTES)
				patch(program, parameter, program->launches[i].bytes[j], tensors, buffers);
		}
	}
	return status;
}

size_t program_launches(const struct program *program)
{
	return program->plan->launch_count;
}

const char *program_function(const struct program *program, size_t launch)
{
	return program->plan->launches[launch].function;
}

CUresult program_fill(struct program *program, CUstream stream)
{
	CUresult result = CUDA_SUCCESS;

	for (size_t i = 0; i < program->plan->buffer_count && result == CUDA_SUCCESS; i++) {
		const struct plan_buffer *buffer = &program->plan->buffers[i];

		if (buffer->filled)
			result = program->cuda->cuMemsetD8Async(program->buffers[i], buffer->fill, buffer->bytes, stream);
	}
	return result;
}

CUresult program_launch(struct program *program, size_t launch, CUstream stream)
{
	const struct plan_launch *plan = &program->plan->launches[launch];
	CUlaunchAttribute cluster = {.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION};
	CUlaunchConfig config = {
		.gridDimX = plan->grid[0],
		.gridDimY = plan->grid[1],
		.gridDimZ = plan->grid[2],
		.blockDimX = plan->block[0],
		.blockDimY = plan->block[1],
		.blockDimZ = plan->block[2],
		.sharedMemBytes = plan->shared,
		.hStream = stream,
		.attrs = &cluster,
		.numAttrs = plan->cluster[0] * plan->cluster[1] * plan->cluster[2] > 1,
	};

	cluster.value.clusterDim.x = plan->cluster[0];
	cluster.value.clusterDim.y = plan->cluster[1];
	cluster.value.clusterDim.z = plan->cluster[2];
	return program->cuda->cuLaunchKernelEx(&config, program->launches[launch].function, program->launches[launch].values, NULL);
}

CUresult program_run(struct program *program, CUstream stream, int *failed)
{
	CUresult result = program_fill(program, stream);

	*failed = -1;
	for (size_t i = 0; i < program->plan->launch_count && result == CUDA_SUCCESS; i++) {
		*failed = (int)i;
		result = program_launch(program, i, stream);
	}
	return result;
}
