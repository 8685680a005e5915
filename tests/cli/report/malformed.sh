# Where the tables cannot be derived there is a report of what could be checked, and why there is no more; exit code 3.
. "$REPO/tests/cli/derive/sealed.inc"
sed -i 's/ORDER BY r.position/ORDER BY r.positio/' bundle/artifact/tables/correct.sql
seal
"$PTXSEAL" report --output out bundle
code=$?
sed 's/<[^>]*>/ /g' out/report.html | grep -E 'could not|correct.sql|HOLD' | hide
grep -c '<h2>' out/report.html
exit $code
