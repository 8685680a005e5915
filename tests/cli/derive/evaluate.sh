# evaluate: the page of a bundle that holds.
. "$REPO/tests/cli/derive/sealed.inc"
set -o pipefail
"$PTXSEAL" evaluate --out out --key root.pub bundle | hide && ls out
