# R-TAB-004: an unknown table; those that there are.
. "$REPO/tests/cli/derive/bundle.inc"
"$PTXSEAL" explain --sql 'SELECT * FROM turns' bundle
