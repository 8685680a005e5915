# R-IO-001: a run without turns.jsonl.
. "$REPO/tests/cli/ledger/ledger.inc"
rm $turns
derive
