# R-LOW-001, -016, -018, R-RPL-008: rebuild lowers again; the data, the PTX and the source are those that were frozen, or it says which is not. Sizes are numbers, of one workload.
. "$REPO/tests/cli/lower/common"
tiny_task
host light "$REPO/tests/candidates/host/light.cu"
dir=artifact/candidates/$task/light
lower "$dir" | hide
"$PTXSEAL" rebuild b | hide
cp b/$dir/candidate.json b/$dir/kernel.ptx .
echo "-- on another workload than its own"
"$PTXSEAL" replay --trials 8 --seconds 2 --into b --run other --no-evidence b >out || echo "exit $?"
grep -o 'R-LOW-016' out
echo "-- other data"
sed -i 's/"u32":"64"/"u32":"65"/' b/$dir/candidate.json
"$PTXSEAL" rebuild b | hide || echo "exit $?"
echo "-- other PTX"
cp candidate.json b/$dir/
sed -i 's/ret;/bar.sync 0; ret;/' b/$dir/kernel.ptx
rm b/$dir/kernel.sm_90a.cubin
"$PTXSEAL" rebuild b | hide || echo "exit $?"
echo "-- other PTX, made by another compiler"
sed -i 's/"compiler":"[^"]*"/"compiler":"another"/' b/$dir/candidate.json
"$PTXSEAL" rebuild b | hide || echo "exit $?"
echo "-- without TVM-FFI"
cp kernel.ptx b/$dir/
PTXSEAL_TVM_FFI=/nowhere "$PTXSEAL" rebuild b | hide
echo "-- another source"
echo '// more' >>b/$dir/kernel.cu
"$PTXSEAL" rebuild b || echo "exit $?"
