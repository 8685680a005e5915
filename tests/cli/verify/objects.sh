# R-OBJ-001, R-OBJ-002: objects are what their names say, and those that turns name are there and vouched for with them.
. "$REPO/tests/cli/verify/common"
content
object() { # TEXT: keep it, print its name
	local hex
	hex=$(printf '%s' "$1" | sha256sum | cut -c 1-64)
	mkdir -p "b/artifact/objects/sha256/${hex:0:2}"
	printf '%s' "$1" >"b/artifact/objects/sha256/${hex:0:2}/$hex"
	echo "$hex"
}
asked=$(object 'write a kernel') answered=$(object 'here it is') told=$(object 'it is wrong')
cat >b/artifact/runs/first/run.json <<'END'
{"arch":"hopper","checklist":"unsaid","date":"2026-01-31","model":"M","planned_trajectories":1,"planned_turns":1,"position":1,"required_tag":"H","retrieval":"none","run":"first","source":"demo","task":"gemm","variant":"","workload":"w","workload_name":"w"}
END
printf '{"arch_tag":"","evidence":"reported","feedback":"%s","outcome":"Other error","prompt":"%s","reasoning_source":"","reasoning_tokens":null,"response":"%s","source_line":1,"speedup":"0","trajectory":0,"turn":0}\n' \
	"$told" "$asked" "$answered" >b/artifact/runs/first/turns.jsonl
keys
"$PTXSEAL" seal --role import --key import.key b | hide
"$PTXSEAL" seal --role root --key root.key b >seal.out
check
payload b/manifests/demo.dsse.json | tr ',' '\n' | grep -c objects/sha256
cp -R b good

echo '* one byte of an object'
printf 'it is Wrong' >"b/artifact/objects/sha256/${told:0:2}/$told"
check || true
echo '* and sealed so, by someone else'"'"'s program'
"$PTXSEAL" seal --role root --key root.key b | hide || true
forge_root
check || true

echo '* an object that is gone'
rm -r b && cp -R good b
rm -r "b/artifact/objects/sha256/${told:0:2}"
check || true
"$PTXSEAL" seal --role import --key import.key b | hide || true

echo '* the turns that name them changed: only that is told'
rm -r b && cp -R good b
sed -i 's/Other/other/' b/artifact/runs/first/turns.jsonl
check || true
