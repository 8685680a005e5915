# The level figures holds all that the tables need: they derive to the same bytes, and every claim is decided as expected; rung 1 says what is left out.
. "$REPO/tests/cli/archive/common"
mkdir b
cp -r "$REPO/artifact" "$REPO/tasks" "$REPO/manifests" b
for role in import root; do
	"$PTXSEAL" keygen --out $role.pem --public $role.pub >log
	"$PTXSEAL" seal --role $role --name $role --replace --key $role.pem b >log
done
"$PTXSEAL" pack --level figures --output f.tar.zst b >log
"$PTXSEAL" unpack f.tar.zst f >log
"$PTXSEAL" evaluate --out whole b >whole.txt
"$PTXSEAL" evaluate --out part f/data >part.txt
diff -r whole part
diff whole.txt part.txt >difference || true
sed -n 's/[0-9]\{1,\}/N/g; s/^> *\(left out\)/\1/p' difference
