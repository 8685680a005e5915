# evaluate --fingerprint: another key than the one that sealed it; exit code 1.
. "$REPO/tests/cli/derive/sealed.inc"
set -o pipefail
"$PTXSEAL" evaluate --out out --fingerprint 0000000000000000000000000000000000000000000000000000000000000000 bundle | hide
