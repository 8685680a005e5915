#include "capture_serve.h"

#include <cuda.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../base/json.h"
#include "capture.h"
#include "capture_object.h"
#include "recorder/recorder.h"
#include "sandbox.h"

enum { REQUEST_BYTES_MAX = 64 << 20, CODE_BYTES_MAX = 256 << 20, MEMORY_BYTES_MAX = INT32_MAX };

#define AS_TEXT(x) #x
#define TEXT_OF(x) AS_TEXT(x)
#define CUDA_TEXT TEXT_OF(CUDA_VERSION)

static const unsigned char recorder_code[] = {
#include "recorder.inc"
};

/*
 * TVM-FFI's C ABI, version 0.1 (tvm/ffi/c_api.h: TVMFFIAny, TVMFFIObject, TVMFFIErrorCell; dlpack.h: DLTensor). Written here, since the program is built without
 * that package; the candidate is built with its headers.
 */
enum { TVM_NONE = 0, TVM_TENSOR_POINTER = 7, DL_CUDA = 2 };

struct tensor_view {
	void *data;
	int32_t device_type, device_id;
	int32_t rank;
	uint8_t code, bits;
	uint16_t lanes;
	int64_t *dims, *strides;
	uint64_t byte_offset;
};

struct any {
	int32_t type;
	uint32_t padding;
	void *pointer;
};

struct error_object {
	uint64_t references;
	int32_t type;
	uint32_t padding;
	void *deleter;
	struct {
		const char *data;
		size_t size;
	} kind, message;
};

typedef int call_run(void *self, const struct any *arguments, int32_t count, struct any *result);

struct recorder_calls {
	void (*open)(const struct recorder_setup *setup);
	void (*begin)(void);
	void (*end)(const char *how, const char *kind, const char *text) __attribute__((noreturn));
};

struct child {
	cJSON *request;
	struct recorder_calls recorder;
	struct recorder_setup setup;
	struct tensor_view views[PROBLEM_TENSORS_MAX];
	struct any arguments[PROBLEM_TENSORS_MAX];
	int32_t argument_count;
	void *tvm;
	char place[32]; /* of the candidate's code, for the loader */
	void *code;
	struct initialisers initialisers;
};

static bool read_all(int fd, size_t most, struct bytes *out)
{
	char part[65536];
	ssize_t n;

	while ((n = read(fd, part, sizeof part)) > 0 && out->len + (size_t)n <= most)
		bytes_add(out, part, (size_t)n);
	return n == 0;
}

/* Our own parent's request: what is missing is a fault of ours. */
static const cJSON *field(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

static uint64_t number(const cJSON *text)
{
	return cJSON_IsString(text) ? strtoull(text->valuestring, NULL, 10) : 0;
}

static const char *text_of(const cJSON *object, const char *key)
{
	const cJSON *text = field(object, key);

	return cJSON_IsString(text) ? text->valuestring : "";
}

static void take_functions(struct child *child)
{
	const cJSON *list = field(child->request, "functions");
	const size_t count = (size_t)cJSON_GetArraySize(list);
	struct recorder_function *functions = mem_alloc((count + 1) * sizeof *functions);

	child->setup.functions = functions;
	for (const cJSON *item = list != NULL ? list->child : NULL; item != NULL; item = item->next) {
		const cJSON *sizes = field(item, "sizes");
		uint32_t *own = mem_alloc(((size_t)cJSON_GetArraySize(sizes) + 1) * sizeof *own);
		struct recorder_function *function = &functions[child->setup.function_count++];

		*function = (struct recorder_function){.name = text_of(item, "name"), .sizes = own};
		for (const cJSON *size = sizes != NULL ? sizes->child : NULL; size != NULL; size = size->next)
			own[function->count++] = (uint32_t)number(size);
	}
}

static void take_attributes(struct child *child)
{
	const cJSON *list = field(child->request, "attributes");
	struct recorder_attribute *attributes = mem_alloc(((size_t)cJSON_GetArraySize(list) + 1) * sizeof *attributes);

	child->setup.attributes = attributes;
	for (const cJSON *item = list != NULL ? list->child : NULL; item != NULL; item = item->next)
		attributes[child->setup.attribute_count++] =
			(struct recorder_attribute){(int)number(field(item, "attribute")), (int)number(field(item, "value"))};
}

/* Contiguous, the last dimension running fastest. */
static void take_tensors(struct child *child)
{
	const cJSON *list = field(child->request, "tensors");

	for (const cJSON *item = list != NULL ? list->child : NULL; item != NULL && child->argument_count < PROBLEM_TENSORS_MAX; item = item->next) {
		struct tensor_view *view = &child->views[child->argument_count];
		const cJSON *dims = field(item, "dims");
		int64_t stride = 1;

		*view = (struct tensor_view){.data = (void *)(uintptr_t)number(field(item, "address")),
		                             .device_type = DL_CUDA,
		                             .rank = cJSON_GetArraySize(dims),
		                             .code = (uint8_t)number(field(item, "code")),
		                             .bits = (uint8_t)number(field(item, "bits")),
		                             .lanes = 1};
		view->dims = mem_alloc((size_t)(view->rank + 1) * sizeof *view->dims);
		view->strides = mem_alloc((size_t)(view->rank + 1) * sizeof *view->strides);
		for (int i = view->rank - 1; i >= 0; i--) {
			view->dims[i] = (int64_t)number(cJSON_GetArrayItem(dims, i));
			view->strides[i] = stride;
			stride *= view->dims[i];
		}
		child->arguments[child->argument_count++] = (struct any){.type = TVM_TENSOR_POINTER, .pointer = view};
	}
}

static void *symbol(void *library, const char *name)
{
	return dlsym(library, name);
}

/* A file that has no name but this process's descriptor. */
static bool store(const void *bytes, size_t len, const char *name, char place[32])
{
	const int fd = memfd_create(name, MFD_CLOEXEC);

	snprintf(place, 32, "/proc/self/fd/%d", fd);
	return fd >= 0 && write(fd, bytes, len) == (ssize_t)len;
}

static bool load_recorder(struct child *child)
{
	char place[32];
	void *library = store(recorder_code, sizeof recorder_code, "recorder", place) ? dlopen(place, RTLD_NOW | RTLD_GLOBAL) : NULL;
	void *functions[3];

	if (library == NULL)
		return false;
	functions[0] = symbol(library, "recorder_open");
	functions[1] = symbol(library, "recorder_begin");
	functions[2] = symbol(library, "recorder_end");
	memcpy(&child->recorder, functions, sizeof functions);
	child->recorder.open(&child->setup);
	return true;
}

static void call_initialisers(const struct child *child)
{
	struct link_map *map = NULL;

	if (child->initialisers.count == 0 || dlinfo(child->code, RTLD_DI_LINKMAP, &map) != 0)
		return;
	void (*const *list)(int, char **, char **) = (void (*const *)(int, char **, char **))(map->l_addr + child->initialisers.array);
	char name[] = "candidate", *arguments[] = {name, NULL}, *environment[] = {NULL};

	for (size_t i = 0; i < child->initialisers.count; i++)
		list[i](1, arguments, environment);
}

static void store_code(struct child *child)
{
	struct bytes code = {0};
	const char *why = "the linker made no shared object that can be read";

	if (!read_all(CAPTURE_CODE, CODE_BYTES_MAX, &code) || !object_hold_back(code.data, code.len, &child->initialisers, &why) ||
	    !store(code.data, code.len, "candidate", child->place))
		child->recorder.end("unloadable", "", why);
	bytes_free(&code);
}

static void load_code(struct child *child)
{
	child->code = dlopen(child->place, RTLD_NOW | RTLD_LOCAL);
	if (child->code != NULL)
		return;
	const char *why = dlerror(), *lacking = why != NULL ? strstr(why, "undefined symbol: ") : NULL;

	child->recorder.end("unloadable", "", lacking != NULL ? lacking : why != NULL ? why : "");
}

/* The message of the error that run has left with TVM-FFI. */
static const char *raised(const struct child *child)
{
	void (*take)(void **) = NULL;
	void *found = symbol(child->tvm, "TVMFFIErrorMoveFromRaised");
	struct error_object *object = NULL;

	memcpy(&take, &found, sizeof take);
	if (take == NULL)
		return "";
	take((void **)&object);
	return object != NULL && object->message.data != NULL ? object->message.data : "";
}

static _Noreturn void call(struct child *child)
{
	struct any result = {.type = TVM_NONE};
	call_run *run = NULL;
	void *found = symbol(child->code, "__tvm_ffi_run");

	memcpy(&run, &found, sizeof run);
	if (run == NULL)
		child->recorder.end("unexported", "", "");
	child->recorder.begin();
	if (run(NULL, child->arguments, child->argument_count, &result) != 0)
		child->recorder.end("raised", "", raised(child));
	child->recorder.end("returned", "", "");
}

/* Memory of every kind by limit, over what is there already; time by the parent. Read before no more files can be. */
static struct rlimit memory_limit(void)
{
	unsigned long pages = 0;
	FILE *file = fopen("/proc/self/statm", "re");

	if (file != NULL) {
		if (fscanf(file, "%lu", &pages) != 1)
			pages = 0;
		fclose(file);
	}
	const rlim_t most = MEMORY_BYTES_MAX + (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);

	return (struct rlimit){most, most};
}

int capture_serve(void)
{
	struct child child = {0};
	struct sandbox sandbox = {0};
	struct bytes request = {0};

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (!read_all(CAPTURE_REQUEST, REQUEST_BYTES_MAX, &request) || json_parse(request.data, request.len, "request", &child.request, NULL) != OK)
		return 1;
	take_functions(&child);
	take_attributes(&child);
	take_tensors(&child);
	child.setup.device = text_of(child.request, "device");
	child.setup.heap = number(field(child.request, "heap"));
	child.setup.seed = number(field(child.request, "seed"));
	child.setup.to = CAPTURE_RECORD;
	if (!load_recorder(&child))
		return 1;
	if (number(field(child.request, "cuda")) != CUDA_VERSION / 1000)
		child.recorder.end("tools", "", "this program was built with CUDA " CUDA_TEXT ", and nvcc is of another major version");
	child.tvm = dlopen(text_of(child.request, "tvm"), RTLD_NOW | RTLD_GLOBAL);
	if (child.tvm == NULL)
		child.recorder.end("tools", "", dlerror());
	/* TVM-FFI prints a trace after a crash, for which it would have to open files; our parent names the signal. */
	signal(SIGSEGV, SIG_DFL);
	store_code(&child);
	const struct rlimit memory = memory_limit();

	sandbox_before_driver(&sandbox);
	const bool closed = sandbox_no_clocks() && sandbox_no_files() && setrlimit(RLIMIT_AS, &memory) == 0;

	sandbox_before_code(&sandbox);
	/* Leaving root took it away. */
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (!closed || !sandbox_whole(&sandbox))
		child.recorder.end("unsafe", "", "a layer of the sandbox is not in force here");
	if (!sandbox_loading_only())
		child.recorder.end("unsafe", "", "the host takes no filter of system calls");
	load_code(&child);
	if (!sandbox_memory_only())
		child.recorder.end("unsafe", "", "the host takes no filter of system calls");
	call_initialisers(&child);
	call(&child);
}
