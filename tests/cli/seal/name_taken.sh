# R-KEY-004: a name in manifests/keys/ stands for one key, and a key has one name.
. "$REPO/tests/cli/verify/common"
sealed
"$PTXSEAL" seal --role root --key import.key --name other b && exit 1
"$PTXSEAL" keygen --out other.key --public other.pub >keygen.out
"$PTXSEAL" seal --role root --key other.key b 2>&1 | hide
