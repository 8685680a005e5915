# A directory that cannot be made: nothing is written, and the error says what.
. "$REPO/tests/cli/derive/bundle.inc"
"$PTXSEAL" derive --out /proc/nowhere/out bundle
