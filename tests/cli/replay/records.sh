# R-RPL-006: a record that is not as docs/records.md says is refused with its file and member, never half-read.
. "$REPO/tests/cli/replay/common"
tiny_task
candidate right gemm_right
mkdir -p b/artifact/tables
cp "$REPO/artifact/tables/measured.sql" b/artifact/tables/
replay r --no-evidence >out
record=b/artifact/replays/r-$task/right.json
disguise "$record"
cp "$record" good
try() { # SED-COMMAND
	sed -E "$1" good >"$record"
	! cmp -s good "$record" || echo "nothing changed by $1"
	"$PTXSEAL" derive --out d b 2>&1 >/dev/null | sed 's/ (R-/\n  (R-/; s/: a replay.s record.*//' || true
}
try 's/ptxseal-replay\/1/ptxseal-replay\/2/'
try 's/"label":"correct",//'
try 's/"name":"right"/"name":"left"/'
try 's/"run":"r-/"run":"q-/'
try 's/"planned":[0-9]+/"planned":"many"/'
try 's/("speedup":\{"count":[0-9]+,"high":)"[^"]*"/\1"fast"/'
try 's/"suspect":\[\]/"suspect":[1]/'
try 's/"trajectory":0/"trajectory":0.5/'
try 's/"decoy":false/"decoy":"no"/'
try 's/^\{/[/'
rm "b/artifact/runs/r-$task/run.json" "b/artifact/runs/r-$task/turns.jsonl"
try 's/"stand_in"/"stand_in" /'
