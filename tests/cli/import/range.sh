# R-IMP-004: a ninth turn.
. "$REPO/tests/cli/import/source.inc"
sed -i '3s/,exp_000,1,/,exp_000,8,/' source/reasoning_tokens_vs_performance.csv
import
