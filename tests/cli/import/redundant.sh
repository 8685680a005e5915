# R-IMP-010: two columns that ought to say the same.
. "$REPO/tests/cli/import/source.inc"
sed -i '2s/,0.25$/,0.26/' source/reasoning_tokens_vs_performance.csv
import
