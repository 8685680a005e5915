# A run that asked a model is submitted with every request and reply, checked without a compiler, admitted as static, and then played and extracted again in the archive. Nothing of it counts as correct.
. "$REPO/tests/cli/query/common"
. "$REPO/tests/cli/admit/asking"
query talk r --trajectories 3 --name lab >/dev/null
query talk_long l --trajectories 2 --name lab >/dev/null
server_gone
archive
facts >facts.json
"$PTXSEAL" submit --facts facts.json --key lab.key --output s.tar.zst b | hide
"$PTXSEAL" submit --facts facts.json --key lab.key --into s b >/dev/null
"$PTXSEAL" verify s | hide | head -n 1
(cd s && find . -type f | grep -v 'objects\|checksums\|keys' | sort)
PATH=/bin "$PTXSEAL" admit --check --into a s.tar.zst | hide
"$PTXSEAL" admit --key log.key --into a s.tar.zst | hide | tail -n 1
seal_archive
"$PTXSEAL" verify a | hide | sed -n '1s/verified: [0-9]* files/verified: N files/p'
for run in r l; do
	"$PTXSEAL" query --frozen --run $run a | tail -n 1
	"$PTXSEAL" rebuild --run $run a | tail -n 1
	cmp a/artifact/runs/$run/turns.jsonl b/artifact/runs/$run/turns.jsonl
done
"$PTXSEAL" explain --sql 'SELECT source, run, run.evidence, outcome, turn.evidence, sum(correct) AS correct, count(*) AS turns FROM turn JOIN run USING (run_id) GROUP BY 1, 2, 4, 5 ORDER BY 2, 4' a
echo '-- what travels, by level'
for level in full kernels figures; do
	"$PTXSEAL" pack --level $level --output $level.tar.zst a >/dev/null
	"$PTXSEAL" verify $level.tar.zst >out && echo "$level: verified"
	"$PTXSEAL" unpack $level.tar.zst $level >/dev/null
	(cd $level/data && find artifact -type f | grep -c objects || true)
	(cd $level/data && find artifact -type f | grep -c candidates/ || true)
	"$PTXSEAL" query --frozen --run r $level/data 2>err | tail -n 1 || true
	grep -o 'R-[A-Z]*-[0-9]*' err | head -n 1 || true
done
echo '-- left out, it cannot be admitted'
"$PTXSEAL" pack --level kernels --output s-kernels.tar.zst s >/dev/null
"$PTXSEAL" admit --check --into a s-kernels.tar.zst >out || echo "exit $?"
grep -o 'R-SUB-020' out | sort -u
