# R-TRU-001: a trust.json that cannot be read is not overwritten.
. "$REPO/tests/cli/verify/common"
content
keys
mkdir -p b/manifests
echo '{}' >b/manifests/trust.json
"$PTXSEAL" seal --role root --key root.key b || code=$?
cat b/manifests/trust.json
exit $code
