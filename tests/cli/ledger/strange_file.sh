# R-LED-009: a file that is no part of a run.
. "$REPO/tests/cli/ledger/ledger.inc"
touch bundle/artifact/runs/one/notes.txt
derive
