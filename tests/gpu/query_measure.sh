#!/usr/bin/env bash
# A run that asks and measures, on a machine with a GPU: `query --measure` against an endpoint on this machine that answers with kernels of our own, `mcp --measure`, a run that is killed and taken up; then all of it from the
# record, without GPU and compiler, and sealed and verified.
# usage: tests/gpu/query_measure.sh PROGRAM OUT
# PROGRAM: ptxseal, built with CUDA (`make portable`); OUT: a directory for what comes of it: log.txt, told.txt (what the models were told), run.tar.gz (the bundle). Takes ptxas, and python3 without packages.
# STAND_IN=1: a small task, and kernels that the tests' stand-in for the driver knows, to try the script itself.
# Exits 0 if everything came out as it has to.
set -euo pipefail
[ $# -eq 2 ] || { echo "usage: ${0##*/} PROGRAM OUT" >&2; exit 2; }
program=$(realpath -- "$1")
out=$(realpath -- "$2")
repo=$(cd -- "$(dirname -- "$0")/../.." && pwd)
task=gemm_n7168_k5120
work=$(mktemp -d)
faults=0
server=

end() {
	[ -z "$server" ] || kill "$server" 2>/dev/null || true
	cp -- "$work"/*.log "$out/" 2>/dev/null || true
	tar -C "$work" -czf "$out/run.tar.gz" b/artifact 2>/dev/null || true
	rm -rf -- "$work"
}
trap end EXIT
exec > >(tee "$out/log.txt") 2>&1

say() { printf '\n== %s (after %s s)\n' "$1" "$SECONDS"; }
holds() { # WHAT COMMAND...
	if "${@:2}"; then echo "PASS $1"; else
		faults=$((faults + 1))
		echo "FAIL $1"
	fi
}

mkdir -p "$work/b/artifact" "$work/b/tasks" "$work/answers"
cp -r -- "$repo/tasks/$task" "$repo/tasks/prompts" "$work/b/tasks/"
cd -- "$work"
if [ -n "${STAND_IN-}" ]; then # which computes on one core
	sed -i -e 's/7168,/32,/' -e 's/5120,/64,/' b/tasks/$task/task.json
	sed -i -e 's/"M":256/"M":48/' -e 's/"M":8192/"M":64/' b/tasks/$task/workloads.jsonl
fi

# What the endpoint answers with, as files: NAME.ptx and NAME.json.
python3 - "$repo" <<'END'
import json, os, sys
repo = sys.argv[1]
if os.environ.get("STAND_IN"):
    sys.dont_write_bytecode = True
    sys.path.insert(0, repo + "/tests/servers")
    import scripted
    kernels = {name: (scripted.PTX.replace("BODY", "").replace("gemm_right", entry), scripted.LAUNCHES.replace("gemm_right", entry))
               for name, entry in (("wgmma-tma", "gemm_right"), ("plain", "gemm_right"), ("wrong", "gemm_wrong"))}
else:
    kernels = {}
    for name in ("wgmma-tma", "plain", "wrong"):
        place = f"{repo}/artifact/candidates/gemm_n7168_k5120/{name}"
        facts = json.load(open(f"{place}/candidate.json"))
        kernels[name] = open(f"{place}/kernel.ptx").read(), json.dumps({part: facts[part] for part in ("buffers", "maps", "launches") if part in facts})
ptx, launches = kernels["wgmma-tma"]
kernels["broken"] = ptx.replace("ret;", "this is no instruction;\n\tnor is this;\n\tret;", 1), launches
for name, (ptx, launches) in kernels.items():
    open(f"answers/{name}.ptx", "w").write(ptx)
    open(f"answers/{name}.json", "w").write(launches)
END
cat >endpoint.py <<'END'
import http.server, json, sys
PLAN = [["broken", "wrong", "wgmma-tma"], [None, "plain", "wgmma-tma"]]
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *_): pass
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        trajectory, turn = divmod(asked["seed"], 3)
        name = PLAN[trajectory % 2][turn]
        content = "I would use wgmma."
        if name:
            content = f"A kernel:\n```ptx\n{open(f'answers/{name}.ptx').read()}```\n```json\n{open(f'answers/{name}.json').read()}\n```\n"
        reply = json.dumps({"model": "scripted", "choices": [{"finish_reason": "stop", "index": 0, "message": {"role": "assistant", "content": content}}],
                            "usage": {"prompt_tokens": 1, "completion_tokens": 1}}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
END
mkfifo port
python3 endpoint.py >port 2>endpoint.log &
server=$!
read -r port <port
# What the tool is told: the messages of a client.
python3 - >messages <<'END'
import json
def say(**message): print(json.dumps({"jsonrpc": "2.0", **message}))
say(id=0, method="initialize", params={"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "query_measure", "version": "1"}})
say(method="notifications/initialized")
say(id=1, method="tools/list")
for number, name in enumerate(("broken", "wgmma-tma")):
    say(id=number + 2, method="tools/call", params={"name": "evaluate_kernel", "arguments": {"source": open(f"answers/{name}.ptx").read(), "launches": open(f"answers/{name}.json").read()}})
END

measure=(--measure --trials 6 --seconds 1)
plan=(--endpoint "http://127.0.0.1:$port/v1" --model scripted --task $task --workload small --form ptx --seed 0 --turns 3 --quiet)
"$program" --version || true
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null || echo 'no nvidia-smi'

say 'query --measure: 2 trajectories of 3 turns'
holds 'query' timeout 120 "$program" query "${plan[@]}" "${measure[@]}" --trajectories 2 --run asked b

say 'the same, killed while it measures, and taken up'
killed=("$program" query "${plan[@]}" "${measure[@]}" --memcheck off --trajectories 1 --run killed b)
"${killed[@]}" >/dev/null 2>&1 &
asking=$!
for _ in $(seq 600); do
	[ "$(cat b/artifact/runs/killed/evaluations.jsonl 2>/dev/null | wc -l)" -lt 2 ] || break
	sleep 0.05
done
sleep 0.5
{ kill -KILL $asking; wait $asking || true; } 2>/dev/null || true
echo "killed, with $(wc -l <b/artifact/runs/killed/evaluations.jsonl) of 3 evaluations"
holds 'taken up' timeout 90 "${killed[@]}"

say 'mcp --measure, the published workload'
hand_in() { timeout 90 "$@" <messages; }
live() { hand_in "$program" mcp --into b --run session --task $task --model scripted --form ptx --turns 2 "${measure[@]}" >told.jsonl; }
holds 'mcp' live
kill "$server"
server=

say 'from the record, with neither endpoint, GPU nor compiler'
bare=(env -i PATH=/nowhere PTXSEAL_LIBCUDA=/nowhere)
cp -r b before
for run in asked killed; do
	holds "$run played" "${bare[@]}" "$program" query --frozen --run $run b
done
again() { hand_in "${bare[@]}" "$program" mcp --frozen --run session --form ptx b >again.jsonl; }
holds 'session played' again
holds 'the agent is told the same' cmp told.jsonl again.jsonl
holds 'nothing was written' diff -r before b

say 'with the compiler: every kernel extracted and assembled again'
holds 'rebuild' "$program" rebuild b

say 'sealed and verified'
# What a stand-in measured nobody signs.
roles=()
[ -n "${STAND_IN-}" ] || roles=(import 'replay --run asked' 'replay --run killed' 'replay --run session' root)
for role in "${roles[@]}"; do
	key=${role%% *}
	[ -e $key.key ] || "$program" keygen --out $key.key --public $key.pub >/dev/null
	# shellcheck disable=SC2086
	holds "sealed as $role" "$program" seal --role $role --key $key.key b
done
[ -n "${STAND_IN-}" ] || holds 'verify' "$program" verify b

say 'what came of it'
# No table shows what a stand-in for a device measured.
[ -n "${STAND_IN-}" ] || holds 'the ledger takes it' "$program" explain --sql 'SELECT run, trajectory, turn, outcome, turn.evidence, arch_tag, speedup_text FROM turn JOIN run USING (run_id) ORDER BY 1, 2, 3' b
python3 - >"$out/told.txt" <<'END'
import glob, json
for path in sorted(glob.glob("b/artifact/runs/*/turns.jsonl")):
    for turn in map(json.loads, open(path)):
        print(f"==== {path.split('/')[3]}, trajectory {turn['trajectory']}, turn {turn['turn']}: {turn['outcome']} ({turn['evidence']})")
        print(open(f"b/artifact/objects/sha256/{turn['feedback'][:2]}/{turn['feedback']}").read())
END
outcomes() {
	python3 - "${STAND_IN-}" <<'END'
import json, sys
want = {"asked": ["compile_error", "wrong_result", "correct", "extraction_error", "correct", "correct"],
        "killed": ["compile_error", "wrong_result", "correct"], "session": ["compile_error", "correct"]}
for run, outcomes in want.items():
    turns = [json.loads(line) for line in open(f"b/artifact/runs/{run}/turns.jsonl")]
    assert [turn["outcome"] for turn in turns] == outcomes, (run, [turn["outcome"] for turn in turns])
    for turn in turns:
        if turn["outcome"] not in ("correct", "wrong_result"):
            continue
        record = json.load(open(f"b/artifact/replays/{run}/{run}-{turn['trajectory']:03}-{turn['turn']:02}.json"))
        assert (record["trajectory"], record["turn"], record["outcome"]["label"]) == (turn["trajectory"], turn["turn"], turn["outcome"])
        if turn["outcome"] == "correct":
            assert turn["speedup"] == record["timing"]["speedup"]["median"] and float(turn["speedup"]) > 0
            assert sys.argv[1] or turn["evidence"] == "executed", turn
    if not sys.argv[1]:
        assert "H" in turns[-1]["arch_tag"], turns[-1]
END
}
holds 'outcomes, evidence and records agree' outcomes
say "$faults faults"
[ "$faults" -eq 0 ]
