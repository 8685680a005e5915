# R-JSN-003: a field that is there twice.
. "$REPO/tests/cli/ledger/ledger.inc"
sed -i '3s/}/,"turn":0}/' $turns
derive
