# R-TAB-004: a second statement.
. "$REPO/tests/cli/derive/bundle.inc"
sed -i 's/ORDER BY r.position, l.turn_limit;/&\nSELECT 1;/' bundle/artifact/tables/correct.sql
"$PTXSEAL" derive --check bundle
