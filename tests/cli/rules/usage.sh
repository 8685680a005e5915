# Wrong command lines.
. "$REPO/tests/cli/verify/common"
for arguments in "--wrong" "--json --markdown" "more"; do
	"$PTXSEAL" rules $arguments || [ $? -eq 2 ]
done
exit 2
