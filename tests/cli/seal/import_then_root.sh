# The two seals of a bundle, and what each says.
. "$REPO/tests/cli/verify/common"
content
keys
"$PTXSEAL" seal --role import --key import.key b | hide
"$PTXSEAL" seal --role root --key root.key b | hide
find b/checksums b/manifests -type f | LC_ALL=C sort
