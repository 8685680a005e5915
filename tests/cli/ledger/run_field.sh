# R-JSN-011: run.json without its plan.
. "$REPO/tests/cli/ledger/ledger.inc"
sed -i 's/"planned_turns":2,//' $run
derive
