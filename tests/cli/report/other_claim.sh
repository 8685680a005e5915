# A claim that is decided otherwise than its file expects is marked, in the page and by exit code 1.
. "$REPO/tests/cli/derive/sealed.inc"
sed -i 's/expect: HOLDS/expect: FAILS/' bundle/artifact/claims/C1.sql
seal
"$PTXSEAL" report --output out bundle
code=$?
sed 's/<[^>]*>/ /g' out/report.html | grep -E 'DOES NOT HOLD|NOT AS EXPECTED' | hide
exit $code
