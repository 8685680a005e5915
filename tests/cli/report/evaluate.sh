# `evaluate --report` writes the very report, from what it has found already, and names it last; a place for it that is none is told of before any work.
. "$REPO/tests/cli/derive/sealed.inc"
"$PTXSEAL" report --output one bundle >/dev/null
"$PTXSEAL" evaluate --out derived --report two bundle | tail -1
diff -r one two
"$PTXSEAL" evaluate --out derived --report bundle/tasks/x bundle
echo "exit code $?"
mkdir three && echo mine >three/report.html
"$PTXSEAL" evaluate --out derived --report three bundle | grep -c 'Verdict: HOLDS'
echo "exit codes ${PIPESTATUS[*]}"
