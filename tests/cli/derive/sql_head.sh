# R-TAB-002: a word that no head has.
. "$REPO/tests/cli/derive/bundle.inc"
sed -i 's/^-- rebuilds:/-- rebuild:/' bundle/artifact/tables/correct.sql
"$PTXSEAL" derive --check bundle
