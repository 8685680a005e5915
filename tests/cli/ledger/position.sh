# R-LED-008: two runs at one position.
. "$REPO/tests/cli/ledger/ledger.inc"
cp -r bundle/artifact/runs/one bundle/artifact/runs/two
sed -i 's/"run":"one"/"run":"two"/' bundle/artifact/runs/two/run.json
derive
