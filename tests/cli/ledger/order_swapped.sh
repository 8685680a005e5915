# R-LED-003: two trajectories in the wrong order.
. "$REPO/tests/cli/ledger/ledger.inc"
{ turn 1 0 Correct 0.25; turn 0 0 Correct 0.5; } >$turns
derive
