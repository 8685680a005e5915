/* The private key a command signs with: --key KEYFILE|URI, and where its passphrase comes from. */
#ifndef PTXSEAL_COMMANDS_SIGNER_H
#define PTXSEAL_COMMANDS_SIGNER_H

#include "../bundle/key.h"

struct signer {
	const char *key;             /* --key: PEM file, or URI of a store (key.h) */
	const char *passphrase_file; /* --passphrase-file: its first line; NULL: see below */
};

/* Open the key. Where it needs a passphrase (or PIN), that is the first line of the passphrase file; without one, the environment's
 * PTXSEAL_PASSPHRASE; without that, what is typed at the terminal, not echoed; without a terminal, R_KEY_PASSPHRASE. Never an argument: those can be
 * read by everybody on the machine. */
enum status signer_open(const struct signer *signer, struct key *key, struct error *err);

/* The same for a passphrase that a new key gets: at the terminal it is asked for twice. Wipe out (OPENSSL_cleanse). */
enum status signer_new_passphrase(const struct signer *signer, struct bytes *out, struct error *err);

#endif
