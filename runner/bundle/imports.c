#include "imports.h"

#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "evaluations.h"
#include "exchanges.h"
#include "layout.h"
#include "objects.h"
#include "replays.h"

static void free_all(struct import *imports, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(imports[i].source);
		free(imports[i].of);
		free(imports[i].id);
		free(imports[i].manifest);
		free(imports[i].files);
		cJSON_Delete(imports[i].replays);
	}
	free(imports);
}

void imports_free(struct imports *imports)
{
	free_all(imports->at, imports->count);
	free_all(imports->replay, imports->replays);
	free_all(imports->admitted, imports->admissions);
	for (size_t i = 0; i < imports->measured_count; i++)
		free(imports->measured[i]);
	free(imports->measured);
	*imports = (struct imports){0};
}

static int compare_n(const char *name, const char *text, size_t len)
{
	int order = strncmp(name, text, len); /* text ends in '/', which no name has */

	return order != 0 ? order : name[len] != '\0';
}

static struct import *find_in(struct import *imports, size_t count, const char *source, size_t len)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = compare_n(imports[middle].source, source, len);

		if (order == 0)
			return &imports[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

static struct import *find(const struct imports *imports, const char *source, size_t len)
{
	return find_in(imports->at, imports->count, source, len);
}

const struct import *imports_find_replay(const struct imports *imports, const char *run)
{
	return find_in(imports->replay, imports->replays, run, strlen(run));
}

const struct import *imports_find(const struct imports *imports, const char *source)
{
	return find(imports, source, strlen(source));
}

static void add_file(struct import *import, const struct inventory *inventory, const struct inventory_file *file)
{
	if (import->count == import->room) {
		import->room = import->room == 0 ? 64 : import->room * 2;
		import->files = mem_array(import->files, import->room, sizeof *import->files);
	}
	import->files[import->count++] = (size_t)(file - inventory->at);
}

static struct import *add_source(struct imports *imports, const struct inventory_file *file, const char *source,
                                 size_t len, struct findings *findings)
{
	char *name = mem_textn(source, len);

	/* Its manifest would be the root manifest. */
	if (!layout_name_valid(name) || strcmp(name, "root") == 0)
		findings_add(findings, R_BND_NAME, file->path, "'%s' cannot name a source", name);
	imports->at = mem_array(imports->at, imports->count + 1, sizeof *imports->at);
	imports->at[imports->count++] = (struct import){
		.source = name,
		.manifest = mem_format(LAYOUT_MANIFESTS "%s" LAYOUT_MANIFEST_END, name),
	};
	return &imports->at[imports->count - 1];
}

static int by_source(const void *a, const void *b)
{
	return strcmp(((const struct import *)a)->source, ((const struct import *)b)->source);
}

/* A text of the file's one object; NULL (told, if findings is given) if there is none. free() it. */
static char *text_of(const struct root *root, const struct inventory_file *file, const char *field, size_t max, struct findings *findings)
{
	struct bytes text = {0};
	cJSON *tree = NULL;
	const char *value = NULL;
	char *copy = NULL;
	struct error err;

	if (inventory_read(root, file, max, &text, &err) != OK || json_parse(text.data, text.len, file->path, &tree, &err) != OK ||
	    json_text(tree, field, file->path, &value, &err) != OK) {
		if (findings != NULL)
			findings_error(findings, NULL, &err);
	} else {
		copy = mem_text(value);
	}
	cJSON_Delete(tree);
	bytes_free(&text);
	return copy;
}

/* Submissions, in path order; one whose source cannot be told is a finding of admitted_check. */
static void collect_admitted(const struct root *root, const struct inventory *inventory, struct imports *imports)
{
	for (size_t i = 0; i < inventory->count; i++) {
		const struct inventory_file *file = &inventory->at[i];
		const char *rest;
		size_t len;

		if (!layout_split(file->path, LAYOUT_SUBMISSIONS, &len, &rest) || strcmp(rest, LAYOUT_SUBMISSION) != 0 || !file->hashed)
			continue;
		char *source = text_of(root, file, "source", SUBMISSION_FILE_MAX, NULL);

		if (source == NULL)
			continue;
		imports->admitted = mem_array(imports->admitted, imports->admissions + 1, sizeof *imports->admitted);
		imports->admitted[imports->admissions++] =
			(struct import){.source = source, .id = mem_textn(file->path + strlen(LAYOUT_SUBMISSIONS), len)};
	}
}

/* The submission that brought the source, or NULL. */
static struct import *find_admitted(const struct imports *imports, const char *source, size_t len)
{
	for (size_t i = 0; i < imports->admissions; i++)
		if (compare_n(imports->admitted[i].source, source, len) == 0)
			return &imports->admitted[i];
	return NULL;
}

static bool is_measured(const struct imports *imports, const char *source, size_t len)
{
	for (size_t i = 0; i < imports->measured_count; i++)
		if (compare_n(imports->measured[i], source, len) == 0)
			return true;
	return false;
}

static void collect_measured(const struct root *root, const struct inventory *inventory, struct imports *imports)
{
	for (size_t i = 0; i < inventory->count; i++) {
		const struct inventory_file *file = &inventory->at[i];
		const char *source = file->path + strlen(LAYOUT_SOURCES), *rest;
		size_t len;

		if (!layout_split(file->path, LAYOUT_SOURCES, &len, &rest) || strcmp(rest, LAYOUT_PROVENANCE) != 0 || !file->hashed ||
		    find_admitted(imports, source, len) != NULL)
			continue;
		char *kind = text_of(root, file, "kind", PROVENANCE_MAX, NULL);

		if (kind != NULL && strcmp(kind, REPLAY_KIND) == 0) {
			imports->measured = mem_array(imports->measured, imports->measured_count + 1, sizeof *imports->measured);
			imports->measured[imports->measured_count++] = mem_textn(source, len);
		}
		free(kind);
	}
}

static void collect_sources(const struct inventory *inventory, struct imports *imports, struct findings *findings)
{
	struct import *last = NULL, *admitted;

	for (size_t i = 0; i < inventory->count; i++) {
		const struct inventory_file *file = &inventory->at[i];
		const char *rest;
		size_t len;

		if (!layout_split(file->path, LAYOUT_SOURCES, &len, &rest))
			continue;
		const char *source = file->path + strlen(LAYOUT_SOURCES);

		if ((admitted = find_admitted(imports, source, len)) != NULL)
			add_file(admitted, inventory, file);
		/* The runs of a measured one have manifests of their own. */
		if (admitted != NULL || is_measured(imports, source, len))
			continue;

		/* In path order, so a source's files come one after the other. */
		if (last == NULL || compare_n(last->source, source, len) != 0)
			last = add_source(imports, file, source, len, findings);
		add_file(last, inventory, file);
	}
	/* Path order is not quite name order: "a-b/" sorts before "a/". */
	if (imports->count > 1)
		qsort(imports->at, imports->count, sizeof *imports->at, by_source);
}

/* Is there no telling whether the source is there? */
static bool hidden(const struct inventory *inventory, const char *source)
{
	char *dir = mem_format(LAYOUT_SOURCES "%s/", source);
	bool hides = inventory_hides(inventory, dir);

	free(dir);
	return hides;
}

/* A run that this program measured. Runs come in path order, which is not quite name order: sorted at the end. */
static struct import *add_replay(struct imports *imports, const struct inventory_file *file, const char *source, struct findings *findings)
{
	const char *name = file->path + strlen(LAYOUT_RUNS);
	char *run = mem_textn(name, strcspn(name, "/"));

	if (!layout_name_valid(run) || strcmp(run, "root") == 0 || imports_find(imports, run) != NULL)
		findings_add(findings, R_BND_NAME, file->path, "'%s' cannot name a run with a manifest of its own", run);
	imports->replay = mem_array(imports->replay, imports->replays + 1, sizeof *imports->replay);
	imports->replay[imports->replays++] = (struct import){
		.source = run,
		.replay = true,
		.of = mem_text(source),
		.replays = cJSON_CreateArray(),
		.manifest = mem_format(LAYOUT_MANIFESTS "%s" LAYOUT_MANIFEST_END, run),
	};
	return &imports->replay[imports->replays - 1];
}

struct naming {
	const struct inventory *inventory;
	struct import *import;
	struct findings *findings;
	const char *record;
};

/* A file that a record names: two records may name the same one. */
static enum status take_named(void *context, const char *path, const struct sha256 *hash, struct error *err)
{
	struct naming *naming = context;
	const struct inventory_file *file = inventory_find(naming->inventory, path);

	(void)err;
	const struct checksum *apart = file == NULL ? left_out_find(naming->inventory->left, path) : NULL;

	if (apart != NULL) {
		if (memcmp(&apart->hash, hash, sizeof *hash) != 0)
			findings_add(naming->findings, R_STM_DIGEST, path, "%s was measured with other bytes", naming->record);
		return OK;
	}
	if (file == NULL) {
		findings_add(naming->findings, R_BND_MISSING, path, "%s names it", naming->record);
		return OK;
	}
	add_file(naming->import, naming->inventory, file);
	if (file->hashed && !file->faulty && memcmp(&file->hash, hash, sizeof *hash) != 0)
		findings_add(naming->findings, R_STM_DIGEST, path, "%s was measured with other bytes", naming->record);
	return OK;
}

static void collect_record(const struct root *root, const struct inventory *inventory, const struct inventory_file *file, struct import *import,
                           struct findings *findings)
{
	struct naming naming = {.inventory = inventory, .import = import, .findings = findings, .record = file->path};
	struct bytes text = {0};
	cJSON *record = NULL;
	struct error err;

	add_file(import, inventory, file);
	if (inventory_read(root, file, REPLAY_RECORD_MAX, &text, &err) != OK ||
	    replay_parse(text.data != NULL ? text.data : "", text.len, file->path, &record, &err) != OK) {
		import->unread = import->unread.status == OK ? err : import->unread;
		findings_error(findings, file->path, &err);
	} else {
		cJSON_AddItemToArray(import->replays, replay_summary(record));
		if (replay_files(record, file->path, take_named, &naming, &err) != OK)
			findings_error(findings, file->path, &err);
	}
	cJSON_Delete(record);
	bytes_free(&text);
}

static bool is_record_of(const struct inventory_file *file, const char *run)
{
	const char *rest;
	size_t len;

	return layout_split(file->path, REPLAY_DIRECTORY "/", &len, &rest) && compare_n(run, file->path + strlen(REPLAY_DIRECTORY "/"), len) == 0;
}

static void collect_records(const struct root *root, const struct inventory *inventory, const char *run, struct import *import, struct findings *findings)
{
	for (size_t i = 0; i < inventory->count; i++)
		if (inventory->at[i].hashed && is_record_of(&inventory->at[i], run))
			collect_record(root, inventory, &inventory->at[i], import, findings);
}

/* An object that a file of a run names. */
struct named {
	struct sha256 id;
	const char *by; /* the file's path */
};

struct naming_objects {
	struct named *at;
	size_t count, room;
	const char *by; /* the file that is being read */
	const struct inventory *inventory;
	struct import *import; /* which takes the candidates that are named */
	struct findings *findings;
};

static void name_object(struct naming_objects *objects, const struct sha256 *id)
{
	if (objects->count == objects->room) {
		objects->room = objects->room * 2 + 64;
		objects->at = mem_array(objects->at, objects->room, sizeof *objects->at);
	}
	objects->at[objects->count++] = (struct named){*id, objects->by};
}

static enum status on_run(void *context, const struct run *run, struct error *err)
{
	(void)context, (void)run, (void)err;
	return OK;
}

static enum status on_turn(void *context, const struct run *run, const struct turn *turn, uint64_t line, struct error *err)
{
	struct sha256 ids[TURN_OBJECTS];
	const size_t count = objects_of_turn(turn, ids);

	(void)run, (void)line, (void)err;
	for (size_t i = 0; i < count; i++)
		name_object(context, &ids[i]);
	return OK;
}

static enum status on_exchange(void *context, struct exchange *exchange, uint64_t line, struct error *err)
{
	(void)line, (void)err;
	name_object(context, &exchange->request);
	if (exchange->has_response)
		name_object(context, &exchange->response);
	return OK;
}

static int by_hash(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	const int order = memcmp(&x->id, &y->id, sizeof x->id);

	return order != 0 ? order : strcmp(x->by, y->by);
}

static void take_objects(const struct inventory *inventory, struct naming_objects *objects, struct import *import, struct findings *findings)
{
	if (objects->count > 1)
		qsort(objects->at, objects->count, sizeof *objects->at, by_hash);
	for (size_t i = 0; i < objects->count; i++) {
		if (i > 0 && memcmp(&objects->at[i - 1].id, &objects->at[i].id, sizeof(struct sha256)) == 0)
			continue;
		char *path = object_path(&objects->at[i].id);
		const struct inventory_file *file = inventory_find(inventory, path);

		if (file != NULL)
			add_file(import, inventory, file);
		else if (!inventory_hides(inventory, path) && (inventory->sums == NULL || checksums_find(inventory->sums, path) == NULL))
			findings_add(findings, R_OBJ_MISSING, path, "%s names it", objects->at[i].by);
		free(path);
	}
}

/* The objects that its turns name. Most turns name none: the file is taken apart only if one does. */
static void collect_of_turns(const struct root *root, const struct inventory_file *turns,
                             struct naming_objects *objects, struct import *import, struct findings *findings)
{
	static const char field[] = "\"response\":";
	const struct ledger_visitor visitor = {.on_run = on_run, .on_turn = on_turn, .context = objects};
	struct bytes text = {0};
	struct run run = {0};
	struct error err;
	const char *name = turns->path + strlen(LAYOUT_RUNS);
	char *run_name = mem_textn(name, strcspn(name, "/"));

	objects->by = turns->path;
	if (inventory_read(root, turns, LEDGER_TURNS_FILE_MAX, &text, &err) != OK) {
		findings_error(findings, turns->path, &err);
		import->objects_hidden = true;
	} else if (text.len == 0 || memmem(text.data, text.len, field, strlen(field)) == NULL) {
		; /* names none */
	} else if (run_read(inventory_home(root, turns), run_name, &run, &err) != OK ||
	         turns_read(text.data, text.len, turns->path, &run, &visitor, &err) != OK) {
		findings_error(findings, NULL, &err);
		import->objects_hidden = true;
	}
	run_free(&run);
	bytes_free(&text);
	free(run_name);
}

/* Those of what was asked of a model. */
static void collect_of_exchanges(const struct root *root, const struct inventory_file *exchanges, struct naming_objects *objects,
                                 struct import *import, struct findings *findings)
{
	struct bytes text = {0};
	struct error err;

	objects->by = exchanges->path;
	if (inventory_read(root, exchanges, EXCHANGES_FILE_MAX, &text, &err) != OK ||
	    exchanges_parse(text.data, text.len, exchanges->path, on_exchange, objects, &err) != OK) {
		findings_error(findings, exchanges->path, &err);
		import->objects_hidden = true;
	}
	bytes_free(&text);
}

/* The files of a candidate stand one after the other in the inventory. */
static void name_candidate(struct naming_objects *objects, const char *directory)
{
	const struct inventory *inventory = objects->inventory;
	char *json = mem_format("%s/candidate.json", directory), *beneath = mem_format("%s/", directory);
	const struct inventory_file *file = inventory_find(inventory, json);

	if (file == NULL && left_out_find(inventory->left, json) == NULL && !inventory_hides(inventory, json))
		findings_add(objects->findings, R_BND_MISSING, json, "%s names it", objects->by);
	while (file != NULL && file > inventory->at && strncmp(file[-1].path, beneath, strlen(beneath)) == 0)
		file--;
	for (; file != NULL && file < inventory->at + inventory->count && strncmp(file->path, beneath, strlen(beneath)) == 0; file++)
		add_file(objects->import, inventory, file);
	free(beneath);
	free(json);
}

static enum status on_evaluation(void *context, struct evaluation *evaluation, uint64_t line, struct error *err)
{
	(void)line, (void)err;
	for (size_t i = 0; i < evaluation->files; i++)
		name_object(context, &evaluation->file[i].id);
	if (evaluation->candidate != NULL)
		name_candidate(context, evaluation->candidate);
	return OK;
}

/* Those of the kernels in its answers. */
static void collect_of_evaluations(const struct root *root, const struct inventory_file *evaluations, struct naming_objects *objects,
                                   struct import *import, struct findings *findings)
{
	struct bytes text = {0};
	struct error err;

	objects->by = evaluations->path;
	if (inventory_read(root, evaluations, EVALUATIONS_FILE_MAX, &text, &err) != OK ||
	    evaluations_parse(text.data, text.len, evaluations->path, on_evaluation, objects, &err) != OK) {
		findings_error(findings, evaluations->path, &err);
		import->objects_hidden = true;
	}
	bytes_free(&text);
}

/* All files of a run that a submission brought. */
static void add_run_of(const struct inventory *inventory, const struct inventory_file *run, struct import *admitted)
{
	const char *name = run->path + strlen(LAYOUT_RUNS);
	char *own = mem_textn(name, strcspn(name, "/"));
	char *beside = mem_format(LAYOUT_RUNS "%s/", own);

	for (size_t i = 0; i < inventory->count; i++)
		if (strncmp(inventory->at[i].path, beside, strlen(beside)) == 0 || is_record_of(&inventory->at[i], own))
			add_file(admitted, inventory, &inventory->at[i]);
	admitted->runs++;
	free(beside);
	free(own);
}

/* run.json, what stands beside it, and the objects that these name. */
static void collect_beside(const struct root *root, const struct inventory *inventory, const struct inventory_file *run,
                           struct import *import, struct findings *findings)
{
	char *path = mem_textn(run->path, strlen(run->path) - strlen(LAYOUT_RUN));
	char *turns_path = mem_format("%s" LAYOUT_TURNS, path);
	const struct inventory_file *turns = inventory_find(inventory, turns_path);
	static const char *const plain[] = {LAYOUT_QUERY, LAYOUT_TRAINING_SET}; /* name nothing */
	static const struct {
		const char *name;
		void (*collect)(const struct root *root, const struct inventory_file *file, struct naming_objects *objects, struct import *import, struct findings *findings);
	} more[] = {{LAYOUT_EXCHANGES, collect_of_exchanges}, {LAYOUT_EVALUATIONS, collect_of_evaluations}};
	struct naming_objects objects = {.inventory = inventory, .import = import, .findings = findings};
	const bool hidden_before = import->objects_hidden;

	import->objects_hidden = false; /* of this run */
	import->runs++;
	add_file(import, inventory, run);
	if (turns != NULL)
		add_file(import, inventory, turns);
	if (turns == NULL || !turns->hashed || turns->faulty)
		import->objects_hidden = true;
	else
		collect_of_turns(root, turns, &objects, import, findings);
	for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
		char *plain_path = mem_format("%s%s", path, plain[i]);
		const struct inventory_file *file = inventory_find(inventory, plain_path);

		if (file != NULL)
			add_file(import, inventory, file);
		free(plain_path);
	}
	for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
		char *more_path = mem_format("%s%s", path, more[i].name);
		const struct inventory_file *file = inventory_find(inventory, more_path);

		if (file != NULL)
			add_file(import, inventory, file);
		if (file != NULL && file->hashed && !file->faulty)
			more[i].collect(root, file, &objects, import, findings);
		else if (file != NULL)
			import->objects_hidden = true;
		free(more_path);
	}
	if (!import->objects_hidden)
		take_objects(inventory, &objects, import, findings);
	import->objects_hidden = import->objects_hidden || hidden_before;
	free(objects.at);
	free(turns_path);
	free(path);
}

/* A run that asked a model, or an agent's, and has records of replays: whoever measured it says what a replay says. */
static bool was_measured(const struct inventory *inventory, const struct inventory_file *run)
{
	char *path = mem_textn(run->path, strlen(run->path) - strlen(LAYOUT_RUN)), *evaluations = mem_format("%s" LAYOUT_EVALUATIONS, path);
	char *name = mem_textn(path + strlen(LAYOUT_RUNS), strlen(path) - strlen(LAYOUT_RUNS) - 1);
	bool was = false;

	for (size_t i = 0; i < inventory->count && !was && inventory_has(inventory, evaluations); i++)
		was = is_record_of(&inventory->at[i], name);
	free(name);
	free(evaluations);
	free(path);
	return was;
}

static void collect_run(const struct root *root, const struct inventory *inventory, const struct inventory_file *run,
                        struct imports *imports, struct findings *findings)
{
	char *source = run->hashed ? text_of(root, run, "source", RUN_FILE_MAX, findings) : NULL;
	struct import *import = NULL;

	if (source == NULL)
		return;
	if ((import = find_admitted(imports, source, strlen(source))) != NULL) {
		add_run_of(inventory, run, import);
		free(source);
		return;
	}
	if (is_measured(imports, source, strlen(source)) || was_measured(inventory, run)) {
		import = add_replay(imports, run, source, findings);
		collect_records(root, inventory, import->source, import, findings);
	} else if ((import = find(imports, source, strlen(source))) == NULL && !hidden(inventory, source)) {
		findings_add(findings, R_BND_UNSIGNED, run->path, "its source '%s' is not in " LAYOUT_SOURCES, source);
	}
	free(source);
	if (import == NULL)
		return;
	collect_beside(root, inventory, run, import, findings);
}

/* Records of a run that is not there. */
static void check_orphan_record(const struct inventory *inventory, const struct inventory_file *file, size_t len, struct findings *findings)
{
	char *name = mem_textn(file->path + strlen(REPLAY_DIRECTORY "/"), len);
	char *run = mem_format(LAYOUT_RUNS "%s/" LAYOUT_RUN, name);

	if (!inventory_has(inventory, run))
		findings_add(findings, R_BND_UNSIGNED, file->path, "there is no %s to vouch for it with", run);
	free(run);
	free(name);
}

/* Turn records that no run.json gives a source. */
static void check_orphan(const struct inventory *inventory, const struct inventory_file *turns,
                         struct findings *findings)
{
	char *dir = mem_textn(turns->path, strlen(turns->path) - strlen(LAYOUT_TURNS));
	char *run = mem_format("%s" LAYOUT_RUN, dir);

	if (!inventory_has(inventory, run) && !inventory_hides(inventory, run))
		findings_add(findings, R_BND_UNSIGNED, turns->path, "no " LAYOUT_RUN " beside it says where it comes from");
	free(run);
	free(dir);
}

static int by_index(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Ascending, none twice. */
static void sort_files(struct import *import)
{
	size_t kept = 0;

	if (import->count == 0)
		return;
	qsort(import->files, import->count, sizeof *import->files, by_index);
	for (size_t i = 0; i < import->count; i++)
		if (kept == 0 || import->files[kept - 1] != import->files[i])
			import->files[kept++] = import->files[i];
	import->count = kept;
}

void imports_collect(const struct root *root, struct inventory *inventory, struct imports *imports,
                     struct findings *findings)
{
	*imports = (struct imports){0};
	collect_admitted(root, inventory, imports);
	collect_measured(root, inventory, imports);
	collect_sources(inventory, imports, findings);
	for (size_t i = 0; i < inventory->count; i++) {
		const struct inventory_file *file = &inventory->at[i];
		struct import *import;
		const char *rest;
		size_t len;

		if (layout_split(file->path, LAYOUT_EXPECTED, &len, &rest)) {
			import = find_admitted(imports, file->path + strlen(LAYOUT_EXPECTED), len);
			if (import == NULL)
				import = find(imports, file->path + strlen(LAYOUT_EXPECTED), len);
			if (import != NULL)
				add_file(import, inventory, file);
		} else if (layout_split(file->path, LAYOUT_RUNS, &len, &rest)) {
			if (strcmp(rest, LAYOUT_RUN) == 0)
				collect_run(root, inventory, file, imports, findings);
			else if (strcmp(rest, LAYOUT_TURNS) == 0)
				check_orphan(inventory, file, findings);
		} else if (layout_split(file->path, REPLAY_DIRECTORY "/", &len, &rest)) {
			check_orphan_record(inventory, file, len, findings);
		}
	}
	if (imports->replays > 1)
		qsort(imports->replay, imports->replays, sizeof *imports->replay, by_source);
	for (size_t i = 0; i < imports->count; i++)
		sort_files(&imports->at[i]);
	for (size_t i = 0; i < imports->replays; i++)
		sort_files(&imports->replay[i]);
	for (size_t i = 0; i < imports->admissions; i++)
		sort_files(&imports->admitted[i]);
}

static enum status source_predicate(const struct root *root, const struct inventory *inventory, const struct import *import,
                                    const char *program, cJSON **predicate, struct error *err)
{
	char *path = mem_format(LAYOUT_SOURCES "%s/" LAYOUT_PROVENANCE, import->source);
	const struct inventory_file *file = inventory_find(inventory, path);
	struct bytes text = {0};
	cJSON *provenance = NULL;
	enum status status = file != NULL ? inventory_read(root, file, PROVENANCE_MAX, &text, err)
	                                  : error_set(err, R_BND_UNSIGNED, path, "the source has no such file");

	*predicate = NULL;
	if (status == OK)
		status = json_parse(text.data, text.len, path, &provenance, err);
	if (status == OK) {
		*predicate = cJSON_CreateObject();
		cJSON_AddStringToObject(*predicate, "program", program);
		cJSON_AddItemToObject(*predicate, "provenance", provenance);
		cJSON_AddStringToObject(*predicate, "source", import->source);
	}
	bytes_free(&text);
	free(path);
	return status;
}

enum status import_predicate(const struct root *root, const struct inventory *inventory, const struct import *import,
                             const char *program, cJSON **predicate, struct error *err)
{
	*predicate = NULL;
	if (!import->replay)
		return source_predicate(root, inventory, import, program, predicate, err);
	if (import->unread.status != OK) {
		*err = import->unread;
		return err->status;
	}
	*predicate = replay_predicate(program, import->source, import->of, import->replays);
	return OK;
}
