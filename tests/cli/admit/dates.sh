# R-SIG-012, R-ADM-011: a key's end date is held against the day on which the log took the submission in, not against what the submission says of itself; and entries of the log come in
# the order of their days.
. "$REPO/tests/cli/admit/common"
today=$(date -u +%F)
tomorrow=$(date -u -d tomorrow +%F)
later=$(date -u -d "2 days" +%F)
seal_until() { # DATE: by a second key of the lab, which ends that day
	"$PTXSEAL" trust --add second.pub --name second --role root --until "$1" s >out
	"$PTXSEAL" seal --role root --key second.key --name second --date "$1" s >seal.out || { cat seal.out; exit 1; }
}
told() { # what verify says of ./a, by rule
	"$PTXSEAL" verify --json "${1-a}" >verify.out || true
	grep -o '"rule":"[^"]*"' verify.out | cut -d '"' -f 4 | sort -u | tr '\n' ' '
}
submission $gemm
"$PTXSEAL" keygen --out second.key --public second.pub >out
archive

echo "-- a key that had ended, and a submission that is dated back"
seal_until 2020-02-29
"$PTXSEAL" verify s >out && echo "verified alone"
"$PTXSEAL" admit --check --into a s >out && echo "admitted" || hide <out | grep R-SIG-012 | sed "s/$today/TODAY/"

echo "-- one that has not ended"
seal_until "$tomorrow"
"$PTXSEAL" admit --key log.key --into a s | tail -n 2
seal_archive
"$PTXSEAL" verify a >out && echo verified
faketime=$(command -v faketime || true)
[ -z "$faketime" ] || faketime 2077-01-01 "$PTXSEAL" verify a >out

# The log again, with entries of these days.
log_of() { # DAY...: of the submissions, in the order of the list
	local index=0 id

	rm -r a/manifests/log a/manifests/keys/log.pem
	sed -i "s/{\"file\":\"keys.log.pem\"[^}]*},//" a/manifests/trust.json
	"$PTXSEAL" log init --origin example.org/archive --key log.key a >out
	for id in $(ls a/manifests/submissions); do
		sed -i "s/\"admitted\":\"[^\"]*\"/\"admitted\":\"$1\"/" "a/manifests/submissions/$id/entry.json"
		"$PTXSEAL" log append --key log.key a "a/manifests/submissions/$id/entry.json" >out
		shift
	done
	for id in $(ls a/manifests/submissions); do
		"$PTXSEAL" log prove a $index >"a/manifests/submissions/$id/proof"
		index=$((index + 1))
	done
	"$PTXSEAL" seal --role root --key archive.key a >seal.out || true
}
cp -r a good
echo "-- taken in after the key's end, by an archive that did not ask: $(log_of "$later"; told)"
"$PTXSEAL" pack --output a.tar.zst a >out && echo "packed" || echo "not packed"

echo "-- a second one: entries in order, and not"
rm -rf a w s
mv good a
LAB_SOURCE=lab2 "$python" "$lab" working "$REPO" w $forward
mv w/facts.json facts.json
"$PTXSEAL" submit --facts facts.json --key lab.key --into s w >out
"$PTXSEAL" admit --key log.key --into a s >out
seal_archive
echo "as admitted: $(told)"
cp -r a good
log_of "$today" "$tomorrow"
echo "in order: $(told)"
log_of "$tomorrow" "$today"
echo "not in order: $(told)"
hide <<<"$("$PTXSEAL" verify a)" | grep R-ADM | sed "s/$today/TODAY/; s/$tomorrow/TOMORROW/"

echo "-- a key of the working bundle goes along with its end"
mkdir w/manifests
cp "s/manifests/lab2-$forward.dsse.json" w/manifests/
"$PTXSEAL" trust --add lab.pub --name machine --role replay --until "$tomorrow" w >out
rm -r s
"$PTXSEAL" submit --facts facts.json --key second.key --into s w >out || cat out
sed 's/},{/},\n{/g' s/manifests/trust.json | grep '"replay"' | grep -o '"until":"[^"]*"' | sed "s/$tomorrow/TOMORROW/"
