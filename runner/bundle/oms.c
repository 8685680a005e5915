#include "oms.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../base/jcs.h"
#include "../base/json.h"
#include "layout.h"
#include "statement.h"

#define MEDIA_TYPE "application/vnd.dev.sigstore.bundle.v0.3+json"
#define MEDIA_FAMILY "application/vnd.dev.sigstore.bundle"
#define STATEMENT_TYPE "https://in-toto.io/Statement/v1"

void oms_free(struct oms *oms)
{
	for (size_t i = 0; i < oms->count; i++)
		free(oms->resources[i].name);
	for (size_t i = 0; i < oms->ignored_count; i++)
		free(oms->ignored[i]);
	free(oms->resources);
	free(oms->ignored);
	free(oms->subject);
	free(oms->hint);
	dsse_free(&oms->envelope);
	*oms = (struct oms){0};
}

static const cJSON *member(const cJSON *object, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* What the signature is to be checked with. */
static enum status read_material(const cJSON *material, const char *file, struct oms *oms, struct error *err)
{
	const cJSON *public_key = member(material, "publicKey"), *chain = member(material, "x509CertificateChain");
	const cJSON *entries = member(material, "tlogEntries");

	oms->hint = mem_text("");
	if (cJSON_IsObject(public_key)) {
		const cJSON *hint = member(public_key, "hint");

		oms->material = OMS_KEY;
		if (cJSON_IsString(hint)) {
			free(oms->hint);
			oms->hint = mem_text(hint->valuestring);
		} else if (!cJSON_IsString(member(public_key, "rawBytes"))) { /* what older ones have */
			return error_set(err, R_OMS_FORM, file, "its publicKey has no hint");
		}
	} else if (cJSON_IsObject(chain)) {
		oms->material = OMS_CERTIFICATES;
		if (cJSON_GetArraySize(member(chain, "certificates")) == 0)
			return error_set(err, R_OMS_FORM, file, "its x509CertificateChain has no certificates");
	} else if (cJSON_IsObject(member(material, "certificate")) && cJSON_IsArray(entries) && cJSON_GetArraySize(entries) > 0) {
		oms->material = OMS_KEYLESS;
	} else {
		return error_set(err, R_OMS_FORM, file,
		                 "its verificationMaterial is no public key, certificate chain, or certificate with tlogEntries");
	}
	return OK;
}

static enum status read_bundle(const cJSON *tree, const char *file, struct oms *oms, struct error *err)
{
	static const char *const fields[] = {"dsseEnvelope", "mediaType", "verificationMaterial", NULL};
	const cJSON *material = member(tree, "verificationMaterial"), *envelope = member(tree, "dsseEnvelope");
	const char *media_type = cJSON_GetStringValue(member(tree, "mediaType"));

	if (!cJSON_IsObject(tree))
		return error_set(err, R_OMS_FORM, file, "it is not a JSON object");
	if (media_type == NULL || strncmp(media_type, MEDIA_FAMILY, strlen(MEDIA_FAMILY)) != 0)
		return error_set(err, R_OMS_FORM, file, "its mediaType is not of a Sigstore bundle");
	if (!cJSON_IsObject(material) || !cJSON_IsObject(envelope))
		return error_set(err, R_OMS_FORM, file, "it has no %s",
		                 cJSON_IsObject(material) ? "dsseEnvelope" : "verificationMaterial");
	enum status status = json_only(tree, fields, file, err);

	if (status == OK)
		status = read_material(material, file, oms, err);
	if (status == OK)
		status = dsse_read(envelope, file, &oms->envelope, err);
	if (status == OK && oms->envelope.count != 1)
		status = error_set(err, R_OMS_FORM, file, "its envelope has %zu signatures", oms->envelope.count);
	if (status == OK && strcmp(oms->envelope.payload_type, STATEMENT_PAYLOAD_TYPE) != 0)
		status = error_set(err, R_OMS_STATEMENT, file, "its payloadType is '%s'", oms->envelope.payload_type);
	return status;
}

static enum status read_subject(const cJSON *subjects, const char *file, struct oms *oms, struct error *err)
{
	const cJSON *subject = cJSON_GetArrayItem(subjects, 0);
	const char *name = cJSON_GetStringValue(member(subject, "name"));
	const char *hex = cJSON_GetStringValue(member(member(subject, "digest"), "sha256"));

	if (!cJSON_IsArray(subjects) || cJSON_GetArraySize(subjects) != 1)
		return error_set(err, R_OMS_STATEMENT, file, "it is not about one subject");
	if (name == NULL || name[0] == '\0' || hex == NULL || !sha256_parse(hex, &oms->digest))
		return error_set(err, R_OMS_STATEMENT, file, "its subject has no name or no sha256");
	oms->subject = mem_text(name);
	return OK;
}

static enum status read_ignored(const cJSON *list, const char *file, struct oms *oms, struct error *err)
{
	const cJSON *item = NULL;

	if (list != NULL && !cJSON_IsArray(list))
		return error_set(err, R_OMS_STATEMENT, file, "its ignore_paths are no list");
	oms->ignored = mem_array(NULL, (size_t)cJSON_GetArraySize(list) + 1, sizeof *oms->ignored);
	cJSON_ArrayForEach(item, list)
	{
		if (!cJSON_IsString(item) || item->valuestring[0] == '\0')
			return error_set(err, R_OMS_STATEMENT, file, "an element of its ignore_paths is no path");
		oms->ignored[oms->ignored_count++] = mem_text(item->valuestring);
	}
	return OK;
}

static enum status read_serialization(const cJSON *serialization, const char *file, struct oms *oms, struct error *err)
{
	const char *method = cJSON_GetStringValue(member(serialization, "method"));
	const char *hash = cJSON_GetStringValue(member(serialization, "hash_type"));
	const cJSON *links = member(serialization, "allow_symlinks");

	if (method == NULL || hash == NULL || !cJSON_IsBool(links) ||
	    (strcmp(method, "files") != 0 && strcmp(method, "shards") != 0))
		return error_set(err, R_OMS_STATEMENT, file, "its serialization does not say how files were hashed");
	oms->judged_here = strcmp(method, "files") == 0 && strcmp(hash, "sha256") == 0 && !cJSON_IsTrue(links);
	return read_ignored(member(serialization, "ignore_paths"), file, oms, err);
}

static enum status read_resource(const cJSON *item, const char *file, struct oms *oms, struct error *err)
{
	const char *name = cJSON_GetStringValue(member(item, "name")), *hex = cJSON_GetStringValue(member(item, "digest"));
	const char *algorithm = cJSON_GetStringValue(member(item, "algorithm"));
	struct oms_resource *resource = &oms->resources[oms->count];

	if (name == NULL || name[0] == '\0' || hex == NULL || hex[0] == '\0' || algorithm == NULL)
		return error_set(err, R_OMS_STATEMENT, file, "a resource lacks its name, digest or algorithm");
	if (!oms->judged_here)
		return OK; /* its name may have a range of bytes, its digest another length */
	if (!path_valid(name, strlen(name)))
		return error_set(err, R_PATH_FORM, file, "the resource '%s' is not a path beneath the directory", name);
	if (strcmp(algorithm, "sha256") != 0 || !sha256_parse(hex, &resource->hash))
		return error_set(err, R_OMS_STATEMENT, file, "the digest of '%s' is no SHA-256", name);
	resource->name = mem_text(name);
	oms->count++;
	return OK;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct oms_resource *)a)->name, ((const struct oms_resource *)b)->name);
}

/* Over the digests as bytes, in the order in which they are listed. */
static struct sha256 digest_of(const struct oms_resource *resources, size_t count)
{
	struct bytes all = {0};

	for (size_t i = 0; i < count; i++)
		bytes_add(&all, resources[i].hash.byte, SHA256_BYTES);
	struct sha256 hash = sha256_of(all.data != NULL ? all.data : "", all.len);

	bytes_free(&all);
	return hash;
}

static enum status read_resources(const cJSON *list, const char *file, struct oms *oms, struct error *err)
{
	const cJSON *item = NULL;
	enum status status = OK;

	if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) == 0)
		return error_set(err, R_OMS_STATEMENT, file, "it lists no resources");
	oms->resources = mem_array(NULL, (size_t)cJSON_GetArraySize(list), sizeof *oms->resources);
	cJSON_ArrayForEach(item, list)
	{
		if ((status = read_resource(item, file, oms, err)) != OK)
			return status;
	}
	struct sha256 hash = digest_of(oms->resources, oms->count);

	if (oms->judged_here && memcmp(&hash, &oms->digest, sizeof hash) != 0)
		return error_set(err, R_OMS_DIGEST, file, "the resources give another digest than the subject's");
	if (oms->count > 1)
		qsort(oms->resources, oms->count, sizeof *oms->resources, by_name);
	for (size_t i = 1; i < oms->count; i++)
		if (strcmp(oms->resources[i - 1].name, oms->resources[i].name) == 0)
			return error_set(err, R_OMS_STATEMENT, file, "it lists '%s' twice", oms->resources[i].name);
	return OK;
}

static enum status read_statement(const cJSON *tree, const char *file, struct oms *oms, struct error *err)
{
	const char *type = cJSON_GetStringValue(member(tree, "_type"));
	const char *predicate_type = cJSON_GetStringValue(member(tree, "predicateType"));
	const cJSON *predicate = member(tree, "predicate");

	if (type == NULL || strcmp(type, STATEMENT_TYPE) != 0)
		return error_set(err, R_OMS_STATEMENT, file, "what it signs is no in-toto statement");
	if (predicate_type == NULL || strcmp(predicate_type, OMS_PREDICATE) != 0)
		return error_set(err, R_OMS_STATEMENT, file, "its predicateType is '%s'",
		                 predicate_type != NULL ? predicate_type : "");
	enum status status = read_subject(member(tree, "subject"), file, oms, err);

	if (status == OK)
		status = read_serialization(member(predicate, "serialization"), file, oms, err);
	if (status == OK)
		status = read_resources(member(predicate, "resources"), file, oms, err);
	return status;
}

enum status oms_parse(const char *text, size_t len, const char *file, struct oms *oms, struct error *err)
{
	cJSON *tree, *statement = NULL;
	enum status status = json_parse(text, len, file, &tree, err);

	*oms = (struct oms){0};
	if (status == OK)
		status = read_bundle(tree, file, oms, err);
	if (status == OK)
		status = json_parse(oms->envelope.payload.data != NULL ? oms->envelope.payload.data : "",
		                    oms->envelope.payload.len, file, &statement, err);
	if (status == OK)
		status = read_statement(statement, file, oms, err);
	cJSON_Delete(statement);
	cJSON_Delete(tree);
	if (status != OK)
		oms_free(oms);
	return status;
}

/* Writing. */

/* The paths that are never covered: git's, the description that pack puts beside a bundle, and whatever else stands beside its own directories. */
static cJSON *ignored_of(const struct root *root)
{
	static const char *const always[] = {".git", ".gitattributes", ".github", ".gitignore", LAYOUT_CRATE, NULL};
	cJSON *list = cJSON_CreateArray();
	struct file_list all;

	root_list_past(root, "", &all);
	for (size_t i = 0, g = 0; i < all.count || always[g] != NULL;) {
		const char *path = i < all.count ? all.at[i].path : NULL;
		int order = path == NULL ? 1 : always[g] == NULL ? -1 : strcmp(path, always[g]);
		char *inside = path != NULL ? mem_format("%s/", path) : NULL;

		if (order >= 0)
			cJSON_AddItemToArray(list, cJSON_CreateString(always[g]));
		else if (strchr(path, '/') == NULL && !layout_is_sealed(inside) && strcmp(path, "checksums") != 0)
			cJSON_AddItemToArray(list, cJSON_CreateString(path));
		free(inside);
		g += order >= 0;
		i += order <= 0;
	}
	file_list_free(&all);
	return list;
}

/* Every file of the bundle, hashed. */
static enum status collect(const struct root *root, struct oms *oms, struct error *err)
{
	static const char *const places[] = {"artifact", "checksums", "manifests", "tasks"};
	struct hash_job *jobs = NULL;
	struct file_list lists[sizeof places / sizeof places[0]];
	enum status status = OK;
	size_t count = 0;

	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
		root_list_past(root, places[i], &lists[i]);
		jobs = mem_array(jobs, count + lists[i].count + 1, sizeof *jobs);
		for (size_t f = 0; f < lists[i].count; f++) {
			const struct file_entry *entry = &lists[i].at[f];

			if (status == OK && entry->fault != NULL)
				status = error_set(err, entry->fault->rule, entry->path, "%s", entry->fault->what);
			else if (status == OK && entry->kind == FILE_OTHER)
				status = error_set(err, R_IO_KIND, entry->path, "a symbolic link, FIFO, socket or device");
			if (entry->kind == FILE_REGULAR)
				jobs[count++] = (struct hash_job){.path = entry->path};
		}
	}
	if (status == OK && count == 0)
		status = error_set(err, R_SUM_EMPTY, root->name, "it has no bundle");
	if (status == OK)
		hash_files(root, jobs, count, 0, NULL, NULL);
	oms->resources = mem_array(NULL, count, sizeof *oms->resources);
	for (size_t i = 0; i < count && status == OK; i++) {
		if (jobs[i].status != OK) {
			*err = *jobs[i].err;
			status = jobs[i].status;
		} else {
			oms->resources[oms->count++] = (struct oms_resource){mem_text(jobs[i].path), jobs[i].hash};
		}
	}
	hash_jobs_free(jobs, count);
	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
		file_list_free(&lists[i]);
	if (oms->count > 1)
		qsort(oms->resources, oms->count, sizeof *oms->resources, by_name);
	return status;
}

static cJSON *statement_of(const struct root *root, const char *name, const struct oms *oms)
{
	cJSON *tree = cJSON_CreateObject(), *predicate = cJSON_AddObjectToObject(tree, "predicate");
	cJSON *serialization = cJSON_AddObjectToObject(predicate, "serialization");
	cJSON *resources = cJSON_AddArrayToObject(predicate, "resources");
	cJSON *subjects = cJSON_AddArrayToObject(tree, "subject"), *subject = cJSON_CreateObject();
	struct sha256 digest = digest_of(oms->resources, oms->count);
	char hex[SHA256_HEX + 1];

	cJSON_AddStringToObject(tree, "_type", STATEMENT_TYPE);
	cJSON_AddStringToObject(tree, "predicateType", OMS_PREDICATE);
	cJSON_AddBoolToObject(serialization, "allow_symlinks", false);
	cJSON_AddStringToObject(serialization, "hash_type", "sha256");
	cJSON_AddItemToObject(serialization, "ignore_paths", ignored_of(root));
	cJSON_AddStringToObject(serialization, "method", "files");
	sha256_hex(&digest, hex);
	cJSON_AddStringToObject(cJSON_AddObjectToObject(subject, "digest"), "sha256", hex);
	cJSON_AddStringToObject(subject, "name", name);
	cJSON_AddItemToArray(subjects, subject);
	for (size_t i = 0; i < oms->count; i++) {
		cJSON *item = cJSON_CreateObject();

		sha256_hex(&oms->resources[i].hash, hex);
		cJSON_AddStringToObject(item, "algorithm", "sha256");
		cJSON_AddStringToObject(item, "digest", hex);
		cJSON_AddStringToObject(item, "name", oms->resources[i].name);
		cJSON_AddItemToArray(resources, item);
	}
	return tree;
}

/* As model-signing names a key: the SHA-256 of its PEM text. */
static enum status hint_of(const struct key *key, char hex[SHA256_HEX + 1], struct error *err)
{
	struct bytes pem = {0};
	enum status status = key_write(KEY_PUBLIC, key, &pem, err);

	if (status == OK) {
		struct sha256 hash = sha256_of(pem.data, pem.len);

		sha256_hex(&hash, hex);
	}
	bytes_free(&pem);
	return status;
}

/* In key order, and without our keyid: the envelope's signature is the key's that the material names. */
static void write_bundle(const struct dsse *envelope, const char *hint, struct bytes *out)
{
	bytes_text(out, "{\"dsseEnvelope\":{\"payload\":\"");
	base64_encode((const uint8_t *)envelope->payload.data, envelope->payload.len, out);
	bytes_text(out, "\",\"payloadType\":\"" STATEMENT_PAYLOAD_TYPE "\",\"signatures\":[{\"keyid\":\"\",\"sig\":\"");
	base64_encode((const uint8_t *)envelope->signatures[0].bytes.data, envelope->signatures[0].bytes.len, out);
	bytes_format(out,
	             "\"}]},\"mediaType\":\"" MEDIA_TYPE
	             "\",\"verificationMaterial\":{\"publicKey\":{\"hint\":\"%s\"},\"tlogEntries\":[]}}\n",
	             hint);
}

enum status oms_write(const struct root *root, const char *name, const struct key *key, struct bytes *out, struct error *err)
{
	struct dsse envelope = {.payload_type = mem_text(STATEMENT_PAYLOAD_TYPE)};
	struct oms oms = {0};
	char hint[SHA256_HEX + 1];
	enum status status = OK;

	if (key->type != KEY_P256)
		status = error_set(err, R_KEY_TYPE, "", "the key is of type %s; OMS takes P-256", key_type_name(key->type));
	if (status == OK)
		status = collect(root, &oms, err);
	if (status == OK) {
		cJSON *statement = statement_of(root, name, &oms);

		status = jcs_write(statement, &envelope.payload, err);
		cJSON_Delete(statement);
	}
	if (status == OK)
		status = dsse_sign(&envelope, key, err);
	if (status == OK)
		status = hint_of(key, hint, err);
	if (status == OK)
		write_bundle(&envelope, hint, out);
	dsse_free(&envelope);
	oms_free(&oms);
	return status;
}

/* Verifying. */

static bool is_ignored(const struct oms *oms, const char *path)
{
	for (size_t i = 0; i < oms->ignored_count; i++) {
		size_t len = strlen(oms->ignored[i]);

		if (strncmp(path, oms->ignored[i], len) == 0 && (path[len] == '\0' || path[len] == '/'))
			return true;
	}
	return false;
}

static struct oms_resource *find(const struct oms *oms, const char *path)
{
	struct oms_resource key = {.name = (char *)path};

	return bsearch(&key, oms->resources, oms->count, sizeof *oms->resources, by_name);
}

/* The OMS bundle may itself stand in the directory. */
static bool is_same(const struct root *root, const char *path, const char *file)
{
	struct stat one, other;

	return fstatat(root->fd, path, &one, AT_SYMLINK_NOFOLLOW) == 0 && stat(file, &other) == 0 &&
	       one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* What is there and is not listed. */
static void check_extra(const struct oms *oms, const struct root *root, const char *file, struct findings *findings)
{
	struct file_list list;

	root_list_past(root, "", &list);
	for (size_t i = 0; i < list.count; i++) {
		const struct file_entry *entry = &list.at[i];

		if (is_ignored(oms, entry->path))
			continue;
		if (entry->fault != NULL)
			findings_error(findings, entry->path, entry->fault);
		else if (entry->kind == FILE_OTHER)
			findings_add(findings, R_OMS_FILE, entry->path, "a symbolic link, FIFO, socket or device");
		else if (entry->kind == FILE_REGULAR && find(oms, entry->path) == NULL && !is_same(root, entry->path, file))
			findings_add(findings, R_OMS_FILE, entry->path, "it is not listed");
	}
	file_list_free(&list);
}

static void check_files(const struct oms *oms, const struct root *root, struct findings *findings)
{
	struct hash_job *jobs = mem_array(NULL, oms->count, sizeof *jobs);

	for (size_t i = 0; i < oms->count; i++)
		jobs[i] = (struct hash_job){.path = oms->resources[i].name};
	hash_files(root, jobs, oms->count, 0, NULL, NULL);
	for (size_t i = 0; i < oms->count; i++) {
		if (jobs[i].status != OK)
			findings_add(findings, R_OMS_FILE, jobs[i].path, "%s", jobs[i].err->what);
		else if (memcmp(&jobs[i].hash, &oms->resources[i].hash, sizeof jobs[i].hash) != 0)
			findings_add(findings, R_OMS_FILE, jobs[i].path, "it has another SHA-256");
	}
	hash_jobs_free(jobs, oms->count);
}

enum status oms_verify(const struct oms *oms, const struct key *key, const struct root *root, const char *file,
                       struct findings *findings, struct error *err)
{
	struct dsse bare = oms->envelope;
	struct bytes pae = {0};
	char hint[SHA256_HEX + 1];

	if (oms->material != OMS_KEY || !oms->judged_here || key->type != KEY_P256)
		return error_set(err, R_OMS_METHOD, file, "%s",
		                 oms->material != OMS_KEY ? "it is signed with a certificate"
		                 : !oms->judged_here      ? "it lists something else than the SHA-256 of whole files"
		                                          : "the key is not P-256");
	enum status status = hint_of(key, hint, err);

	if (status != OK)
		return status;
	dsse_pae(bare.payload_type, bare.payload.data, bare.payload.len, &pae);
	if (!key_verify(key, pae.data, pae.len, bare.signatures[0].bytes.data, bare.signatures[0].bytes.len))
		findings_add(findings, R_SIG_BAD, file, "its signature does not match");
	else if (oms->hint[0] != '\0' && strcmp(oms->hint, hint) != 0)
		findings_add(findings, R_SIG_BAD, file, "its hint names another key");
	else {
		check_files(oms, root, findings);
		check_extra(oms, root, file, findings);
	}
	bytes_free(&pae);
	findings_sort(findings);
	return findings->count == 0 ? OK : FAILS;
}
