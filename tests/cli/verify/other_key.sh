# R-SIG-010: the bundle has to be sealed by the key that the reader named.
. "$REPO/tests/cli/verify/common"
sealed
check --key import.pub
