# Others' runs change no cell, comparison or claim about what was published; they stand under their source's name in by_source, and a separate
# computation from the records agrees with all of it.
. "$REPO/tests/cli/exchange/common"
mkdir b
cp -r "$REPO/artifact" "$REPO/tasks" b
"$PTXSEAL" derive --out before b >out
compared() { # the comparison with what was published; behind it stand the sizes of all tables
	"$PTXSEAL" derive --check --json b | sed 's/,"tables":\[.*//'
}
compared >check_before
"$PTXSEAL" claims --json b >claims_before
trajectories
data_set
"$PTXSEAL" import trajectories runs --source agents --into b >out
"$PTXSEAL" import flashinfer-trace set --source lab --into b >out
"$PTXSEAL" derive --out after b >out
compared | cmp - check_before
"$PTXSEAL" claims --json b | cmp - claims_before
diff -rq before after | sed 's/.* and //' || true
diff before/by_source.csv after/by_source.csv | sort || true
"$PTXSEAL" explain by_source "agents/maker/model-1/hopper/$task" correct b
python3 "$REPO/tests/judges/check_tables.py" b after
