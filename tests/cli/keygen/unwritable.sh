# R-IO-003: a directory that is not there.
. "$REPO/tests/cli/verify/common"
"$PTXSEAL" keygen --out nowhere/k --public p
