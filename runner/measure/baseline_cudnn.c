/* Attention through cuDNN's graph API: forward and backward as graphs of matrix products, pointwise functions and reductions, which cuDNN's engines fuse. */
#include "baseline_vendor.h"

#if __has_include(<cudnn.h>)

#include <math.h>
#include <stdlib.h>

#include "../base/bytes.h"
#include "attention_graph.h"
#include "dnn.h"
#include "library.h"
#include "trial.h"

/* Room for what engines need to sum up in; what would write down all of the scores asks for more. */
#define WORKSPACE_MAX ((int64_t)1 << 30)
/* A plan costs some tenths of a second where cuDNN compiles its kernel: the first in full, then as many as fit. */
#define PLANNING_SECONDS 1.5

/* Of base.scratch. */
enum { WORKSPACE, ROW_SUM, DQ_SUM };

/* One way to write the problem as a graph. */
struct form {
	struct dnn_graph graph;
	struct attention attention;
};

struct way {
	struct dnn_plan plan;
	const struct form *form;
};

struct cudnn {
	struct baseline base;
	struct dnn dnn;
	cudnnHandle_t handle;
	struct form forms[ATTENTION_FORMS];
	struct way ways[TRIAL_WAYS_MAX];
	int count;
	int chosen;
	bool zero_dq_sum;
};

static enum status allocate_all(struct cudnn *c, const struct problem *problem, struct error *err)
{
	const uint64_t *dims = problem->tensors[0].dims;
	const uint64_t rows = dims[0] * dims[1] * dims[2];
	uint64_t workspace = 0;

	for (int i = 0; i < c->count; i++)
		if ((uint64_t)c->ways[i].plan.workspace > workspace)
			workspace = (uint64_t)c->ways[i].plan.workspace;
	enum status status = baseline_scratch_allocate(&c->base, WORKSPACE, workspace, err);

	if (status == OK && problem->family == FAMILY_ATTENTION_BACKWARD) {
		status = baseline_scratch_allocate(&c->base, ROW_SUM, rows * sizeof(float), err);
		if (status == OK)
			status = baseline_scratch_allocate(&c->base, DQ_SUM, rows * dims[3] * sizeof(float), err);
	}
	return status;
}

/* The addresses of one call, in the order of attention.ids. */
static void bind(const struct cudnn *c, const struct attention *attention, const CUdeviceptr *tensors, void **pointers)
{
	for (int i = 0; i < attention->count; i++) {
		int64_t id = attention->ids[i];

		switch (id) {
		case ATTENTION_SCALE:
			pointers[i] = (void *)(uintptr_t)&attention->scale;
			break;
		case ATTENTION_MASKED:
			pointers[i] = (void *)(uintptr_t)&attention->masked;
			break;
		case ATTENTION_ONE:
			pointers[i] = (void *)(uintptr_t)&attention->one;
			break;
		case ATTENTION_ROW_SUM:
			pointers[i] = (void *)(uintptr_t)c->base.scratch[ROW_SUM].address;
			break;
		case ATTENTION_DQ_SUM:
			pointers[i] = (void *)(uintptr_t)c->base.scratch[DQ_SUM].address;
			break;
		default:
			pointers[i] = (void *)(uintptr_t)tensors[id - ATTENTION_TENSOR];
		}
	}
}

static cudnnStatus_t fill_pack(const struct cudnn *c, const struct attention *attention, dnn_descriptor pack,
                               void *const *pointers)
{
	const struct dnn *dnn = &c->dnn;
	void *workspace = (void *)(uintptr_t)c->base.scratch[WORKSPACE].address;
	cudnnStatus_t result = dnn->cudnnBackendSetAttribute(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64,
	                                                     attention->count, attention->ids);

	if (result == CUDNN_STATUS_SUCCESS)
		result = dnn->cudnnBackendSetAttribute(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, attention->count,
		                                       pointers);
	if (result == CUDNN_STATUS_SUCCESS)
		result = dnn->cudnnBackendSetAttribute(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace);
	if (result == CUDNN_STATUS_SUCCESS)
		result = dnn->cudnnBackendFinalize(pack);
	return result;
}

static enum status run_way(const struct cudnn *c, const struct way *way, const CUdeviceptr *tensors, struct error *err)
{
	const struct cuda *cuda = c->base.cuda;
	const struct attention *attention = &way->form->attention;
	void *pointers[ATTENTION_IDS_MAX];
	dnn_descriptor pack;
	enum status status = dnn_check(&c->dnn, c->dnn.cudnnBackendCreateDescriptor(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, &pack),
	                               "naming the tensors", err);

	if (status != OK)
		return status;
	bind(c, attention, tensors, pointers);
	status = dnn_check(&c->dnn, fill_pack(c, attention, pack, pointers), "naming the tensors", err);
	if (status == OK && c->zero_dq_sum)
		status = cuda_check(cuda, cuda->cuMemsetD8Async(c->base.scratch[DQ_SUM].address, 0, c->base.scratch[DQ_SUM].bytes, c->base.stream), "zeroing the sum of dQ", err);
	if (status == OK)
		status = dnn_check(&c->dnn, c->dnn.cudnnBackendExecute(c->handle, way->plan.plan, pack), "running attention", err);
	c->dnn.cudnnBackendDestroyDescriptor(pack);
	return status;
}

static enum status run(struct baseline *baseline, const CUdeviceptr *tensors, struct error *err)
{
	const struct cudnn *c = (const struct cudnn *)baseline;

	return run_way(c, &c->ways[c->chosen], tensors, err);
}

static void close_cudnn(struct baseline *baseline)
{
	struct cudnn *c = (struct cudnn *)baseline;

	for (int i = 0; i < ATTENTION_FORMS; i++)
		dnn_graph_close(&c->forms[i].graph);
	if (c->handle != NULL)
		c->dnn.cudnnDestroy(c->handle);
	free(c); /* the library itself stays open (library.h) */
}

static const char *form_name(enum attention_form form)
{
	return form == ATTENTION_ONE_NODE ? "one node" : "composite";
}

/* Every plan of that form, up to the limits; a form that this cuDNN has no plan for adds none. */
static enum status plan_form(struct cudnn *c, const struct problem *problem, enum attention_form form, const struct dnn_limits *limits,
                             cJSON *tried, struct error *err)
{
	struct form *own = &c->forms[form];
	struct dnn_plan plans[TRIAL_WAYS_MAX];
	const int before = cJSON_GetArraySize(tried);
	int count = 0;

	dnn_graph_open(&own->graph, &c->dnn);
	attention_graph(&own->graph, problem, form, &own->attention);
	const enum status status = dnn_plans(&own->graph, c->handle, limits, plans, &count, tried, err);

	for (int i = before; i < cJSON_GetArraySize(tried); i++)
		cJSON_AddStringToObject(cJSON_GetArrayItem(tried, i), "form", form_name(form));
	for (int i = 0; i < count; i++)
		c->ways[c->count++] = (struct way){plans[i], own};
	return status;
}

/* The heuristic's first of the first form that has any comes first. What the last form said is the error where none has. */
static enum status plan(struct cudnn *c, const struct problem *problem, enum baseline_effort effort, cJSON *tried, struct error *err)
{
	const struct dnn_limits limits = {
		.plans = effort == BASELINE_FIRST ? 1 : effort == BASELINE_BEST ? 8 : TRIAL_WAYS_MAX / ATTENTION_FORMS,
		.workspace = WORKSPACE_MAX,
		.deadline = effort == BASELINE_ALL ? INFINITY : dnn_now() + PLANNING_SECONDS,
	};
	enum status status = OK;

	for (int form = 0; form < ATTENTION_FORMS; form++) {
		const bool done = c->count != 0 && (effort == BASELINE_FIRST || dnn_now() >= limits.deadline);

		if (attention_has_form(problem, (enum attention_form)form) && !done)
			status = plan_form(c, problem, (enum attention_form)form, &limits, tried, err);
	}
	return c->count != 0 ? OK : status;
}

static bool try_way(void *context, int way, const CUdeviceptr *tensors)
{
	const struct cudnn *c = context;

	return run_way(c, &c->ways[way], tensors, NULL) == OK;
}

static enum status choose(struct cudnn *c, const struct problem *problem, struct error *err)
{
	struct trial trial;
	enum status status = OK;

	if (c->count == 1)
		return OK;
	status = trial_run(c->base.cuda, problem, c->base.stream, try_way, c, c->count, &trial, err);
	if (status != OK)
		return status;
	for (int i = 0; i < c->count; i++)
		cJSON_AddItemToObject(c->ways[i].plan.facts, "nanoseconds", trial_nanoseconds(&trial, i));
	c->chosen = trial_fastest(&trial);
	if (c->chosen < 0)
		return error_set(err, R_GPU_LIBRARY, c->dnn.library.path, "none of its %d plans for this problem runs", c->count);
	return OK;
}

static int place_of(const cJSON *array, const cJSON *item)
{
	int place = 0;

	for (const cJSON *one = array->child; one != item; one = one->next)
		place++;
	return place;
}

static void add_facts(const struct cudnn *c, const struct problem *problem, const cJSON *tried, cJSON *facts)
{
	const struct way *way = &c->ways[c->chosen];

	cJSON_AddStringToObject(facts, "library", "cuDNN");
	cJSON_AddNumberToObject(facts, "version", (double)c->dnn.cudnnGetVersion());
	cJSON_AddNumberToObject(facts, "built_for_cuda", (double)c->dnn.cudnnGetCudartVersion());
	cJSON_AddStringToObject(facts, "found", c->dnn.library.place);
	cJSON_AddStringToObject(facts, "compute", "bfloat16 in and out, products and softmax in fp32, natural logarithm");
	cJSON_AddStringToObject(facts, "chosen_by", c->count == 1 ? "the only plan that was made" : TRIAL_CHOSEN_BY);
	cJSON_AddNumberToObject(facts, "chosen", place_of(tried, way->plan.facts));
	cJSON_AddNumberToObject(facts, "operations", way->form->graph.operation_count);
	cJSON_AddNumberToObject(facts, "workspace_limit_bytes", (double)WORKSPACE_MAX);
	if (problem->family == FAMILY_ATTENTION_BACKWARD) {
		cJSON_AddNumberToObject(facts, "row_sum_bytes", (double)c->base.scratch[ROW_SUM].bytes);
		cJSON_AddNumberToObject(facts, "dq_sum_bytes", (double)c->base.scratch[DQ_SUM].bytes);
		cJSON_AddStringToObject(facts, "dq_sum_zeroed_by", c->zero_dq_sum ? "memset within each call" : "cuDNN within each call");
	}
}

enum status baseline_open_cudnn(const struct cuda *cuda, const struct problem *problem, CUstream stream, enum baseline_effort effort,
                                struct baseline **baseline, cJSON *facts, struct error *err)
{
	static const char *const files[] = {"libcudnn", "libnvrtc", "libcublasLt.", NULL};
	struct cudnn *c = mem_alloc(sizeof *c);
	cJSON *tried = cJSON_AddArrayToObject(facts, "tried");

	c->base = (struct baseline){.cuda = cuda, .stream = stream, .files = files, .run = run, .close = close_cudnn};
	enum status status = dnn_open(&c->dnn, err);

	if (status == OK)
		status = dnn_check(&c->dnn, c->dnn.cudnnCreate(&c->handle), "starting cuDNN", err);
	if (status == OK)
		status = dnn_check(&c->dnn, c->dnn.cudnnSetStream(c->handle, stream), "setting the stream", err);
	if (status == OK)
		status = plan(c, problem, effort, tried, err);
	/* Since 9.6 cuDNN zeroes what it sums dQ up in itself (cudnn-frontend, scaled_dot_product_flash_attention.h). */
	c->zero_dq_sum = problem->family == FAMILY_ATTENTION_BACKWARD && status == OK && c->dnn.cudnnGetVersion() < 90600;
	if (status == OK)
		status = allocate_all(c, problem, err);
	if (status == OK)
		status = choose(c, problem, err);
	if (status == OK) {
		add_facts(c, problem, tried, facts);
		*baseline = &c->base;
	} else {
		baseline_close(&c->base);
	}
	return status;
}

#else

enum status baseline_open_cudnn(const struct cuda *cuda, const struct problem *problem, CUstream stream, enum baseline_effort effort,
                                struct baseline **baseline, cJSON *facts, struct error *err)
{
	(void)cuda;
	(void)stream;
	(void)effort;
	(void)baseline;
	(void)facts;
	return error_set(err, R_GPU_BUILD, problem->task, "there was no cudnn.h when the program was built");
}

#endif
