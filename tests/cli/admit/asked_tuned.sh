# R-SUB-027 and the table `trained`: a set that any run of a model names counts for all its runs, whichever of them names it; one without pairs, or with them and a submitter who does not know, says no of nothing.
. "$REPO/tests/cli/query/common"
. "$REPO/tests/cli/admit/asking"
cp -r "$REPO/tasks/mha_bwd_d128" b/tasks/
other=mha_bwd_d128
manifest() { # FILE TASKS PAIRS
	echo '{"bytes":9,"failed_without_fix":0,"fixes":'$3',"held_out":[],"left_out":{},"pairs":'$3',"program":"ptxseal","schema":"ptxseal-repairs/1","sha256":"'"$(printf %064d 1)"'","tasks":{'$2'}}' >$1
}
manifest here.json '"'$task'":2' 2
manifest elsewhere.json '"another_task":2' 2
manifest empty.json '' 0
manifest many.json "$(seq -f '"t%05.0f":1' -s , 10000 14096)" 4097
run() { (task=$1 && exec "$PTXSEAL" query --endpoint "http://127.0.0.1:$port/refusal/v1" --model "${3:-m}" --task $1 --workload published --form ptx --seed 0 --max-tokens 900 --trajectories 1 --turns 1 --run $2 --name lab b >/dev/null); }
query refusal first --trajectories 1 --turns 1 --name lab >/dev/null
run $other second
query refusal many --trajectories 1 --turns 1 --name lab --training-set many.json 2>&1 | sed 's/^ptxseal: //; s/ (R-TRN-003.*/ (R-TRN-003)/' || true
ls b/artifact/runs
server_gone
archive
submitted() { # WORD of the first task; of the other one it says no
	facts $1 | sed "s/\"conflicts\": \[/&{\"task\": \"$other\", \"trained\": \"no\", \"statement\": \"\"},/" >facts.json
	rm -rf s t
	"$PTXSEAL" submit --facts facts.json --key lab.key --into s b >submit.out
}
for case in first:here second:here first:elsewhere second:elsewhere second:empty none:none; do
	for word in no unknown yes; do
		rm -f b/artifact/runs/*/training_set.json
		[ $case = none:none ] || cp ${case#*:}.json b/artifact/runs/${case%:*}/training_set.json
		submitted $word
		status=0
		"$PTXSEAL" admit --check --into a s >out || status=$?
		if [ $status = 0 ]; then
			cp -r a t
			"$PTXSEAL" admit --key log.key --into t s >out
			"$PTXSEAL" seal --role root --key archive.key t >seal.out
			"$PTXSEAL" table trained --format csv t >table.csv
			# first run, second run
			echo "$case, stated $word: $(sed 1d table.csv | sort -t , -k 3 | cut -d , -f 3,6,7 | tr '\n' ' ')"
		else
			echo "$case, stated $word: $(sed -n 's/.*conflicts: \(.*\) (\(R-SUB-027\):.*/\2: \1/p' out)"
		fi
	done
done
echo '-- another source, another model'
rm -f b/artifact/runs/*/training_set.json
cp here.json b/artifact/runs/second/training_set.json
sed -i 's/"model":"m"/"model":"n"/' b/artifact/runs/second/run.json
"$PTXSEAL" explain --sql 'SELECT run, trained, said_by FROM trained JOIN run USING (run_id) ORDER BY 1' b
sed -i 's/"model":"n"/"model":"m"/' b/artifact/runs/second/run.json
"$PTXSEAL" explain --sql 'SELECT run, trained, said_by FROM trained JOIN run USING (run_id) ORDER BY 1' b
cp -r b/artifact/sources/lab b/artifact/sources/bal
sed -i 's/"source":"lab"/"source":"bal"/' b/artifact/runs/second/run.json b/artifact/sources/bal/*
"$PTXSEAL" explain --sql 'SELECT run, trained, said_by FROM trained JOIN run USING (run_id) ORDER BY 1' b
