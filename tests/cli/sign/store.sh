# R-KEY-007: a key by the URI of a store, as OpenSSL's providers serve it. The one that is always there is file:.
. "$REPO/tests/cli/sign/common"
content
echo secret >pass
"$PTXSEAL" keygen --out root.key --public root.pub >keygen.out
"$PTXSEAL" keygen --type p256 --encrypt --passphrase-file pass --out two.key --public two.pub >keygen.out
quiet seal --role import --name root --key "file:$PWD/root.key" b
"$PTXSEAL" seal --role root --key "file:$PWD/root.key" b | hide
quiet trust --add two.pub --name two --role root b
quiet seal --role root --key "file:$PWD/root.key" b
"$PTXSEAL" sign --key "file:$PWD/two.key" --passphrase-file pass b | hide
"$PTXSEAL" verify b | hide
here() { sed "s|$PWD|HERE|"; }
failing "$PTXSEAL" sign --key "file:$PWD/two.key" --passphrase-file root.pub b 2>&1 | here
failing "$PTXSEAL" sign --key "file:$PWD/nothing" b | sed 's/opened: .* (R/opened: … (R/' | here
failing "$PTXSEAL" sign --key "file:$PWD/root.pub" b | here
failing "$PTXSEAL" sign --key "nostore:x" b | sed 's/opened: .* (R/opened: … (R/'
cat root.key two.key >several
PTXSEAL_PASSPHRASE=secret failing "$PTXSEAL" sign --key "file:$PWD/several" b | here
cp root.key odd:name
quiet seal --role root --key ./odd:name b
