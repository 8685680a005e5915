# R-RPL-006, R-RPL-013: a record agrees with itself and with the ledger, whoever signed it.
. "$REPO/tests/cli/replay/common"
tiny_task
candidate right gemm_right
mkdir -p b/artifact/tables
cp "$REPO/artifact/tables/measured.sql" b/artifact/tables/
replay r --no-evidence >out
record=b/artifact/replays/r-$task/right.json turns=b/artifact/runs/r-$task/turns.jsonl
disguise "$record"
cp "$record" good
cp "$turns" good.turns
derive() {
	"$PTXSEAL" derive --out d b 2>&1 >/dev/null | sed -E 's/ \((R-RPL-[0-9]+):.*/ (\1)/; s/(pairs|throttled|count|rank) (.*give, )[0-9]+/\1 \2N/; s/of [0-9]+ pairs/of N pairs/; s/[0-9]+ trials, and counts [0-9]+/N trials, and counts N/' || true
}
try() { # SED-COMMAND
	sed -E "$1" good >"$record"
	! cmp -s good "$record" || echo "nothing changed by $1"
	derive
}
derive # as it was measured: nothing is said
try 's/"trials":\[\{.*\],"worker"/"trials":[],"worker"/'
try 's/"failed":0/"failed":1/'
try 's/("sha256":")[0-9a-f]{8}([0-9a-f]{56}"\},"date":)/\100000000\2/'
try 's/("stage":"before","strict":)"pass"/\1"fail"/'
try 's/"planned":[0-9]+/"planned":9999/'
try 's/("speedup":\{[^}]*"median":")[^"]*"/\17.5"/'
try 's/("speedup":\{[^}]*"low":")[^"]*"/\10.7"/'
try 's/("cycles":\{[^}]*"median":")[^"]*"/\10.81"/'
try 's/("control":\{[^}]*"median":")[^"]*"/\11.1"/'
try 's/("candidate_ns":\{[^}]*"median":")[^"]*"/\11400000"/'
try 's/"candidate_hz":1980000000/"candidate_hz":1900000000/'
try 's/("speedup":\{"count":)[0-9]+/\17/'
try 's/"pairs":[0-9]+/"pairs":3/'
try 's/"warm_up_pairs":[0-9]+/"warm_up_pairs":99999/'
try 's/"throttled":0/"throttled":1/'
try 's/,1500000,1200000,([0-9]+,[0-9]+),1980000000,/,1500000,1200000,\1,1000000000,/2'
try 's/,1500000,1200000,/,0,1200000,/1'
try 's/"memcheck":\{"errors":null,/"memcheck":{"errors":1,/; s/"state":"skipped","text":"--memcheck off"/"state":"clean","text":""/'
try 's/"memcheck":\{"errors":null,/"memcheck":{"errors":1,/; s/"state":"skipped","text":"--memcheck off"/"state":"errors","text":""/'
try 's/"label":"correct"/"label":"wrong_result"/'
cp good "$record"
sed -E -i 's/"outcome":"correct"/"outcome":"wrong_result"/; s/"speedup":"[^"]*"/"speedup":"0"/' "$turns"
derive
cp good.turns "$turns"
sed -E -i 's/"speedup":"[^"]*"/"speedup":"9.97"/' "$turns"
derive
cp good.turns "$turns"
rm "$record"
derive
