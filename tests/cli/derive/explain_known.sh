# explain: a known difference is told with its reason; a column without lineage says so.
. "$REPO/tests/cli/derive/bundle.inc"
"$PTXSEAL" explain correct one/1 correct bundle && "$PTXSEAL" explain correct one/1 best bundle
