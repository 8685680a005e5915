# A pair that openssl reads: private 0600, public, and the fingerprint that was printed.
. "$REPO/tests/cli/verify/common"
"$PTXSEAL" keygen --out k --public p >out
stat -c '%a' k
openssl pkey -in k -pubout | cmp - p
[ "$(head -n 1 out)" = "key $(fingerprint p)" ]
hide <out
openssl pkey -in k -noout -text | head -n 1
