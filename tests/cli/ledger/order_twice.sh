# R-LED-003: a turn that is there twice.
. "$REPO/tests/cli/ledger/ledger.inc"
sed -i 2p $turns
derive
