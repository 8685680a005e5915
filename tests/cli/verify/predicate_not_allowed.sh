# R-SIG-009: the key has the role, but not this type of predicate.
. "$REPO/tests/cli/verify/common"
sealed
sed -i 's,"urn:ptxseal:import/v1","urn:other/v1",' b/manifests/trust.json
reseal
check
