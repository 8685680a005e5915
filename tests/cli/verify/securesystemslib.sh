# The judge is another implementation of DSSE: securesystemslib.
. "$REPO/tests/cli/verify/common"
[ -n "$JUDGES" ] || { echo "the Python judges are not installed"; exit 77; }
sealed
"$JUDGES" "$REPO/tests/judges/check_dsse.py" b/manifests/root.dsse.json b/manifests/keys/root.pem \
	b/manifests/demo.dsse.json b/manifests/keys/import.pem
