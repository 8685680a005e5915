/* Any bytes as an SSH signature and as an SSH public key: no crash, what is taken is written in one form, which is read as the same, and none is a
 * signature of ours. */
#include "fuzz.h"

#include "bundle/sshsig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sshsig signature, again;
	struct bytes out = {0}, second = {0};
	struct key key;
	struct error err;

	if (ssh_key_parse((const char *)data, size, "k", &key, &err) == OK)
		key_free(&key);
	enum status status = sshsig_parse((const char *)data, size, "s", &signature, &err);

	REQUIRE(status == OK || (status == MALFORMED && signature.key.pkey == NULL && signature.hash == NULL));
	if (status != OK)
		return 0;
	REQUIRE(sshsig_verify(&signature, "nobody signed this", 18, "it", "s", &err) == FAILS);
	sshsig_write(&signature, &out);
	REQUIRE(sshsig_parse(out.data, out.len, "s", &again, &err) == OK);
	sshsig_write(&again, &second);
	REQUIRE(out.len == second.len && memcmp(out.data, second.data, out.len) == 0);
	sshsig_free(&signature);
	sshsig_free(&again);
	bytes_free(&out);
	bytes_free(&second);
	return 0;
}
