# R-TAB-008: a column that the head does not name.
. "$REPO/tests/cli/derive/bundle.inc"
sed -i 's/AS best$/AS fastest/' bundle/artifact/tables/correct.sql
"$PTXSEAL" derive --check bundle
