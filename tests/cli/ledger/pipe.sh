# R-LED-009: a pipe in the place of turns.jsonl does not make us wait.
. "$REPO/tests/cli/ledger/ledger.inc"
rm $turns
mkfifo $turns
derive
