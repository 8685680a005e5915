# Two published tables come out of the records again, byte for byte: rows, order, columns and number formats. Of the directory
# that each row names only the last part is ours, and what the published file has not (the intervals) stands in columns after it.
data=$PTXSEAL_SHARED/ptxbench/data
[ -d "$data" ] || { echo "the published files are not at $data"; exit 77; }
"$PTXSEAL" derive --out out "$REPO" >report

# rebuilt TABLE PUBLISHED COLUMNS
rebuilt() {
	sed -E '1s|,exp_dir,|,run,|; s|,[^,]*/([^,/]+),|,\1,|' "$data/$2" >"$1.theirs"
	cut -d, -f "1-$3" "out/$1.csv" >"$1.ours"
	[ "$(wc -l <"$1.theirs")" -eq 316 ] || { echo "$2 has not 315 rows"; exit 1; }
	cmp "$1.theirs" "$1.ours"
}
rebuilt correctness correctness_rate_by_release_date.csv 11
rebuilt best_speedup best_speedup_by_release_date.csv 10
