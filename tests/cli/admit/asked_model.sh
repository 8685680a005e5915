# R-SUB-040: a name of a model that differs from that of another source in ASCII case and dashes alone is told of; one that differs otherwise is not.
. "$REPO/tests/cli/query/common"
. "$REPO/tests/cli/admit/asking"
number=0
for model in GLM-5.2 glm-5.2 GLM‑5.2 GLM−5.2 GLM5.2; do
	number=$((number + 1))
	mkdir -p c$number/artifact
	cp -r b/tasks c$number/
	(exec "$PTXSEAL" query --endpoint "http://127.0.0.1:$port/talk/v1" --model "$model" --task "$task" --workload small --form ptx --seed 0 --max-tokens 900 --trajectories 1 --turns 1 --run g$number --name g$number c$number >/dev/null)
done
server_gone
archive
told() { grep -o '[a-z/_0-9]*\.jsonl*: [a-z]*: .*R-SUB-040\|verdict.*' out | sed 's/ (R-SUB/: R-SUB/' || true; }
check() {
	local status=0

	"$PTXSEAL" admit --check --into a "$1" >out || status=$?
	told
	echo "exit $status, errors of: $(grep -v 'WARNING: \|INFO: ' out | grep -o '(R-[A-Z]*-[0-9]*' | sort -u | tr -d '(' | tr '\n' ' ')"
}
submit() { "$PTXSEAL" submit --facts "$1" --key lab.key --into "$2" "$3" >submit.out; }
for number in 1 2 3 4 5; do
	model=$(sed 's/.*"model":"\([^"]*\)".*/\1/' c$number/artifact/runs/g$number/run.json)
	facts no "$model" | sed "s/\"source\": \"lab\"/\"source\": \"g$number\"/" >g.json
	submit g.json v$number c$number
	check v$number
	if [ $number = 1 ]; then
		"$PTXSEAL" admit --key log.key --into a v1 >out
		seal_archive
	fi
done
