# R-IMP-001: a column that nobody knows.
. "$REPO/tests/cli/import/source.inc"
sed -i 's/$/,0/' source/correctness_rate_by_release_date.csv
import
