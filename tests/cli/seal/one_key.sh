# One key may have both roles: its entry then names both, under the first name it had.
. "$REPO/tests/cli/verify/common"
content
keys
"$PTXSEAL" seal --role import --key root.key --name maintainer b | hide
"$PTXSEAL" seal --role root --key root.key b | hide
hide <b/manifests/trust.json
