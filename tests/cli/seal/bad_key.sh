# R-KEY-001: a public key, and one with a passphrase, do not seal.
. "$REPO/tests/cli/verify/common"
content
keys
"$PTXSEAL" seal --role root --key root.pub b && exit 1
openssl pkey -in root.key -aes256 -passout pass:x -out secret.key
"$PTXSEAL" seal --role root --key secret.key b
