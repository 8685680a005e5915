# Wrong command lines.
. "$REPO/tests/cli/verify/common"
for arguments in "--wrong" "--key" "a b" "--key k --fingerprint f" "--fingerprint ABC"; do
	"$PTXSEAL" verify $arguments || [ $? -eq 2 ]
done
"$PTXSEAL" verify --json=1
