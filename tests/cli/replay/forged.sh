# R-RPL-006, R-RPL-007, R-RPL-013, R-RPL-015, R-RPL-016, R-RPL-017: a committed record that was edited is refused, whatever stands in it is forged along. Tables, compare and a seal
# of role replay go by the same rules; compare looks at no candidate.
set -eu -o pipefail
command -v python3 >/dev/null || { echo "there is no python3 here"; exit 77; }
run=$(cd "$REPO/artifact/replays" && echo replay-*-mha_with_lse_d128)
mkdir -p b/artifact/{replays,runs,candidates,facts,tables,sources} b/tasks
cp -r "$REPO/artifact/runs/$run" b/artifact/runs/
cp -r "$REPO/artifact/replays/$run" b/artifact/replays/
cp -r "$REPO/artifact/candidates/mha_with_lse_d128" b/artifact/candidates/
cp "$REPO/artifact/facts/inputs.jsonl" b/artifact/facts/
cp "$REPO/artifact/tables/measured.sql" b/artifact/tables/
cp -r "$REPO/tasks/mha_with_lse_d128" b/tasks/
cp -r b good
rule() { # of the first message on stderr
	if [ -s err ]; then
		grep -o 'R-RPL-[0-9]*' err | head -n 1 || head -n 1 err
	else
		echo accepted
	fi
}
forge() { # CANDIDATE VARIANT
	rm -r b
	cp -r good b
	local record=b/artifact/replays/$run/$1.json how
	python3 "$REPO/tests/cli/replay/forged.py" "$2" "$record" "b/artifact/runs/$run/turns.jsonl"
	printf '%-10s %-16s' "$1" "$2"
	"$PTXSEAL" derive --out d b >out 2>err || true
	printf ' derive %-10s' "$(rule)$(grep -o '; R-SUB-[0-9]*' err | head -n 1 | sed 's/; /=/' || true)"
	(cd b && "$PTXSEAL" compare "../$record" "../good/artifact/replays/$run/$1.json") >out 2>err || true
	printf ' compare %s\n' "$(rule)"
}
for candidate in plain decoy wgmma-tma wrong loose; do
	forge $candidate nothing
done
forge wrong right
forge wrong marks
forge decoy share
for variant in samples control suspect hidden fate guards inputs 'outputs fail' 'no outputs' 'fewer outputs' 'one trial' 'fewer planned' bound published 'device name' worker \
	"worker's device" 'no code' 'no census' 'no lines' listed axes warm-up throttled 'memcheck state' 'memcheck errors' 'memcheck tool' 'memcheck skipped' 'strict unknown' \
	'published fail'; do
	forge wgmma-tma "$variant"
done
