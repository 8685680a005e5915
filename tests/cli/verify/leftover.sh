# R-BND-011: the temporary file of a killed write.
. "$REPO/tests/cli/verify/common"
sealed
echo half >b/tasks/.ptxseal-0123456789abcdef.tmp
check
