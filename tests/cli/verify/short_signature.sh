# R-SIG-006: a signature file cut short.
. "$REPO/tests/cli/verify/common"
sealed
head -c 63 b/checksums/SHA256SUMS.sig >sig
cp sig b/checksums/SHA256SUMS.sig
check
