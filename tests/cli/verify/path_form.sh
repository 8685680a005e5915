# R-PTH-001: a name that is not UTF-8; it is shown escaped.
. "$REPO/tests/cli/verify/common"
sealed
echo a >b/tasks/$'not\xff'
check
"$PTXSEAL" verify --json b | grep -o 'tasks/not[^"]*"' && exit 1
