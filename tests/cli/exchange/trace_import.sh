# docs/records.md, "FlashInfer Trace": others' evaluations become reported runs, their texts objects; importing again changes nothing.
. "$REPO/tests/cli/exchange/common"
bundle
data_set
solution lost dora
trace lost PASSED "$passed" 'NVIDIA A100' >>set/traces/gemm/$task.jsonl
trace gone PASSED "$passed" >>set/traces/gemm/$task.jsonl
sed 's/8192/4096/; s/"gone"/"one"/' <<<"$(trace gone PASSED "$passed")" >>set/traces/gemm/$task.jsonl
sed "s/$task/other/" set/definitions/gemm/$task.json >set/definitions/gemm/other.json
echo notes >set/traces/notes.md
mkdir set/blob
echo not read >set/blob/x
"$PTXSEAL" import flashinfer-trace set --source lab --into b
cp -r b first
"$PTXSEAL" import flashinfer-trace set --source lab --into b --json
diff -r b first
echo
cat b/artifact/runs/lab-*/*
cat b/artifact/sources/lab/skipped.jsonl
sed 's/"files":\[[^]]*\]/"files":[...]/' b/artifact/sources/lab/source.json
for file in definitions/gemm/$task.json traces/gemm/$task.jsonl; do
	grep -q "\"file\":\"$file\",\"sha256\":\"$(sha256sum <set/$file | cut -c 1-64)\"" b/artifact/sources/lab/source.json || echo "no hash of $file"
done
cat b/artifact/sources/lab/solutions.jsonl
for object in $(grep -oh '"[0-9a-f]\{64\}"' b/artifact/runs/*/turns.jsonl | tr -d '"' | sort -u); do
	[ "$(sha256sum <"b/artifact/objects/sha256/${object:0:2}/$object" | cut -c 1-64)" = "$object" ] || echo "object $object"
done
cat b/artifact/objects/sha256/*/* | sort
