# R-RPL-008, -009: a candidate assembles to the cubin that was frozen and measured, with the instructions that the record lists; or not.
. "$REPO/tests/cli/replay/common"
tiny_task
candidate right gemm_right
candidate other gemm_right
candidate refused gemm_right
sed -i 's/ret;/nonsense;/' "b/artifact/candidates/$task/refused/kernel.ptx"
rebuild() { "$PTXSEAL" rebuild "$@" b | sed -E 's/[0-9a-f]{64}/HEX/g; s/ptxas [0-9.]+/ptxas V/g; s/\(R-TLC-003\).*/(R-TLC-003)/'; }
rebuild --freeze
find b -name '*.cubin' | sort
replay r --no-evidence --candidate right >out
rebuild
echo "-- another kernel"
sed -i 's/ret;/bar.sync 0;\n\tret;/' "b/artifact/candidates/$task/other/kernel.ptx"
rebuild --candidate other || echo "exit $?"
echo "-- by another ptxas"
sed -i -E 's/("sha256":")[0-9a-f]{64}("\},"date")/\10000000000000000000000000000000000000000000000000000000000000000\2/; s/"version":"[0-9.]+"/"version":"1.2.3"/' "b/artifact/replays/r-$task/right.json"
rebuild --candidate right || echo "exit $?"
echo "-- by a ptxas that the record does not name"
sed -i -E 's/"version":"1.2.3"/"version":""/' "b/artifact/replays/r-$task/right.json"
rebuild --candidate right || echo "exit $?"
