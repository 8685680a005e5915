# claims: verdict, statement and the numbers that decide.
. "$REPO/tests/cli/derive/bundle.inc"
"$PTXSEAL" claims bundle
