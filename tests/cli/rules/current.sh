# docs/rules.md is what the program says: build/ptxseal rules --markdown >docs/rules.md
. "$REPO/tests/cli/verify/common"
"$PTXSEAL" rules --markdown | diff - "$REPO/docs/rules.md"
