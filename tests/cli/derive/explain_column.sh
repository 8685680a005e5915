# R-ASK-003: an unknown column is answered by those there are.
. "$REPO/tests/cli/derive/bundle.inc"
"$PTXSEAL" explain correct one/4 ratio bundle
