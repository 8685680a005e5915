#include "nvcc.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/file.h"
#include "cage.h"
#include "complaints.h"
#include "process.h"

#define MEMORY_BYTES_MAX (UINT64_C(16) << 30) /* of each of its programs; cicc maps much that it does not use */

enum { CODE_BYTES_MAX = 256 << 20, PTX_BYTES = 16 << 20, SOME_DEADLINE_S = 20, ARGUMENTS_MAX = 32 };

/*
 * Those of PTXBench's exporter (its -lineinfo aside, which would put directories into the PTX), and: no CUDA runtime, since ours stands in for it; numbers in names that
 * depend on no time; no symbols and no hash, in which directories show; host variables begun as zero, so that one that is never set is not what lay on the stack before;
 * no __DATE__, __TIME__ and the like.
 */
static const char *const fixed[] = {
	"-shared", "-O3", "-std=c++17", "-cudart", "none", "-frandom-seed=ptxseal",
	"-Xcompiler", "-Werror=date-time,-fPIC,-fvisibility=hidden,-ftrivial-auto-var-init=zero", "-Xlinker", "--build-id=none,--strip-all",
};

static char *first_line(const struct process *process)
{
	const char *text = process->output.data != NULL ? process->output.data : "";

	return mem_textn(text, strcspn(text, "\n"));
}

static enum status ask(const char *const *argv, char **line, struct error *err)
{
	struct process process = {.argv = argv, .directory = "/", .deadline_s = SOME_DEADLINE_S};
	enum status status = process_run(&process, err);

	if (status == OK && (process.exit_code != 0 || process.signal != 0))
		status = error_set(err, R_LOW_TOOLS, argv[0], "it does not say its version");
	if (status == OK)
		*line = first_line(&process);
	bytes_free(&process.output);
	return status;
}

static enum status find_compiler(struct nvcc *nvcc, struct error *err)
{
	static const char *const places[] = {"/usr/local/bin/g++", "/usr/bin/g++", "/bin/g++"};

	/* Those of the fixed PATH that nvcc is given (process.h), in its order. */
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
		if (access(places[i], X_OK) == 0)
			return ask((const char *const[]){places[i], "--version", NULL}, &nvcc->compiler, err);
	return error_set(err, R_LOW_TOOLS, "", "there is no g++ in /usr/local/bin or /usr/bin");
}

static enum status read_program(struct nvcc *nvcc, struct error *err)
{
	const char *const argv[] = {nvcc->path, "--version", NULL};
	struct process process = {.argv = argv, .directory = "/", .deadline_s = SOME_DEADLINE_S};
	enum status status = toolchain_hash(nvcc->path, &nvcc->hash, err);

	if (status == OK)
		status = process_run(&process, err);
	if (status == OK) {
		const char *at = process.output.data != NULL ? strstr(process.output.data, ", V") : NULL;

		if (at == NULL)
			status = error_set(err, R_LOW_TOOLS, nvcc->path, "it does not say its version");
		else
			nvcc->version = mem_textn(at + 3, strspn(at + 3, "0123456789."));
	}
	bytes_free(&process.output);
	return status;
}

/* pip puts a toolkit together of many packages. Without this one nvcc runs, and refuses whatever includes cuda_fp16.h, which would look like a fault of the source. */
static enum status check_headers(const struct nvcc *nvcc, struct error *err)
{
	static const char *const places[] = {"include/cccl", "include", "targets/x86_64-linux/include/cccl", "targets/x86_64-linux/include", "targets/sbsa-linux/include/cccl"};
	char *program = realpath(nvcc->path, NULL);
	bool there = false;

	for (size_t i = 0; i < sizeof places / sizeof places[0] && program != NULL && !there; i++) {
		char *header = mem_format("%.*s/../%s/nv/target", (int)(strrchr(program, '/') - program), program, places[i]);

		there = access(header, R_OK) == 0;
		free(header);
	}
	free(program);
	return there ? OK : error_set(err, R_LOW_TOOLS, nvcc->path, "its toolkit lacks CCCL's headers (nv/target; pip has them as nvidia-cuda-cccl)");
}

enum status nvcc_find(struct nvcc *nvcc, struct error *err)
{
	*nvcc = (struct nvcc){0};
	enum status status = toolchain_find(&nvcc->toolchain, err);

	if (status != OK)
		return status;
	nvcc->path = mem_format("%.*s/nvcc", (int)(strrchr(nvcc->toolchain.ptxas, '/') - nvcc->toolchain.ptxas), nvcc->toolchain.ptxas);
	if (access(nvcc->path, X_OK) != 0)
		return error_set(err, R_LOW_TOOLS, nvcc->path, "there is a ptxas, but no nvcc beside it");
	char *behind = toolchain_behind(nvcc->path);

	if (behind != NULL) {
		free(nvcc->path);
		nvcc->path = behind;
	}
	status = check_headers(nvcc, err);
	if (status == OK)
		status = tvm_ffi_find(&nvcc->tvm, err);
	if (status == OK)
		status = find_compiler(nvcc, err);
	return status == OK ? read_program(nvcc, err) : status;
}

void nvcc_free(struct nvcc *nvcc)
{
	toolchain_free(&nvcc->toolchain);
	tvm_ffi_free(&nvcc->tvm);
	free(nvcc->path);
	free(nvcc->version);
	free(nvcc->compiler);
	*nvcc = (struct nvcc){0};
}

static enum status refused(const struct process *process, const char *file, struct error *err)
{
	const char *text = process->output.data != NULL ? process->output.data : "";
	const char *error = strstr(text, "error:");
	const char *line = error != NULL ? error : text;

	if (process->late)
		return error_set(err, R_LOW_COMPILE, file, "nvcc was not done after %u s", process->deadline_s);
	if (process->flooded)
		return error_set(err, R_LOW_COMPILE, file, "nvcc wrote more than %d bytes of messages", PROCESS_OUTPUT_MAX);
	while (line > text && line[-1] != '\n')
		line--;
	return error_set(err, R_LOW_COMPILE, file, "nvcc ends with %d: %.*s", process->signal != 0 ? process->signal : process->exit_code,
	                 (int)strcspn(line, "\n"), line);
}

/*
 * What compiling needs: the toolkit's own folders (nvcc's place may be in a home directory), TVM-FFI's headers, and the system's programs, headers and libraries. The host
 * compiler and the linker look for no other.
 */
static enum status make_cage(const struct nvcc *nvcc, const char *directory, struct cage *cage, struct error *err)
{
	static const char *const below[] = {"bin", "include", "lib", "lib64", "nvvm", "targets"};
	enum { BELOW = sizeof below / sizeof below[0] };
	const char *read[BELOW + 16] = {NULL};
	char *program = realpath(nvcc->path, NULL), *folder[BELOW] = {NULL};
	size_t count = 0;

	if (program == NULL)
		return error_errno(err, R_LOW_TOOLS, nvcc->path, "finding its folder");
	*strrchr(program, '/') = '\0';
	for (size_t i = 0; i < BELOW; i++)
		read[count++] = folder[i] = mem_format("%s/../%s", program, below[i]);
	for (const char *const *more = (const char *const[]){"/usr/bin", "/usr/include", "/usr/lib", "/usr/lib64", "/usr/libexec", "/usr/local/bin", "/usr/local/include",
	                                                      "/usr/local/lib", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", NULL}; *more != NULL; more++)
		read[count++] = *more;
	read[count] = nvcc->tvm.include;
	const enum status status = cage_make(read, directory, cage, err);

	for (size_t i = 0; i < BELOW; i++)
		free(folder[i]);
	free(program);
	return status;
}

static enum status compile(const struct nvcc *nvcc, const char *directory, const char *file, const char *arch, struct build *build, struct error *err)
{
	const char *argv[ARGUMENTS_MAX] = {nvcc->path};
	char *code = mem_format("-gencode=arch=compute_%s,code=%s", arch + strlen("sm_"), arch);
	struct bytes flags = {0};
	size_t count = 1;

	for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
		argv[count++] = fixed[i];
	argv[count++] = code;
	for (size_t i = 1; i < count; i++)
		bytes_format(&flags, "%s%s", i > 1 ? " " : "", argv[i]);
	build->flags = flags.data;
	for (const char *const *more = (const char *const[]){"-I", nvcc->tvm.include, "--keep", "-o", "kernel.so", "kernel.cu", NULL}; *more != NULL; more++)
		argv[count++] = *more;
	struct cage cage = {.ruleset = -1};
	struct process process = {.argv = argv, .directory = directory, .deadline_s = NVCC_DEADLINE_S, .cage = &cage, .memory = MEMORY_BYTES_MAX};
	enum status status = make_cage(nvcc, directory, &cage, err);

	if (status == OK)
		status = process_run(&process, err);
	cage_free(&cage);
	if (status == OK && (process.late || process.flooded || process.signal != 0 || process.exit_code != 0)) {
		status = refused(&process, file, err);
		if (process.output.data != NULL)
			complaints_add(process.output.data, &build->complaints);
	}
	bytes_free(&process.output);
	free(code);
	return status;
}

/*
 * nvcc names what is local to a file after a hash of its directory: "_5c4b3a29_9_kernel_cu_" (9 is the length of "kernel_cu"). Zeros instead, in the PTX and in the object alike, so that the same
 * source has the same names and bytes wherever it is built.
 */
static void steady_names(struct bytes *bytes)
{
	static const char tail[] = "_9_kernel_cu_";
	const size_t digits = 8, whole = sizeof tail - 1;

	for (char *at = bytes->data, *end = bytes->data + bytes->len; (at = memmem(at, (size_t)(end - at), tail, whole)) != NULL; at += whole)
		if ((size_t)(at - bytes->data) > digits && at[-(ptrdiff_t)digits - 1] == '_' && strspn(at - digits, "0123456789abcdef") == digits)
			memset(at - digits, '0', digits);
}

static enum status read_product(const char *directory, const char *name, size_t most, struct bytes *bytes, struct error *err)
{
	char *path = mem_format("%s/%s", directory, name);
	const enum status status = file_read(path, most, bytes, err);

	free(path);
	return status;
}

enum status nvcc_build(const struct nvcc *nvcc, const struct bytes *source, const char *file, const char *arch, struct build *build, struct error *err)
{
	const char *temporary = getenv("TMPDIR");
	char *directory = mem_format("%s/ptxseal-XXXXXX", temporary != NULL && temporary[0] == '/' ? temporary : "/tmp");

	*build = (struct build){0};
	if (mkdtemp(directory) == NULL) {
		const enum status failed = error_errno(err, R_TLC_RUN, directory, "make a directory");

		free(directory);
		return failed;
	}
	char *path = mem_format("%s/kernel.cu", directory);
	enum status status = file_write(path, 0600, source->data, source->len, err);

	if (status == OK)
		status = compile(nvcc, directory, file, arch, build, err);
	if (status == OK)
		status = read_product(directory, "kernel.so", CODE_BYTES_MAX, &build->code, err);
	if (status == OK)
		status = read_product(directory, "kernel.ptx", PTX_BYTES, &build->ptx, err);
	if (status == OK) {
		steady_names(&build->code);
		steady_names(&build->ptx);
	}
	file_remove_tree(AT_FDCWD, directory);
	free(path);
	free(directory);
	return status;
}

void build_free(struct build *build)
{
	bytes_free(&build->code);
	bytes_free(&build->ptx);
	bytes_free(&build->complaints);
	free(build->flags);
	*build = (struct build){0};
}
