# R-ADM, R-LOG: pack does not pack an archive whose log does not hold; one that somebody else packed is held to its log as it streams, with the very findings that the directory has. R-PCK-013: a log larger than what is kept in memory is not judged.
. "$REPO/tests/cli/admit/common"
submission $gemm
archive
"$PTXSEAL" admit --key log.key --into a s >out
seal_archive
"$PTXSEAL" pack --output good.tar.zst a >out
mv a good
id=$(ls good/manifests/submissions)
own=a/manifests/submissions/$id
rules() { # FILE
	grep -o '"rule":"[^"]*"' "$1" | cut -d '"' -f 4 | sort -u | tr '\n' ' '
}
places() { # FILE: what is told of which file
	grep -o '"file":"[^"]*"\|"rule":"[^"]*"' "$1" || true
}
try() { # NAME COMMAND
	rm -rf a
	cp -r good a
	eval "$2"
	find a -type d -empty -delete
	"$PTXSEAL" seal --role root --key archive.key a >out || ! grep -q '^NOT sealed' out || cat out
	rm -f p.tar.zst
	if "$PTXSEAL" pack --output p.tar.zst a >packing 2>&1; then echo "$1: packed"; fi
	"$python" "$REPO/tests/archive/repack.py" good.tar.zst a a.tar.zst
	"$PTXSEAL" verify --json a >directory || true
	"$PTXSEAL" verify --json a.tar.zst >streamed || true
	echo "$1: $(rules streamed)"
}
same() { # NAME COMMAND
	try "$@"
	diff <(places directory) <(places streamed)
}
without_log='rm -r a/manifests/log a/manifests/keys/log.pem; sed -i "s/{\"file\":\"keys.log.pem\"[^}]*},//" a/manifests/trust.json'
same "as it was" true
same "dropped" 'rm -r $own a/artifact/runs/lab-$gemm a/artifact/replays/lab-$gemm a/artifact/sources/lab'
same "log dropped" "$without_log"
same "log begun anew" "$without_log"'; "$PTXSEAL" log init --origin example.org/archive --key log.key a >out'
cat >revoke.py <<'END'
import json
trust = json.load(open("a/manifests/trust.json"))
next(k for k in trust["keys"] if k["file"] == "keys/log.pem")["revoked"] = "lost"
open("a/manifests/trust.json", "w").write(json.dumps(trust, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n")
END
same "log key revoked" '"$python" revoke.py'
same "dated back" 'sed -i "s/\"admitted\":\"[^\"]*\"/\"admitted\":\"2020-01-01\"/" $own/entry.json'
same "a proof of nothing" 'echo x >$own/proof'
same "a tile changed" 'sed -i "1s/./x/" a/manifests/log/tile/0/000.p/1'
same "a leaf without submission" 'sed "s/\"source\":\"lab\"/\"source\":\"other\"/" $own/entry.json >other.json && "$PTXSEAL" log append --key log.key a other.json >out'
mkdir large
for i in $(seq 800); do head -c 64000 /dev/zero | tr '\0' x >large/$i; done
try "a log of 49 MiB" '"$PTXSEAL" log append --key log.key a large/* >out'
rules directory
echo
