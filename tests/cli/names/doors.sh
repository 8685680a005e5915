# R-NAM-001 to 005: whichever way a name comes in, what would deceive a reader is refused by its rule, and nothing is written.
. "$REPO/tests/cli/names/common"
. "$REPO/tests/cli/exchange/common"
bundle
cp -r "$REPO/tasks/prompts" b/tasks/
in_json() { # TEXT: as it stands between quotes
	python3 -c 'import json, sys; print(json.dumps(sys.argv[1])[1:-1])' "$1"
}
deny() { refused 3 "$@" >>said; }
for one in "${hostile[@]}"; do
	rule=${one%% *} name=${one#* }
	data_set
	sed -i "s#\"author\":\"ann\"#\"author\":\"$(in_json "$name" | sed 's/\\/\\\\/g')\"#" set/solutions/ann/one.json
	deny "$rule" import flashinfer-trace set --source lab --into b
	data_set
	mkdir set/solutions/x
	sed "s#\"name\":\"one\"#\"name\":\"$(in_json "$name" | sed 's/\\/\\\\/g')\"#" set/solutions/ann/one.json >set/solutions/x/x.json
	deny "$rule" import flashinfer-trace set --source lab --into b
	trajectories
	sed -i "s#\"model_name\":\"maker/model-1\"#\"model_name\":\"$(in_json "$name" | sed 's/\\/\\\\/g')\"#" runs/first/trajectories/exp_00?.json
	deny "$rule" import trajectories runs --source lab --into b
	trajectories
	sed -i 's#,"model":{"model_name":"maker/model-1"}##' runs/first/trajectories/exp_00?.json
	deny "$rule" import trajectories runs --source lab --into b --model "$name"
	deny "$rule" query --endpoint http://127.0.0.1:9/v1 --model "$name" --task $task --workload published --run r --turns 1 --trajectories 1 b
	deny "$rule" record --listen 127.0.0.1:0 --upstream http://127.0.0.1:9/v1 --into b --run r --task $task --model "$name"
	deny "$rule" log init --origin "$name" --key nowhere b
done
sed "s/field '\([a-z]*\)' is .*/\1/" said | sort | uniq -c | sed 's/^ *//'
# Messages show escapes.
grep -c 'a.u{202E}b' said
grep -P '[\x00-\x08\x0b-\x1f\x7f]|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]|\xd8\x9c|\xef\xbb\xbf' said || true
