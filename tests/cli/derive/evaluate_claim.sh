# evaluate: a claim that is decided otherwise than its file expects; exit code 1.
. "$REPO/tests/cli/derive/sealed.inc"
set -o pipefail
sed -i 's/^-- expect: HOLDS/-- expect: FAILS\n-- kind: finding/' bundle/artifact/claims/C1.sql
seal
"$PTXSEAL" evaluate --out out bundle | hide
