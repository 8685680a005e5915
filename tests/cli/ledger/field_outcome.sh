# R-LED-001: an outcome that is none of the labels, published or measured.
. "$REPO/tests/cli/ledger/ledger.inc"
sed -i '2s/Correct/CORRECT/' $turns
derive
