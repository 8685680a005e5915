# Tokens that an endpoint does not count are unknown, and never 0: in the summary, for people and machines, and in the line of progress.
. "$REPO/tests/cli/query/common"
for scripted in plain without_usage null_usage; do
	echo "-- $scripted"
	query $scripted $scripted --trajectories 1 --turns 2 | grep tokens
	frozen $scripted | grep tokens
	"$PTXSEAL" query --frozen --run $scripted --json b | grep -o '"tokens":{[^}]*}'
done
# The run is taken up again: its line stands before anything is asked.
python3 "$REPO/tests/cli/query/terminal" "$PTXSEAL" query --endpoint "http://127.0.0.1:$port/without_usage/v1" --model m --task "$task" --workload small --form ptx --trajectories 1 --turns 2 --max-tokens 900 --seed 0 --run without_usage b |
	python3 -c 'import sys; print(sys.stdin.read().split("\x1b[K")[1].split("\x1b")[0])'
echo '-- nor where no reply came'
query no_reply none --trajectories 1 --turns 1 --tries 1 2>err | grep tokens
