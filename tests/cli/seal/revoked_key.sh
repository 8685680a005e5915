# R-SIG-007: a revoked key seals nothing.
. "$REPO/tests/cli/verify/common"
sealed
sed -i 's/"purpose":"seals[^"]*",/&"revoked":"lost in March",/' b/manifests/trust.json
"$PTXSEAL" seal --role root --key root.key b
