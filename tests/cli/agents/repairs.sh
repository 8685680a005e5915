# docs/query.md, "The repair set": a failed answer, what was told of it, and the fix that follows; held-out tasks give none; counts add up; no bytes vary.
set -eu
core=gemm_n7168_k5120 other=gemm_n4096_k4096
mkdir -p b/artifact/sources/s b/tasks
cp -r "$REPO/tasks/$core" "$REPO/tasks/$other" b/tasks/
keep() { # TEXT: its name
	local hex
	hex=$(printf '%s' "$1" | sha256sum | cut -c 1-64)
	mkdir -p "b/artifact/objects/sha256/${hex:0:2}"
	printf '%s' "$1" >"b/artifact/objects/sha256/${hex:0:2}/$hex"
	echo "\"$hex\""
}
run() { # NAME TASK POSITION
	local uuid
	uuid=$(head -n 1 "b/tasks/$2/workloads.jsonl" | sed 's/.*"uuid":"\([^"]*\)".*/\1/')
	mkdir -p "b/artifact/runs/$1"
	printf '{"arch":"hopper","checklist":"unsaid","date":"","model":"m","planned_trajectories":2,"planned_turns":4,"position":%d,"required_tag":"H","retrieval":"unsaid","run":"%s","source":"s","task":"%s","variant":"","workload":"%s","workload_name":"x"}\n' \
		"$3" "$1" "$2" "$uuid" >"b/artifact/runs/$1/run.json"
	where=b/artifact/runs/$1/turns.jsonl
	: >"$where"
}
turn() { # TRAJECTORY TURN OUTCOME SPEEDUP [ANSWER FEEDBACK]
	local prompt=null response=null feedback=null
	[ $# -lt 5 ] || { prompt=$(keep ask) response=$(keep "$5") feedback=$(keep "$6"); }
	printf '{"arch_tag":"","evidence":"reported","feedback":%s,"outcome":"%s","prompt":%s,"reasoning_source":"","reasoning_tokens":null,"response":%s,"source_line":null,"speedup":"%s","trajectory":%d,"turn":%d}\n' \
		"$feedback" "$3" "$prompt" "$response" "$4" "$1" "$2" >>"$where"
}
run core $core 1
turn 0 0 'Runtime error' 0 bad 'it died'
turn 0 1 Correct 0.5 good right
run more $other 2
turn 0 0 'Compilation error' 0 'first "answer"' 'it does not compile'
turn 0 1 'Numerical error' 0 second 'it is off'
turn 0 2 Correct 0.5 third 'it is right'
turn 0 3 'Runtime error' 0 fourth 'it died'
turn 1 0 Correct 0.5 fifth right
turn 1 1 'Runtime error' 0
turn 1 2 Correct 0.25
run again $other 3
turn 0 0 'Numerical error' 0 second 'it is off'
turn 0 1 Correct 0.5 third 'it is right'
"$PTXSEAL" export repairs --output set.jsonl b
cat set.jsonl
grep -c "$(sha256sum <set.jsonl | cut -c 1-64)" set.jsonl.manifest.json
"$PTXSEAL" export repairs --output all.jsonl --hold-out $other --json b
cut -c 1-90 all.jsonl
for wrong in "--output set.jsonl --hold-out nothing b" "--output b/artifact/set.jsonl b" "--hold-out $core b" "--output none.jsonl --hold-out $core --hold-out $other b"; do
	code=0
	# shellcheck disable=SC2086
	"$PTXSEAL" export repairs $wrong 2>err || code=$?
	echo "$code: $(head -n 1 err | sed 's/; .*//')"
done
ls
