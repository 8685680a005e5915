# A run that was measured has a manifest of its own, by a key of the role `replay`, over its records, its ledger and its candidates' files.
. "$REPO/tests/cli/replay/common"
command -v openssl >/dev/null || { echo "openssl is not installed"; exit 77; }
tiny_task
candidate right gemm_right
"$PTXSEAL" keygen --out replay.key --public replay.pub >out
"$PTXSEAL" keygen --out root.key --public root.pub >out
replay r --no-evidence --key replay.key --name session >out
tail -n 1 out
sed 's/.*"payload":"\([^"]*\)".*/\1/' "b/manifests/r-$task.dsse.json" | base64 -d >payload
grep -o '"name":"[^"]*"' payload
grep -o '"predicateType":"[^"]*"' payload
sed -E 's/[0-9a-f]{64}/HEX/' b/manifests/trust.json
cp -r b before
seal() { "$PTXSEAL" seal --role root --key root.key b 2>&1 | sed -E 's/[0-9a-f]{64}/HEX/g; s/[0-9]+ files, [0-9.]+ KiB/FILES/'; }
again() { rm -rf b && cp -r before b && echo "-- $*"; }
again sealed
seal
again without its manifest
rm "b/manifests/r-$task.dsse.json"
seal || true
again a record changed
sed -i 's/"published":"pass"/"published":"fail"/' "b/artifact/replays/r-$task/right.json"
seal || true
again a turn changed
sed -i 's/"speedup":"0.8/"speedup":"1.8/' "b/artifact/runs/r-$task/turns.jsonl"
seal || true
again another PTX
printf '// slower\n' >>"b/artifact/candidates/$task/right/kernel.ptx"
seal || true
again a record more
sed 's/"name":"right"/"name":"left"/' "b/artifact/replays/r-$task/right.json" >"b/artifact/replays/r-$task/left.json"
seal || true
again a run more
cp -r "b/artifact/replays/r-$task" "b/artifact/replays/other"
seal || true
again by a key of another role
sed -i 's/"roles":\["replay"\]/"roles":["import"]/' b/manifests/trust.json
seal || true
