# R-KEY-004: with --replace a name passes to a new key, the old one is trusted no longer, and the bundle verifies.
. "$REPO/tests/cli/verify/common"
sealed
"$PTXSEAL" keygen --out new.key --public new.pub >keygen.out
old=$(fingerprint root.pub)
"$PTXSEAL" seal --role root --key new.key --name root --replace b | hide
cmp new.pub b/manifests/keys/root.pem
grep -c "$old" b/manifests/trust.json || true
check --key new.pub
"$PTXSEAL" verify --key root.pub b | hide
