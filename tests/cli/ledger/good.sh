# A ledger that keeps every rule.
. "$REPO/tests/cli/ledger/ledger.inc"
derive && cat derived/turns.csv
