# docs/records.md, "Trajectories": what became of each answer is told by what was measured, by the event, by the status below the heading, by
# a phrase, in this order, and else is unknown; PASSED in the text of a candidate makes nothing correct. The conversation is kept as objects.
. "$REPO/tests/cli/exchange/common"
bundle
trajectories
mkdir -p runs/second runs/first/success
cp -r runs/first/trajectories runs/second/
"$PTXSEAL" import trajectories runs --source lab --task $task --workload $uuid --arch hopper --into b
cp -r b first
"$PTXSEAL" import trajectories runs --source lab --task $task --workload $uuid --arch hopper --into b --json
diff -r b first
echo
cat b/artifact/runs/lab-0001/run.json b/artifact/runs/lab-0002/run.json
sed -E 's/"(feedback|prompt|response)":"([0-9a-f]{6})[0-9a-f]*"/"\1":"\2"/g' b/artifact/runs/lab-0001/turns.jsonl
sed 's/"[0-9a-f]\{64\}"/"HEX"/g' b/artifact/sources/lab/source.json
cmp b/artifact/runs/lab-0001/turns.jsonl b/artifact/runs/lab-0002/turns.jsonl
object() { # FIELD of line $1
	local hex
	hex=$(sed -n "$1s/.*\"$2\":\"\([0-9a-f]*\)\".*/\1/p" b/artifact/runs/lab-0001/turns.jsonl)
	cat "b/artifact/objects/sha256/${hex:0:2}/$hex"
	echo
}
for turn in 1 2; do
	object $turn prompt
	object $turn response
done
object 2 feedback
echo '* one run alone'
mkdir alone
cp -r b/tasks alone/
"$PTXSEAL" import trajectories runs/first --source one --into alone | head -n 1
echo '* and in the tables'
"$PTXSEAL" explain --sql 'SELECT r.source, r.evidence, t.outcome, count(*) AS turns, max(t.speedup_text) AS best FROM turn t JOIN run r USING (run_id) GROUP BY r.source, r.evidence, t.outcome ORDER BY t.outcome' b
