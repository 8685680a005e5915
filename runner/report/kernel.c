#include "kernel.h"

#include <stdlib.h>
#include <string.h>

#include "../bundle/replays.h"

static bool ends_in(const char *path, const char *end)
{
	const size_t len = strlen(path), tail = strlen(end);

	return len >= tail && strcmp(path + len - tail, end) == 0;
}

static const char *text_of(const struct kernel_file *file)
{
	return file->text.data != NULL ? file->text.data : "";
}

static void read_file(const struct kernel *kernel, struct kernel_file *file)
{
	struct error err;

	if (!path_valid(file->path, strlen(file->path)) || !root_has(kernel->bundle, file->path)) {
		file->state = sealed_leaves_out(kernel->sealed, file->path) ? KERNEL_FILE_LEFT_OUT : KERNEL_FILE_MISSING;
		return;
	}
	if (root_read(kernel->bundle, file->path, CANDIDATE_CUBIN_MAX, &file->text, &err) != OK) {
		file->state = KERNEL_FILE_UNREADABLE;
		return;
	}
	const struct sha256 hash = sha256_of(text_of(file), file->text.len);

	file->state = file->hashed && memcmp(&hash, &file->hash, sizeof hash) == 0 ? KERNEL_FILE_SAME : KERNEL_FILE_DIFFERS;
}

static void add_file(struct kernel *kernel, const cJSON *item)
{
	const char *path = replay_text(item, "path"), *slash = strrchr(path, '/');
	struct kernel_file *file = &kernel->files[kernel->file_count++];

	*file = (struct kernel_file){.path = path, .name = slash != NULL ? slash + 1 : path, .bytes = replay_at(item, "bytes")};
	file->hashed = sha256_parse(replay_text(item, "sha256"), &file->hash);
	read_file(kernel, file);
	if (strcmp(file->name, "candidate.json") == 0)
		kernel->json = file;
	else if (ends_in(path, ".ptx"))
		kernel->ptx = file;
	else if (ends_in(path, ".cubin"))
		kernel->cubin = file;
	else if (ends_in(path, ".cu"))
		kernel->source = file;
}

static void read_files(struct kernel *kernel)
{
	const cJSON *list = replay_at(kernel->record, "candidate.files");
	const size_t count = cJSON_IsArray(list) ? (size_t)cJSON_GetArraySize(list) : 0;

	kernel->files = mem_alloc((count + 1) * sizeof *kernel->files);
	for (const cJSON *item = count > 0 ? list->child : NULL; item != NULL; item = item->next)
		add_file(kernel, item);
}

static bool is_there(const struct kernel_file *file)
{
	return file != NULL && (file->state == KERNEL_FILE_SAME || file->state == KERNEL_FILE_DIFFERS);
}

static void read_candidate(struct kernel *kernel)
{
	const struct kernel_file *json = kernel->json, *ptx = kernel->ptx;

	if (!is_there(json) || !is_there(ptx))
		return;
	if (candidate_parse(replay_text(kernel->record, "candidate.directory"), text_of(json), json->text.len, text_of(ptx), ptx->text.len, &kernel->candidate,
	                    &kernel->why_no_candidate) != OK)
		kernel->candidate = NULL;
}

static void make_plan(struct kernel *kernel)
{
	struct error *err = &kernel->why_no_plan;

	if (kernel->candidate == NULL)
		return;
	if (problem_read(kernel->bundle, replay_text(kernel->record, "problem.task"), replay_text(kernel->record, "problem.workload"), &kernel->problem, err) != OK)
		return;
	kernel->has_plan = plan_make(kernel->candidate, &kernel->problem, &kernel->plan, err) == OK;
	if (!kernel->has_plan)
		plan_free(&kernel->plan);
}

static void read_code(struct kernel *kernel)
{
	const struct kernel_file *cubin = kernel->cubin;
	struct sha256 hash;

	if (!is_there(cubin))
		return;
	kernel->has_code = cubin_read((const uint8_t *)text_of(cubin), cubin->text.len, cubin->path, &kernel->code, &kernel->why_no_code) == OK;
	kernel->is_measured_code = kernel->has_code && sha256_parse(replay_text(kernel->record, "code.sha256"), &hash) &&
	                           memcmp(&hash, &kernel->code.hash, sizeof hash) == 0;
}

void kernel_open(struct kernel *kernel)
{
	read_files(kernel);
	read_candidate(kernel);
	make_plan(kernel);
	read_code(kernel);
}

void kernel_close(struct kernel *kernel)
{
	for (size_t i = 0; i < kernel->file_count; i++)
		bytes_free(&kernel->files[i].text);
	free(kernel->files);
	if (kernel->has_plan)
		plan_free(&kernel->plan);
	if (kernel->has_code)
		cubin_free(&kernel->code);
	candidate_free(kernel->candidate);
	*kernel = (struct kernel){0};
}

const char *kernel_file_why(const struct kernel_file *file)
{
	if (file == NULL)
		return "The record names no such file.";
	switch (file->state) {
	case KERNEL_FILE_SAME:
		return "";
	case KERNEL_FILE_DIFFERS:
		return "These are not the bytes that were measured: the file has another SHA-256 than the record gives.";
	case KERNEL_FILE_LEFT_OUT:
		return "This file travels apart: it is sealed, and left out of the bundle at its level.";
	case KERNEL_FILE_MISSING:
		return "This file is missing from the bundle.";
	case KERNEL_FILE_UNREADABLE:
		return "This file cannot be read.";
	}
	return "";
}
