# A new root key beside the old one; the bundle is then sealed by the new one.
. "$REPO/tests/cli/verify/common"
sealed
"$PTXSEAL" keygen --out next.key --public next.pub >keygen.out
"$PTXSEAL" seal --role root --key next.key --name next b | hide
check --key next.pub
check --key root.pub >out && exit 1
check
