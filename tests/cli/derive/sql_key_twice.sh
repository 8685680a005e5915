# R-TAB-010: two rows of one name.
. "$REPO/tests/cli/derive/bundle.inc"
sed -i 's/, l.turn_limit, count/, 1 AS turn_limit, count/' bundle/artifact/tables/correct.sql
"$PTXSEAL" derive --check bundle
