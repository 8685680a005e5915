# The committed bundle exported, loaded by flashinfer-bench, and imported again: the same outcomes and speedups, now reported. Export is a
# function of the bundle, whatever the directory.
. "$REPO/tests/cli/exchange/common"
mkdir -p b copy
cp -r "$REPO/artifact" "$REPO/tasks" b
"$PTXSEAL" export flashinfer-trace set b | sed '3,$d'
"$PTXSEAL" export flashinfer-trace copy/again b --json | sed 's/"left_out":.*"program"/"left_out":[...],"program"/'
diff -r set copy/again
refused 2 R-TRC-004 export flashinfer-trace set b
refused 2 R-BND-012 export flashinfer-trace b/artifact/set b
"$PTXSEAL" import flashinfer-trace set --source again --into b | tail -n 4
query() {
	"$PTXSEAL" explain --sql "SELECT r.task, t.outcome, t.speedup_text FROM turn t JOIN run r USING (run_id) WHERE r.source = '$1' ORDER BY r.task, t.trajectory" b | tr -s ' '
}
query ptxseal | sed 's/wrong_result/Numerical error/; s/correct/Correct/' >measured
query again >reported
wc -l <measured
diff measured reported
"$PTXSEAL" keygen --out import.key --public import.pub >out
"$PTXSEAL" keygen --out root.key --public root.pub >out
cp -r "$REPO/manifests" b
"$PTXSEAL" seal --role import --name import --replace --key import.key b >out
"$PTXSEAL" seal --role root --name root --replace --key root.key b >out
"$PTXSEAL" verify b | head -n 1 | sed 's/[0-9,.]* files.*/N files/'
