# Whatever is derived of a bundle that is not as it was sealed comes with a warning that says so, beside what is printed and not in it; of one as it was sealed, and of one that has no seal yet, nothing is said.
. "$REPO/tests/cli/derive/bundle.inc"
all() {
	for command in 'table correct' 'table correct --format csv' 'table correct --format json' 'table --list' 'explain correct one/4 rate' 'explain --json correct one/4 rate' 'claims' 'claims --json' 'derive --out out' \
		'derive --check'; do
		"$PTXSEAL" $command bundle >"$1.out" 2>"$1.err"
		echo "$command: exit $?, $(grep -c . "$1.out") lines, $(wc -l <"$1.err") of a warning"
		cat "$1.err" >>warnings
	done
}
explain_sql() {
	"$PTXSEAL" explain --sql 'SELECT count(*) AS turns FROM turn' bundle 2>&1
}
echo '== no seal'
all none
for role in import root; do
	"$PTXSEAL" keygen --out $role.key --public $role.pub >log && "$PTXSEAL" seal --role $role --name $role --key $role.key bundle >log || exit 3
done
echo '== sealed'
all sealed
explain_sql
cat warnings
echo '== a speedup was changed'
sed -i 's/"speedup":"0.5"/"speedup":"0.9"/' bundle/artifact/runs/one/turns.jsonl
all changed
explain_sql
"$PTXSEAL" verify bundle >found
sort -u warnings | sed 's/is [0-9a-f]\{64\}, sealed as [0-9a-f]\{64\}/is HEX, sealed as HEX/'
grep -cxFf found warnings
