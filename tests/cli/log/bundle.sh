# The log of a bundle stands in manifests/log; its key gets the role log in trust.json, is trusted by that and no longer once it is revoked. What seals the
# bundle covers the log, and verify asks of every entry what it is of.
mkdir bundle
cp -r "$REPO/artifact" "$REPO/tasks" "$REPO/manifests" bundle
"$PTXSEAL" keygen --out log.pem --public log.pub >log || exit 1
"$PTXSEAL" log init --origin example.org/log --key log.pem bundle | head -n 1
for role in import root; do
	"$PTXSEAL" keygen --out $role.pem --public $role.pub >log || exit 1
	"$PTXSEAL" seal --role $role --name $role --replace --key $role.pem bundle >log || exit 1
done
grep -o '"file":"keys/log.pem"' bundle/manifests/trust.json
echo entry >entry
"$PTXSEAL" log append --key log.pem bundle entry
"$PTXSEAL" log audit bundle
"$PTXSEAL" verify bundle | sed -n 's|^\(manifests/log/[^:]*\):.*(\(R-[A-Z]*-[0-9]*\):.*|\1 \2|p'
"$PTXSEAL" seal --role root --key root.pem bundle | tail -n 1
"$PTXSEAL" verify bundle | sed -n 's|^\(manifests/log/[^:]*\):.*(\(R-[A-Z]*-[0-9]*\):.*|\1 \2|p'
# Another key, with a vkey and a checkpoint of its own.
"$PTXSEAL" keygen --out evil.pem --public evil.pub >log || exit 1
"$PTXSEAL" log init --origin example.org/log --key evil.pem evil >log || exit 1
cp -r bundle/manifests/log kept
cp evil/vkey evil/checkpoint bundle/manifests/log/
"$PTXSEAL" log audit bundle 2>&1 | grep -o 'R-SIG-[0-9]*'
cp kept/vkey kept/checkpoint bundle/manifests/log/
# import.pem may sign imports, not logs.
"$PTXSEAL" log init --origin example.org/log --key import.pem import >log || exit 1
cp import/vkey import/checkpoint bundle/manifests/log/
"$PTXSEAL" log audit bundle 2>&1 | grep -o 'R-SIG-[0-9]*'
cp kept/vkey kept/checkpoint bundle/manifests/log/
sed -i 's/"purpose":"signs the checkpoints of the submission log"/&,"revoked":"lost"/' bundle/manifests/trust.json
"$PTXSEAL" log audit bundle 2>&1 | grep -o 'R-SIG-[0-9]*'
exit 0
