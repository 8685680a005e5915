# The directory in which upstream kept its runs is written nowhere.
. "$REPO/tests/cli/import/source.inc"
sed -i 's,/x/,/private/place/of/somebody/,' source/*.csv
import >report || exit 1
! grep -r somebody report bundle
