# A key that stays in its device: softhsm2 through OpenSSL's PKCS#11 provider.
. "$REPO/tests/cli/sign/common"
provider=$(ls /usr/lib/*/ossl-modules/pkcs11.so 2>/dev/null | head -n 1 || true)
token=$(ls /usr/lib/*/softhsm/libsofthsm2.so /usr/lib/softhsm/libsofthsm2.so 2>/dev/null | head -n 1 || true)
[ -n "$provider" ] || { echo "OpenSSL's PKCS#11 provider (pkcs11-provider, not in Debian 12) is not installed"; exit 77; }
[ -n "$token" ] && command -v softhsm2-util >/dev/null && command -v pkcs11-tool >/dev/null ||
	{ echo "softhsm2 and opensc are not installed"; exit 77; }
content
mkdir tokens
printf 'directories.tokendir = %s\n' "$PWD/tokens" >softhsm2.conf
export SOFTHSM2_CONF=$PWD/softhsm2.conf OPENSSL_CONF=$PWD/openssl.cnf
cat >openssl.cnf <<END
openssl_conf = start
[start]
providers = providers
[providers]
default = default_section
pkcs11 = pkcs11_section
[default_section]
activate = 1
[pkcs11_section]
module = $provider
pkcs11-module-path = $token
activate = 1
END
softhsm2-util --init-token --free --label seals --so-pin 1234 --pin 5678 >log
pkcs11-tool --module "$token" --login --pin 5678 --token-label seals --keypairgen --key-type EC:prime256v1 --label root >log 2>&1
echo 5678 >pin
for role in import root; do
	"$PTXSEAL" seal --role $role --name root --key 'pkcs11:token=seals;object=root;type=private' --passphrase-file pin b | hide
done
unset OPENSSL_CONF
"$PTXSEAL" verify b | hide
