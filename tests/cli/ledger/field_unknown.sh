# R-LED-001: a field that nobody knows.
. "$REPO/tests/cli/ledger/ledger.inc"
sed -i '2s/}/,"x":1}/' $turns
derive
