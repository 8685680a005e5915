# R-BND-001: an empty bundle is a finding, not a pass.
. "$REPO/tests/cli/verify/common"
mkdir b
check
