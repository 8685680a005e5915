# R-LED-003: a trajectory without its first turn.
. "$REPO/tests/cli/ledger/ledger.inc"
sed -i 1d $turns
derive
