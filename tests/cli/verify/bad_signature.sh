# R-SIG-006: signatures that are not of these bytes.
. "$REPO/tests/cli/verify/common"
sealed
printf x | dd of=b/checksums/SHA256SUMS.sig conv=notrunc status=none
payload b/manifests/demo.dsse.json | sed 's/0123abc/0123abd/' | envelope forged root.key application/vnd.in-toto+json \
	"$(fingerprint import.pub)"
cp forged b/manifests/demo.dsse.json
check
