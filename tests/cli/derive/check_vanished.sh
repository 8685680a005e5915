# R-CMP-002: a listed difference that is not there any more fails.
. "$REPO/tests/cli/derive/bundle.inc"
sed -i 's/"best":"none","correct":"1"/"best":"none","correct":"0"/' bundle/artifact/expected/made/correct.jsonl
"$PTXSEAL" derive --check bundle
