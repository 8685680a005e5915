#include "crate.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../base/json.h"
#include "../bundle/layout.h"
#include "../bundle/replays.h"
#include "tarball.h"

#define CONTEXT "https://w3id.org/ro/crate/1.1/context"
#define SPECIFICATION "https://w3id.org/ro/crate/1.1"
#define PROCESS_RUN "https://w3id.org/ro/wfrun/process/0.5"
#define RUN_MAX (1 << 20) /* bytes of a run.json */

struct writing {
	const struct root *root;
	const struct inventory *inventory;
	struct crate *crate;
	cJSON *graph;
	cJSON *parts, *mentions; /* of the root data set */
	cJSON *programs;         /* instruments, by id */
	cJSON *files;            /* a set: ids of the file entities so far */
};

/* A path as a relative URI (RO-Crate 1.1, "Encoding file paths"; RFC 3986 section 2.3). */
static char *uri_of(const char *prefix, const char *path)
{
	struct bytes uri = {0};

	bytes_text(&uri, prefix);
	for (const char *c = path; *c != '\0'; c++) {
		if (isalnum((unsigned char)*c) || strchr("-._~/", *c) != NULL)
			bytes_char(&uri, *c);
		else
			bytes_format(&uri, "%%%02X", (unsigned char)*c);
	}
	return uri.data;
}

static cJSON *reference(const char *id)
{
	cJSON *object = cJSON_CreateObject();

	cJSON_AddStringToObject(object, "@id", id);
	return object;
}

/* An entity of the graph; the graph owns it. */
static cJSON *entity(cJSON *graph, const char *id, const char *type, const char *name)
{
	cJSON *object = reference(id);

	cJSON_AddStringToObject(object, "@type", type);
	if (name != NULL)
		cJSON_AddStringToObject(object, "name", name);
	cJSON_AddItemToArray(graph, object);
	return object;
}

static void note_date(struct crate *crate, const char *date)
{
	if (date_valid(date, strlen(date)) && strcmp(date, crate->date) > 0)
		memcpy(crate->date, date, DATE_TEXT + 1);
}

/* The entity of a file of the bundle, made once; it goes along, or is named as one that is left out. Returns its id; free it. */
static char *file_entity(struct writing *writing, const char *path)
{
	const struct inventory_file *file = inventory_find(writing->inventory, path);
	char *id = uri_of(file != NULL ? "" : "#left-out/", path);

	if (cJSON_GetObjectItemCaseSensitive(writing->files, id) == NULL) {
		cJSON *object = entity(writing->graph, id, file != NULL ? "File" : "CreativeWork", path);

		cJSON_AddTrueToObject(writing->files, id);
		if (file != NULL) {
			char *size = mem_format("%llu", (unsigned long long)file->size);

			cJSON_AddStringToObject(object, "contentSize", size);
			cJSON_AddItemToArray(writing->parts, reference(id));
			free(size);
		} else {
			cJSON_AddStringToObject(object, "description", "Left out of this archive; " LAYOUT_LEFT_OUT " has its SHA-256.");
		}
	}
	return id;
}

static enum status name_object(void *context, const char *path, const struct sha256 *hash, struct error *err)
{
	void **both = context;
	char *id = file_entity(both[0], path);

	(void)hash, (void)err;
	cJSON_AddItemToArray(both[1], reference(id));
	free(id);
	return OK;
}

/* Process Run Crate 0.5: the program is the instrument, the candidate's files the objects, the record the result. */
static void describe_replay(struct writing *writing, const cJSON *record, const char *path)
{
	const char *program = replay_text(record, "program");
	char *id = mem_format("#replay/%s/%s", replay_text(record, "run"), replay_text(record, "candidate.name"));
	char *name = mem_format("Replay of %s, candidate %s, on %s", replay_text(record, "problem.task"), replay_text(record, "candidate.name"),
	                        replay_text(record, "device.name"));
	char *uri = uri_of("#program/", program);
	cJSON *action = entity(writing->graph, id, "CreateAction", name);
	void *both[] = {writing, cJSON_AddArrayToObject(action, "object")};
	char *result = file_entity(writing, path);
	struct error err;

	note_date(writing->crate, replay_text(record, "date"));
	cJSON_AddStringToObject(action, "description", replay_text(record, "outcome.label"));
	cJSON_AddStringToObject(action, "endTime", replay_text(record, "date"));
	cJSON_AddItemToObject(action, "actionStatus", reference("http://schema.org/CompletedActionStatus"));
	cJSON_AddItemToObject(action, "instrument", reference(uri));
	cJSON_AddItemToArray(cJSON_AddArrayToObject(action, "result"), reference(result));
	replay_files(record, path, name_object, both, &err);
	cJSON_AddItemToArray(writing->mentions, reference(id));
	if (cJSON_GetObjectItemCaseSensitive(writing->programs, uri) == NULL) {
		cJSON *software = entity(writing->graph, uri, "SoftwareApplication", "ptxseal");
		const char *version = strchr(program, ' ');

		cJSON_AddTrueToObject(writing->programs, uri);
		cJSON_AddStringToObject(software, "softwareVersion", version != NULL ? version + 1 : program);
	}
	free(result);
	free(uri);
	free(name);
	free(id);
}

static void read_run(struct writing *writing, const char *path)
{
	struct bytes text = {0};
	cJSON *run = NULL;
	const char *date;
	struct error err;

	if (root_read(writing->root, path, RUN_MAX, &text, &err) == OK && json_parse(text.data, text.len, path, &run, &err) == OK &&
	    json_text(run, "date", path, &date, &err) == OK)
		note_date(writing->crate, date);
	cJSON_Delete(run);
	bytes_free(&text);
}

static void read_records(struct writing *writing)
{
	for (size_t i = 0; i < writing->inventory->count; i++) {
		const char *path = writing->inventory->at[i].path, *rest;
		cJSON *record = NULL;
		struct error err;
		size_t len;

		if (layout_split(path, LAYOUT_RUNS, &len, &rest) && strcmp(rest, LAYOUT_RUN) == 0)
			read_run(writing, path);
		if (layout_split(path, REPLAY_DIRECTORY "/", &len, &rest) && replay_read(writing->root, path, &record, &err) == OK)
			describe_replay(writing, record, path);
		cJSON_Delete(record);
	}
}

static void describe_directories(struct writing *writing)
{
	static const char *const meanings[][2] = {
		{"artifact/", "Records of runs, replays and facts, and the queries that derive tables and claims from them"},
		{"checksums/", "SHA-256 of every file, and their signature"},
		{"manifests/", "Signed statements, public keys and who may sign what"},
		{"tasks/", "Definitions of the tasks and their workloads"},
	};

	for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
		bool there = strcmp(meanings[i][0], "checksums/") == 0;

		for (size_t f = 0; f < writing->inventory->count && !there; f++)
			there = strncmp(writing->inventory->at[f].path, meanings[i][0], strlen(meanings[i][0])) == 0;
		if (!there)
			continue;
		cJSON_AddStringToObject(entity(writing->graph, meanings[i][0], "Dataset", meanings[i][0]), "description", meanings[i][1]);
		cJSON_AddItemToArray(writing->parts, reference(meanings[i][0]));
	}
}

static void describe_root(struct writing *writing, cJSON *set)
{
	const struct left_out *left = writing->inventory->left;
	const char *date = writing->crate->date;

	cJSON_AddStringToObject(set, "name", "A sealed bundle of ptxseal");
	cJSON_AddStringToObject(set, "description",
	                        left == NULL || left->count == 0
	                            ? "Records of kernels that language models wrote, and what proves them: `ptxseal verify` checks every byte and signature."
	                            : "Records of kernels that language models wrote, and what proves them: `ptxseal verify` checks every byte and signature. "
	                              "Files that are left out are listed in " LAYOUT_LEFT_OUT ".");
	/* The specification wants a date; a bundle without any record has that of every file in the archive. */
	cJSON_AddStringToObject(set, "datePublished", date[0] != '\0' ? date : "1980-01-01");
	cJSON_AddStringToObject(set, "license", "As its sources say: see artifact/sources/ and the NOTICE of the project that published the bundle.");
}

enum status crate_write(const struct root *root, const struct inventory *inventory, struct crate *crate, struct error *err)
{
	cJSON *tree = cJSON_CreateObject();
	struct writing writing = {
		.root = root,
		.inventory = inventory,
		.crate = crate,
		.programs = cJSON_CreateObject(),
		.files = cJSON_CreateObject(),
	};

	*crate = (struct crate){0};
	cJSON_AddStringToObject(tree, "@context", CONTEXT);
	writing.graph = cJSON_AddArrayToObject(tree, "@graph");
	cJSON *descriptor = entity(writing.graph, TARBALL_CRATE, "CreativeWork", NULL);
	cJSON *set = entity(writing.graph, "./", "Dataset", NULL);
	cJSON *profile = entity(writing.graph, PROCESS_RUN, "CreativeWork", "Process Run Crate");

	cJSON_AddItemToObject(descriptor, "about", reference("./"));
	cJSON_AddItemToObject(descriptor, "conformsTo", reference(SPECIFICATION));
	cJSON_AddStringToObject(profile, "version", "0.5");
	cJSON_AddItemToArray(cJSON_AddArrayToObject(set, "conformsTo"), reference(PROCESS_RUN));
	writing.parts = cJSON_AddArrayToObject(set, "hasPart");
	writing.mentions = cJSON_AddArrayToObject(set, "mentions");
	describe_directories(&writing);
	read_records(&writing);
	describe_root(&writing, set);
	enum status status = jcs_write(tree, &crate->text, err);

	bytes_char(&crate->text, '\n');
	cJSON_Delete(writing.programs);
	cJSON_Delete(writing.files);
	cJSON_Delete(tree);
	return status;
}

void crate_free(struct crate *crate)
{
	bytes_free(&crate->text);
	*crate = (struct crate){0};
}
