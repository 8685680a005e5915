# docs/query.md, "Agents": an agent by others, driven through the proxy; its session is frozen, and played to the same agent with the endpoint gone. Its key is nowhere.
. "$REPO/tests/cli/agents/common"
mini=$REPO/build/venv-agents/bin/mini
[ -x "$mini" ] || { echo "mini-swe-agent could not be installed (tests/agents/requirements.txt)"; exit 77; }

# agent NAME: its session in ./work, which is made anew.
agent() {
	rm -rf work
	mkdir work
	(
		cd work
		MSWEA_CONFIGURED=true MSWEA_SILENT_STARTUP=1 MSWEA_COST_TRACKING=ignore_errors MSWEA_GLOBAL_CONFIG_DIR="$PWD/../config" LITELLM_LOCAL_MODEL_COST_MAP=True \
			OPENAI_API_KEY=$key OPENAI_API_BASE=$url OPENAI_BASE_URL=$url "$mini" -m openai/scripted-1 -t 'Write a kernel.' -y --exit-immediately -o "../$1.json" >../agent.out 2>&1
	) || { tail -n 30 agent.out; return 1; }
	build='import json, sys; t = json.load(open(sys.argv[1])); print(t["info"]["mini_version"], t["info"]["exit_status"], repr(t["info"]["submission"]), t["info"]["model_stats"]["api_calls"])'
	python3 -c "$build" "$1.json"
	cat work/kernel.cu
}
endpoint
record agent mini --agent 'mini-swe-agent 2.4.6'
agent first
ended
no_key
cp b/artifact/runs/mini/exchanges.jsonl recorded
endpoint_gone
play mini
agent second
ended
cmp recorded b/artifact/runs/mini/exchanges.jsonl
python3 - <<'END'
import json
one, two = ([{k: v for k, v in m.items() if k != "extra"} for m in json.load(open(f"{name}.json"))["messages"]] for name in ("first", "second"))
print(len(one), "messages,", "the same" if one == two else "others")
END

# An agent that is told another task leaves the record, and is told where.
play mini
status=0
ask "$(body 'Something else')" || status=$?
ended
