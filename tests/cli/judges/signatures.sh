# What `ptxseal seal` writes holds for securesystemslib, cryptography and hashlib; what is changed afterwards does not.
mkdir bundle
cp -r "$REPO/artifact" "$REPO/tasks" "$REPO/manifests" bundle
for role in import root; do
	"$PTXSEAL" keygen --out $role.pem --public $role.pub >log || exit 1
	"$PTXSEAL" seal --role $role --name $role --replace --key $role.pem bundle >log || exit 1
done
judge() {
	"${JUDGES:-python3}" "$REPO/tests/judges/check_signatures.py" bundle
}
judge
code=$?
[ $code -eq 0 ] || exit $code

sed -i 's/gemm/gemn/' bundle/tasks/gemm_n7168_k5120/facts.json
head -c 64 /dev/zero >bundle/checksums/SHA256SUMS.sig
sed -i "s|\"sig\":\"[^\"]*|\"sig\":\"$(base64 -w 0 bundle/checksums/SHA256SUMS.sig)|" bundle/manifests/ptxbench.dsse.json
judge
