# Wrong command lines.
. "$REPO/tests/cli/sign/common"
for arguments in "sign" "sign --key k --ssh s" "sign --ssh s" "sign --key k --reviewer r" "sign --key k b c" "sign --wrong" \
	"trust" "trust --add k" "trust --add k --name n --role king" "trust --add k --name n --role root --until 2026-02-30" \
	"trust --revoke n" "trust --threshold root" "trust --threshold root=0" "trust --threshold root=65" "trust --threshold x=1" \
	"trust --threshold root=1x" "trust --revoke n --reason r --threshold root=1" "trust --until 2026-01-01 --threshold root=1"; do
	"$PTXSEAL" $arguments 2>err || [ $? -eq 2 ]
	head -n 1 err
done
