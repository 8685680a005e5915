# R-LED-005: a speedup of a turn that failed.
. "$REPO/tests/cli/ledger/ledger.inc"
sed -i '1s/"0.0"/"0.1"/' $turns
derive
