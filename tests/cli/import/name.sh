# R-IMP-007: two runs whose directories have one name; the path before it is not shown.
. "$REPO/tests/cli/import/source.inc"
sed -i 's,/x/opus48-nopatched-gemm,/y/opus48-gemm,' source/experiments.csv
import
