# R-ADM-004: killed at random moments and run again, an admission is whole or not there: nothing lost, nothing doubled, the log consistent. PTXSEAL_KILLS: how often (8); then it is told how
# many were killed before their end.
. "$REPO/tests/cli/admit/common"
submission $gemm
# An archive of tasks and nothing else, so that what is written is most of it.
mkdir -p a/artifact
cp -r "$REPO/tasks" a/
cp -r "$REPO/artifact/facts" a/artifact/
"$PTXSEAL" keygen --out archive.key --public archive.pub >keygen.out
"$PTXSEAL" keygen --out log.key --public log.pub >keygen.out
"$PTXSEAL" seal --role root --key archive.key a >seal.out
"$PTXSEAL" log init --origin example.org/archive --key log.key a >log.out
seal_archive
mv a fresh
cp -r fresh a
start=$(date +%s%N)
"$PTXSEAL" admit --key log.key --into a s >out
took=$((($(date +%s%N) - start) / 1000))
RANDOM=2026
broken=0 killed=0 half=0
for _ in $(seq "${PTXSEAL_KILLS:-8}"); do
	rm -rf a
	cp -r fresh a
	"$PTXSEAL" admit --key log.key --into a s >out 2>&1 &
	at=$(((RANDOM * 32768 + RANDOM) % took))
	sleep "$((at / 1000000)).$(printf %06d $((at % 1000000)))"
	kill -9 $! 2>/dev/null || true
	code=0
	wait $! 2>/dev/null || code=$?
	[ $code -ne 137 ] || killed=$((killed + 1))
	# While it is half done, it cannot be sealed.
	if [ -e a/checksums/admitting ]; then
		half=$((half + 1))
		"$PTXSEAL" seal --role root --key archive.key a >seal.out && echo "a half admission was sealed"
		grep -q R-ADM-004 seal.out || echo "R-ADM-004 is not told"
	fi
	start=$(date +%s%N)
	"$PTXSEAL" admit --key log.key --into a s >out 2>&1 || grep -q R-ADM-001 out || { cat out; broken=$((broken + 1)); }
	took=$((($(date +%s%N) - start) / 1000)) # as fast as the machine is now
	seal_archive >/dev/null || broken=$((broken + 1))
	"$PTXSEAL" verify a >out || { cat out; broken=$((broken + 1)); }
	[ "$("$PTXSEAL" log audit a | grep -c '1 entry')" = 1 ] || broken=$((broken + 1))
	[ -z "$(find a -name '.ptxseal-*')" ] || { find a -name '.ptxseal-*'; broken=$((broken + 1)); }
done
# Killed behind its commit, in the middle of a write: what it left goes, and it is completed.
id=$(ls a/manifests/submissions)
"$python" - "a/manifests/submissions/$id" a/checksums/admitting <<'PY'
import json, sys
entry = open(f"{sys.argv[1]}/entry.json", encoding="utf-8").read()
place = sys.argv[1][2:]
with open(sys.argv[2], "w", encoding="utf-8") as journal:
    journal.write(json.dumps({"entry": entry, "files": [f"{place}/entry.json", f"{place}/proof"], "id": place[-16:]}, separators=(",", ":"), sort_keys=True) + "\n")
PY
: >a/manifests/log/unfinished # its append had one step to go
for place in a/checksums "a/manifests/submissions/$id"; do echo cut >"$place/.ptxseal-0123456789abcdef.tmp"; done
"$PTXSEAL" admit --key log.key --into a s >out && grep -o 'findings: completed' out
find a -name '.ptxseal-*' -o -name admitting
"$PTXSEAL" seal --role root --key archive.key a >seal.out && "$PTXSEAL" verify a >out && echo "sealed and verified"
# An append that was cut short before any journal: what it left goes first.
: >a/manifests/log/unfinished
"$PTXSEAL" admit --key log.key --into a s >out || grep -o R-ADM-001 out
"$PTXSEAL" log audit a >out && echo "the log is whole"
echo "$broken broken"
[ -z "${PTXSEAL_KILLS-}" ] || echo "$killed of $PTXSEAL_KILLS runs were killed before their end, $half of them half done"
