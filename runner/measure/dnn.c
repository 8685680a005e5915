#if __has_include(<cudnn.h>)

#include "dnn.h"

#include <math.h>
#include <string.h>
#include <time.h>

enum { CONFIGURATIONS_MAX = 16, KNOBS_MAX = 32, NOTES_MAX = 16, TEXT_MAX = 512 };

enum status dnn_open(struct dnn *dnn, struct error *err)
{
	struct library nvrtc;

	*dnn = (struct dnn){0};
	/* cuDNN looks for its compiler by name and need not look where we do: once opened, it is found. It may do without. */
	library_open(LIBRARY_NVRTC, &nvrtc, NULL);
	enum status status = library_open(LIBRARY_CUDNN, &dnn->library, err);

#define DNN_FIND(symbol)                                                                                                      \
	if (status == OK)                                                                                                     \
		status = library_function(&dnn->library, #symbol, &dnn->symbol, err);
	DNN_FUNCTIONS(DNN_FIND)
#undef DNN_FIND
	return status;
}

enum status dnn_check(const struct dnn *dnn, cudnnStatus_t result, const char *tried, struct error *err)
{
	char last[TEXT_MAX] = "";

	if (result == CUDNN_STATUS_SUCCESS)
		return OK;
	dnn->cudnnGetLastErrorString(last, sizeof last);
	return error_set(err, R_GPU_LIBRARY, dnn->library.path, "%s: %s: %s", tried, dnn->cudnnGetErrorString(result), last);
}

void dnn_graph_open(struct dnn_graph *graph, const struct dnn *dnn)
{
	*graph = (struct dnn_graph){.dnn = dnn, .next_inner = DNN_INNER_ID, .status = OK};
}

void dnn_graph_close(struct dnn_graph *graph)
{
	while (graph->made_count > 0)
		graph->dnn->cudnnBackendDestroyDescriptor(graph->made[--graph->made_count]);
}

static void keep(struct dnn_graph *graph, cudnnStatus_t result, const char *tried)
{
	if (graph->status == OK)
		graph->status = dnn_check(graph->dnn, result, tried, &graph->err);
}

static dnn_descriptor make(struct dnn_graph *graph, cudnnBackendDescriptorType_t type)
{
	dnn_descriptor made = NULL;

	if (graph->status == OK && graph->made_count == DNN_DESCRIPTORS_MAX)
		graph->status = error_set(&graph->err, R_GPU_LIBRARY, "", "the graph has more than %d descriptors", DNN_DESCRIPTORS_MAX);
	if (graph->status != OK)
		return NULL;
	keep(graph, graph->dnn->cudnnBackendCreateDescriptor(type, &made), "making a descriptor");
	if (graph->status == OK)
		graph->made[graph->made_count++] = made;
	return made;
}

static void set(struct dnn_graph *graph, dnn_descriptor descriptor, cudnnBackendAttributeName_t name,
                cudnnBackendAttributeType_t type, int64_t count, const void *values)
{
	if (graph->status == OK)
		keep(graph, graph->dnn->cudnnBackendSetAttribute(descriptor, name, type, count, values), "setting an attribute");
}

static void set_descriptor(struct dnn_graph *graph, dnn_descriptor descriptor, cudnnBackendAttributeName_t name,
                           dnn_descriptor value)
{
	set(graph, descriptor, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &value);
}

static void finalize(struct dnn_graph *graph, dnn_descriptor descriptor, const char *tried)
{
	if (graph->status == OK)
		keep(graph, graph->dnn->cudnnBackendFinalize(descriptor), tried);
}

static void add_operation(struct dnn_graph *graph, dnn_descriptor operation, const char *tried)
{
	finalize(graph, operation, tried);
	if (graph->status == OK && graph->operation_count == DNN_OPERATIONS_MAX)
		graph->status = error_set(&graph->err, R_GPU_LIBRARY, "", "the graph has more than %d operations", DNN_OPERATIONS_MAX);
	if (graph->status == OK)
		graph->operations[graph->operation_count++] = operation;
}

struct dnn_shape dnn_contiguous(int64_t a, int64_t b, int64_t c, int64_t d)
{
	return (struct dnn_shape){{a, b, c, d}, {b * c * d, c * d, d, 1}};
}

struct dnn_shape dnn_transposed(struct dnn_shape s)
{
	return (struct dnn_shape){{s.dims[0], s.dims[1], s.dims[3], s.dims[2]},
	                          {s.strides[0], s.strides[1], s.strides[3], s.strides[2]}};
}

enum place { IN_MEMORY, IN_GRAPH, ON_HOST };

static dnn_descriptor tensor(struct dnn_graph *graph, int64_t id, struct dnn_shape shape, cudnnDataType_t type, enum place place)
{
	const int64_t alignment = place == ON_HOST ? 4 : 16;
	const bool yes = true;
	dnn_descriptor t = make(graph, CUDNN_BACKEND_TENSOR_DESCRIPTOR);

	set(graph, t, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &id);
	set(graph, t, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type);
	set(graph, t, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, 4, shape.dims);
	set(graph, t, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, 4, shape.strides);
	set(graph, t, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, &alignment);
	if (place == IN_GRAPH)
		set(graph, t, CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, 1, &yes);
	if (place == ON_HOST)
		set(graph, t, CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, 1, &yes);
	finalize(graph, t, "describing a tensor");
	return t;
}

dnn_descriptor dnn_tensor(struct dnn_graph *graph, int64_t id, struct dnn_shape shape, cudnnDataType_t type)
{
	return tensor(graph, id, shape, type, IN_MEMORY);
}

dnn_descriptor dnn_scalar(struct dnn_graph *graph, int64_t id)
{
	return tensor(graph, id, dnn_contiguous(1, 1, 1, 1), CUDNN_DATA_FLOAT, ON_HOST);
}

dnn_descriptor dnn_inner(struct dnn_graph *graph, struct dnn_shape shape, cudnnDataType_t type)
{
	return tensor(graph, graph->next_inner++, shape, type, IN_GRAPH);
}

void dnn_matmul(struct dnn_graph *graph, dnn_descriptor a, dnn_descriptor b, dnn_descriptor c)
{
	const cudnnDataType_t compute = CUDNN_DATA_FLOAT;
	dnn_descriptor matmul = make(graph, CUDNN_BACKEND_MATMUL_DESCRIPTOR);
	dnn_descriptor operation = make(graph, CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR);

	set(graph, matmul, CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &compute);
	finalize(graph, matmul, "describing a product");
	set_descriptor(graph, operation, CUDNN_ATTR_OPERATION_MATMUL_DESC, matmul);
	set_descriptor(graph, operation, CUDNN_ATTR_OPERATION_MATMUL_ADESC, a);
	set_descriptor(graph, operation, CUDNN_ATTR_OPERATION_MATMUL_BDESC, b);
	set_descriptor(graph, operation, CUDNN_ATTR_OPERATION_MATMUL_CDESC, c);
	add_operation(graph, operation, "adding a product");
}

void dnn_reduce(struct dnn_graph *graph, cudnnReduceTensorOp_t operator, dnn_descriptor x, dnn_descriptor y)
{
	const cudnnDataType_t compute = CUDNN_DATA_FLOAT;
	dnn_descriptor reduction = make(graph, CUDNN_BACKEND_REDUCTION_DESCRIPTOR);
	dnn_descriptor operation = make(graph, CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR);

	set(graph, reduction, CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, 1, &operator);
	set(graph, reduction, CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &compute);
	finalize(graph, reduction, "describing a reduction");
	set_descriptor(graph, operation, CUDNN_ATTR_OPERATION_REDUCTION_DESC, reduction);
	set_descriptor(graph, operation, CUDNN_ATTR_OPERATION_REDUCTION_XDESC, x);
	set_descriptor(graph, operation, CUDNN_ATTR_OPERATION_REDUCTION_YDESC, y);
	add_operation(graph, operation, "adding a reduction");
}

void dnn_reshape(struct dnn_graph *graph, dnn_descriptor x, dnn_descriptor y)
{
	dnn_descriptor operation = make(graph, CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR);

	set_descriptor(graph, operation, CUDNN_ATTR_OPERATION_RESHAPE_XDESC, x);
	set_descriptor(graph, operation, CUDNN_ATTR_OPERATION_RESHAPE_YDESC, y);
	add_operation(graph, operation, "adding a reshape");
}

static void pointwise(struct dnn_graph *graph, cudnnPointwiseMode_t mode, cudnnDataType_t math, const int64_t *axis,
                      dnn_descriptor x, dnn_descriptor b, dnn_descriptor t, dnn_descriptor y)
{
	dnn_descriptor function = make(graph, CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
	dnn_descriptor operation = make(graph, CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);

	set(graph, function, CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, 1, &mode);
	set(graph, function, CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, 1, &math);
	if (axis != NULL)
		set(graph, function, CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, 1, axis);
	finalize(graph, function, "describing a pointwise function");
	set_descriptor(graph, operation, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, function);
	set_descriptor(graph, operation, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x);
	if (b != NULL)
		set_descriptor(graph, operation, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, b);
	if (t != NULL)
		set_descriptor(graph, operation, CUDNN_ATTR_OPERATION_POINTWISE_TDESC, t);
	set_descriptor(graph, operation, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y);
	add_operation(graph, operation, "adding a pointwise function");
}

void dnn_pointwise(struct dnn_graph *graph, cudnnPointwiseMode_t mode, cudnnDataType_t math, dnn_descriptor x, dnn_descriptor b,
                   dnn_descriptor t, dnn_descriptor y)
{
	pointwise(graph, mode, math, NULL, x, b, t, y);
}

void dnn_index(struct dnn_graph *graph, int64_t axis, dnn_descriptor x, dnn_descriptor y)
{
	pointwise(graph, CUDNN_POINTWISE_GEN_INDEX, CUDNN_DATA_INT32, &axis, x, NULL, NULL, y);
}

#if DNN_HAS_SDPA
void dnn_sdpa(struct dnn_graph *graph, dnn_descriptor q, dnn_descriptor k, dnn_descriptor v, dnn_descriptor scale, dnn_descriptor o,
              dnn_descriptor stats)
{
	dnn_descriptor operation = make(graph, CUDNN_BACKEND_OPERATION_SDPA_FWD_DESCRIPTOR);

	set_descriptor(graph, operation, CUDNN_ATTR_OPERATION_SDPA_FWD_QDESC, q);
	set_descriptor(graph, operation, CUDNN_ATTR_OPERATION_SDPA_FWD_KDESC, k);
	set_descriptor(graph, operation, CUDNN_ATTR_OPERATION_SDPA_FWD_VDESC, v);
	set_descriptor(graph, operation, CUDNN_ATTR_OPERATION_SDPA_FWD_SCALEDESC, scale);
	set_descriptor(graph, operation, CUDNN_ATTR_OPERATION_SDPA_FWD_ODESC, o);
	set_descriptor(graph, operation, CUDNN_ATTR_OPERATION_SDPA_FWD_STATSDESC, stats);
	add_operation(graph, operation, "adding attention");
}
#endif

double dnn_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* count becomes 0 where cuDNN does not say. */
static void get(const struct dnn_graph *graph, dnn_descriptor descriptor, cudnnBackendAttributeName_t name,
                cudnnBackendAttributeType_t type, int64_t room, int64_t *count, void *values)
{
	*count = 0;
	if (graph->dnn->cudnnBackendGetAttribute(descriptor, name, type, room, count, values) != CUDNN_STATUS_SUCCESS)
		*count = 0;
	if (*count > room)
		*count = room;
}

static void add_knobs(struct dnn_graph *graph, dnn_descriptor configuration, cJSON *facts)
{
	cJSON *knobs = cJSON_AddArrayToObject(facts, "knobs");
	dnn_descriptor choices[KNOBS_MAX];
	int64_t count;

	for (int i = 0; i < KNOBS_MAX; i++)
		choices[i] = make(graph, CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR);
	if (graph->status != OK)
		return;
	get(graph, configuration, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, CUDNN_TYPE_BACKEND_DESCRIPTOR, KNOBS_MAX, &count, choices);
	for (int64_t i = 0; i < count; i++) {
		cudnnBackendKnobType_t type = CUDNN_KNOB_TYPE_COUNTS;
		int64_t value = 0;
		int64_t one;
		cJSON *knob = cJSON_CreateObject();

		get(graph, choices[i], CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE, 1, &one, &type);
		get(graph, choices[i], CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64, 1, &one, &value);
		cJSON_AddNumberToObject(knob, "type", (double)type);
		cJSON_AddNumberToObject(knob, "value", (double)value);
		cJSON_AddItemToArray(knobs, knob);
	}
}

static void add_notes(struct dnn_graph *graph, dnn_descriptor engine, cudnnBackendAttributeName_t name,
                      cudnnBackendAttributeType_t type, const char *key, cJSON *facts)
{
	cJSON *notes = cJSON_AddArrayToObject(facts, key);
	int values[NOTES_MAX] = {0}; /* both kinds of note are C enums without negative values */
	int64_t count;

	get(graph, engine, name, type, NOTES_MAX, &count, values);
	for (int64_t i = 0; i < count; i++)
		cJSON_AddItemToArray(notes, cJSON_CreateNumber(values[i]));
}

static void add_engine(struct dnn_graph *graph, dnn_descriptor configuration, cJSON *facts)
{
	dnn_descriptor engine = make(graph, CUDNN_BACKEND_ENGINE_DESCRIPTOR);
	int64_t index = -1;
	int64_t count;

	if (graph->status != OK)
		return;
	get(graph, configuration, CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &count, &engine);
	get(graph, engine, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1, &count, &index);
	if (count == 1)
		cJSON_AddNumberToObject(facts, "engine", (double)index);
	else
		cJSON_AddStringToObject(facts, "engine", "unknown");
	add_notes(graph, engine, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE, "numerical_notes", facts);
	add_notes(graph, engine, CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE, CUDNN_TYPE_BEHAVIOR_NOTE, "behavior_notes", facts);
}

struct search {
	struct dnn_graph *graph;
	cudnnHandle_t handle;
	const struct dnn_limits *limits;
	struct dnn_plan *plans;
	int count;
	cJSON *tried;
	int first; /* of this graph's elements in tried */
	struct error refusal;
};

static bool same(const cJSON *a, const cJSON *b, const char *key)
{
	return cJSON_Compare(cJSON_GetObjectItemCaseSensitive(a, key), cJSON_GetObjectItemCaseSensitive(b, key), true) != 0;
}

/* Modes name many a configuration again. */
static bool was_tried(const struct search *s, const cJSON *facts)
{
	for (int i = s->first; i < cJSON_GetArraySize(s->tried); i++) {
		const cJSON *before = cJSON_GetArrayItem(s->tried, i);

		if (same(before, facts, "engine") && same(before, facts, "knobs"))
			return true;
	}
	return false;
}

/* What is wrong with a configuration is in refusal and no error of the graph's. */
static enum status make_plan(struct search *s, dnn_descriptor configuration, struct dnn_plan *plan)
{
	struct dnn_graph *graph = s->graph;
	const struct dnn *dnn = graph->dnn;
	int64_t count = 0;

	plan->plan = make(graph, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
	set(graph, plan->plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1, &s->handle);
	set_descriptor(graph, plan->plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configuration);
	if (graph->status != OK)
		return graph->status;
	enum status status = dnn_check(dnn, dnn->cudnnBackendFinalize(plan->plan), "making a plan", &s->refusal);

	if (status == OK)
		status = dnn_check(dnn, dnn->cudnnBackendGetAttribute(plan->plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1,
		                                                      &count, &plan->workspace),
		                   "asking for the workspace", &s->refusal);
	if (status == OK && plan->workspace > s->limits->workspace)
		status = error_set(&s->refusal, R_GPU_LIBRARY, dnn->library.path, "it asks for %lld bytes of workspace", (long long)plan->workspace);
	return status;
}

static void try_configuration(struct search *s, dnn_descriptor configuration, const char *mode, int64_t place)
{
	struct dnn_plan plan = {.facts = cJSON_CreateObject()};

	cJSON_AddStringToObject(plan.facts, "heuristic_mode", mode);
	cJSON_AddNumberToObject(plan.facts, "place", (double)place);
	add_engine(s->graph, configuration, plan.facts);
	add_knobs(s->graph, configuration, plan.facts);
	if (s->graph->status != OK || was_tried(s, plan.facts)) {
		cJSON_Delete(plan.facts);
		return;
	}
	cJSON_AddItemToArray(s->tried, plan.facts);
	const double started = dnn_now();
	const enum status status = make_plan(s, configuration, &plan);

	cJSON_AddNumberToObject(plan.facts, "planning_ms", round((dnn_now() - started) * 1e3));
	if (status == OK) {
		cJSON_AddNumberToObject(plan.facts, "workspace_bytes", (double)plan.workspace);
		s->plans[s->count++] = plan;
	} else {
		cJSON_AddStringToObject(plan.facts, "refused", s->refusal.what);
	}
}

static bool enough(const struct search *s)
{
	return s->graph->status != OK || s->count == s->limits->plans || (s->count != 0 && dnn_now() >= s->limits->deadline);
}

struct mode {
	cudnnBackendHeurMode_t mode;
	const char *name;
};

static void try_mode(struct search *s, dnn_descriptor whole, struct mode mode)
{
	struct dnn_graph *graph = s->graph;
	dnn_descriptor heuristic = make(graph, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
	dnn_descriptor configurations[CONFIGURATIONS_MAX];
	int64_t count;

	set_descriptor(graph, heuristic, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, whole);
	set(graph, heuristic, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode.mode);
	for (int i = 0; i < CONFIGURATIONS_MAX; i++)
		configurations[i] = make(graph, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
	if (graph->status != OK)
		return;
	/* A mode that has nothing to offer may say so here. */
	if (dnn_check(graph->dnn, graph->dnn->cudnnBackendFinalize(heuristic), "asking the heuristic", &s->refusal) != OK)
		return;
	get(graph, heuristic, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, CONFIGURATIONS_MAX, &count, configurations);
	for (int64_t i = 0; i < count && !enough(s); i++)
		try_configuration(s, configurations[i], mode.name, i);
}

enum status dnn_plans(struct dnn_graph *graph, cudnnHandle_t handle, const struct dnn_limits *limits, struct dnn_plan *plans,
                      int *count, cJSON *tried, struct error *err)
{
	static const struct mode modes[] = {{CUDNN_HEUR_MODE_A, "A"}, {CUDNN_HEUR_MODE_B, "B"}, {CUDNN_HEUR_MODE_FALLBACK, "fallback"}};
	dnn_descriptor whole = make(graph, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
	struct search s = {.graph = graph, .handle = handle, .limits = limits, .plans = plans, .tried = tried,
	                   .first = cJSON_GetArraySize(tried), .refusal = {.what = "the heuristic offers nothing"}};

	set(graph, whole, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle);
	set(graph, whole, CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, graph->operation_count, graph->operations);
	finalize(graph, whole, "making the graph");
	for (size_t i = 0; !enough(&s) && i < sizeof modes / sizeof modes[0]; i++)
		try_mode(&s, whole, modes[i]);
	*count = s.count;
	if (graph->status == OK && s.count == 0)
		graph->status = error_set(&graph->err, R_GPU_LIBRARY, graph->dnn->library.path, "it has no plan for this graph: %s", s.refusal.what);
	if (graph->status != OK && err != NULL)
		*err = graph->err;
	return graph->status;
}

#endif
