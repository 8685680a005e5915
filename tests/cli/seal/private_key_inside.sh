# R-KEY-002: the private key never enters the bundle.
. "$REPO/tests/cli/verify/common"
content
keys
cp root.key b/tasks/notes.txt
"$PTXSEAL" seal --role root --key root.key b
