# The same of an archive that leaves out the kernels, which the crate's actions name.
command -v zstd >/dev/null || { echo "zstd is not installed"; exit 77; }
mkdir bundle
cp -r "$REPO/artifact" "$REPO/tasks" "$REPO/manifests" bundle
for role in import root; do
	"$PTXSEAL" keygen --out $role.pem --public $role.pub >log || exit 1
	"$PTXSEAL" seal --role $role --name $role --replace --key $role.pem bundle >log || exit 1
done
"$PTXSEAL" pack --level figures --output figures.tar.zst bundle >log || exit 1
"$PTXSEAL" unpack figures.tar.zst bag >log || exit 1
HOME=$PWD "${JUDGES:-python3}" "$REPO/tests/judges/check_archive.py" bag
