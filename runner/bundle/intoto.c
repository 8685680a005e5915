#include "intoto.h"

#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <openssl/evp.h>

#include "../base/jcs.h"
#include "../base/sha256.h"
#include "layout.h"

enum { PUBLIC_BYTES = 32 };

static const char *const places[] = {"artifact", "checksums", "manifests", "tasks"};
enum { PLACES = sizeof places / sizeof places[0] };

void intoto_free(struct intoto *intoto)
{
	bytes_free(&intoto->layout);
	bytes_free(&intoto->link);
	bytes_free(&intoto->key);
}

/* OLPC canonical JSON (wiki.laptop.org/go/Canonical_JSON), of what stands in our trees: objects, arrays, texts and whole numbers. */
static void olpc_text(const char *text, struct bytes *out)
{
	bytes_char(out, '"');
	for (const char *c = text; *c != '\0'; c++) {
		if (*c == '"' || *c == '\\')
			bytes_char(out, '\\');
		bytes_char(out, *c);
	}
	bytes_char(out, '"');
}

static int by_key(const void *a, const void *b)
{
	const cJSON *const *x = a, *const *y = b;

	return strcmp((*x)->string, (*y)->string);
}

static void olpc_write(const cJSON *tree, struct bytes *out)
{
	size_t count = (size_t)cJSON_GetArraySize(tree), at = 0;
	const cJSON *item = NULL;

	if (cJSON_IsString(tree)) {
		olpc_text(tree->valuestring, out);
	} else if (cJSON_IsNumber(tree)) {
		bytes_format(out, "%d", tree->valueint);
	} else if (cJSON_IsArray(tree)) {
		bytes_char(out, '[');
		cJSON_ArrayForEach(item, tree)
		{
			if (at++ > 0)
				bytes_char(out, ',');
			olpc_write(item, out);
		}
		bytes_char(out, ']');
	} else {
		const cJSON **sorted = mem_array(NULL, count + 1, sizeof *sorted);

		cJSON_ArrayForEach(item, tree) sorted[at++] = item;
		if (count > 1)
			qsort(sorted, count, sizeof *sorted, by_key);
		bytes_char(out, '{');
		for (size_t i = 0; i < count; i++) {
			if (i > 0)
				bytes_char(out, ',');
			olpc_text(sorted[i]->string, out);
			bytes_char(out, ':');
			olpc_write(sorted[i], out);
		}
		bytes_char(out, '}');
		free(sorted);
	}
}

static cJSON *texts(const char *const *list, size_t count)
{
	cJSON *array = cJSON_CreateArray();

	for (size_t i = 0; i < count; i++)
		cJSON_AddItemToArray(array, cJSON_CreateString(list[i]));
	return array;
}

/* The public key as securesystemslib writes one. */
static cJSON *key_tree(const char *public_hex)
{
	static const char *const hashes[] = {"sha256", "sha512"};
	cJSON *tree = cJSON_CreateObject();

	cJSON_AddItemToObject(tree, "keyid_hash_algorithms", texts(hashes, 2));
	cJSON_AddStringToObject(tree, "keytype", "ed25519");
	cJSON_AddStringToObject(cJSON_AddObjectToObject(tree, "keyval"), "public", public_hex);
	cJSON_AddStringToObject(tree, "scheme", "ed25519");
	return tree;
}

/* One rule of what may be there: words, NULL-terminated. */
static void add_rule(cJSON *rules, const char *const *words)
{
	size_t count = 0;

	while (words[count] != NULL)
		count++;
	cJSON_AddItemToArray(rules, texts(words, count));
}

/* Every file of the link is there, everything that is there is one of its, with the same SHA-256, and nothing else is but
 * the description that pack puts beside a bundle. */
static cJSON *all_rules(const cJSON *products)
{
	cJSON *rules = cJSON_CreateArray();
	const cJSON *product = NULL;

	cJSON_ArrayForEach(product, products)
	{
		const char *const require[] = {"REQUIRE", product->string, NULL};

		add_rule(rules, require);
	}
	add_rule(rules, (const char *const[]){"MATCH", "*", "WITH", "PRODUCTS", "FROM", INTOTO_STEP, NULL});
	add_rule(rules, (const char *const[]){"ALLOW", LAYOUT_CRATE, NULL});
	add_rule(rules, (const char *const[]){"DISALLOW", "*", NULL});
	return rules;
}

static cJSON *step_of(const char *keyid)
{
	cJSON *step = cJSON_CreateObject(), *products = cJSON_CreateArray(), *materials = cJSON_CreateArray();

	for (size_t i = 0; i < PLACES; i++) {
		char *beneath = mem_format("%s/*", places[i]);

		add_rule(products, (const char *const[]){"ALLOW", beneath, NULL});
		free(beneath);
	}
	add_rule(products, (const char *const[]){"DISALLOW", "*", NULL});
	add_rule(materials, (const char *const[]){"DISALLOW", "*", NULL});
	cJSON_AddStringToObject(step, "_type", "step");
	cJSON_AddItemToObject(step, "expected_command", cJSON_CreateArray());
	cJSON_AddItemToObject(step, "expected_materials", materials);
	cJSON_AddItemToObject(step, "expected_products", products);
	cJSON_AddStringToObject(step, "name", INTOTO_STEP);
	cJSON_AddItemToObject(step, "pubkeys", texts(&keyid, 1));
	cJSON_AddNumberToObject(step, "threshold", 1);
	return step;
}

/* What in-toto-verify itself does in the directory: it runs a command that changes nothing, and records all files there. */
static cJSON *inspection_of(const cJSON *products)
{
	static const char *const nothing[] = {"true"};
	cJSON *inspection = cJSON_CreateObject();

	cJSON_AddStringToObject(inspection, "_type", "inspection");
	cJSON_AddItemToObject(inspection, "expected_materials", all_rules(products));
	cJSON_AddItemToObject(inspection, "expected_products", all_rules(products));
	cJSON_AddStringToObject(inspection, "name", "bundle");
	cJSON_AddItemToObject(inspection, "run", texts(nothing, 1));
	return inspection;
}

static cJSON *layout_of(const cJSON *products, const cJSON *key, const char *keyid, const char *expires)
{
	cJSON *layout = cJSON_CreateObject(), *own = cJSON_Duplicate(key, true);
	char *end = mem_format("%sT23:59:59Z", expires);

	cJSON_AddStringToObject(layout, "_type", "layout");
	cJSON_AddStringToObject(layout, "expires", end);
	cJSON_AddItemToArray(cJSON_AddArrayToObject(layout, "inspect"), inspection_of(products));
	cJSON_AddStringToObject(own, "keyid", keyid);
	cJSON_AddStringToObject(cJSON_GetObjectItemCaseSensitive(own, "keyval"), "private", "");
	cJSON_AddItemToObject(cJSON_AddObjectToObject(layout, "keys"), keyid, own);
	cJSON_AddStringToObject(layout, "readme", "");
	cJSON_AddItemToArray(cJSON_AddArrayToObject(layout, "steps"), step_of(keyid));
	free(end);
	return layout;
}

static cJSON *link_of(const cJSON *products)
{
	cJSON *link = cJSON_CreateObject();

	cJSON_AddStringToObject(link, "_type", "link");
	cJSON_AddItemToObject(link, "byproducts", cJSON_CreateObject());
	cJSON_AddItemToObject(link, "command", cJSON_CreateArray());
	cJSON_AddItemToObject(link, "environment", cJSON_CreateObject());
	cJSON_AddItemToObject(link, "materials", cJSON_CreateObject());
	cJSON_AddStringToObject(link, "name", INTOTO_STEP);
	cJSON_AddItemToObject(link, "products", cJSON_Duplicate(products, true));
	return link;
}

/* {"signatures":[{"keyid","sig"}],"signed":...}; tree is taken over. */
static enum status write_signed(cJSON *tree, const struct key *key, const char *keyid, struct bytes *out, struct error *err)
{
	cJSON *whole = cJSON_CreateObject(), *signature = cJSON_CreateObject();
	uint8_t raw[KEY_SIGNATURE_BYTES];
	char hex[2 * KEY_SIGNATURE_BYTES + 1];
	struct bytes message = {0};

	olpc_write(tree, &message);
	enum status status = key_sign(key, message.data, message.len, raw, err);

	cJSON_AddItemToObject(whole, "signed", tree);
	cJSON_AddItemToArray(cJSON_AddArrayToObject(whole, "signatures"), signature);
	if (status == OK) {
		hex_encode(raw, sizeof raw, hex);
		cJSON_AddStringToObject(signature, "keyid", keyid);
		cJSON_AddStringToObject(signature, "sig", hex);
		status = jcs_write(whole, out, err);
		bytes_char(out, '\n');
	}
	cJSON_Delete(whole);
	bytes_free(&message);
	return status;
}

/* {PATH: {"sha256": HEX}} of every file of the bundle. */
static enum status collect(const struct root *root, cJSON *products, struct error *err)
{
	enum status status = OK;

	for (size_t p = 0; p < PLACES && status == OK; p++) {
		struct file_list list = {0};
		struct hash_job *jobs;
		size_t count = 0;

		status = root_list(root, places[p], &list, err);
		jobs = mem_array(NULL, list.count + 1, sizeof *jobs);
		for (size_t i = 0; i < list.count; i++) {
			if (list.at[i].kind == FILE_OTHER)
				status = error_set(err, R_IO_KIND, list.at[i].path, "a symbolic link, FIFO, socket or device");
			else if (list.at[i].kind == FILE_REGULAR)
				jobs[count++] = (struct hash_job){.path = list.at[i].path};
		}
		if (status == OK)
			hash_files(root, jobs, count, 0, NULL, NULL);
		for (size_t i = 0; i < count && status == OK; i++) {
			char hex[SHA256_HEX + 1];

			status = jobs[i].status;
			if (status != OK) {
				*err = *jobs[i].err;
				continue;
			}
			sha256_hex(&jobs[i].hash, hex);
			cJSON_AddStringToObject(cJSON_AddObjectToObject(products, jobs[i].path), "sha256", hex);
		}
		hash_jobs_free(jobs, count);
		file_list_free(&list);
	}
	if (status == OK && cJSON_GetArraySize(products) == 0)
		status = error_set(err, R_SUM_EMPTY, root->name, "it has no bundle");
	return status;
}

enum status intoto_make(const struct root *root, const struct key *key, const char *expires, struct intoto *intoto, struct error *err)
{
	uint8_t raw[PUBLIC_BYTES];
	char hex[2 * PUBLIC_BYTES + 1];
	size_t len = sizeof raw;
	struct bytes canonical = {0};

	*intoto = (struct intoto){0};
	if (key->type != KEY_ED25519 || EVP_PKEY_get_raw_public_key(key->pkey, raw, &len) != 1 || len != PUBLIC_BYTES)
		return error_set(err, R_KEY_TYPE, "", "the key is of type %s; in-toto 1.x gets Ed25519", key_type_name(key->type));
	hex_encode(raw, sizeof raw, hex);
	cJSON *public = key_tree(hex), *products = cJSON_CreateObject();

	olpc_write(public, &canonical);
	struct sha256 keyid = sha256_of(canonical.data, canonical.len);

	sha256_hex(&keyid, intoto->keyid);
	enum status status = collect(root, products, err);

	if (status == OK)
		status = write_signed(layout_of(products, public, intoto->keyid, expires), key, intoto->keyid, &intoto->layout, err);
	if (status == OK)
		status = write_signed(link_of(products), key, intoto->keyid, &intoto->link, err);
	if (status == OK)
		status = jcs_write(public, &intoto->key, err);
	bytes_char(&intoto->key, '\n');
	cJSON_Delete(public);
	cJSON_Delete(products);
	bytes_free(&canonical);
	return status;
}
