# evaluate --json is one line of canonical JSON.
. "$REPO/tests/cli/derive/sealed.inc"
set -o pipefail
"$PTXSEAL" evaluate --json --out out bundle | hide
