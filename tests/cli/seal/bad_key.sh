# R-KEY-001, R-KEY-006: a public key does not seal, nor does an encrypted one without its passphrase.
. "$REPO/tests/cli/verify/common"
content
keys
"$PTXSEAL" seal --role root --key root.pub b && exit 1
openssl pkey -in root.key -aes256 -passout pass:x -out secret.key
PTXSEAL_PASSPHRASE=y "$PTXSEAL" seal --role root --key secret.key b && exit 1
setsid -w "$PTXSEAL" seal --role root --key secret.key b # away from the tester's terminal
