# R-CMP-001: a difference that is not listed fails, and one that is listed with other values.
. "$REPO/tests/cli/derive/bundle.inc"
sed -i '2d; s/"derived":"0"/"derived":"2"/' bundle/artifact/expected/known.jsonl
"$PTXSEAL" derive --check bundle
