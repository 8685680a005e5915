# evaluate: a changed byte is told of first, and what follows from the rest is still said; exit code 1.
. "$REPO/tests/cli/derive/sealed.inc"
set -o pipefail
sed -i '3s/"speedup":"0.5"/"speedup":"0.6"/' bundle/artifact/runs/one/turns.jsonl
"$PTXSEAL" evaluate --out out bundle | hide
