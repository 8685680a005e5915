# R-LED-006: a directory that is not the name of its run.
. "$REPO/tests/cli/ledger/ledger.inc"
mv bundle/artifact/runs/one bundle/artifact/runs/two
derive
