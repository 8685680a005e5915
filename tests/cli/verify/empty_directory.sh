# R-BND-006: what no checksum list can hold is extra too.
. "$REPO/tests/cli/verify/common"
sealed
mkdir -p b/artifact/a/b
check
