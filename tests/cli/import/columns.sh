# R-IMP-001: a column that is missing.
. "$REPO/tests/cli/import/source.inc"
sed -i '1s/,date/,day/' source/model_release_dates.csv
import
