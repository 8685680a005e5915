# evaluate: a bundle that was sealed malformed verifies and exits 3.
. "$REPO/tests/cli/derive/sealed.inc"
set -o pipefail
sed -i 's/^-- key: run, turn_limit/-- key: run/' bundle/artifact/tables/correct.sql
seal
"$PTXSEAL" evaluate --out out bundle | hide
