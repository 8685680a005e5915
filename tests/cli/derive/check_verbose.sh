# derive --check --verbose: every known difference, cell by cell.
. "$REPO/tests/cli/derive/bundle.inc"
"$PTXSEAL" derive --check --verbose bundle
