# R-IMP-008: an aggregate whose last row is missing.
. "$REPO/tests/cli/import/source.inc"
sed -i '$d' source/best_speedup_by_release_date.csv
import
