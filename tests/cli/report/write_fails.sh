# R-IO-003: what cannot be written is named; of a page nothing half-written is left.
. "$REPO/tests/cli/derive/sealed.inc"
touch file
"$PTXSEAL" report --output file bundle
echo "exit code $?"
(ulimit -f 8; "$PTXSEAL" report --output full bundle)
echo "exit code $?"
find full -type f | LC_ALL=C sort
