# R-IMP-005: what a message shows of a cell cannot act on the terminal.
. "$REPO/tests/cli/import/source.inc"
sed -i '2s/,Correct,/,\x1b[2J\xe2\x80\xae,/' source/reasoning_tokens_vs_performance.csv
import
