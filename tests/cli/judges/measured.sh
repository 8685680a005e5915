# Every mark, interval, bar and line of the figures of measured candidates stands where the number of its record says: on the candidates' pages, and in the figures of all of them, whose CSV has the same numbers.
command -v gnuplot >/dev/null || { echo 'no gnuplot'; exit 77; }
"$PTXSEAL" report --output report "$REPO" >/dev/null && python3 "$REPO/tests/judges/check_measured.py" report "$REPO"
