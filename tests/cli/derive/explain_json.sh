# explain --json has every record.
. "$REPO/tests/cli/derive/bundle.inc"
"$PTXSEAL" explain --json correct one/4 correct bundle
