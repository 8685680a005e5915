# R-TAB-005: another file.
. "$REPO/tests/cli/derive/bundle.inc"
sed -i 's/^SELECT r.run,/ATTACH "x" AS x; SELECT r.run,/' bundle/artifact/tables/correct.sql
"$PTXSEAL" derive --check bundle
