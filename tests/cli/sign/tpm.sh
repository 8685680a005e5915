# R-KEY-007: a key that stays in its device, through a provider that libcrypto loads: a TPM, which swtpm plays. (pkcs11.sh does the same with PKCS#11, where its provider can be had.)
. "$REPO/tests/cli/sign/common"
provider=$(ls /usr/lib/*/ossl-modules/tpm2.so 2>/dev/null | head -n 1 || true)
[ -n "$provider" ] && command -v swtpm >/dev/null && command -v tpm2_evictcontrol >/dev/null && ls /usr/lib/*/libtss2-tcti-swtpm.so* >/dev/null 2>&1 ||
	{ echo "tpm2-openssl, tpm2-tools and swtpm are not installed"; exit 77; }
content
mkdir state
# Paths from here: a socket's may have 107 bytes.
swtpm socket --tpm2 --daemon --pid "file=$PWD/swtpm.pid" --tpmstate "dir=$PWD/state" --server type=unixio,path=tpm --ctrl type=unixio,path=tpm.ctrl --flags not-need-init,startup-clear
trap 'kill "$(cat swtpm.pid)"' EXIT
export TPM2TOOLS_TCTI=swtpm:path=tpm TPM2OPENSSL_TCTI=swtpm:path=tpm TSS2_LOG=all+none
tpm2() {
	"tpm2_$1" "${@:2}" >log 2>&1 || { cat log; exit 1; }
	tpm2_flushcontext -t # nobody else manages what it has room for
}
tpm2 createprimary -C o -G ecc256 -c primary
tpm2 create -C primary -G ecc256:ecdsa-sha256 -p secret -u public -r private
tpm2 load -C primary -u public -r private -c key
tpm2 evictcontrol -C o -c key 0x81000001
cat >openssl.cnf <<END
openssl_conf = start
[start]
providers = providers
[providers]
default = default_section
tpm2 = tpm2_section
[default_section]
activate = 1
[tpm2_section]
module = $provider
activate = 1
END
echo secret >pin
echo wrong >no-pin
export OPENSSL_CONF=$PWD/openssl.cnf
cp -r b before
echo "-- another passphrase, another handle: nothing is written"
failing "$PTXSEAL" seal --role import --name root --key 'handle:0x81000001?pass' --passphrase-file no-pin b | sed 's/error:[0-9A-F]*:/error:N:/'
failing "$PTXSEAL" seal --role import --name root --key 'handle:0x81000002' b
diff -r before b
echo "-- sealed"
for role in import root; do
	"$PTXSEAL" seal --role $role --name root --key 'handle:0x81000001?pass' --passphrase-file pin b | hide
done
unset OPENSSL_CONF
"$PTXSEAL" verify b | hide
# The key that made it is the TPM's, as its own tools tell it.
tpm2 readpublic -c 0x81000001 -f pem -o public.pem
cmp public.pem b/manifests/keys/root.pem && openssl pkeyutl -verify -pubin -inkey public.pem -rawin -digest sha256 -in b/checksums/SHA256SUMS -sigfile b/checksums/SHA256SUMS.sig
