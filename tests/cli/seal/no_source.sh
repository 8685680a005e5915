# R-BND-007: an import seal needs a source.
. "$REPO/tests/cli/verify/common"
content
keys
rm -r b/artifact/sources b/artifact/runs
"$PTXSEAL" seal --role import --key import.key b
