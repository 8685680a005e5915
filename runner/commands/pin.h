/* --key PEMFILE and --fingerprint HEX: the key that a reader got in another way and the bundle has to be sealed by. */
#ifndef PTXSEAL_COMMANDS_PIN_H
#define PTXSEAL_COMMANDS_PIN_H

#include "../base/sha256.h"
#include "../command.h"

struct pin {
	const char *key_file;    /* what the options say, NULL if nothing */
	const char *fingerprint;
	char hex[SHA256_HEX + 1]; /* the key's, "" if neither is given */
};

/* Fill hex. USAGE is told on behalf of command; another failure fills err. */
enum status pin_resolve(struct pin *pin, const struct command *command, struct error *err);

#endif
