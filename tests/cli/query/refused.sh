# What cannot be asked is refused before anything is asked or written: wrong command lines, tasks, templates and tools that are not there, another plan for a run that was begun, caps without what they need.
. "$REPO/tests/cli/query/common"
try() { "$@" >out 2>err && echo done || echo "exit $?: $(head -n 1 err | sed 's/^ptxseal[: ]*//; s/ (R-\(...-...\).*/ (R-\1)/')"; }
for line in '' '--run' '--run r' '--run ../r --frozen' '--run r --frozen b more' '--run r --frozen --model n b' '--what' '--endpoint http://127.0.0.1:1/v1 --model m --task t'; do
	# shellcheck disable=SC2086
	try "$PTXSEAL" query $line
done
for option in '--turns 0' '--turns 101' '--trajectories x' '--policy some' '--form cubin' '--temperature warm' '--parameters [1]' '--max-tokens 0' '--seed -1' '--api other' '--target-speedup 2' '--max-money 1' \
	'--key-env A --key-file B' '--name a/b' '--template none' '--template ..' '--workload none' '--key-env NOT_THERE' '--max-money 1 --prices nowhere' '--parameters {"stream":true}' \
	'--parameters {"seed":3}'; do
	# shellcheck disable=SC2086
	try query talk r $option
done
try "$PTXSEAL" query --endpoint "http://127.0.0.1:$port/v1" --model m --task "$task" --form ptx --run r --max-total-tokens 9999 b
try query talk r --endpoint 'ftp://127.0.0.1/'
try "$PTXSEAL" query --frozen --run r b
find b -newer port -type f
echo '-- a run is taken up as it was begun'
try query talk r --trajectories 2
cat b/artifact/runs/r/run.json | sed -E 's/"date":"[0-9-]*"/"date":"DATE"/'
cat b/artifact/runs/r/query.json | sed -E 's/"sha256":"[0-9a-f]*"/"sha256":"HEX"/'
for option in '--turns 7' '--policy latest-pair' '--temperature 1' '--stream' '--seed 4' '--max-tokens 901' '--name other'; do
	# shellcheck disable=SC2086
	try query talk r --trajectories 2 $option
done
echo '-- what has nothing to do with answers may change'
try query talk_flaky r --trajectories 2 --concurrency 1 --tries 9
echo '-- prices that are not of the model, and caps'
echo '{"currency":"USD","date":"2026-01-31","models":[{"completion_per_million":"1","model":"n","prompt_per_million":"1"}],"schema":"ptxseal-prices/1","source":"made up"}' >prices.json
try query talk priced --prices prices.json
try query talk priced --prices prices.json --max-money 1
try query talk capped --max-requests 3
grep -c . b/artifact/runs/capped/exchanges.jsonl
try query talk capped --max-requests 3
grep -c . b/artifact/runs/capped/exchanges.jsonl
try query talk capped --max-requests 100
mkdir -p b/artifact/runs/other
cp b/artifact/runs/r/run.json b/artifact/runs/r/turns.jsonl b/artifact/runs/other/
sed -i 's/"run":"r"/"run":"other"/; s/"position":1/"position":9/' b/artifact/runs/other/run.json
try query talk other
try "$PTXSEAL" query --frozen --run other b
echo '-- an agent has a run of its own'
try "$PTXSEAL" record --listen 127.0.0.1:0 --upstream "http://127.0.0.1:$port/v1" --into b --run r --source query --model m --task "$task" --workload small --trajectories 2 --turns 8
