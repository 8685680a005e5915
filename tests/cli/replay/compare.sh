# R-RPL-010, R-RPL-019: two replays agree, or the member that differs is named, and the facts that are not the same. A record that is none, or does not agree with itself, is not compared.
. "$REPO/tests/cli/replay/common"
tiny_task
candidate right gemm_right
candidate wrong gemm_wrong
replay one --no-evidence >out || [ $? -eq 1 ]
cp -r b/artifact/replays/one-$task two
cd b
compare() {
	local code=0

	"$PTXSEAL" compare "$@" >../out 2>../err || code=$?
	sed -E 's/[0-9a-f]{64}/HEX/g' ../out
	sed -E 's/ \((R-[A-Z]+-[0-9]+):.*/ (\1)/; s/(pairs .*give, )[0-9]+/\1N/' ../err
	[ $code -eq 0 ] || echo "exit $code"
}
slower() { # RECORD FROM TO SPEEDUP: the candidate took that many ns in every pair
	local hidden=$(grep -o '"hidden_ns":[-0-9]*' "$1")

	sed -i "s/$hidden/\"hidden_ns\":$((${hidden#*:} + $2 - $3))/" "$1"
	sed -i -E "s/\",$2,1200000,/\",$3,1200000,/g; s/\"$2\"/\"$3\"/g; s/(high|low|median)\":\"0\.8[0-9]*\"/\1\":\"$4\"/g" "$1"
}
compare "one-$task" ../two
slower ../two/right.json 1500000 1487000 0.806993948
sed -i 's/"driver_version":"unknown"/"driver_version":"999.1"/' ../two/right.json
compare "one-$task" ../two/right.json
slower ../two/right.json 1487000 1483000 0.809170600
compare "artifact/replays/one-$task/right.json" ../two/right.json
rm ../two/wrong.json
compare "artifact/replays/one-$task" ../two | tail -n 2
mkdir ../none
compare ../two ../none
echo '{}' >../none/x.json
compare ../two ../none
compare "one-$task" nosuch
compare nosuch "one-$task"
compare "one-$task" ../two/right.json/x
bad() { # SED-COMMAND
	sed -E "$1" ../two/right.json >../bad.json
	! cmp -s ../two/right.json ../bad.json || echo "nothing changed by $1"
	compare ../bad.json ../bad.json
}
bad 's/"trials":\[\{.*\],"worker"/"trials":[{}],"worker"/'
bad 's/"accounting":\{[^}]*\}/"accounting":null/'
bad 's/"pairs":[0-9]+/"pairs":7/'
bad 's/("speedup":\{[^}]*"high":")[^"]*/\10.9/'
echo '-- no candidate in common'
cp -r "$REPO/artifact" "$REPO/tasks" ../none
cd ../none
records=(artifact/replays/*)
compare "${records[0]}" "${records[1]}" | sed 's/[0-9]* in only/N in only/'
