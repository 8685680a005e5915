# R-LED-002: a file cut off within its last line.
. "$REPO/tests/cli/ledger/ledger.inc"
truncate -s -2 $turns
derive
