# Runs of one bundle are begun at once and go on side by side, beside one that was killed as well: each gets a position of its own, none is told to remove what another has kept.
. "$REPO/tests/cli/query/common"
rmdir b/artifact # the first to come makes it
begin() { asking talk "$1" --trajectories 1 --turns 1 >"$1.out" 2>&1; }
runs='a b c d e f'
for run in $runs; do
	begin $run &
done
wait $(jobs -p | grep -vx $server)
asking talk_until_9 killed --quiet >/dev/null 2>&1 &
pid=$!
for _ in $(seq 600); do
	[ ! -e b/artifact/runs/killed/exchanges.ahead ] || break
	sleep 0.05
done
(begin meanwhile)
{ kill -9 $pid; wait $pid || true; } 2>/dev/null # the shell tells of it
[ -e b/artifact/runs/killed/exchanges.ahead ]
mkdir b/artifact/runs/begun # and killed before it had its run.json
(begin afterwards)
(begin begun)
server_gone
sed -n 's/.*planned: \(.* done\) .*/\1/p; /^ptxseal:/p' ./*.out
grep -ho '"position":[0-9]*' b/artifact/runs/*/run.json | sort -V
"$PTXSEAL" settle b | sed 's/: .*//'
"$PTXSEAL" explain --sql 'SELECT count(*) AS runs FROM run' b
