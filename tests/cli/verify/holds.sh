# A sealed bundle verifies; the report says what trust rests on.
. "$REPO/tests/cli/verify/common"
sealed
check
