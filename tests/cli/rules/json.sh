# The list for machines has every rule of the text list, once.
. "$REPO/tests/cli/verify/common"
"$PTXSEAL" rules | cut -d ' ' -f 1 >text
"$PTXSEAL" rules --json | grep -o '"id":"[^"]*"' | cut -d '"' -f 4 | diff - text
sort text | uniq -d
