#include <getopt.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/crypto.h>

#include "../base/file.h"
#include "../bundle/key.h"
#include "../bundle/layout.h"
#include "../command.h"

static enum status check_new(const char *name, struct error *err)
{
	struct stat st;

	return lstat(name, &st) == 0 ? error_set(err, R_KEY_EXISTS, name, "there is such a file already") : OK;
}

static enum status write_new(enum key_kind kind, const struct key *key, const char *name, struct error *err)
{
	struct bytes pem = {0};
	enum status status = check_new(name, err);

	/* Reserved at once, so that no copy of it is left behind by growing. */
	bytes_reserve(&pem, KEY_FILE_MAX);
	if (status == OK)
		status = key_write(kind, key, &pem, err);
	if (status == OK)
		status = file_write(name, kind == KEY_PRIVATE ? 0600 : 0644, pem.data, pem.len, err);
	OPENSSL_cleanse(pem.data, pem.room);
	bytes_free(&pem);
	return status;
}

static enum status keygen(const char *private_name, const char *public_name, struct key *key, struct error *err)
{
	enum status status = OK;

	if (layout_inside_bundle(private_name))
		status = error_set(err, R_KEY_PRIVATE, private_name, "this would stand inside a bundle");
	if (status == OK)
		status = check_new(private_name, err);
	if (status == OK)
		status = check_new(public_name, err);
	if (status == OK)
		status = key_generate(key, err);
	if (status == OK)
		status = write_new(KEY_PRIVATE, key, private_name, err);
	if (status != OK)
		return status;
	/* There was no such file: if there is one now, it is the private half under another name for the same place. */
	if (check_new(public_name, NULL) != OK)
		status = error_set(err, R_KEY_EXISTS, public_name, "both halves of the pair would stand in this one file");
	else
		status = write_new(KEY_PUBLIC, key, public_name, err);
	if (status != OK)
		unlink(private_name); /* made just now: half a pair is of no use */
	return status;
}

static enum status run(int argc, char **argv)
{
	static const struct option options[] = {
		{"out", required_argument, NULL, 'o'},
		{"public", required_argument, NULL, 'p'},
		{0},
	};
	const char *private_name = NULL, *public_name = NULL;
	struct key key = {0};
	struct error err;
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'o')
			private_name = optarg;
		else if (option == 'p')
			public_name = optarg;
		else
			return command_usage(&command_keygen, "'%s' is no option, or lacks its value", argv[optind - 1]);
	}
	if (optind < argc || private_name == NULL || public_name == NULL)
		return command_usage(&command_keygen, "--out and --public are needed, and nothing else");
	enum status status = keygen(private_name, public_name, &key, &err);

	if (status == OK)
		printf("key %s\nKeep the private key outside every repository; publish this fingerprint where your "
		       "readers can find it.\n",
		       key.fingerprint);
	else
		error_print(&err);
	key_free(&key);
	return status;
}

const struct command command_keygen = {
	.name = "keygen",
	.run = run,
	.usage = "keygen --out KEYFILE --public PUBFILE",
	.summary = "make an Ed25519 key pair for sealing",
	.help =
		"Writes a new Ed25519 key pair in PEM: the private half (PKCS#8, mode 0600, no\n"
		"passphrase) to KEYFILE, the public half to PUBFILE. Neither is overwritten, and the\n"
		"private half is not written into a bundle. Prints the key's fingerprint, the SHA-256\n"
		"of its public half in DER:\n"
		"\n"
		"  openssl pkey -pubin -in PUBFILE -outform DER | sha256sum\n",
};
