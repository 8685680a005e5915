# What `ptxseal pack` writes holds for the reference bagit and for roc-validator, offline; GNU tar and zstd take it apart.
command -v zstd >/dev/null || { echo "zstd is not installed"; exit 77; }
mkdir bundle theirs
cp -r "$REPO/artifact" "$REPO/tasks" "$REPO/manifests" bundle
for role in import root; do
	"$PTXSEAL" keygen --out $role.pem --public $role.pub >log || exit 1
	"$PTXSEAL" seal --role $role --name $role --replace --key $role.pem bundle >log || exit 1
done
"$PTXSEAL" pack --output full.tar.zst bundle >log || exit 1
zstd -dcq full.tar.zst | tar -x -C theirs || exit 1
HOME=$PWD "${JUDGES:-python3}" "$REPO/tests/judges/check_archive.py" theirs/bundle
