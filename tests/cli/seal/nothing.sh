# R-SUM-008: a directory without artifact/ is not sealed, and nothing is written there.
. "$REPO/tests/cli/verify/common"
keys
mkdir b
trap 'ls -A b' EXIT
"$PTXSEAL" seal --role root --key root.key b
