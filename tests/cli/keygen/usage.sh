# Wrong command lines.
. "$REPO/tests/cli/verify/common"
for arguments in "" "--out k" "--public p" "--out k --public p more" "--wrong"; do
	"$PTXSEAL" keygen $arguments || [ $? -eq 2 ]
done
exit 2
