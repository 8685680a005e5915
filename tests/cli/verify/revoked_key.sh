# R-SIG-007: what a revoked key has signed no longer counts.
. "$REPO/tests/cli/verify/common"
sealed
sed -i 's/"purpose":"vouches[^"]*",/&"revoked":"lost in March",/' b/manifests/trust.json
reseal
check
"$PTXSEAL" verify --json b | grep -q '"revoked":"lost in March"'
