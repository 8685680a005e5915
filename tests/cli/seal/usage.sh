# Wrong command lines.
. "$REPO/tests/cli/verify/common"
for arguments in "" "--role root" "--key k" "--role king --key k" "--role root --key k a b" "--wrong"; do
	"$PTXSEAL" seal $arguments || [ $? -eq 2 ]
done
exit 2
