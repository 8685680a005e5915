# derive --check --json is one line of canonical JSON.
. "$REPO/tests/cli/derive/bundle.inc"
"$PTXSEAL" derive --check --json bundle
