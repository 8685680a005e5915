# R-BND-003: a changed byte. Both findings come in the order of the files.
. "$REPO/tests/cli/verify/common"
sealed
printf '{"turn":2}\n' >b/artifact/runs/second/turns.jsonl
printf '{"name":"Gemm"}\n' >b/tasks/gemm/task.json
check
