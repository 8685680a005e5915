# R-BND-001: what a level leaves out of a packed archive has to be listed there: a candidate of a submission that was deleted is found at every level, with or without its bytes.
. "$REPO/tests/cli/admit/common"
submission $gemm
archive
"$PTXSEAL" admit --key log.key --into a s >out
seal_archive
pack() { # LEVEL
	"$PTXSEAL" pack --level "$1" --output p.tar.zst a >out 2>&1 && echo "$1: packed" || { echo "$1: $(grep -c 'R-BND' out) of $(tail -n 1 out | tr -dc 0-9)"; }
}
for level in figures kernels full; do pack $level; done
"$PTXSEAL" verify p.tar.zst >out || cat out
candidate=$(sed -n 's/^.*  \(artifact\/candidates\/.*\/kernel.ptx\)$/\1/p' a/manifests/submissions/*/checksums/SHA256SUMS | head -n 1)
rm "a/$candidate"
seal_archive >out || true
for level in figures kernels full; do pack $level; done
