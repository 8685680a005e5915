# R-AHD-001: a run whose session was killed says so, whatever would read, seal, send or play it, and what to do; `settle` puts all in its place, and then each of them takes it. A session that goes on is left alone.
. "$REPO/tests/cli/query/common"
asking talk_until_9 r --concurrency 2 --quiet >/dev/null 2>&1 &
pid=$!
for _ in $(seq 600); do
	[ "$(cat b/artifact/runs/r/exchanges.jsonl 2>/dev/null | wc -l)" -lt 9 ] || break
	sleep 0.05
done
"$PTXSEAL" settle b || echo "exit $?"
{ kill -9 $pid; wait $pid || true; } 2>/dev/null # the shell tells of it
server_gone
for role in import root; do
	"$PTXSEAL" keygen --out $role.key --public $role.pub >out
done
echo '{"schema":"ptxseal-submission-facts/1"}' >facts.json
says() { # a command, and what it says of the rule
	local code=0

	echo "-- $1 $2"
	"$PTXSEAL" "$@" >out 2>&1 || code=$?
	grep -q 'artifact/runs/r/exchanges.ahead.*R-AHD-001.*ptxseal settle' out || cat out
	echo "exit $code"
}
before=$(find b -type f -exec sha256sum {} + | sort)
says query --frozen --run r b
says rebuild --run r b
says explain --sql 'SELECT count(*) FROM turn' b
says export repairs --output repairs.jsonl b
says export flashinfer-trace trace b
says verify b
says seal --role import --key import.key b
says seal --role root --key root.key b
[ "$before" = "$(find b -type f -exec sha256sum {} + | sort)" ]
echo '-- damaged, it is left as it is'
cp b/artifact/runs/r/exchanges.ahead whole
printf x | dd of=b/artifact/runs/r/exchanges.ahead bs=1 seek=200 conv=notrunc 2>/dev/null
"$PTXSEAL" settle b || echo "exit $?"
cp whole b/artifact/runs/r/exchanges.ahead
echo '-- settled'
"$PTXSEAL" settle b | sed 's/: [1-9][0-9]* exchanges, [1-9][0-9]* evaluations, [1-9][0-9]* objects/: N exchanges, N evaluations, N objects/'
[ ! -e b/artifact/runs/r/exchanges.ahead ]
[ "$(wc -l <b/artifact/runs/r/exchanges.jsonl)" -eq 9 ]
"$PTXSEAL" settle b
"$PTXSEAL" query --frozen --run r b 2>&1 | grep -o 'R-QRY-006\|R-AHD-...' || true
for role in import root; do
	"$PTXSEAL" seal --role $role --key $role.key b >out
done
cp whole b/artifact/runs/r/exchanges.ahead
says pack --output b.tar.zst b
[ ! -e b.tar.zst ]
"$PTXSEAL" settle --nothing b 2>&1 | head -n 1 || true
"$PTXSEAL" settle b b 2>&1 | head -n 1 || true
"$PTXSEAL" settle nowhere || echo "exit $?"
echo '-- a write-ahead file that is another run'"'"'s costs no record, and no other run its settling'
cp -r b/artifact/runs/r b/artifact/runs/s
cp whole b/artifact/runs/s/exchanges.ahead
sed -i -e '2s/"took_ms":[0-9]*/"took_ms":77777/' b/artifact/runs/s/exchanges.jsonl
grep -q '"took_ms":77777' b/artifact/runs/s/exchanges.jsonl
rm b/artifact/runs/s/evaluations.jsonl && : >b/artifact/runs/s/evaluations.jsonl
mkdir b/artifact/runs/q && mkfifo b/artifact/runs/q/exchanges.ahead
mkdir b/artifact/runs/t && cp b/artifact/runs/r/query.json b/artifact/runs/t/ && cp whole b/artifact/runs/t/exchanges.ahead
lines=$(sha256sum b/artifact/runs/s/*.jsonl)
"$PTXSEAL" settle b 2>err | sed 's/: [1-9][0-9]* exchanges, [1-9][0-9]* evaluations, [1-9][0-9]* objects/: N exchanges, N evaluations, N objects/' || true
sed 's/byte [1-9][0-9]*, which/byte N, which/' err >&2
"$PTXSEAL" settle b >out 2>&1 || echo "exit $?"
[ "$lines" = "$(sha256sum b/artifact/runs/s/*.jsonl)" ]
