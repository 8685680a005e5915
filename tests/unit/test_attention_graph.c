/*
 * R-GPU-008: the graphs of attention are ones that cuDNN takes, and that its heuristic has engines for on an H200. No GPU is needed for that: cuDNN plans for a device that is
 * only described. It wants a driver library to be there, for which the toolkit's stub serves.
 */
#include "unit.h"

#if defined(PTXSEAL_CUDA) && __has_include(<cudnn.h>)

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "measure/attention_graph.h"

static struct dnn dnn;
static bool have_driver;

/* cuDNN's own form of a device's properties; the H200's, as the CUDA driver gives them. */
static const char h200[] =
	"{\"cudaDeviceId\":0,\"deviceName\":\"NVIDIA H200\",\"deviceVer\":900,\"driverVer\":13000,\"isTccDriver\":0,\"l2CacheSize\":62914560,"
	"\"maxBlockSize\":[1024,1024,64],\"maxCtasPerSM\":32,\"maxGridSize\":[2147483647,65535,65535],\"maxRegistersPerSM\":65536,"
	"\"maxSharedMemoryPerBlock\":49152,\"maxSharedMemoryPerBlockOptin\":232448,\"maxThreadsPerBlock\":1024,\"maxThreadsPerSM\":2048,"
	"\"memClockRateKHz\":3201000,\"multiProcessorCount\":132,\"pciDeviceId\":9013,\"regsPerBlock\":65536,"
	"\"reservedSharedMemoryPerBlock\":1024,\"smClockRateKHz\":1980000,\"supportCoopLaunch\":1,\"totalGlobalMem\":150754820096,\"warpSize\":32}";

static bool open_driver(void)
{
	/* Opened under its own name, the stub is what cuDNN's dlopen of libcuda.so.1 then finds. */
	const char *slash = strrchr(dnn.library.path, '/');
	char *beside = mem_format("%.*s/stubs/libcuda.so", (int)(slash - dnn.library.path), dnn.library.path);
	bool found = dlopen("libcuda.so.1", RTLD_NOW) != NULL || dlopen(beside, RTLD_NOW) != NULL ||
	             dlopen("/usr/local/cuda/lib64/stubs/libcuda.so", RTLD_NOW) != NULL;

	free(beside);
	return found;
}

static int set_up(void **state)
{
	(void)state;
	struct error err;

	if (dnn_open(&dnn, &err) != OK)
		dnn = (struct dnn){0};
	else
		have_driver = open_driver();
	return 0;
}

static void need_cudnn(void)
{
	if (dnn.library.handle == NULL) {
		puts("skipped: cuDNN is not installed");
		skip();
	}
}

static struct problem attention(enum family family, bool causal, uint64_t s, uint64_t d)
{
	struct problem problem = {.family = family, .causal = causal, .tensor_count = 5};

	for (size_t i = 0; i < problem.tensor_count; i++)
		problem.tensors[i] = (struct tensor){.rank = 4, .dims = {4, 48, s, d}};
	return problem;
}

static void graphs_are_well_formed(void **state)
{
	(void)state;
	static const int operations[2][2] = {{10, 14}, {18, 22}};
	static const int bound[2][2] = {{6, 7}, {13, 14}};

	need_cudnn();
	for (int backward = 0; backward < 2; backward++)
		for (int causal = 0; causal < 2; causal++) {
			struct problem problem = attention(backward ? FAMILY_ATTENTION_BACKWARD : FAMILY_ATTENTION_FORWARD, causal != 0, 4096, 64);
			struct dnn_graph graph;
			struct attention attention;

			dnn_graph_open(&graph, &dnn);
			attention_graph(&graph, &problem, ATTENTION_COMPOSITE, &attention);
			assert_int_equal(graph.status, OK);
			assert_int_equal(graph.operation_count, operations[backward][causal]);
			assert_int_equal(attention.count, bound[backward][causal]);
			assert_true(attention.scale == 0.125f);
			dnn_graph_close(&graph);
			assert_int_equal(graph.made_count, 0);
		}
}

static void only_plain_forward_has_one_node(void **state)
{
	(void)state;
	need_cudnn();
	for (int i = 0; i < 4; i++) {
		struct problem problem = attention(i & 1 ? FAMILY_ATTENTION_BACKWARD : FAMILY_ATTENTION_FORWARD, i >= 2, 4096, 256);

		assert_true(attention_has_form(&problem, ATTENTION_COMPOSITE));
		assert_int_equal(attention_has_form(&problem, ATTENTION_ONE_NODE), DNN_HAS_SDPA && i == 0);
	}
	if (!DNN_HAS_SDPA || dnn.cudnnGetVersion() < 91301)
		return;
	struct problem plain = attention(FAMILY_ATTENTION_FORWARD, false, 4096, 256);
	struct dnn_graph graph;
	struct attention attention;

	dnn_graph_open(&graph, &dnn);
	attention_graph(&graph, &plain, ATTENTION_ONE_NODE, &attention);
	assert_int_equal(graph.status, OK);
	assert_int_equal(graph.operation_count, 1);
	assert_int_equal(attention.count, 6);
	dnn_graph_close(&graph);
}

static void first_error_is_kept_and_ends_the_building(void **state)
{
	(void)state;
	struct dnn_graph graph;

	need_cudnn();
	dnn_graph_open(&graph, &dnn);
	dnn_tensor(&graph, 1, dnn_contiguous(1, 1, -4, 8), CUDNN_DATA_BFLOAT16);
	assert_int_equal(graph.status, UNAVAILABLE);
	assert_int_equal(graph.err.rule, R_GPU_LIBRARY);
	assert_string_equal(graph.err.file, dnn.library.path);
	assert_non_null(strstr(graph.err.what, "CUDNN_STATUS_BAD_PARAM"));
	int made = graph.made_count;

	dnn_matmul(&graph, NULL, NULL, NULL);
	assert_int_equal(graph.made_count, made);
	assert_int_equal(graph.operation_count, 0);
	dnn_graph_close(&graph);
}

static dnn_descriptor make(cudnnBackendDescriptorType_t type)
{
	dnn_descriptor made;

	assert_int_equal(dnn.cudnnBackendCreateDescriptor(type, &made), CUDNN_STATUS_SUCCESS);
	return made;
}

static void set(dnn_descriptor d, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int64_t count, const void *values)
{
	assert_int_equal(dnn.cudnnBackendSetAttribute(d, name, type, count, values), CUDNN_STATUS_SUCCESS);
}

/* How many engine configurations heuristic mode A has for the graph on that device; -1 if it does not take the graph. */
static int64_t configurations(struct dnn_graph *graph, dnn_descriptor device)
{
	const cudnnBackendHeurMode_t mode = CUDNN_HEUR_MODE_A;
	dnn_descriptor whole = make(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
	dnn_descriptor heuristic = make(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
	dnn_descriptor found[16];
	int64_t count = -1;

	for (int i = 0; i < 16; i++)
		found[i] = make(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
	set(whole, CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, graph->operation_count, graph->operations);
	if (dnn.cudnnBackendFinalize(whole) == CUDNN_STATUS_SUCCESS) {
		set(heuristic, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &whole);
		set(heuristic, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode);
		set(heuristic, CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &device);
		if (dnn.cudnnBackendFinalize(heuristic) == CUDNN_STATUS_SUCCESS &&
		    dnn.cudnnBackendGetAttribute(heuristic, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 16, &count, found) !=
			    CUDNN_STATUS_SUCCESS)
			count = -1;
	}
	for (int i = 0; i < 16; i++)
		dnn.cudnnBackendDestroyDescriptor(found[i]);
	dnn.cudnnBackendDestroyDescriptor(heuristic);
	dnn.cudnnBackendDestroyDescriptor(whole);
	return count;
}

static void an_h200_has_engines_for_every_task(void **state)
{
	(void)state;
	static const uint64_t head_dims[] = {64, 96, 128, 256};
	static const uint64_t lengths[] = {512, 4096};

	need_cudnn();
	dnn_descriptor device = make(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR);

	set(device, CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, CUDNN_TYPE_CHAR, (int64_t)strlen(h200), h200);
	/* What a described device has to have differs between versions. */
	if (!have_driver || dnn.cudnnBackendFinalize(device) != CUDNN_STATUS_SUCCESS) {
		puts("skipped: there is no driver library, nor its stub, or this cuDNN describes devices otherwise");
		skip();
	}
	for (int i = 0; i < 64; i++) {
		struct problem problem = attention(i & 1 ? FAMILY_ATTENTION_BACKWARD : FAMILY_ATTENTION_FORWARD, (i & 2) != 0, lengths[i >> 4 & 1],
		                                   head_dims[i >> 2 & 3]);
		const enum attention_form form = i < 32 ? ATTENTION_COMPOSITE : ATTENTION_ONE_NODE;
		struct dnn_graph graph;
		struct attention attention;

		if (!attention_has_form(&problem, form) || (form == ATTENTION_ONE_NODE && dnn.cudnnGetVersion() < 91301))
			continue;
		dnn_graph_open(&graph, &dnn);
		attention_graph(&graph, &problem, form, &attention);
		assert_int_equal(graph.status, OK);
		assert_true(configurations(&graph, device) >= 1);
		dnn_graph_close(&graph);
	}
	dnn.cudnnBackendDestroyDescriptor(device);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(graphs_are_well_formed),
		cmocka_unit_test(only_plain_forward_has_one_node),
		cmocka_unit_test(first_error_is_kept_and_ends_the_building),
		cmocka_unit_test(an_h200_has_engines_for_every_task),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}

#else

#include <stdio.h>

static void graphs_need_cudnns_header(void **state)
{
	(void)state;
	puts("skipped: built without cuDNN's header");
	skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(graphs_need_cudnns_header)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
