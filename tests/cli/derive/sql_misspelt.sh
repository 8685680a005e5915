# R-TAB-004: an unknown column.
. "$REPO/tests/cli/derive/bundle.inc"
"$PTXSEAL" explain --sql 'SELECT outcom FROM turn' bundle
