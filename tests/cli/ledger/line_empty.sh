# R-JSN-001: an empty line.
. "$REPO/tests/cli/ledger/ledger.inc"
sed -i '2s/.*//' $turns
derive
