# Every cell of every table, published or not, is what a separate computation from the records makes of it.
"$PTXSEAL" derive --out derived "$REPO" >report && python3 "$REPO/tests/judges/check_tables.py" "$REPO" derived
