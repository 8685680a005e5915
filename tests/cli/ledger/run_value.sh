# R-LED-007: an architecture that is unknown.
. "$REPO/tests/cli/ledger/ledger.inc"
sed -i 's/hopper/ampere/' $run
derive
