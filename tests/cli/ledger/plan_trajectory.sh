# R-LED-004: a trajectory beyond the plan.
. "$REPO/tests/cli/ledger/ledger.inc"
turn 2 0 Correct 0.5 >>$turns
derive
