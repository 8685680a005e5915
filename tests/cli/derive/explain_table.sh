# R-ASK-001: an unknown table is answered by those there are.
. "$REPO/tests/cli/derive/bundle.inc"
"$PTXSEAL" explain corect one/4 rate bundle
