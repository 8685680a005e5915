# R-IMP-003: a cell that is no number.
. "$REPO/tests/cli/import/source.inc"
sed -i '3s/,0.0,/,nan,/' source/reasoning_tokens_vs_performance.csv
import
