# R-IO-004: links, also those that lead to the right bytes or in circles, and FIFOs, which do not block.
. "$REPO/tests/cli/verify/common"
sealed
mv b/tasks/gemm/task.json task.json
ln -s "$PWD/task.json" b/tasks/gemm/task.json
ln -s . b/tasks/circle
mkfifo b/artifact/fifo
check
