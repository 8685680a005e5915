# R-TAB-004: the line of the mistake is named.
. "$REPO/tests/cli/derive/bundle.inc"
sed -i 's/ORDER BY r.position/ORDER r.position/' bundle/artifact/tables/correct.sql
"$PTXSEAL" derive --check bundle
