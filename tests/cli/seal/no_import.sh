# R-BND-007: a root seal over runs that nobody vouches for says so.
. "$REPO/tests/cli/verify/common"
content
keys
"$PTXSEAL" seal --role root --key root.key b | hide
