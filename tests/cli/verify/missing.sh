# R-BND-001: a file that is gone, and a directory in a file's place.
. "$REPO/tests/cli/verify/common"
sealed
rm b/tasks/gemm/task.json b/artifact/runs/first/turns.jsonl
mkdir b/tasks/gemm/task.json
check
