# R-IMP-005: an outcome that is none of the nine labels.
. "$REPO/tests/cli/import/source.inc"
sed -i '2s/,Correct,/,PASSED,/' source/reasoning_tokens_vs_performance.csv
import
