# A run that asked a model is sealed with its source, whose manifest vouches for its plan, exchanges, evaluations and objects; what is changed in any of them is found. Tables of what was measured take its turns for what they are.
. "$REPO/tests/cli/query/common"
query talk r --trajectories 3 >/dev/null
server_gone
for role in import root; do
	"$PTXSEAL" keygen --out $role.key --public $role.pub >out
	"$PTXSEAL" seal --role $role --key $role.key b >out
done
"$PTXSEAL" verify b | sed -n '1s/, [0-9.]* KiB.*//p'
sed 's/.*"payload":"\([^"]*\)".*/\1/' b/manifests/query.dsse.json | base64 -d | grep -o '"name":"[^"]*"' | grep -v objects
for object in $(grep -ho '"sha256":"[0-9a-f]\{64\}"\|"re[a-z]*":"[0-9a-f]\{64\}"' b/artifact/runs/r/e*.jsonl | cut -d'"' -f4 | sort -u); do
	sed 's/.*"payload":"\([^"]*\)".*/\1/' b/manifests/query.dsse.json | base64 -d | grep -q "$object" || echo "not vouched for: $object"
done
cp -r b whole
for file in query.json exchanges.jsonl evaluations.jsonl; do
	sed -i 's/"arch/"ARCH/; s/chat/Chat/' b/artifact/runs/r/$file
	"$PTXSEAL" verify b >out || sed -n 's/^\(artifact[^:]*\):.* (\(R-...-...\).*/\1 \2/p' out
	rm -r b
	cp -r whole b
done
"$PTXSEAL" explain --sql "SELECT source, task, outcome, turn.evidence, count(*) AS turns FROM turn JOIN run USING (run_id) GROUP BY 1, 2, 3, 4 ORDER BY 3" b
