# The report of the present ledger, a kernel page and a comparison, looked at in a browser: tests/report/check_page.py says at what. (Sealed by keys of its own, so that it does not depend on who sealed ours.)
export PYTHONDONTWRITEBYTECODE=1
[ -n "$JUDGES" ] || { echo 'the Python packages of tests/judges are not installed'; exit 77; }
mkdir bundle && cp -r "$REPO/artifact" "$REPO/tasks" "$REPO/manifests" bundle || exit 3
for role in import root; do
	"$PTXSEAL" keygen --out $role.key --public $role.pub >log || exit 3
	"$PTXSEAL" seal --role $role --name $role --replace --key $role.key bundle >log || exit 3
done
"$PTXSEAL" report --output report bundle >log && "$PTXSEAL" derive --out derived bundle >log || exit 3
"$PTXSEAL" compare --page compare.html bundle/artifact/replays/*-gemm_n7168_k5120/wgmma-tma.json bundle/artifact/replays/*-gemm_n7168_k5120/plain.json >log
[ "$(wc -c <report/report.html)" -lt 3145728 ] || wc -c report/report.html
"$JUDGES" "$REPO/tests/report/check_page.py" "$PTXSEAL" bundle report derived compare.html
