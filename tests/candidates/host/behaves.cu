/*
 * Host code that behaves in one of many ways, by the number of A's rows (tests/unit/test_capture.c). Written against TVM-FFI's C ABI by hand, so that it compiles
 * in a moment; real candidates use its headers (tests/candidates/host/*.cu beside this).
 */
#include <cuda.h>
#include <cuda_runtime.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct view {
	char *data;
	int device_type, device_id, rank;
	unsigned char code, bits;
	unsigned short lanes;
	long *dims, *strides;
	unsigned long offset;
};

struct argument {
	int type;
	unsigned padding;
	view *tensor;
};

struct pair {
	const char *first;
	unsigned number;
	char *second;
};

extern "C" __global__ void one(const char *from, char *to, unsigned number)
{
	to[threadIdx.x] = from[threadIdx.x] + number;
}

extern "C" __global__ void two(pair both)
{
	both.second[threadIdx.x] = both.first[threadIdx.x] + both.number;
}

extern "C" __global__ void mapped(const __grid_constant__ CUtensorMap map, char *to)
{
	to[0] = ((const char *)&map)[threadIdx.x];
}

__device__ int variable;
static int began = 7;
static bool early;

/* Runs while the code is loaded; the last layer of the sandbox has to be on by then. */
__attribute__((constructor)) static void begin(void)
{
	began += 1;
	early = getenv("PATH") != NULL;
}

static void *thread(void *nothing)
{
	return nothing;
}

static void launch_with(cudaLaunchAttributeID id, int value, char *from, char *to)
{
	cudaLaunchAttribute attribute = {};
	cudaLaunchConfig_t config = {};

	attribute.id = id;
	attribute.val.cooperative = value;
	config.gridDim = 1;
	config.blockDim = 32;
	config.attrs = &attribute;
	config.numAttrs = 1;
	cudaLaunchKernelEx(&config, one, (const char *)from, to, 1u);
}

extern "C" __attribute__((visibility("default"))) int __tvm_ffi_run(void *, const argument *arguments, int, argument *)
{
	char *a = arguments[0].tensor->data, *c = arguments[2].tensor->data, *scratch = NULL, *more = NULL;
	pair both = {a + 16, 5, c};
	char host[64] = {};
	cudaEvent_t event;
	cudaStream_t stream;
	int value = 0;
	pthread_t other;
	timespec now;

	switch (arguments[0].tensor->dims[0]) {
	case 1: /* as it should be */
		one<<<dim3(2, 3, 4), 32>>>(a, c, (unsigned)began);
		two<<<1, 32>>>(both);
		return early;
	case 2: /* memory of its own, set before it is used */
		cudaMalloc(&scratch, 4096);
		cudaMalloc(&more, 100);
		cudaMemset(scratch, 3, 4096);
		one<<<1, 32>>>(scratch + 4096, c, 1);
		cudaMemsetAsync(more, 0, 100, 0);
		one<<<1, 32>>>(more, c, 1);
		cudaFree(more);
		return 0;
	case 3: /* larger shared memory, asked for; what the device is */
		cudaFuncSetAttribute(one, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
		cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0);
		one<<<value, 32, 100000>>>(a, c, 1);
		return 0;
	case 10:
		cudaMemcpyAsync(host, c, 64, cudaMemcpyDeviceToHost);
		return 0;
	case 11:
		cudaMemcpyToSymbol(variable, &value, sizeof value);
		return 0;
	case 12:
		cudaEventCreate(&event);
		return 0;
	case 13:
		cudaStreamCreate(&stream);
		return 0;
	case 14:
		one<<<1, 32, 0, (cudaStream_t)host>>>(a, c, 1);
		return 0;
	case 15:
		exit(0);
	case 16:
		_exit(3);
	case 17:
		for (volatile bool on = true; on;)
			;
		return 0;
	case 18:
		return *a;
	case 19:
		abort();
	case 20:
		return open("/etc/hostname", O_RDONLY) < 0;
	case 21:
		return socket(AF_INET, SOCK_STREAM, 0) < 0;
	case 22:
		return system("true");
	case 23:
		return pthread_create(&other, NULL, thread, NULL);
	case 24:
		return fork() < 0;
	case 25: /* into the record */
		return write(3, "{}\n", 3) != 3;
	case 26:
		_exit(write(3, "{\"calls\":[],\"end\":\"returned\",\"kind\":\"\",\"text\":\"\"}\n", 50) != 50);
	case 27: /* more than any record */
		for (;;)
			if (write(3, host, sizeof host) < 0)
				return 0;
	case 28:
		one<<<1, 32>>>(a, c, (unsigned)(size_t)a);
		return 0;
	case 29:
		clock_gettime(CLOCK_REALTIME, &now);
		one<<<1, 32>>>(a, c, (unsigned)now.tv_nsec);
		return 0;
	case 30:
		one<<<1, 32>>>(host, c, 1);
		return 0;
	case 31:
		cudaMalloc(&scratch, 4096);
		one<<<1, 32>>>(scratch, c, 1);
		cudaMemset(scratch, 0, 4096);
		one<<<1, 32>>>(scratch, c, 1);
		return 0;
	case 32:
		cudaMalloc(&scratch, 4096);
		cudaMemset(scratch, 0, 64);
		one<<<1, 32>>>(scratch, c, 1);
		return 0;
	case 33:
		cudaMemset(c, 0, 64);
		one<<<1, 32>>>(a, c, 1);
		return 0;
	case 34:
		return 0;
	case 35:
		one<<<1, 32, 100000>>>(a, c, 1);
		return 0;
	case 36:
		launch_with(cudaLaunchAttributeProgrammaticStreamSerialization, 1, a, c);
		return 0;
	case 37:
		launch_with(cudaLaunchAttributeCooperative, 1, a, c);
		return 0;
	case 38:
		launch_with(cudaLaunchAttributePriority, 1, a, c);
		return 0;
	case 39:
		cudaDeviceGetAttribute(&value, cudaDevAttrPciBusId, 0);
		return 0;
	case 40:
		return -1;
	case 41:
		cudaFree(c);
		return 0;
	case 42:
		for (int i = 0; i < 65; i++)
			one<<<1, 32>>>(a, c, 1);
		return 0;
	case 43: /* what the last one is that a launch may have */
		launch_with(cudaLaunchAttributeProgrammaticStreamSerialization, 0, a, c);
		return 0;
	case 44: { /* a map that nothing made */
		CUtensorMap map;

		for (int i = 0; i < 16; i++)
			map.opaque[i] = (cuuint64_t)a * 3;
		mapped<<<1, 32>>>(map, c);
		return 0;
	}
	case 45: { /* a map on memory that is nobody's */
		CUtensorMap map;
		const cuuint64_t dims[2] = {64, 64}, strides[1] = {128};
		const cuuint32_t box[2] = {64, 64}, steps[2] = {1, 1};

		cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, a - 4096, dims, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
		                       CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
		mapped<<<1, 32>>>(map, c);
		return 0;
	}
	case 46: /* a clock, coarse enough to be the same in both takes */
		one<<<1, 32>>>(a, c, (unsigned)(time(NULL) / 1000000));
		return 0;
	case 47:
#if defined(__x86_64__)
		one<<<1, 32>>>(a, c, (unsigned)(__builtin_ia32_rdtsc() >> 60));
		return 0;
#else
		return *a;
#endif
	case 48: /* memory of another kind than the heap's */
		for (size_t i = 0; i < 5; i++)
			if (mmap(NULL, (size_t)1 << 30, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED)
				return 0;
		one<<<1, 32>>>(a, c, 1);
		return 0;
	case 49: { /* a file's facts, without opening it */
		struct stat facts = {};

		one<<<1, 32>>>(a, c, stat("/etc/passwd", &facts) == 0 ? 1 : 2);
		return facts.st_size != 0;
	}
	case 50:
		one<<<1, 32>>>(a, c, (unsigned)getppid() >> 20);
		return 0;
	case 51: { /* another's limits */
		struct rlimit limit = {};

		return prlimit(getpid() - 1, RLIMIT_CPU, NULL, &limit);
	}
	case 52: /* what was given back */
		cudaMalloc(&scratch, 4096);
		cudaFree(scratch);
		cudaMemset(scratch, 0, 4096);
		one<<<1, 32>>>(a, c, 1);
		return 0;
	case 53:
		cudaMalloc(&scratch, 4096);
		cudaFree(scratch);
		one<<<1, 32>>>(scratch + 64, c, 1);
		return 0;
	case 54: {
		CUtensorMap map;
		const cuuint64_t dims[2] = {64, 64}, strides[1] = {128};
		const cuuint32_t box[2] = {64, 64}, steps[2] = {1, 1};

		cudaMalloc(&scratch, 65536);
		cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, scratch, dims, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
		                       CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
		cudaFree(scratch);
		mapped<<<1, 32>>>(map, c);
		return 0;
	}
	default:
		return 1;
	}
}
