# explain: from the cell to its records, in a bundle that is not sealed.
. "$REPO/tests/cli/derive/bundle.inc"
"$PTXSEAL" explain correct one/4 rate bundle
