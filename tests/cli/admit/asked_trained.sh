# A run of a tuned model names its training set: the manifest that `export repairs` wrote is kept beside run.json, a submission cannot deny it, and the table `trained` marks the tasks that it has pairs of.
. "$REPO/tests/cli/query/common"
. "$REPO/tests/cli/admit/asking"
manifest() { # FILE HELD-OUT TASK
	echo '{"bytes":9,"failed_without_fix":0,"fixes":3,"held_out":["'$2'"],"left_out":{"task held out":1},"pairs":2,"program":"ptxseal","schema":"ptxseal-repairs/1","sha256":"'"$(printf %064d "$4")"'","tasks":{"'$3'":2}}' >$1
}
try() { "$@" >out 2>err && echo done || echo "exit $?: $(head -n 1 err | sed 's/^ptxseal: //; s/\((R-[A-Z]*-[0-9]*\).*/\1)/')"; }
manifest saw.json mha_bwd_d128 $task 1
manifest not.json $task mha_bwd_d128 2
query talk saw --trajectories 1 --name lab --training-set saw.json >/dev/null
query talk not --trajectories 1 --name lab --seed 1 --training-set not.json >/dev/null
query talk unsaid --trajectories 1 --name lab --seed 2 >/dev/null
cmp saw.json b/artifact/runs/saw/training_set.json
echo '-- what was named stays'
try query talk saw --trajectories 1 --name lab
try query talk saw --trajectories 1 --name lab --training-set saw.json
try query talk saw --trajectories 1 --name lab --training-set not.json
sed 's/"pairs":2/"pairs":3/' saw.json >wrong.json
for file in wrong.json nowhere.json "$REPO/README.md"; do
	try query talk more --trajectories 1 --name lab --training-set "$file" | sed "s|$REPO/||"
done
ls b/artifact/runs
server_gone
"$PTXSEAL" explain --sql 'SELECT run, trained, said_by, pairs FROM trained JOIN run USING (run_id) LEFT JOIN training_task USING (run_id, task) ORDER BY 1' b
archive
rules() { sed -n 's/.*\(R-SUB-027\|R-SUB-041\):.*/\1/p' out; }
for word in no unknown yes; do
	echo "-- stated: $word"
	facts $word | sed 's/"seed": "0"/"seed": "0, 1, 2"/' >facts.json
	rm -rf s
	"$PTXSEAL" submit --facts facts.json --key lab.key --into s b >/dev/null
	"$PTXSEAL" admit --check --into a s >out || echo "exit $?"
	rules
done
echo '-- named for the submission'
try "$PTXSEAL" submit --facts facts.json --key lab.key --training-set not.json --into t b
grep -o 'artifact/[^:]*: it is another one (R-TRN-...' out
rm -r b/artifact/runs/saw/training_set.json b/artifact/runs/not/training_set.json
"$PTXSEAL" submit --facts facts.json --key lab.key --training-set not.json --into t b >/dev/null
"$PTXSEAL" verify t >/dev/null && ls t/artifact/runs/*/training_set.json
"$PTXSEAL" admit --key log.key --into a s >/dev/null
seal_archive
echo '-- in the tables'
"$PTXSEAL" table trained --format csv a
sets() { "$PTXSEAL" explain trained "$1" "$2" a | grep -o 'artifact/[a-z/_]*\.json' | sort -u; }
echo '-- what makes it yes: sets that runs of the model name, and what is stated'
sets unsaid trained
echo '-- a set: the one that the run itself names'
sets saw training_set
sets unsaid training_set || echo '-- or none'
"$PTXSEAL" table answered --format csv a | cut -d, -f1-15
