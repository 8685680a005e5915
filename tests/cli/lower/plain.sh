# Host code after upstream's contract, from its source to a replay (by the stand-in for the driver): the same data again, and whatever was changed since is found.
. "$REPO/tests/cli/lower/common"
hide() { sed -E 's/[0-9a-f]{64}/HEX/g; s/ptxas [0-9.]+/ptxas V/g'; }
tiny_task
host plain "$REPO/tests/candidates/host/plain.cu"
dir=artifact/candidates/$task/plain
lower "$dir" | hide
ls b/$dir
echo "-- again"
cp b/$dir/candidate.json b/$dir/kernel.ptx .
"$PTXSEAL" rebuild b | hide
echo "-- replayed"
replay r --no-evidence >out
sed -n 1p out
python3 - b/artifact/replays/r-$task/plain.json <<'END'
import json, sys
print(*sorted(f['path'].rsplit('/', 1)[1] for f in json.load(open(sys.argv[1]))['candidate']['files']))
END
echo "-- on another workload than its own"
"$PTXSEAL" replay --trials 8 --seconds 2 --into b --run other --no-evidence b >out || echo "exit $?"
grep -o 'R-LOW-016' out
echo "-- other data"
sed -i 's/"u32":"64"/"u32":"65"/' b/$dir/candidate.json
"$PTXSEAL" rebuild b | hide || echo "exit $?"
echo "-- other PTX"
cp candidate.json b/$dir/
sed -i 's/ret;/bar.sync 0; ret;/' b/$dir/kernel.ptx
"$PTXSEAL" rebuild b | hide || echo "exit $?"
echo "-- without TVM-FFI"
cp kernel.ptx b/$dir/
PTXSEAL_TVM_FFI=/nowhere "$PTXSEAL" rebuild b | hide
echo "-- another source"
echo '// more' >>b/$dir/kernel.cu
"$PTXSEAL" rebuild b || echo "exit $?"
