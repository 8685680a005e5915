# R-RPL-011: interrupted, the candidates done until then are recorded and signed.
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
kill -TERM "$pid"
wait "$pid" || echo "exit $?"
cut -d ' ' -f 1,2 out
cat err
cat "b/artifact/runs/r-$task/turns.jsonl"
