# R-BND-008: sealing that was killed says so.
. "$REPO/tests/cli/verify/common"
sealed
echo more >b/tasks/more
"$PTXSEAL" seal --role import --key import.key b >seal.out
check
