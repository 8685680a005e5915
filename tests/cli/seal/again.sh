# Sealing again with the same keys gives the same bytes.
. "$REPO/tests/cli/verify/common"
sealed
cp -R b before
"$PTXSEAL" seal --role import --key import.key b >seal.out
"$PTXSEAL" seal --role root --key root.key b >seal.out
diff -r before b
