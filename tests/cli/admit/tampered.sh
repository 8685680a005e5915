# An archive whose maintainers (who hold its root key, and where it is said the log's) drop, change, add, replace or date back what was admitted, and seal that: found, each by its
# rules, whoever sealed it.
. "$REPO/tests/cli/admit/common"
submission $gemm
archive
"$PTXSEAL" admit --key log.key --into a s >admit.out
seal_archive
mv a good
id=$(ls good/manifests/submissions)
own=a/manifests/submissions/$id
run=lab-$gemm
try() { # NAME COMMAND
	rm -rf a
	cp -r good a
	eval "$2"
	find a -type d -empty -delete
	"$PTXSEAL" seal --role root --key archive.key a >seal.out || true
	"$PTXSEAL" verify --json a >verify.out || true
	[ "$(grep -c '^sealed and verified' seal.out)" = "$(grep -c '"verdict":"verified"' verify.out)" ] || { echo "$1: seal says otherwise than verify:"; cat seal.out; }
	echo "$1: $(grep -o '"rule":"[^"]*"' verify.out | cut -d '"' -f 4 | sort -u | tr '\n' ' ')"
}
try "as it was" true
try "dropped" 'rm -r $own a/artifact/runs/$run a/artifact/replays/$run a/artifact/sources/lab'
try "a run dropped" 'rm -r a/artifact/runs/$run a/artifact/replays/$run'
try "a record dropped" 'rm a/artifact/replays/$run/plain.json'
try "a record changed" 'sed -i "s/\"temperature_c\":[0-9]*/\"temperature_c\":33/" a/artifact/replays/$run/plain.json'
try "an outcome changed" 'sed -i "s/wrong_result/timeout/" a/artifact/runs/$run/turns.jsonl'
try "a candidate changed" 'echo >>a/artifact/candidates/$gemm/plain/kernel.ptx'
try "a record added" 'sed "s/\"name\":\"plain\"/\"name\":\"more\"/" a/artifact/replays/$run/plain.json >a/artifact/replays/$run/more.json'
try "a run added to its source" 'cp -r a/artifact/runs/$run a/artifact/runs/more; sed -i "s/\"run\":\"$run\"/\"run\":\"more\"/; s/\"position\":1/\"position\":2/" a/artifact/runs/more/run.json'
try "another statement" 'sed -i "s/\"statement\":\"\"/\"statement\":\"x\"/" $own/artifact/submission.json'
try "its seal dropped" 'rm -r $own'
try "a file beside its seal" 'echo x >$own/notes'
try "under another id" 'mv $own a/manifests/submissions/0123456789abcdef'
try "proof of another" 'sed -i "s/^index 0/index 1/" $own/proof'
try "proof dropped" 'rm $own/proof'
try "entry dated back" 'sed -i "s/\"admitted\":\"[^\"]*\"/\"admitted\":\"2020-01-01\"/" $own/entry.json'
try "log dropped" 'rm -r a/manifests/log'
try "log begun anew" 'rm -r a/manifests/log a/manifests/keys/log.pem; sed -i "s/{\"file\":\"keys.log.pem\"[^}]*},//" a/manifests/trust.json; "$PTXSEAL" log init --origin example.org/archive --key log.key a >out'
try "log begun anew, dated back" 'rm -r a/manifests/log a/manifests/keys/log.pem; sed -i "s/{\"file\":\"keys.log.pem\"[^}]*},//" a/manifests/trust.json; "$PTXSEAL" log init --origin example.org/archive --key log.key a >out
	sed -i "s/\"admitted\":\"[^\"]*\"/\"admitted\":\"2020-01-01\"/" $own/entry.json; "$PTXSEAL" log append --key log.key a $own/entry.json >out; "$PTXSEAL" log prove a 0 >$own/proof'
try "signed by another key" '"$PTXSEAL" keygen --out x.key --public x.pub >out; rm -rf s2; cp -r s s2; "$PTXSEAL" seal --role root --key x.key --name submitter --replace s2 >out || true; cp s2/checksums/* $own/checksums/; cp s2/manifests/root.dsse.json s2/manifests/trust.json $own/manifests/; cp s2/manifests/keys/submitter.pem $own/manifests/keys/'
trust() { # COMMAND of Python over `trust` and `log`, the entry of its key
	"$python" -c "import json; trust = json.load(open('a/manifests/trust.json')); log = next(key for key in trust['keys'] if 'log' in key['roles'])
$1
open('a/manifests/trust.json', 'w').write(json.dumps(trust, sort_keys=True, separators=(',', ':'), ensure_ascii=False) + '\n')"
}
try "the log's key ended before" 'trust "log[\"until\"] = \"2020-01-01\""'
try "a log of two keys" 'trust "trust[\"thresholds\"] = {\"log\": 2}"'
try "a leaf without submission" 'sed "s/\"source\":\"lab\"/\"source\":\"other\"/" $own/entry.json >other.json && "$PTXSEAL" log append --key log.key a other.json >out'
try "a submission that vouches for the archive's own" 'rm -rf s2; cp -r s s2; mkdir -p s2/artifact/runs; cp -r a/artifact/runs/glm52-gemm s2/artifact/runs/; "$PTXSEAL" seal --role root --key lab.key --name submitter s2 >out || true; cp s2/checksums/* $own/checksums/; cp s2/manifests/root.dsse.json $own/manifests/'
