# R-RPL-006: a record agrees with itself and with the ledger, whoever signed it.
. "$REPO/tests/cli/replay/common"
tiny_task
candidate right gemm_right
mkdir -p b/artifact/tables
cp "$REPO/artifact/tables/measured.sql" b/artifact/tables/
replay r --no-evidence >out
record=b/artifact/replays/r-$task/right.json turns=b/artifact/runs/r-$task/turns.jsonl
sed -i 's/"stand_in":true,"state"/"stand_in":false,"state"/' "$record"
cp "$record" good
cp "$turns" good.turns
derive() {
	"$PTXSEAL" derive --out d b 2>&1 >/dev/null | sed -E 's/ \(R-RPL-006.*/ (R-RPL-006)/; s/[0-9]+ trials, and counts [0-9]+/N trials, and counts N/' || true
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
try 's/"label":"correct"/"label":"wrong_result"/'
cp good "$record"
sed -E -i 's/"speedup":"[^"]*"/"speedup":"9.97"/' "$turns"
derive
cp good.turns "$turns"
rm "$record"
derive
