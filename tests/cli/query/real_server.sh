# A run against llama.cpp's server, over a model made from a seed (tests/servers/llama.py, set up by `make test-server`), plain and streamed; then both from their record, with the server gone and in a network of their own that
# leads nowhere: the same ledger, to the byte, and nothing written.
server_python=$REPO/build/server/bin/python
# The last file that is written there: a build that was broken off is no server.
[ -f "$REPO/build/server/installed.txt" ] || { echo "llama.cpp's server is not there (make test-server builds it, which takes minutes)"; exit 77; }
. "$REPO/tests/cli/query/common"
# The model reads a character a token and no more than 2048: a template of few words.
mkdir b/tasks/prompts/tiny
echo 'Write {{task}} for {{architecture}} as {{example}}.' >b/tasks/prompts/tiny/task.txt
echo 'So far: {{feedback}}' >b/tasks/prompts/tiny/feedback.txt
echo '{{task_text}} {{answer}} {{feedback}}' >b/tasks/prompts/tiny/single.txt
echo 'PTX' >b/tasks/prompts/tiny/example.txt
echo 'Hopper' >b/tasks/prompts/tiny/hopper.txt
mkdir model
mkfifo llama_held
"$server_python" "$REPO/tests/servers/llama.py" model <llama_held >llama_port 2>llama.err &
llama=$!
exec 8>llama_held
for _ in $(seq 600); do
	[ ! -s llama_port ] || break
	sleep 0.1
done
[ -s llama_port ] || { tail -n 5 llama.err; exit 1; }
real() { # RUN [OPTION...]
	"$PTXSEAL" query --endpoint "http://127.0.0.1:$(cat llama_port)/v1" --model seeded --task "$task" --workload small --form ptx --template tiny --seed 3 --temperature 0.8 --max-tokens 120 --parameters '{"stop":["d"]}' \
		--trajectories 2 --turns 3 --policy latest-pair --concurrency 1 --quiet --run "$@" b
}
real plain | sed -n '/turns/p; /trajectories/p'
real streamed --stream | sed -n '/turns/p; /trajectories/p'
exec 8>&-
wait $llama || true
server_gone
python3 - <<'END'
import json
for run in ('plain', 'streamed'):
    tries = [json.loads(line) for line in open(f'b/artifact/runs/{run}/exchanges.jsonl')]
    assert all(e['model_answered'] == 'seeded' and e['failure'] in (None, 'empty', 'truncated') for e in tries), tries
    assert any(e['failure'] is None for e in tries)
    # The plain replies count their tokens; the streamed ones do not, and that is not 0.
    print(run, len(tries), 'tries; tokens unknown:', {e['usage']['completion'] is None for e in tries})
END
cp -r b before
apart=()
! unshare -rn true 2>unshare.err || apart=(unshare -rn)
for run in plain streamed; do
	"${apart[@]}" "$PTXSEAL" query --frozen --run $run b | tail -n 1
done
diff -r before b
