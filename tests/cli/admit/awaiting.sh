# R-ADM-015: between an admission and the root seal that follows it, what the log and the submissions explain is told in one line, with what to do; whatever they do not explain is told beside it, and where they
# do not hold themselves nothing is explained. Not verified, in every case: nobody has sealed it.
. "$REPO/tests/cli/admit/common"
submission $gemm
archive
"$PTXSEAL" admit --key log.key --into a s >out
seal_archive
rm -r w s lab.key lab.pub
export LAB_SOURCE=lab2
submission $gemm $forward
cp -r a before
"$PTXSEAL" admit --key log.key --into a s >out
"$PTXSEAL" verify a >out || echo "exit $?"
hide <out | sed -E 's/in [0-9]+ files, [0-9.]+ MiB/in N files/'
! "$PTXSEAL" pack --output a.tar.zst a >out || echo packed
grep -c R- out
cp -r a good
id=$(basename "$(comm -13 <(find before/manifests/submissions -mindepth 1 -maxdepth 1 -printf '%f\n' | sort) <(find a/manifests/submissions -mindepth 1 -maxdepth 1 -printf '%f\n' | sort))")
own=a/manifests/submissions/$id
run=lab2-$gemm
try() { # NAME COMMAND
	rm -rf a
	cp -r good a
	eval "$2"
	"$PTXSEAL" verify --json a >verify.out && echo "$1: verified"
	echo "$1: $("$python" -c '
import json, re, sys
findings = json.load(open("verify.out"))["findings"]
awaited = [int(re.search("with ([0-9]+) new", one["what"]).group(1)) for one in findings if one["rule"] == "R-ADM-015"]
print("awaited", awaited, *sorted({one["rule"] for one in findings} - {"R-ADM-015"}) if awaited else ["all told"])')"
}
try "as it was" true
try "without its mark" 'rm a/checksums/unfinished'
try "a record of it changed" 'sed -i "s/\"temperature_c\":[0-9]*/\"temperature_c\":33/" a/artifact/replays/$run/plain.json'
try "a record of it dropped" 'rm a/artifact/replays/$run/plain.json'
try "a record of it added" 'cp a/artifact/replays/$run/plain.json a/artifact/replays/$run/more.json'
try "a statement of it signed otherwise" 'sed -E -i "s/(\"sig\":\".)./\1-/" $own/manifests/$run.dsse.json'
try "a key beside it" 'cp lab.pub $own/manifests/keys/more.pem'
try "a signature beside it" 'mkdir $own/manifests/countersignatures; echo x >$own/manifests/countersignatures/r.sshsig'
try "its root manifest replaced" 'cp before/manifests/root.dsse.json $own/manifests/root.dsse.json'
try "a file of the archive changed" 'echo >>a/artifact/facts/baselines.jsonl'
try "an object of nobody" 'mkdir -p a/artifact/objects/sha256/2d; printf x >a/artifact/objects/sha256/2d/2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881'
try "another admission begun" 'echo >a/checksums/admitting'
try "a key of the archive changed" 'echo >>a/manifests/keys/root.pem'
try "the log's key file changed" 'echo >>a/manifests/log/vkey'
try "a tile more in the log" 'cp a/manifests/log/tile/0/000.p/2 a/manifests/log/tile/0/001'
try "a tile that was sealed changed" 'cp a/manifests/log/tile/0/000.p/2 a/manifests/log/tile/0/000.p/1'
try "a tile that was sealed dropped" 'rm -r a/manifests/log/tile/0/000.p/1'
try "the log cut back" 'cp before/manifests/log/checkpoint a/manifests/log/'
try "its entry dated back" 'sed -i "s/\"admitted\":\"[^\"]*\"/\"admitted\":\"2020-01-01\"/" $own/entry.json'
try "the submission before it changed" 'echo >>a/artifact/replays/lab-$gemm/plain.json'
try "once sealed" 'seal_archive'
