# R-SIG-005: a manifest signed with a key that trust.json does not know.
. "$REPO/tests/cli/verify/common"
sealed
"$PTXSEAL" keygen --out stranger.key --public stranger.pub >keygen.out
payload b/manifests/demo.dsse.json | envelope b/manifests/demo.dsse.json stranger.key
reseal
check
