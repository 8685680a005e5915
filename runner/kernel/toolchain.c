#include "toolchain.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/file.h"
#include "process.h"

enum { CUBIN_BYTES_MAX = 1 << 28, VERSION_DEADLINE_S = 20 };

static bool runnable(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* dir/ptxas if it can be run, else NULL. */
static char *in_directory(const char *dir, size_t len, const char *below)
{
	char *path;

	if (len == 0 || dir[0] != '/')
		return NULL; /* a relative directory in PATH is whatever directory one happens to stand in */
	path = mem_format("%.*s%s/ptxas", (int)(len < INT_MAX ? len : 0), dir, below);
	if (runnable(path))
		return path;
	free(path);
	return NULL;
}

static char *find(void)
{
	static const char *const homes[] = {"CUDA_HOME", "CUDA_PATH"};
	static const char *const usual[] = {"/usr/local/cuda/bin", "/opt/cuda/bin"};
	char *path = NULL;

	for (size_t i = 0; path == NULL && i < sizeof homes / sizeof *homes; i++) {
		const char *home = getenv(homes[i]);

		path = home != NULL ? in_directory(home, strlen(home), "/bin") : NULL;
	}
	for (const char *at = getenv("PATH"); path == NULL && at != NULL;) {
		size_t len = strcspn(at, ":");

		path = in_directory(at, len, "");
		at = at[len] == ':' ? at + len + 1 : NULL;
	}
	for (size_t i = 0; path == NULL && i < sizeof usual / sizeof *usual; i++)
		path = in_directory(usual[i], strlen(usual[i]), "");
	return path;
}

/* "... release 13.0, V13.0.88" -> "13.0.88" */
static char *version_in(const char *text)
{
	const char *at = text != NULL ? strstr(text, ", V") : NULL;
	size_t len = at != NULL ? strspn(at + 3, "0123456789.") : 0;

	return len > 0 ? mem_textn(at + 3, len) : NULL;
}

static enum status read_version(struct toolchain *toolchain, struct error *err)
{
	const char *const argv[] = {toolchain->ptxas, "--version", NULL};
	struct process process = {.argv = argv, .directory = "/", .deadline_s = VERSION_DEADLINE_S};
	enum status status = process_run(&process, err);

	if (status == OK)
		toolchain->version = version_in(process.output.data);
	if (status == OK && toolchain->version == NULL)
		status = error_set(err, R_TLC_RUN, toolchain->ptxas, "it does not say its version");
	bytes_free(&process.output);
	return status;
}

static bool is_script(const char *path)
{
	char start[2] = {0};
	FILE *file = fopen(path, "rb");
	const bool script = file != NULL && fread(start, 1, sizeof start, file) == sizeof start && memcmp(start, "#!", sizeof start) == 0;

	if (file != NULL)
		fclose(file);
	return script;
}

char *toolchain_behind(const char *program)
{
	static const char mark[] = "#$ TOP=";
	const char *name = strrchr(program, '/') + 1;
	char *nvcc = mem_format("%.*snvcc", (int)(name - program), program), *real = NULL;
	const char *const argv[] = {nvcc, "--dryrun", "-E", "-x", "cu", "/dev/null", NULL};
	struct process process = {.argv = argv, .directory = "/", .deadline_s = VERSION_DEADLINE_S};
	struct error ignored = {0};

	if (is_script(program) && runnable(nvcc) && process_run(&process, &ignored) == OK && process.output.data != NULL) {
		const char *top = strstr(process.output.data, mark);
		char *path = top != NULL ? mem_format("%.*s/bin/%s", (int)strcspn(top + strlen(mark), "\n"), top + strlen(mark), name) : NULL;

		real = path != NULL && path[0] == '/' ? realpath(path, NULL) : NULL;
		free(path);
	}
	if (real != NULL && (!runnable(real) || is_script(real))) {
		free(real);
		real = NULL;
	}
	bytes_free(&process.output);
	free(nvcc);
	return real;
}

enum status toolchain_hash(const char *path, struct sha256 *hash, struct error *err)
{
	char part[64 << 10];
	FILE *file = fopen(path, "rb");

	if (file == NULL)
		return error_errno(err, R_IO_OPEN, path, "cannot open the file");
	struct sha256_stream *stream = sha256_stream_new();
	size_t len;

	while ((len = fread(part, 1, sizeof part, file)) > 0)
		sha256_add(stream, part, len);
	const enum status status = ferror(file) ? error_errno(err, R_IO_READ, path, "cannot read the file") : OK;

	*hash = sha256_end(stream);
	sha256_stream_free(stream);
	fclose(file);
	return status;
}

enum status toolchain_find(struct toolchain *toolchain, struct error *err)
{
	*toolchain = (struct toolchain){.ptxas = find()};
	if (toolchain->ptxas == NULL)
		return error_set(err, R_TLC_MISSING, NULL,
		                 "no ptxas in $CUDA_HOME, $CUDA_PATH, $PATH, /usr/local/cuda or /opt/cuda");
	char *behind = toolchain_behind(toolchain->ptxas);

	if (behind != NULL) {
		free(toolchain->ptxas);
		toolchain->ptxas = behind;
	}
	enum status status = toolchain_hash(toolchain->ptxas, &toolchain->hash, err);

	if (status == OK)
		status = read_version(toolchain, err);
	if (status != OK)
		toolchain_free(toolchain);
	return status;
}

void toolchain_free(struct toolchain *toolchain)
{
	free(toolchain->ptxas);
	free(toolchain->version);
	*toolchain = (struct toolchain){0};
}

/* All lines but those that tell how long ptxas took. */
static void keep_report(const struct bytes *output, struct bytes *report)
{
	for (size_t at = 0; at < output->len;) {
		const char *line = output->data + at;
		const char *stop = memchr(line, '\n', output->len - at);
		size_t len = stop != NULL ? (size_t)(stop - line) + 1 : output->len - at;

		if (memmem(line, len, "Compile time =", strlen("Compile time =")) == NULL)
			bytes_add(report, line, len);
		at += len;
	}
}

static enum status refused(const struct process *process, const char *file, struct error *err)
{
	const char *text = process->output.data != NULL ? process->output.data : "";
	const char *error = strstr(text, "error");
	const char *line = error != NULL ? error : text;

	while (line > text && line[-1] != '\n')
		line--;
	return error_set(err, R_TLC_REFUSED, file, "ptxas ends with %d: %.*s", process->exit_code,
	                 (int)strcspn(line, "\n"), line);
}

static enum status judge(const struct process *process, const char *file, struct error *err)
{
	if (process->late)
		return error_set(err, R_TLC_DEADLINE, file, "ptxas was not done after %u s", process->deadline_s);
	if (process->flooded)
		return error_set(err, R_TLC_DIED, file, "ptxas wrote more than %d bytes of messages", PROCESS_OUTPUT_MAX);
	if (process->signal != 0)
		return error_set(err, R_TLC_DIED, file, "ptxas was ended by signal %d", process->signal);
	return process->exit_code == 0 ? OK : refused(process, file, err);
}

static enum status run(const struct toolchain *toolchain, const char *directory, const char *arch, const char *file,
                       struct assembly *assembly, struct error *err)
{
	const char *argv[TOOLCHAIN_FLAGS_MAX + 8] = {toolchain->ptxas, "-arch", arch, "-v", "kernel.ptx", "-o", "kernel.cubin"};
	size_t count = 7;

	for (size_t i = 0; assembly->flags != NULL && assembly->flags[i] != NULL && i < TOOLCHAIN_FLAGS_MAX; i++)
		argv[count++] = assembly->flags[i];
	struct process process = {
		.argv = argv,
		.directory = directory,
		.deadline_s = assembly->deadline_s != 0 ? assembly->deadline_s : TOOLCHAIN_DEADLINE_S,
	};
	enum status status = process_run(&process, err);

	if (status == OK) {
		keep_report(&process.output, &assembly->report);
		status = judge(&process, file, err);
	}
	bytes_free(&process.output);
	return status;
}

enum status toolchain_assemble(const struct toolchain *toolchain, const char *text, size_t len, const char *file,
                               const char *arch, struct assembly *assembly, struct error *err)
{
	const char *temporary = getenv("TMPDIR");
	char *directory = mem_format("%s/ptxseal-XXXXXX", temporary != NULL && temporary[0] == '/' ? temporary : "/tmp");
	enum status status = OK;

	assembly->cubin = (struct bytes){0};
	assembly->report = (struct bytes){0};
	if (mkdtemp(directory) == NULL) {
		status = error_errno(err, R_TLC_RUN, directory, "make a directory");
		free(directory);
		return status;
	}
	char *source = mem_format("%s/kernel.ptx", directory);
	char *product = mem_format("%s/kernel.cubin", directory);

	status = file_write(source, 0600, text, len, err);
	if (status == OK)
		status = run(toolchain, directory, arch, file, assembly, err);
	if (status == OK)
		status = file_read(product, CUBIN_BYTES_MAX, &assembly->cubin, err);
	file_remove_tree(AT_FDCWD, directory);
	free(product);
	free(source);
	free(directory);
	return status;
}

void assembly_free(struct assembly *assembly)
{
	bytes_free(&assembly->cubin);
	bytes_free(&assembly->report);
}
