# claims --json is one line of canonical JSON.
. "$REPO/tests/cli/derive/bundle.inc"
"$PTXSEAL" claims --json bundle
