# R-GPU-013: a device that breaks under a candidate, or does not open, ends the run with exit 5: what was measured before is kept, what comes behind is not tried.
. "$REPO/tests/cli/replay/common"
tiny_task
candidate a_right gemm_right
candidate b_breaks break_device
candidate c_right gemm_right
replay r --seconds 0 --no-evidence --brief >out 2>err || echo "exit $?"
still <out
sed -E 's/: (the device answers).*/: \1/' err
find b/artifact/replays b/artifact/runs -type f | sort
grep -o '"label":"[a-z_]*","library_passed"' "b/artifact/replays/r-$task/b_breaks.json" || true
echo '-- it does not open'
echo sick >device
chmod 644 device
PTXSEAL_STAND_IN=$PWD/device replay s --seconds 0 --no-evidence --brief 2>err || echo "exit $?"
sed -E 's/: (the device answers).*/: \1/' err
[ ! -e "b/artifact/runs/s-$task" ] || echo 'a run that never was'
