# R-BND-010: the key's name is not a path.
. "$REPO/tests/cli/verify/common"
content
keys
"$PTXSEAL" seal --role root --key root.key --name ../x b
