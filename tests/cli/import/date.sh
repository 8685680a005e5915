# R-IMP-006: a date of another form.
. "$REPO/tests/cli/import/source.inc"
sed -i 's/2022-1005/5 October 2022/' source/ptx_release_dates.csv
import
