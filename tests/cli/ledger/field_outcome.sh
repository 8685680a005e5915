# R-LED-001: an outcome that is none of the nine.
. "$REPO/tests/cli/ledger/ledger.inc"
sed -i '2s/Correct/correct/' $turns
derive
