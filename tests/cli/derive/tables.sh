# derive writes each table in three forms and says so; the bytes are these.
. "$REPO/tests/cli/derive/bundle.inc"
"$PTXSEAL" derive --out out bundle && cat out/correct.csv out/DERIVED
