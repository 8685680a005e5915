/* Attention through cuDNN's graph API: forward and backward as graphs of matrix products, pointwise functions and reductions, which cuDNN's engines fuse. */
#include "baseline_vendor.h"

#if __has_include(<cudnn.h>)

#include <stdlib.h>

#include "../base/bytes.h"
#include "attention_graph.h"
#include "dnn.h"
#include "library.h"

struct buffer {
	CUdeviceptr address;
	uint64_t bytes;
};

struct cudnn {
	struct baseline base;
	struct dnn dnn;
	cudnnHandle_t handle;
	struct dnn_graph graph;
	struct attention attention;
	dnn_descriptor plan;
	struct buffer workspace, row_sum, dq_sum;
	bool zero_dq_sum;
};

static enum status allocate(const struct cuda *cuda, struct buffer *buffer, uint64_t bytes, struct error *err)
{
	buffer->bytes = bytes;
	return bytes == 0 ? OK : cuda_check(cuda, cuda->cuMemAlloc(&buffer->address, bytes), "allocating cuDNN's workspace", err);
}

static enum status allocate_all(struct cudnn *c, const struct problem *problem, int64_t workspace, struct error *err)
{
	const uint64_t *dims = problem->tensors[0].dims;
	const uint64_t rows = dims[0] * dims[1] * dims[2];
	enum status status = allocate(c->base.cuda, &c->workspace, (uint64_t)workspace, err);

	if (status == OK && problem->family == FAMILY_ATTENTION_BACKWARD) {
		status = allocate(c->base.cuda, &c->row_sum, rows * sizeof(float), err);
		if (status == OK)
			status = allocate(c->base.cuda, &c->dq_sum, rows * dims[3] * sizeof(float), err);
	}
	return status;
}

/* The addresses of one call, in the order of attention.ids. */
static void bind(const struct cudnn *c, const CUdeviceptr *tensors, void **pointers)
{
	for (int i = 0; i < c->attention.count; i++) {
		int64_t id = c->attention.ids[i];

		switch (id) {
		case ATTENTION_SCALE:
			pointers[i] = (void *)(uintptr_t)&c->attention.scale;
			break;
		case ATTENTION_MASKED:
			pointers[i] = (void *)(uintptr_t)&c->attention.masked;
			break;
		case ATTENTION_ONE:
			pointers[i] = (void *)(uintptr_t)&c->attention.one;
			break;
		case ATTENTION_ROW_SUM:
			pointers[i] = (void *)(uintptr_t)c->row_sum.address;
			break;
		case ATTENTION_DQ_SUM:
			pointers[i] = (void *)(uintptr_t)c->dq_sum.address;
			break;
		default:
			pointers[i] = (void *)(uintptr_t)tensors[id - ATTENTION_TENSOR];
		}
	}
}

static cudnnStatus_t fill_pack(const struct cudnn *c, dnn_descriptor pack, void *const *pointers)
{
	const struct dnn *dnn = &c->dnn;
	void *workspace = (void *)(uintptr_t)c->workspace.address;
	cudnnStatus_t result = dnn->cudnnBackendSetAttribute(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64,
	                                                     c->attention.count, c->attention.ids);

	if (result == CUDNN_STATUS_SUCCESS)
		result = dnn->cudnnBackendSetAttribute(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, c->attention.count,
		                                       pointers);
	if (result == CUDNN_STATUS_SUCCESS)
		result = dnn->cudnnBackendSetAttribute(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace);
	if (result == CUDNN_STATUS_SUCCESS)
		result = dnn->cudnnBackendFinalize(pack);
	return result;
}

static enum status run(struct baseline *baseline, const CUdeviceptr *tensors, struct error *err)
{
	const struct cudnn *c = (const struct cudnn *)baseline;
	const struct cuda *cuda = baseline->cuda;
	void *pointers[ATTENTION_IDS_MAX];
	dnn_descriptor pack;
	enum status status = dnn_check(&c->dnn, c->dnn.cudnnBackendCreateDescriptor(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, &pack),
	                               "naming the tensors", err);

	if (status != OK)
		return status;
	bind(c, tensors, pointers);
	status = dnn_check(&c->dnn, fill_pack(c, pack, pointers), "naming the tensors", err);
	if (status == OK && c->zero_dq_sum)
		status = cuda_check(cuda, cuda->cuMemsetD8Async(c->dq_sum.address, 0, c->dq_sum.bytes, baseline->stream),
		                    "zeroing the sum of dQ", err);
	if (status == OK)
		status = dnn_check(&c->dnn, c->dnn.cudnnBackendExecute(c->handle, c->plan, pack), "running attention", err);
	c->dnn.cudnnBackendDestroyDescriptor(pack);
	return status;
}

static void close_cudnn(struct baseline *baseline)
{
	struct cudnn *c = (struct cudnn *)baseline;
	const CUdeviceptr buffers[] = {c->workspace.address, c->row_sum.address, c->dq_sum.address};

	for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
		if (buffers[i] != 0)
			baseline->cuda->cuMemFree(buffers[i]);
	dnn_graph_close(&c->graph);
	if (c->handle != NULL)
		c->dnn.cudnnDestroy(c->handle);
	free(c); /* the library itself stays open (library.h) */
}

static void add_facts(const struct cudnn *c, const struct problem *problem, cJSON *facts)
{
	static const char *const files[] = {"libcudnn", "libnvrtc", "libcublasLt.", NULL};

	cJSON_AddStringToObject(facts, "library", "cuDNN");
	cJSON_AddNumberToObject(facts, "version", (double)c->dnn.cudnnGetVersion());
	cJSON_AddNumberToObject(facts, "built_for_cuda", (double)c->dnn.cudnnGetCudartVersion());
	cJSON_AddStringToObject(facts, "found", c->dnn.library.place);
	cJSON_AddItemToObject(facts, "files", library_files(files));
	cJSON_AddStringToObject(facts, "compute", "bfloat16 in and out, products and softmax in fp32, natural logarithm");
	cJSON_AddStringToObject(facts, "chosen_by", "heuristic mode A, then fallback; the first plan that finalises");
	cJSON_AddNumberToObject(facts, "operations", c->graph.operation_count);
	cJSON_AddNumberToObject(facts, "workspace_bytes", (double)c->workspace.bytes);
	if (problem->family == FAMILY_ATTENTION_BACKWARD) {
		cJSON_AddNumberToObject(facts, "row_sum_bytes", (double)c->row_sum.bytes);
		cJSON_AddNumberToObject(facts, "dq_sum_bytes", (double)c->dq_sum.bytes);
		cJSON_AddStringToObject(facts, "dq_sum_zeroed_by", c->zero_dq_sum ? "memset within each call" : "cuDNN within each call");
	}
}

enum status baseline_open_cudnn(const struct cuda *cuda, const struct problem *problem, CUstream stream,
                                struct baseline **baseline, cJSON *facts, struct error *err)
{
	struct cudnn *c = mem_alloc(sizeof *c);
	int64_t workspace = 0;

	c->base = (struct baseline){.cuda = cuda, .stream = stream, .run = run, .close = close_cudnn};
	enum status status = dnn_open(&c->dnn, err);

	if (status == OK)
		status = dnn_check(&c->dnn, c->dnn.cudnnCreate(&c->handle), "starting cuDNN", err);
	if (status == OK)
		status = dnn_check(&c->dnn, c->dnn.cudnnSetStream(c->handle, stream), "setting the stream", err);
	if (status == OK) {
		dnn_graph_open(&c->graph, &c->dnn);
		attention_graph(&c->graph, problem, &c->attention);
		status = dnn_plan(&c->graph, c->handle, &c->plan, &workspace, facts, err);
	}
	/* Since 9.6 cuDNN zeroes what it sums dQ up in itself (cudnn-frontend, scaled_dot_product_flash_attention.h). */
	c->zero_dq_sum = problem->family == FAMILY_ATTENTION_BACKWARD && status == OK && c->dnn.cudnnGetVersion() < 90600;
	if (status == OK)
		status = allocate_all(c, problem, workspace, err);
	if (status == OK) {
		add_facts(c, problem, facts);
		*baseline = &c->base;
	} else {
		close_cudnn(&c->base);
	}
	return status;
}

#else

enum status baseline_open_cudnn(const struct cuda *cuda, const struct problem *problem, CUstream stream,
                                struct baseline **baseline, cJSON *facts, struct error *err)
{
	(void)cuda;
	(void)stream;
	(void)baseline;
	(void)facts;
	return error_set(err, R_GPU_BUILD, problem->task, "there was no cudnn.h when the program was built");
}

#endif
