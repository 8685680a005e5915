# derive --check: totals add up, known differences are summed with their reason, and no file is written.
. "$REPO/tests/cli/derive/bundle.inc"
"$PTXSEAL" derive --check bundle && find . -newer bundle/artifact/expected/known.jsonl -name '*.csv'
