#include "sanitizer.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/bytes.h"
#include "../base/file.h"
#include "../kernel/process.h"

enum { PROGRAM_BYTES_MAX = 1 << 28, VERSION_DEADLINE_S = 30 };

static const char name[] = "compute-sanitizer";

/* ---- where ---- */

static bool take(struct sanitizer *sanitizer, char *path, const char *place)
{
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || access(path, X_OK) != 0) {
		free(path);
		return false;
	}
	sanitizer->path = path;
	sanitizer->place = place;
	return true;
}

static bool try_home(struct sanitizer *sanitizer, const char *variable)
{
	const char *home = getenv(variable);

	return home != NULL && home[0] == '/' && take(sanitizer, mem_format("%s/bin/%s", home, name), variable);
}

/* The last match first: the highest version. */
static bool try_pattern(struct sanitizer *sanitizer, const char *pattern, const char *place)
{
	glob_t matches;
	bool found = false;

	if (glob(pattern, 0, NULL, &matches) != 0)
		return false;
	for (size_t i = matches.gl_pathc; !found && i > 0; i--)
		found = take(sanitizer, mem_text(matches.gl_pathv[i - 1]), place);
	globfree(&matches);
	return found;
}

static bool try_packages(struct sanitizer *sanitizer, const char *prefix)
{
	static const char *const below[] = {"bin", "compute-sanitizer"};
	bool found = false;

	for (size_t i = 0; !found && i < 2; i++) {
		char *pattern = mem_format("%s/lib/python3*/*-packages/nvidia/*/%s/%s", prefix, below[i], name);

		found = try_pattern(sanitizer, pattern, "site-packages");
		free(pattern);
	}
	return found;
}

/* A relative directory in PATH is whatever directory one happens to stand in. */
static bool try_path(struct sanitizer *sanitizer, bool packages)
{
	const char *path = getenv("PATH");
	char *list = mem_text(path != NULL ? path : "");
	char *rest = list;
	bool found = false;

	for (char *one; !found && (one = strsep(&rest, ":")) != NULL;) {
		if (one[0] != '/')
			continue;
		if (!packages) {
			found = take(sanitizer, mem_format("%s/%s", one, name), "PATH");
			continue;
		}
		char *python = mem_format("%s/python3", one), *prefix = mem_format("%s/..", one);

		found = access(python, X_OK) == 0 && try_packages(sanitizer, prefix);
		free(prefix);
		free(python);
	}
	free(list);
	return found;
}

static bool look(struct sanitizer *sanitizer)
{
	const char *environment = getenv("VIRTUAL_ENV");

	return try_home(sanitizer, "CUDA_HOME") || try_home(sanitizer, "CUDA_PATH") || try_path(sanitizer, false) ||
	       take(sanitizer, mem_format("/usr/local/cuda/bin/%s", name), "/usr/local/cuda") ||
	       try_pattern(sanitizer, "/usr/local/cuda-*/bin/compute-sanitizer", "/usr/local/cuda") ||
	       (environment != NULL && environment[0] == '/' && try_packages(sanitizer, environment)) || try_path(sanitizer, true);
}

/* "... Version 2025.3.1.0 (build 36398880) ..." */
static char *version_in(const char *text)
{
	const char *at = text != NULL ? strstr(text, "ersion ") : NULL;
	const size_t len = at != NULL ? strspn(at + 7, "0123456789.") : 0;

	return len > 0 ? mem_textn(at + 7, len) : NULL;
}

static enum status read_version(struct sanitizer *sanitizer, struct error *err)
{
	const char *const argv[] = {sanitizer->path, "--version", NULL};
	struct process process = {.argv = argv, .directory = "/", .deadline_s = VERSION_DEADLINE_S};
	struct error why = {0};
	enum status status = process_run(&process, &why);

	if (status == OK)
		sanitizer->version = version_in(process.output.data);
	if (sanitizer->version == NULL)
		status = error_set(err, R_MEM_TOOL, sanitizer->path, "it does not say its version: %s", status != OK ? why.what : "no such line");
	bytes_free(&process.output);
	return status;
}

enum status sanitizer_find(struct sanitizer *sanitizer, struct error *err)
{
	struct bytes program = {0};

	*sanitizer = (struct sanitizer){0};
	if (!look(sanitizer))
		return error_set(err, R_MEM_TOOL, NULL, "no compute-sanitizer in $CUDA_HOME, $CUDA_PATH, $PATH, /usr/local/cuda* or pip's packages");
	enum status status = file_read(sanitizer->path, PROGRAM_BYTES_MAX, &program, err);

	if (status == OK) {
		sanitizer->hash = sha256_of(program.data, program.len);
		status = read_version(sanitizer, err);
	}
	bytes_free(&program);
	if (status != OK)
		sanitizer_free(sanitizer);
	return status;
}

void sanitizer_free(struct sanitizer *sanitizer)
{
	free(sanitizer->path);
	free(sanitizer->version);
	*sanitizer = (struct sanitizer){0};
}

/* ---- what it says ---- */

static const char mark[] = "=========";
static const char summary[] = "ERROR SUMMARY: ";

/* Printable ASCII only: a report goes into records and onto terminals. */
static void put(char *out, size_t size, const char *text, size_t len)
{
	size_t used = 0;

	for (size_t i = 0; i < len && used + 1 < size; i++)
		out[used++] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
	out[used] = '\0';
}

static bool starts(const char *text, size_t len, const char *with)
{
	return len >= strlen(with) && memcmp(text, with, strlen(with)) == 0;
}

/* "N errors" and nothing smaller or larger than a count. */
static bool read_count(const char *text, size_t len, uint64_t *count)
{
	uint64_t value = 0;
	size_t i = 0;

	for (; i < len && text[i] >= '0' && text[i] <= '9' && i < 18; i++)
		value = value * 10 + (uint64_t)(text[i] - '0');
	*count = value;
	return i > 0 && i < 18 && starts(text + i, len - i, " error");
}

/* "at gemm+0x1f0 in file.cu:3", "at 0x1f0 in gemm", "at gemm(float *)+0x1f0": a name up to what cannot be in one. */
static void read_function(const char *text, size_t len, struct sanitizer_report *report)
{
	static const char name_letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$";
	const char *in = starts(text, len, "0x") ? memmem(text, len, " in ", 4) : text;
	size_t end = 0;

	if (in == NULL)
		return;
	if (in != text)
		in += 4;
	const size_t left = len - (size_t)(in - text);

	while (end < left && in[end] != '\0' && strchr(name_letters, in[end]) != NULL)
		end++;
	put(report->function, sizeof report->function, in, end);
}

static void read_line(const char *line, size_t len, struct sanitizer_report *report)
{
	if (!starts(line, len, mark))
		return;
	line += strlen(mark);
	len -= strlen(mark);
	const size_t indent = len < 1 || line[0] != ' ' ? 0 : 1 + (size_t)strspn(line + 1, " ");

	if (indent > len || indent == 0)
		return;
	line += indent;
	len -= indent;
	if (len > 0 && line[len - 1] == '\r')
		len--;
	if (indent > 1) {
		if (report->first[0] != '\0' && report->function[0] == '\0' && starts(line, len, "at "))
			read_function(line + 3, len - 3, report);
		return;
	}
	if (starts(line, len, summary))
		report->whole = read_count(line + strlen(summary), len - strlen(summary), &report->errors);
	else if (report->first[0] == '\0' && !starts(line, len, "COMPUTE-SANITIZER"))
		put(report->first, sizeof report->first, line, len);
}

void sanitizer_read(const char *text, size_t len, struct sanitizer_report *report)
{
	*report = (struct sanitizer_report){0};
	for (size_t at = 0; at < len;) {
		const char *stop = memchr(text + at, '\n', len - at);
		const size_t length = stop != NULL ? (size_t)(stop - text) - at : len - at;

		/* A copy ends where the line does, whatever stands behind it. */
		char *line = mem_textn(text + at, length);

		read_line(line, strlen(line), report);
		free(line);
		at += length + 1;
	}
}
