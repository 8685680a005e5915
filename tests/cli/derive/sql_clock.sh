# R-TAB-005: a function whose result is another tomorrow.
. "$REPO/tests/cli/derive/bundle.inc"
sed -i 's/^SELECT r.run,/SELECT date() AS run,/' bundle/artifact/tables/correct.sql
"$PTXSEAL" derive --check bundle
