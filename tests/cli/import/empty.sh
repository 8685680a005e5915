# R-IMP-002: a file with a header only.
. "$REPO/tests/cli/import/source.inc"
sed -i 2d source/ptx_release_dates.csv
import
