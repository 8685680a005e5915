# R-LED-002: a line of more than 1 MiB.
. "$REPO/tests/cli/ledger/ledger.inc"
head -c 1100000 /dev/zero | tr '\0' ' ' >>$turns
echo >>$turns
derive
