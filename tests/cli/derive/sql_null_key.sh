# R-TAB-010: a key that is NULL.
. "$REPO/tests/cli/derive/bundle.inc"
sed -i 's/^SELECT r.run,/SELECT NULL AS run,/' bundle/artifact/tables/correct.sql
"$PTXSEAL" derive --check bundle
