# An archive that travels without its kernels, or without its objects, verifies with its submissions: what the level leaves out is neither missing nor checked. Packed or not, `verify` names the log and the submissions.
. "$REPO/tests/cli/admit/common"
submission $gemm
archive
"$PTXSEAL" admit --key log.key --into a s >out
seal_archive
for level in figures kernels full; do
	"$PTXSEAL" pack --level $level --output $level.tar.zst a >out || cat out
	"$PTXSEAL" verify $level.tar.zst | grep -c '^verified'
	"$PTXSEAL" unpack $level.tar.zst $level >out
	"$PTXSEAL" verify $level/data | grep -c '^verified'
	diff <("$PTXSEAL" verify $level.tar.zst | sed 1d) <("$PTXSEAL" verify $level/data | sed 1d)
done
"$PTXSEAL" verify full.tar.zst | hide | sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2}/DATE/' | grep -E '^(Submission log|Admitted)'
