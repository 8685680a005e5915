# R-KEY-001: --key has to be a public key.
. "$REPO/tests/cli/verify/common"
sealed
"$PTXSEAL" verify --key root.key b
