# R-CMP-004: a claim that is decided otherwise than its file expects.
. "$REPO/tests/cli/derive/bundle.inc"
sed -i 's/"Numerical error"/"Correct"/; s/"speedup":"0.0","trajectory":1/"speedup":"0.75","trajectory":1/' bundle/artifact/runs/one/turns.jsonl
"$PTXSEAL" claims bundle
