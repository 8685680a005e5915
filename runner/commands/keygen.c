#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <openssl/crypto.h>

#include "../base/file.h"
#include "../bundle/key.h"
#include "../bundle/layout.h"
#include "../command.h"
#include "signer.h"

static enum status check_new(const char *name, struct error *err)
{
	struct stat st;

	return lstat(name, &st) == 0 ? error_set(err, R_KEY_EXISTS, name, "there is such a file already") : OK;
}

/* passphrase: NULL writes it as it is. */
static enum status write_new(enum key_kind kind, const struct key *key, const struct bytes *passphrase, const char *name,
                             struct error *err)
{
	struct bytes pem = {0};
	enum status status = check_new(name, err);

	/* Reserved at once, so that no copy of it is left behind by growing. */
	bytes_reserve(&pem, KEY_FILE_MAX);
	if (status == OK)
		status = passphrase != NULL ? key_write_encrypted(key, passphrase, &pem, err) : key_write(kind, key, &pem, err);
	if (status == OK)
		status = file_write(name, kind == KEY_PRIVATE ? 0600 : 0644, pem.data, pem.len, err);
	OPENSSL_cleanse(pem.data, pem.room);
	bytes_free(&pem);
	return status;
}

struct wanted {
	const char *private_name, *public_name;
	enum key_type type;
	bool encrypt;
	const char *passphrase_file;
};

static enum status make_pair(const struct wanted *wanted, const struct bytes *passphrase, struct key *key, struct error *err)
{
	const char *private_name = wanted->private_name, *public_name = wanted->public_name;
	enum status status = wanted->type == KEY_P256 ? key_generate_p256(key, err) : key_generate(key, err);

	if (status == OK)
		status = write_new(KEY_PRIVATE, key, passphrase, private_name, err);
	if (status != OK)
		return status;
	/* There was no such file: if there is one now, it is the private half under another name for the same place. */
	if (check_new(public_name, NULL) != OK)
		status = error_set(err, R_KEY_EXISTS, public_name, "both halves of the pair would stand in this one file");
	else
		status = write_new(KEY_PUBLIC, key, NULL, public_name, err);
	if (status != OK)
		unlink(private_name); /* made just now: half a pair is of no use */
	return status;
}

static enum status keygen(const struct wanted *wanted, struct key *key, struct error *err)
{
	const char *private_name = wanted->private_name;
	struct bytes passphrase = {0};
	enum status status = OK;

	if (layout_inside_bundle(private_name))
		status = error_set(err, R_BND_OUTSIDE, private_name, "a private key would stand inside a bundle");
	if (status == OK)
		status = check_new(private_name, err);
	if (status == OK)
		status = check_new(wanted->public_name, err);
	if (status == OK && wanted->encrypt)
		status = signer_new_passphrase(
			&(struct signer){.key = private_name, .passphrase_file = wanted->passphrase_file}, &passphrase, err);
	if (status == OK)
		status = make_pair(wanted, wanted->encrypt ? &passphrase : NULL, key, err);
	if (passphrase.data != NULL)
		OPENSSL_cleanse(passphrase.data, passphrase.room);
	bytes_free(&passphrase);
	return status;
}

/* False if there is no such type that this command makes. */
static bool parse_type(const char *name, enum key_type *type)
{
	*type = strcmp(name, "p256") == 0 ? KEY_P256 : KEY_ED25519;
	return *type == KEY_P256 || strcmp(name, "ed25519") == 0;
}

static enum status run(int argc, char **argv)
{
	static const struct option options[] = {
		{"out", required_argument, NULL, 'o'},
		{"public", required_argument, NULL, 'p'},
		{"type", required_argument, NULL, 't'},
		{"encrypt", no_argument, NULL, 'e'},
		{"passphrase-file", required_argument, NULL, 'f'},
		{0},
	};
	struct wanted wanted = {.type = KEY_ED25519};
	struct key key = {0};
	struct error err;
	int option;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == 'o')
			wanted.private_name = optarg;
		else if (option == 'p')
			wanted.public_name = optarg;
		else if (option == 'e')
			wanted.encrypt = true;
		else if (option == 'f')
			wanted.passphrase_file = optarg;
		else if (option == 't' && parse_type(optarg, &wanted.type))
			continue;
		else if (option == 't')
			return command_usage(&command_keygen, "'%s' is no type of key; there are ed25519 and p256", optarg);
		else
			return command_usage(&command_keygen, "'%s' is no option, or lacks its value", command_option(argc, argv));
	}
	if (optind < argc || wanted.private_name == NULL || wanted.public_name == NULL)
		return command_usage(&command_keygen, "--out and --public are needed, and no argument");
	if (wanted.passphrase_file != NULL && !wanted.encrypt)
		return command_usage(&command_keygen, "--passphrase-file goes with --encrypt");
	enum status status = keygen(&wanted, &key, &err);

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
	.usage = "keygen [--type ed25519|p256] [--encrypt [--passphrase-file FILE]] --out KEYFILE\n"
		 "               --public PUBFILE",
	.summary = "make a key pair for sealing",
	.help =
		"Writes a new key pair in PEM: the private half (PKCS#8, mode 0600) to KEYFILE, the\n"
		"public half to PUBFILE. Neither is overwritten, and the private half is not written\n"
		"into a bundle. Prints the key's fingerprint, the SHA-256 of its public half in DER:\n"
		"\n"
		"  openssl pkey -pubin -in PUBFILE -outform DER | sha256sum\n"
		"\n"
		"  --type TYPE  ed25519 (the default), or p256, ECDSA on P-256, for tools that take\n"
		"               only that\n"
		"  --encrypt    the private half is encrypted with a passphrase: the first line of\n"
		"               --passphrase-file FILE; else the environment's PTXSEAL_PASSPHRASE;\n"
		"               else what is typed at the terminal, twice, and is not shown there.\n"
		"               Whoever signs with the key later gives it in one of these ways\n",
};
