# R-SIG-008: an import key does not seal, a root key does not import.
. "$REPO/tests/cli/verify/common"
sealed
payload b/manifests/demo.dsse.json | envelope b/manifests/demo.dsse.json root.key
reseal
payload b/manifests/root.dsse.json | envelope b/manifests/root.dsse.json import.key
openssl pkeyutl -sign -inkey import.key -rawin -in b/checksums/SHA256SUMS -out b/checksums/SHA256SUMS.sig
check
