# R-ASK-002: an unknown row is answered by the nearest, and what a row is named by.
. "$REPO/tests/cli/derive/bundle.inc"
"$PTXSEAL" explain correct one rate bundle
