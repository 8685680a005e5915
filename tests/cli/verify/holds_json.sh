# The same for machines: one canonical JSON object.
. "$REPO/tests/cli/verify/common"
sealed
check --json
