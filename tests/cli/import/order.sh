# R-IMP-008: a turn that is there twice.
. "$REPO/tests/cli/import/source.inc"
sed -i 3p source/reasoning_tokens_vs_performance.csv
import
