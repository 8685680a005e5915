# R-KEY-003: no key is overwritten, and no half of a pair is left.
. "$REPO/tests/cli/verify/common"
echo mine >k
echo mine >p
"$PTXSEAL" keygen --out k --public new && exit 1
"$PTXSEAL" keygen --out new --public p && exit 1
"$PTXSEAL" keygen --out same --public same && exit 1
"$PTXSEAL" keygen --out same --public ./same && exit 1
ls
cat k p
exit 3
