# R-IMP-011: an aggregate over more trajectories than there are.
. "$REPO/tests/cli/import/source.inc"
sed -i '2s/,1,1,1,/,1,12,1,/' source/correctness_rate_by_release_date.csv
import
