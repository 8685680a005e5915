# R-TAB-011: a count that is not that of its records.
. "$REPO/tests/cli/derive/bundle.inc"
sed -i 's/ AND t.correct AND t.turn/ AND t.turn/' bundle/artifact/tables/correct.sql
"$PTXSEAL" explain correct one/4 correct bundle
