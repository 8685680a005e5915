# The report of one right candidate, and what was written where. The speedup of the stand-in is known: 1.2 ms / 1.5 ms.
. "$REPO/tests/cli/replay/common"
tiny_task
candidate right gemm_right
replay r | still
find b/artifact -type f | sort
cat "b/artifact/runs/r-$task/run.json" | sed 's/"date":"[^"]*"/"date":DATE/'
cat "b/artifact/runs/r-$task/turns.jsonl"
