# R-LED-004: a turn beyond the plan.
. "$REPO/tests/cli/ledger/ledger.inc"
sed -i 's/"planned_turns":2/"planned_turns":1/' $run
derive
