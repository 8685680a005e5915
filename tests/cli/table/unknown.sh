# R-ASK-001 to 003: what is not there is answered by the nearest and by what is; nothing is printed.
. "$REPO/tests/cli/derive/bundle.inc"
for ask in corect '--columns rat correct' '--rows one/5 correct'; do
	"$PTXSEAL" table $ask bundle
	echo "exit code $?"
done 2>&1
