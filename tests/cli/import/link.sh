# R-PTH-002: a link in the place of a file of the source.
. "$REPO/tests/cli/import/source.inc"
mv source/fa_release_dates.csv elsewhere.csv
ln -s ../elsewhere.csv source/fa_release_dates.csv
import
