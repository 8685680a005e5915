# R-RPL-007: no table shows what a stand-in for a device measured.
. "$REPO/tests/cli/replay/common"
tiny_task
candidate right gemm_right
mkdir -p b/artifact/tables
cp "$REPO/artifact/tables/measured.sql" b/artifact/tables/
replay r --no-evidence >out
"$PTXSEAL" derive --out d b
