# table without a name lists all with their titles, as --list does of another bundle; --format json is canonical JSON.
. "$REPO/tests/cli/derive/bundle.inc"
"$PTXSEAL" table --list bundle
"$PTXSEAL" table --list --format json bundle
(cd bundle && "$PTXSEAL" table)
