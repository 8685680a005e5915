# Every mark and interval of every figure stands where its derived cell says, and a figure's CSV has the derived cells.
command -v gnuplot >/dev/null || { echo 'no gnuplot'; exit 77; }
"$PTXSEAL" report --output report "$REPO" >/dev/null && "$PTXSEAL" derive --out derived "$REPO" >/dev/null &&
	python3 "$REPO/tests/judges/check_figures.py" report/figures derived
