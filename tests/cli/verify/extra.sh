# R-BND-002: a file that was not sealed. Outside the four directories anything may stand.
. "$REPO/tests/cli/verify/common"
sealed
echo more >b/artifact/more
echo mine >b/README.md
check
