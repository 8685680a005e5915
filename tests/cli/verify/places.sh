# R-BND-009, R-STM-005: nothing stands in manifests/ and checksums/ that nobody looks at.
. "$REPO/tests/cli/verify/common"
sealed
echo a >b/checksums/notes
echo b >b/manifests/notes
cp b/manifests/demo.dsse.json b/manifests/other.dsse.json
reseal
check
