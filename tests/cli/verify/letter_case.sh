# R-PTH-003: names that one file system keeps apart and another does not.
. "$REPO/tests/cli/verify/common"
sealed
echo a >b/tasks/gemm/Task.json
check
