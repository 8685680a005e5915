#include "lower.h"

#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../base/json.h"
#include "../kernel/ptx_reads.h"
#include "capture.h"
#include "lowering.h"
#include "plan.h"

enum { TAKES = 2 };

/* What candidate.json says of what is to be lowered; the texts are in its tree. */
struct description {
	cJSON *tree;
	char *file;
	const char *task, *name, *label, *arch, *origin, *source, *workload;
};

/* All that lowering one takes. */
struct work {
	const struct root *bundle;
	const char *directory;
	const struct nvcc *nvcc;
	const char *program;
	struct description description;
	struct problem problem;
	struct bytes source;
	struct build build;
	struct ptx ptx;
	bool **seen; /* by entry: one flag a byte of its parameter block */
	struct assembly assembly;
	struct recording take[TAKES];
};

static bool is_output(const struct description *said)
{
	char *cubin = mem_format("kernel.%s.cubin", said->arch);
	const bool is = strcmp(said->source, "candidate.json") == 0 || strcmp(said->source, "kernel.ptx") == 0 || strcmp(said->source, cubin) == 0;

	free(cubin);
	return is;
}

static enum status read_description(struct work *work, struct error *err)
{
	struct description *said = &work->description;
	const struct {
		const char *key;
		const char **out;
	} head[] = {{"task", &said->task}, {"name", &said->name}, {"label", &said->label}, {"arch", &said->arch}, {"origin", &said->origin}};
	struct bytes text = {0};
	const cJSON *lowered = NULL;

	said->file = mem_format("%s/candidate.json", work->directory);
	enum status status = root_read(work->bundle, said->file, CANDIDATE_JSON_MAX, &text, err);

	if (status == OK)
		status = json_parse(text.data, text.len, said->file, &said->tree, err);
	for (size_t i = 0; i < sizeof head / sizeof head[0] && status == OK; i++)
		status = json_text(said->tree, head[i].key, said->file, head[i].out, err);
	if (status == OK)
		status = json_child(said->tree, "lowered", JSON_OBJECT, said->file, &lowered, err);
	if (status == OK)
		status = json_text(lowered, "source", said->file, &said->source, err);
	if (status == OK)
		status = json_text(lowered, "workload", said->file, &said->workload, err);
	/* The flags of nvcc are made of it; the rest of the file is checked when it is whole. */
	if (status == OK && (strncmp(said->arch, "sm_", 3) != 0 || strspn(said->arch + 3, "0123456789af") != strlen(said->arch + 3)))
		status = error_set(err, R_CAN_PTX, said->file, "'%s' is no architecture such as sm_90a", said->arch);
	if (status == OK && (strchr(said->source, '/') != NULL || !path_valid(said->source, strlen(said->source))))
		status = error_set(err, R_LOW_SOURCE, said->file, "'%s' is no file beside candidate.json", said->source);
	if (status == OK && is_output(said))
		status = error_set(err, R_LOW_SOURCE, said->file, "'%s' is the name of what lowering writes, which would take its place", said->source);
	bytes_free(&text);
	return status;
}

static enum status read_all(struct work *work, struct error *err)
{
	enum status status = read_description(work, err);
	const char *workload = work->description.workload;

	if (status == OK)
		status = problem_read(work->bundle, work->description.task, strcmp(workload, "published") == 0 ? NULL : workload, &work->problem, err);
	if (status == OK) {
		char *source = mem_format("%s/%s", work->directory, work->description.source);

		status = root_read(work->bundle, source, CANDIDATE_SOURCE_MAX, &work->source, err);
		free(source);
	}
	return status;
}

/* The parameter block is the same whether a parameter is read here or there: flags lie at its offsets. */
static void look(struct work *work)
{
	work->seen = mem_alloc((work->ptx.entries + 1) * sizeof *work->seen);
	for (size_t i = 0; i < work->ptx.entries; i++) {
		const struct ptx_entry *entry = &work->ptx.entry[i];

		work->seen[i] = mem_alloc((entry->size + 1) * sizeof **work->seen);
		bool within = true;

		for (size_t j = 0; j < entry->parameters; j++)
			within = ptx_reads(work->build.ptx.data, work->build.ptx.len, entry->parameter[j].name, work->seen[i] + entry->parameter[j].offset,
			                   entry->parameter[j].size) && within;
		if (!within)
			memset(work->seen[i], true, entry->size * sizeof **work->seen);
	}
}

/* What is of no entry, or beyond its parameters, is refused later; until then it counts as seen. */
static bool sees(const void *context, const char *function, size_t parameter, size_t byte)
{
	const struct work *work = context;

	for (size_t i = 0; i < work->ptx.entries; i++) {
		const struct ptx_entry *entry = &work->ptx.entry[i];

		if (strcmp(entry->name, function) == 0 && parameter < entry->parameters && byte < entry->parameter[parameter].size)
			return work->seen[i][entry->parameter[parameter].offset + byte];
	}
	return true;
}

/* Errors of PTX and host code name the source. */
static enum status build(struct work *work, struct error *err)
{
	char *file = mem_format("%s/%s", work->directory, work->description.source);
	enum status status = nvcc_build(work->nvcc, &work->source, file, work->description.arch, &work->build, err);

	if (status == OK)
		status = ptx_read(work->build.ptx.data, work->build.ptx.len, file, &work->ptx, err);
	if (status == OK)
		status = toolchain_assemble(&work->nvcc->toolchain, work->build.ptx.data, work->build.ptx.len, file, work->description.arch,
		                            &work->assembly, err);
	if (status == OK)
		look(work);
	free(file);
	return status;
}

static enum status record(struct work *work, unsigned take, struct error *err)
{
	const struct device_table device = device_table_of(work->description.arch);
	const struct capture_options options = {
		.program = work->program,
		.tvm_library = work->nvcc->tvm.library,
		.cuda_major = atoi(work->nvcc->version),
		.device = &device,
		.ptx = &work->ptx,
		.code = &work->build.code,
		.take = take,
	};
	struct bytes text = {0};
	struct error why = {0};
	enum status status = capture_run(&options, &work->problem, &text, &why);

	if (status == OK)
		status = recording_read(text.data, text.len, &work->take[take], &why);
	bytes_free(&text);
	return status == OK ? OK : error_set(err, why.rule, work->description.file, "%s", why.what);
}

static void add_bytes_hash(cJSON *object, const char *key, const struct bytes *bytes)
{
	const struct sha256 hash = sha256_of(bytes->data, bytes->len);

	jcs_add_hash(object, key, &hash);
}

static void add_tool(cJSON *object, const char *key, const char *version, const struct sha256 *hash, const struct bytes *report)
{
	cJSON *tool = cJSON_AddObjectToObject(object, key);

	cJSON_AddStringToObject(tool, "version", version);
	jcs_add_hash(tool, "sha256", hash);
	if (report != NULL)
		cJSON_AddStringToObject(tool, "report", report->data != NULL ? report->data : "");
}

static void add_lowering(const struct work *work, cJSON *tree)
{
	const struct nvcc *nvcc = work->nvcc;
	cJSON *lowered = cJSON_AddObjectToObject(tree, "lowered");
	cJSON *asked = cJSON_AddArrayToObject(lowered, "asked");
	cJSON *tools = cJSON_AddObjectToObject(lowered, "toolchain");

	cJSON_AddStringToObject(lowered, "source", work->description.source);
	add_bytes_hash(lowered, "sha256", &work->source);
	cJSON_AddStringToObject(lowered, "workload", work->problem.workload);
	for (size_t i = 0; i < work->take[0].asked_count; i++) {
		cJSON *one = cJSON_CreateObject();

		cJSON_AddNumberToObject(one, "attribute", work->take[0].asked[i].attribute);
		cJSON_AddNumberToObject(one, "value", (double)work->take[0].asked[i].value);
		cJSON_AddItemToArray(asked, one);
	}
	add_tool(tools, "nvcc", nvcc->version, &nvcc->hash, NULL);
	add_tool(tools, "tvm_ffi", nvcc->tvm.version, &nvcc->tvm.hash, NULL);
	add_tool(tools, "ptxas", nvcc->toolchain.version, &nvcc->toolchain.hash, &work->assembly.report);
	cJSON_AddStringToObject(tools, "compiler", nvcc->compiler);
	cJSON_AddStringToObject(tools, "flags", work->build.flags);
	add_bytes_hash(tools, "shared_object_sha256", &work->build.code);
	add_bytes_hash(tools, "cubin_sha256", &work->assembly.cubin);
}

static enum status make_tree(struct work *work, struct lowered *lowered, struct error *err)
{
	struct lowering_place places[PROBLEM_TENSORS_MAX];
	struct error why = {0};
	cJSON *tree = cJSON_CreateObject();

	lowered->tree = tree;
	cJSON_AddStringToObject(tree, "schema", "ptxseal-candidate/1");
	cJSON_AddStringToObject(tree, "task", work->description.task);
	cJSON_AddStringToObject(tree, "name", work->description.name);
	cJSON_AddStringToObject(tree, "label", work->description.label);
	cJSON_AddStringToObject(tree, "arch", work->description.arch);
	cJSON_AddStringToObject(tree, "origin", work->description.origin);
	cJSON_AddStringToObject(tree, "ptx", "kernel.ptx");
	add_lowering(work, tree);
	for (size_t i = 0; i < work->problem.tensor_count; i++)
		for (unsigned take = 0; take < TAKES; take++)
			places[i].address[take] = capture_address(&work->problem, take, i);
	enum status status = lowering_make(work->take, &work->problem, places, sees, work, tree, &why);

	if (status != OK)
		return error_set(err, why.rule, work->description.file, "%s", why.what);
	status = jcs_write(tree, &lowered->json, err);
	bytes_char(&lowered->json, '\n');
	return status;
}

/* What was made is read as whatever candidate.json is, with every check of it. */
static enum status read_back(const struct work *work, struct lowered *lowered, struct error *err)
{
	struct plan plan = {0};
	enum status status = candidate_parse(work->directory, lowered->json.data, lowered->json.len, work->build.ptx.data, work->build.ptx.len,
	                                     &lowered->candidate, err);

	if (status == OK && !candidate_stands_in(lowered->candidate))
		return error_set(err, R_CAN_NAME, work->description.file, "it says it is %s/%s", work->description.task, work->description.name);
	if (status == OK)
		status = candidate_check_ptx(lowered->candidate, err);
	if (status == OK) {
		status = plan_make(lowered->candidate, &work->problem, &plan, err);
		plan_free(&plan);
	}
	return status;
}

static void free_work(struct work *work)
{
	for (unsigned take = 0; take < TAKES; take++)
		recording_free(&work->take[take]);
	for (size_t i = 0; work->seen != NULL && i < work->ptx.entries; i++)
		free(work->seen[i]);
	free(work->seen);
	assembly_free(&work->assembly);
	ptx_free(&work->ptx);
	build_free(&work->build);
	bytes_free(&work->source);
	cJSON_Delete(work->description.tree);
	free(work->description.file);
	free(work);
}

enum status lower_directory(const struct root *bundle, const char *directory, const struct nvcc *nvcc, const char *program, struct lowered *lowered,
                            struct error *err)
{
	struct work *work = mem_alloc(sizeof *work);

	*work = (struct work){.bundle = bundle, .directory = directory, .nvcc = nvcc, .program = program};
	*lowered = (struct lowered){0};
	enum status status = read_all(work, err);

	if (status == OK)
		status = build(work, err);
	lowered->complaints = work->build.complaints;
	work->build.complaints = (struct bytes){0};
	for (unsigned take = 0; take < TAKES && status == OK; take++)
		status = record(work, take, err);
	if (status == OK)
		status = make_tree(work, lowered, err);
	if (status == OK)
		status = read_back(work, lowered, err);
	if (status == OK) {
		lowered->ptx = work->build.ptx;
		lowered->cubin = work->assembly.cubin;
		work->build.ptx = work->assembly.cubin = (struct bytes){0};
	}
	free_work(work);
	return status;
}

void lowered_free(struct lowered *lowered)
{
	cJSON_Delete(lowered->tree);
	bytes_free(&lowered->json);
	bytes_free(&lowered->ptx);
	bytes_free(&lowered->cubin);
	candidate_free(lowered->candidate);
	bytes_free(&lowered->complaints);
	*lowered = (struct lowered){0};
}

static enum status write_one(const struct root *bundle, const char *directory, const char *name, const struct bytes *bytes, struct error *err)
{
	char *path = mem_format("%s/%s", directory, name);
	const enum status status = root_write(bundle, path, bytes->data, bytes->len, err);

	free(path);
	return status;
}

enum status lowered_write(const struct root *bundle, const struct lowered *lowered, struct error *err)
{
	const struct candidate *candidate = lowered->candidate;
	char *cubin = mem_format("kernel.%s.cubin", candidate->arch);
	enum status status = write_one(bundle, candidate->directory, candidate->ptx_file, &lowered->ptx, err);

	if (status == OK)
		status = write_one(bundle, candidate->directory, cubin, &lowered->cubin, err);
	/* Last: until then the directory is as it was to whoever reads it by candidate.json. */
	if (status == OK)
		status = write_one(bundle, candidate->directory, "candidate.json", &lowered->json, err);
	free(cubin);
	return status;
}

/* The tree without what says how it was made, as one text. */
static struct bytes data_of(const cJSON *tree)
{
	cJSON *copy = cJSON_Duplicate(tree, true);
	struct bytes text = {0};

	cJSON_DeleteItemFromObjectCaseSensitive(cJSON_GetObjectItemCaseSensitive(copy, "lowered"), "toolchain");
	jcs_write(copy, &text, NULL);
	cJSON_Delete(copy);
	return text;
}

bool lowered_same(const struct candidate *candidate, const struct lowered *lowered, const char **what)
{
	struct bytes was = data_of(candidate->tree), is = data_of(lowered->tree);

	*what = "";
	if (candidate->ptx.len != lowered->ptx.len || memcmp(candidate->ptx.data, lowered->ptx.data, lowered->ptx.len) != 0)
		*what = LOWERED_PTX;
	else if (was.len != is.len || memcmp(was.data, is.data, is.len) != 0)
		*what = LOWERED_DATA;
	bytes_free(&was);
	bytes_free(&is);
	return (*what)[0] == '\0';
}

static const cJSON *tool_of(const cJSON *tree, const char *name)
{
	const cJSON *lowered = cJSON_GetObjectItemCaseSensitive(tree, "lowered");

	return cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(lowered, "toolchain"), name);
}

bool lowered_by_same_tools(const struct candidate *candidate, const struct lowered *lowered)
{
	static const char *const tools[] = {"nvcc", "tvm_ffi", "compiler"};

	for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++)
		if (!cJSON_Compare(tool_of(candidate->tree, tools[i]), tool_of(lowered->tree, tools[i]), true))
			return false;
	return true;
}
