# R-STM-003: a good signature on a statement of another type (GHSA-w6c6-c85g-mmv6).
. "$REPO/tests/cli/verify/common"
sealed
payload b/manifests/demo.dsse.json | sed 's,urn:ptxseal:import/v1,urn:other/v1,' | envelope b/manifests/demo.dsse.json import.key
reseal
check
