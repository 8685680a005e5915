# R-TAB-005: a reader's query only reads.
. "$REPO/tests/cli/derive/bundle.inc"
"$PTXSEAL" explain --sql 'UPDATE turn_row SET speedup = 2' bundle
