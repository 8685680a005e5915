# R-CSV-003: a quote inside a field.
. "$REPO/tests/cli/import/source.inc"
sed -i '2s/,t,/,t"t,/' source/reasoning_tokens_vs_performance.csv
import
