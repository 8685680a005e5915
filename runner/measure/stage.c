#include "stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs.h"

enum { PROBE_ELEMENTS = 4099 };

static enum status check(const struct stage *stage, CUresult result, const char *tried, struct error *err)
{
	return cuda_check(&stage->cuda, result, tried, err);
}

/* A device that answers but does not compute is sick. The poisoned end shows a fill that writes too far. */
static enum status probe(struct stage *stage, struct error *err)
{
	const size_t bytes = PROBE_ELEMENTS * sizeof(uint16_t);
	uint16_t *got = mem_alloc(bytes + 16);
	CUdeviceptr memory = 0;
	enum status status = check(stage, stage->cuda.cuMemAlloc(&memory, bytes + 16), "allocating memory for a test", err);

	if (status == OK)
		status = support_poison(stage->support, stage->stream, memory, bytes + 16, err);
	if (status == OK)
		status = support_fill(stage->support, stage->stream, memory, DTYPE_BF16, PROBE_ELEMENTS, 1, 0, VALUES_NORMAL, err);
	if (status == OK)
		status = check(stage, stage->cuda.cuCtxSynchronize(), "waiting for a test", err);
	if (status == OK)
		status = check(stage, stage->cuda.cuMemcpyDtoH(got, memory, bytes + 16), "reading a test's result", err);
	for (uint64_t i = 0; i < PROBE_ELEMENTS + 8 && status == OK; i++)
		if (got[i] != (i < PROBE_ELEMENTS ? bf16_from_float(philox_value(1, 0, i, VALUES_NORMAL)) : 0xFFFF))
			status = error_set(err, R_GPU_SICK, "", "element %llu of a test is not what the CPU computes", (unsigned long long)i);
	if (memory != 0)
		stage->cuda.cuMemFree(memory);
	free(got);
	return status;
}

enum status stage_open(struct stage *stage, bool exact, int device, const struct problem *problem, unsigned char *exchange, struct error *err)
{
	*stage = (struct stage){.problem = problem, .exchange = exchange, .exact = exact};
	enum status status = cuda_open(&stage->cuda, err);

	if (status == OK)
		status = cuda_context(&stage->cuda, device, &stage->context, err);
	if (status == OK)
		status = check(stage, stage->cuda.cuStreamCreate(&stage->stream, CU_STREAM_NON_BLOCKING), "making a stream", err);
	if (status == OK)
		status = support_open(&stage->cuda, &stage->support, err);
	/* Without it copies are slower, not wrong. */
	if (status == OK)
		stage->pinned = stage->cuda.cuMemHostRegister(exchange, exchange_bytes(problem), 0) == CUDA_SUCCESS;
	return status == OK ? probe(stage, err) : status;
}

static enum status allocate_computed(struct stage *stage, struct error *err)
{
	enum status status = OK;

	for (size_t i = 0; i < stage->problem->tensor_count && status == OK; i++)
		if (stage->problem->tensors[i].computed)
			status = check(stage, stage->cuda.cuMemAlloc(&stage->computed[i], stage->problem->tensors[i].bytes),
			               "allocating computed inputs", err);
	return status;
}

enum status stage_load(struct stage *stage, const struct package *package, bool reload, struct error *err)
{
	const char *json = (const char *)(package + 1);
	enum status status = candidate_parse(package->directory, json, package->json_bytes, "", 0, &stage->candidate, err);

	if (status == OK)
		status = plan_make(stage->candidate, stage->problem, &stage->plan, err);
	stage->code = json + package->json_bytes;
	stage->reload = reload;
	if (status == OK)
		status = program_open(&stage->cuda, &stage->plan, stage->code, &stage->program, err);
	if (status == OK)
		status = allocate_computed(stage, err);
	return status == OK ? arena_open(&stage->cuda, stage->support, stage->problem, &stage->plan, stage->exact, &stage->arena, err) : status;
}

void stage_close(struct stage *stage)
{
	program_close(stage->program);
	arena_close(stage->arena);
	for (size_t i = 0; i < PROBLEM_TENSORS_MAX; i++)
		if (stage->computed[i] != 0)
			stage->cuda.cuMemFree(stage->computed[i]);
	support_close(stage->support);
	if (stage->pinned)
		stage->cuda.cuMemHostUnregister(stage->exchange);
	if (stage->context != NULL)
		stage->cuda.cuCtxDestroy(stage->context);
	plan_free(&stage->plan);
	candidate_free(stage->candidate);
}

enum status stage_take_computed(struct stage *stage, struct error *err)
{
	enum status status = OK;

	for (size_t i = 0; i < stage->problem->tensor_count && status == OK; i++)
		if (stage->computed[i] != 0)
			status = check(stage,
			               stage->cuda.cuMemcpyHtoD(stage->computed[i], stage->exchange + exchange_offset(stage->problem, i),
			                                        stage->problem->tensors[i].bytes),
			               "taking computed inputs", err);
	return status;
}

static enum status set_tensor(struct stage *stage, const struct trial *trial, size_t i, struct error *err)
{
	const struct tensor *tensor = &stage->problem->tensors[i];
	const CUdeviceptr at = arena_tensors(stage->arena)[i];

	if (tensor->output)
		return support_poison(stage->support, stage->stream, at, tensor->bytes, err);
	if (tensor->computed)
		return check(stage, stage->cuda.cuMemcpyDtoDAsync(at, stage->computed[i], tensor->bytes, stage->stream), "placing computed inputs", err);
	return support_fill(stage->support, stage->stream, at, tensor->dtype, tensor->count,
	                    input_seed(stage->problem, i, trial->base_seed, trial->seed), (uint32_t)i, input_values(tensor, trial->values), err);
}

/* A candidate shall know nothing of its last call: variables in global memory would count calls, or keep what was computed. Nothing of it is in flight. */
static enum status load_anew(struct stage *stage, struct error *err)
{
	const bool needed = stage->reload && stage->called;

	stage->called = true;
	if (!needed)
		return OK;
	program_close(stage->program);
	stage->program = NULL;
	return program_open(&stage->cuda, &stage->plan, stage->code, &stage->program, err);
}

enum status stage_set(struct stage *stage, const struct trial *trial, struct error *err)
{
	enum status status = load_anew(stage, err);

	if (status == OK)
		status = arena_place(stage->arena, trial->number, stage->stream, err);

	for (size_t i = 0; i < stage->problem->tensor_count && status == OK; i++)
		status = set_tensor(stage, trial, i, err);
	for (size_t i = 0; i < stage->plan.buffer_count && status == OK; i++)
		status = support_poison(stage->support, stage->stream, arena_buffers(stage->arena)[i], stage->plan.buffers[i].bytes, err);
	if (status == OK)
		status = program_bind(stage->program, arena_tensors(stage->arena), arena_buffers(stage->arena), err);
	return status == OK ? check(stage, stage->cuda.cuCtxSynchronize(), "waiting for inputs", err) : status;
}

enum status stage_give_back(struct stage *stage, struct error *err)
{
	enum status status = OK;

	for (size_t i = 0; i < stage->problem->tensor_count && status == OK; i++)
		status = check(stage,
		               stage->cuda.cuMemcpyDtoHAsync(stage->exchange + exchange_offset(stage->problem, i), arena_tensors(stage->arena)[i],
		                                             stage->problem->tensors[i].bytes, stage->stream),
		               "copying tensors back", err);
	return status == OK ? check(stage, stage->cuda.cuCtxSynchronize(), "copying tensors back", err) : status;
}

static enum fate_kind kind_of(CUresult result, enum rule rule)
{
	switch (result) {
	case CUDA_ERROR_ILLEGAL_ADDRESS:
	case CUDA_ERROR_MISALIGNED_ADDRESS:
	case CUDA_ERROR_INVALID_ADDRESS_SPACE:
		return FATE_MEMORY_ERROR;
	default:
		return rule == R_GPU_KERNEL ? FATE_RUNTIME_ERROR : FATE_REFUSED;
	}
}

enum status stage_fate(const struct stage *stage, CUresult result, int launch, bool waited, struct fate *fate, struct error *err)
{
	struct error why = {0};

	*fate = (struct fate){.kind = FATE_DONE, .launch = -1};
	if (check(stage, result, "running the candidate", &why) == OK)
		return OK;
	/* The launches are the candidate's: INVALID_VALUE and the like are said of its description. Only the device's own sickness is not. */
	if (why.status == UNHEALTHY) {
		*err = why;
		return UNHEALTHY;
	}
	fate->kind = kind_of(result, why.rule);
	/* What a launch itself is refused for is its own. */
	fate->launch = waited || fate->kind == FATE_REFUSED ? launch : program_launches(stage->program) == 1 ? 0 : -1;
	snprintf(fate->text, sizeof fate->text, "%s", why.what);
	return OK;
}
