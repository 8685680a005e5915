# R-BND-004: a renamed file is one finding that names both.
. "$REPO/tests/cli/verify/common"
sealed
mv b/tasks/gemm/task.json b/tasks/gemm/task.jsn
check
