# A run that is killed at any moment goes on where it was: nothing that was answered is asked again, nothing that was evaluated is evaluated again, and the turns are those of a run that nobody killed.
. "$REPO/tests/cli/query/common"
query talk whole >/dev/null
# lines RUN N: waits until the run's record has that many exchanges.
lines() {
	for _ in $(seq 600); do
		[ "$(cat "b/artifact/runs/$1/exchanges.jsonl" 2>/dev/null | wc -l)" -lt "$2" ] || return 0
		sleep 0.05
	done
	echo "run $1 has no $2 exchanges"
	return 1
}
for lines in 1 4 9 14; do
	asking talk_until_$lines killed-$lines --concurrency 2 --quiet >/dev/null 2>&1 &
	pid=$!
	lines killed-$lines $lines
	{ kill -9 $pid; wait $pid || true; } 2>/dev/null # the shell tells of it
	cp b/artifact/runs/killed-$lines/exchanges.jsonl before
	touch b/artifact/runs/killed-$lines/evaluations.jsonl
	cp b/artifact/runs/killed-$lines/evaluations.jsonl before-evaluations
	# Whatever it was killed at, its record can be played as far as it goes.
	frozen killed-$lines >out 2>&1 || [ $? -eq 1 ]
	# As if the last line had been torn.
	printf '{"api":"ch' >>b/artifact/runs/killed-$lines/exchanges.jsonl
	printf '{"arch' >>b/artifact/runs/killed-$lines/evaluations.jsonl
	query talk killed-$lines | sed -n 's/.*: \([0-9]* done\) (\([0-9]*\) of.*/\1/p'
	cmp b/artifact/runs/whole/turns.jsonl b/artifact/runs/killed-$lines/turns.jsonl
	head -c "$(wc -c <before)" b/artifact/runs/killed-$lines/exchanges.jsonl | cmp before -
	head -c "$(wc -c <before-evaluations)" b/artifact/runs/killed-$lines/evaluations.jsonl | cmp before-evaluations -
	frozen killed-$lines | tail -n 1
done
echo "-- objects that follow from the record, and that power took before they were whole, are told of and made again: every run here says the same"
asking talk_until_9 torn --concurrency 2 --quiet >/dev/null 2>&1 &
pid=$!
lines torn 9
{ kill -9 $pid; wait $pid || true; } 2>/dev/null
"$PTXSEAL" settle b >out
torn=0
objects() { find b/artifact/objects -type f -printf '%f %p\n'; }
objects >all
while read -r name path; do
	grep -q "$name" b/artifact/runs/*/{exchanges,evaluations}.jsonl || { truncate -s 0 "$path" && torn=$((torn + 1)); }
done <all
"$PTXSEAL" verify b >out || true
[ "$torn" -gt 0 ]
[ "$(grep -c 'R-OBJ-001.*take that run up again' out)" -eq "$torn" ]
query talk torn >/dev/null
objects | while read -r name path; do sha256sum "$path"; done | sed 's/^\([0-9a-f]*\)  .*\/\1$/whole/' | sort -u
cmp b/artifact/runs/whole/turns.jsonl b/artifact/runs/torn/turns.jsonl
echo '-- told to stop, it says how far it came, and goes on, too'
asking talk_until_3 told --concurrency 1 >out 2>err &
pid=$!
lines told 3
kill -INT $pid
wait $pid || echo "exit $?"
grep -o 'R-QRY-008' err
query talk told | sed -n '/missing/s/.*, \([0-9]* missing\)/\1/p'
cmp b/artifact/runs/whole/turns.jsonl b/artifact/runs/told/turns.jsonl
echo '-- evaluations alone are gone: nothing is asked, they are made again'
server_gone
cp b/artifact/runs/told/exchanges.jsonl before
rm b/artifact/runs/told/evaluations.jsonl
frozen told >out 2>err || grep -o 'R-QRY-010' err
query talk told >/dev/null
cmp before b/artifact/runs/told/exchanges.jsonl
cmp b/artifact/runs/whole/turns.jsonl b/artifact/runs/told/turns.jsonl
echo '-- a record that is damaged takes no turn out of the ledger: what it was is told, and nothing is changed'
response=$(sed -n 's/.*"response":"\([0-9a-f]*\)".*"trajectory":1,.*/\1/p' b/artifact/runs/told/exchanges.jsonl | head -n 1)
rm "b/artifact/objects/sha256/${response:0:2}/$response"
query talk told >out 2>err || echo "exit $?: $(grep -o 'R-[A-Z]*-[0-9]*' err)"
cmp b/artifact/runs/whole/turns.jsonl b/artifact/runs/told/turns.jsonl
echo '-- of a run that came to no exchange nothing is said to be the same; of one without a reply, no more than that'
query talk empty --concurrency 1 --tries 1 >out 2>err || echo "exit $?: $(grep -o 'R-QRY-[0-9]*' err)"
frozen empty | tail -n 1
truncate -s 0 b/artifact/runs/empty/exchanges.jsonl
frozen empty 2>&1 | grep -o 'was begun, and has no exchange (R-EXC-008'
