# The report of the present ledger, looked at in a browser: tests/report/check_page.py says at what.
[ -n "$JUDGES" ] || { echo 'the Python packages of tests/judges are not installed'; exit 77; }
"$PTXSEAL" report --output report "$REPO" >/dev/null && "$PTXSEAL" derive --out derived "$REPO" >/dev/null || exit 3
[ "$(wc -c <report/report.html)" -lt 3145728 ] || wc -c report/report.html
"$JUDGES" "$REPO/tests/report/check_page.py" "$PTXSEAL" "$REPO" report derived
