#include "pin.h"

#include <string.h>

#include "../bundle/key.h"

enum status pin_resolve(struct pin *pin, const struct command *command, struct error *err)
{
	struct sha256 hash;
	struct bytes pem = {0};
	struct key key = {0};

	pin->hex[0] = '\0';
	if (pin->key_file != NULL && pin->fingerprint != NULL)
		return command_usage(command, "--key or --fingerprint, not both");
	if (pin->fingerprint != NULL) {
		if (!sha256_parse(pin->fingerprint, &hash))
			return command_usage(command, "a fingerprint is 64 lowercase hex digits");
		memcpy(pin->hex, pin->fingerprint, SHA256_HEX + 1);
	}
	if (pin->key_file == NULL)
		return OK;
	enum status status = file_read(pin->key_file, KEY_FILE_MAX, &pem, err);

	if (status == OK)
		status = key_parse(KEY_PUBLIC, pem.data, pem.len, pin->key_file, &key, err);
	if (status == OK)
		memcpy(pin->hex, key.fingerprint, SHA256_HEX + 1);
	key_free(&key);
	bytes_free(&pem);
	return status;
}
