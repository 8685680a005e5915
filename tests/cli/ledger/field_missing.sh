# R-LED-001: a field that is missing.
. "$REPO/tests/cli/ledger/ledger.inc"
sed -i '2s/,"turn":1//' $turns
derive
