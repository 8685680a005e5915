# R-IO-001: one of the eight files is not there.
. "$REPO/tests/cli/import/source.inc"
rm source/fa_release_dates.csv
import
