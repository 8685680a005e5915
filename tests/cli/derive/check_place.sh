# R-CMP-003: published cells of a column that nobody declared.
. "$REPO/tests/cli/derive/bundle.inc"
sed -i '/^-- not derivable/d' bundle/artifact/tables/correct.sql
"$PTXSEAL" derive --check bundle
