# R-PTH-002: a sealed directory is no link, wherever it leads.
. "$REPO/tests/cli/verify/common"
sealed
mv b/tasks tasks
ln -s ../tasks b/tasks
check
