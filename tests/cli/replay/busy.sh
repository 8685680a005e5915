# R-RPL-014: of two replays with one --run the second is refused, and the first is not disturbed; a hangup stops it as a termination does (R-RPL-011). One of another name
# goes on beside it, and the two get positions of their own.
. "$REPO/tests/cli/replay/common"
tiny_task
candidate a_wrong gemm_wrong
candidate b_right gemm_right
"$PTXSEAL" replay --workload small --trials 10000 --seconds 0 --no-evidence --memcheck off --into b --run r --brief b >out 2>err &
pid=$!
for _ in $(seq 1200); do
	! grep -q a_wrong out || break
	sleep 0.1
done
replay r --no-evidence 2>second || echo "exit $?"
sed -E 's/ \((R-RPL-[0-9]+):.*/ (\1)/' second
replay s --no-evidence >beside || [ $? -eq 1 ]
kill -HUP "$pid"
wait "$pid" || echo "exit $?"
cut -d ' ' -f 1,2 out
sed -E 's/ \((R-RPL-[0-9]+):.*/ (\1)/' err
replay r --no-evidence 2>third || echo "exit $?"
sed -E 's/ \((R-RPL-[0-9]+):.*/ (\1)/' third
grep -ho '"position":[0-9]*' b/artifact/runs/[rs]-$task/run.json | sort
