# R-PCK-013: whatever verifying reads of a run is kept as the archive streams: what verifies as a directory does so packed.
. "$REPO/tests/cli/archive/common"
content
for run in b/artifact/runs/*/; do : >"${run}exchanges.jsonl"; : >"${run}evaluations.jsonl"; done
keys
"$PTXSEAL" seal --role import --key import.key b >seal.out || cat seal.out
"$PTXSEAL" seal --role root --key root.key b >seal.out || cat seal.out
"$PTXSEAL" verify b >directory || cat directory
for level in figures kernels full; do
	"$PTXSEAL" pack --level $level --output b.tar.zst b >out 2>&1 || cat out
	"$PTXSEAL" verify b.tar.zst >out 2>&1 || cat out
done
