# What no seal can cover is said before anything is signed.
. "$REPO/tests/cli/verify/common"
content
keys
ln -s gemm b/tasks/link
mkdir b/tasks/empty
echo a >b/tasks/A
echo b >b/tasks/a
"$PTXSEAL" seal --role root --key root.key b || code=$?
[ ! -e b/checksums/SHA256SUMS ]
exit $code
