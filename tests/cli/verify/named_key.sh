# With the reader's own copy of the key, or its fingerprint, trust does not rest on the bundle.
. "$REPO/tests/cli/verify/common"
sealed
check --key root.pub
check --fingerprint "$(fingerprint root.pub)"
cd b
"$PTXSEAL" verify | hide
