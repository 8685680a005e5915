# R-SIG-004: a good signature on something that is not an in-toto statement.
. "$REPO/tests/cli/verify/common"
sealed
payload b/manifests/demo.dsse.json | envelope b/manifests/demo.dsse.json import.key text/plain
reseal
check
