#include "export_signed.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/date.h"
#include "../base/jcs.h"
#include "../base/plural.h"
#include "../bundle/intoto.h"
#include "../bundle/layout.h"
#include "../bundle/oms.h"
#include "signer.h"

struct options {
	struct signer signer;
	const char *output, *name, *expires, *dir;
};

static enum status parse_options(int argc, char **argv, const char *allowed, struct options *options)
{
	static const struct option longs[] = {
		{"key", required_argument, NULL, 'k'},    {"passphrase-file", required_argument, NULL, 'f'},
		{"output", required_argument, NULL, 'o'}, {"name", required_argument, NULL, 'n'},
		{"expires", required_argument, NULL, 'e'}, {0},
	};
	int option;

	*options = (struct options){.name = "ptxseal-bundle", .expires = "9999-12-31"};
	optind = 0; /* glibc: scan anew */
	opterr = 0;
	while ((option = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		const char **value = option == 'k'   ? &options->signer.key
		                     : option == 'f' ? &options->signer.passphrase_file
		                     : option == 'o' ? &options->output
		                     : option == 'n' ? &options->name
		                                     : &options->expires;

		if (option == '?' || strchr(allowed, option) == NULL)
			return command_usage(&command_export, "'%s' is no option of %s, or lacks its value", command_option(argc, argv), argv[0]);
		*value = optarg;
	}
	if (argc - optind > 1)
		return command_usage(&command_export, "one bundle at most");
	if (options->signer.key == NULL)
		return command_usage(&command_export, "--key is needed");
	if (options->name[0] == '\0')
		return command_usage(&command_export, "a name is needed");
	if (!date_valid(options->expires, strlen(options->expires)))
		return command_usage(&command_export, "'%s' is no date YYYY-MM-DD", options->expires);
	options->dir = optind < argc ? argv[optind] : ".";
	return OK;
}

/* To a file, or to standard output. */
static enum status put(const char *output, const struct bytes *text, struct error *err)
{
	if (output != NULL)
		return file_write(output, 0644, text->data, text->len, err);
	fwrite(text->data, 1, text->len, stdout);
	return OK;
}

enum status export_oms(int argc, char **argv)
{
	struct options options;
	struct root root = {.fd = -1};
	struct key key = {0};
	struct bytes text = {0};
	struct error err = {0};
	enum status status = parse_options(argc, argv, "kfon", &options);

	if (status != OK)
		return status;
	if (options.output != NULL && layout_inside_bundle(options.output))
		status = error_set(&err, R_BND_OUTSIDE, options.output, "this is inside a bundle");
	if (status == OK)
		status = signer_open(&options.signer, &key, &err);
	if (status == OK)
		status = root_open(options.dir, &root, &err);
	if (status == OK)
		status = oms_write(&root, options.name, &key, &text, &err);
	if (status == OK)
		status = put(options.output, &text, &err);
	if (status != OK)
		error_print(&err);
	root_close(&root);
	key_free(&key);
	bytes_free(&text);
	return status;
}

enum status export_open(const char *name, struct root *root, struct error *err)
{
	struct file_list list = {0};
	enum status status = root_create(name, root, err);

	if (status == OK)
		status = root_list(root, "", &list, err);
	if (status == OK && list.count > 0)
		status = error_set(err, R_TRC_EXISTS, name, "'%s' is in it already", list.at[0].path);
	if (status != OK)
		root_close(root);
	file_list_free(&list);
	return status;
}

static enum status write_intoto(const char *output, const struct intoto *made, struct error *err)
{
	struct root root = {.fd = -1};
	char *link = mem_format(INTOTO_STEP ".%.8s.link", made->keyid);
	enum status status = export_open(output, &root, err);

	if (status == OK)
		status = root_write_product(&root, "root.layout", made->layout.data, made->layout.len, err);
	if (status == OK)
		status = root_write_product(&root, link, made->link.data, made->link.len, err);
	if (status == OK)
		status = root_write_product(&root, INTOTO_STEP ".pub.json", made->key.data, made->key.len, err);
	if (status == OK)
		printf("keyid %s\n", made->keyid);
	root_close(&root);
	free(link);
	return status;
}

enum status export_intoto(int argc, char **argv)
{
	struct options options;
	struct root root = {.fd = -1};
	struct key key = {0};
	struct intoto made = {0};
	struct error err = {0};
	enum status status = parse_options(argc, argv, "kfoe", &options);

	if (status != OK)
		return status;
	if (options.output == NULL)
		return command_usage(&command_export, "--output is needed: a directory");
	if (layout_inside_bundle(options.output))
		status = error_set(&err, R_BND_OUTSIDE, options.output, "this is inside a bundle");
	if (status == OK)
		status = signer_open(&options.signer, &key, &err);
	if (status == OK)
		status = root_open(options.dir, &root, &err);
	if (status == OK)
		status = intoto_make(&root, &key, options.expires, &made, &err);
	if (status == OK)
		status = write_intoto(options.output, &made, &err);
	if (status != OK)
		error_print(&err);
	intoto_free(&made);
	root_close(&root);
	key_free(&key);
	return status;
}

static void print_verdict(const struct oms *oms, const struct key *key, const struct findings *findings, bool json)
{
	struct bytes text = {0};
	struct error err;

	if (json) {
		cJSON *tree = cJSON_CreateObject();

		cJSON_AddItemToObject(tree, "counts", findings_counts(findings));
		cJSON_AddNumberToObject(tree, "files", (double)oms->count);
		cJSON_AddItemToObject(tree, "findings", findings_json(findings));
		cJSON_AddStringToObject(tree, "key", key->fingerprint);
		cJSON_AddStringToObject(tree, "schema", "urn:ptxseal:verify-oms/v1");
		cJSON_AddStringToObject(tree, "verdict", findings->count == 0 ? "verified" : "not verified");
		if (jcs_write(tree, &text, &err) != OK)
			error_print(&err);
		bytes_char(&text, '\n');
		cJSON_Delete(tree);
	} else if (findings->count > 0) {
		findings_text(findings, &text);
		bytes_format(&text, "NOT verified: %zu finding%s\n", findings->count, plural(findings->count));
	} else {
		bytes_format(&text, "verified: %zu file%s, as signed by key %s\n", oms->count, plural(oms->count), key->fingerprint);
	}
	fwrite(text.data, 1, text.len, stdout);
	bytes_free(&text);
}

enum status verify_oms(const char *dir, const char *file, const char *key_file, bool json)
{
	struct findings findings = {0};
	struct root root = {.fd = -1};
	struct bytes text = {0}, pem = {0};
	struct oms oms = {0};
	struct key key = {0};
	struct error err = {0};
	enum status status = file_read(file, OMS_FILE_MAX, &text, &err);

	if (status == OK)
		status = oms_parse(text.data, text.len, file, &oms, &err);
	if (status == OK)
		status = file_read(key_file, KEY_FILE_MAX, &pem, &err);
	if (status == OK)
		status = key_parse(KEY_PUBLIC, pem.data, pem.len, key_file, &key, &err);
	if (status == OK)
		status = root_open(dir, &root, &err);
	if (status == OK)
		status = oms_verify(&oms, &key, &root, file, &findings, &err);
	if (status != OK && findings.count == 0)
		error_print(&err);
	else
		print_verdict(&oms, &key, &findings, json);
	findings_free(&findings);
	root_close(&root);
	oms_free(&oms);
	key_free(&key);
	bytes_free(&text);
	bytes_free(&pem);
	return status;
}
