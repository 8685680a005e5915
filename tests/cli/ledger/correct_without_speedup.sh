# R-LED-005: a Correct turn without a speedup.
. "$REPO/tests/cli/ledger/ledger.inc"
sed -i '2s/"0.5"/"0.0"/' $turns
derive
