# R-EXC-001 to R-EXC-004, R-OBJ-002: what was asked of a model is vouched for with its run, and its bodies are there.
. "$REPO/tests/cli/verify/common"
content
object() { # TEXT: keep it, print its name
	local hex
	hex=$(printf '%s' "$1" | sha256sum | cut -c 1-64)
	mkdir -p "b/artifact/objects/sha256/${hex:0:2}"
	printf '%s' "$1" >"b/artifact/objects/sha256/${hex:0:2}/$hex"
	echo "$hex"
}
# ATTEMPT FAILURE FINISH STATUS RESPONSE
exchange() {
	printf '{"api":"chat","attempt":%s,"client":"ptxseal/0.1.0 libcurl/7.88.1","endpoint":"loopback","failure":%s,"fingerprint":null,"finish_reason":%s,"first_byte_ms":0,"host":null,"http_status":%s,"model_answered":null,"model_asked":"M","parameters":{"temperature":0.7},"prompt_sha256":"%s","redacted":0,"request":"%s","response":%s,"response_complete":true,"sample":0,"started":"2026-01-02T03:04:05.678Z","took_ms":5,"trajectory":0,"turn":0,"usage":{"completion":null,"prompt":null,"reasoning":null}}\n' \
		"$1" "$2" "$3" "$4" "$asked" "$asked" "$5"
}
asked=$(object '{"messages":[],"model":"M"}') busy=$(object 'busy') answered=$(object '{"choices":[]}')
cat >b/artifact/runs/first/run.json <<'END'
{"arch":"hopper","checklist":"unsaid","date":"2026-01-31","model":"M","planned_trajectories":1,"planned_turns":1,"position":1,"required_tag":"H","retrieval":"none","run":"first","source":"demo","task":"gemm","variant":"","workload":"w","workload_name":"w"}
END
printf '{"arch_tag":"","evidence":"reported","feedback":"%s","outcome":"Other error","prompt":"%s","reasoning_source":"","reasoning_tokens":null,"response":"%s","source_line":1,"speedup":"0","trajectory":0,"turn":0}\n' \
	"$asked" "$asked" "$answered" >b/artifact/runs/first/turns.jsonl
file=b/artifact/runs/first/exchanges.jsonl
{ exchange 0 '"http_error"' null 503 "\"$busy\"" && exchange 1 null '"stop"' 200 "\"$answered\""; } >$file
keys
"$PTXSEAL" seal --role import --key import.key b | hide
"$PTXSEAL" seal --role root --key root.key b >seal.out
check
payload b/manifests/demo.dsse.json | tr ',' '\n' | grep -c 'objects/sha256\|exchanges.jsonl'
cp -R b good

again() { # WHAT: seal what stands there, as far as that goes
	echo "* $1"
	"$PTXSEAL" seal --role import --key import.key b | hide || true
	rm -r b && cp -R good b
}
rm -r "b/artifact/objects/sha256/${busy:0:2}"
again 'a body that is gone'
truncate -s -1 $file
again 'a last line without its end'
exchange 2 null '"stop"' 200 "\"$answered\"" >>$file
again 'a try after the answer'
exchange 0 null '"stop"' 200 "\"$answered\"" >>$file
again 'a number that was used'
exchange 0 null null 200 "\"$answered\"" >$file
again 'an answer without a finish reason'
exchange 0 '"http_error"' '"stop"' null null >$file
again 'a whole reply without a status'
exchange 0 '"late"' null 200 "\"$answered\"" >$file
again 'a failure that is none'
exchange 0 null '"stop"' 200 "\"$answered\"" | sed 's/,"turn":0/,"turn":0,"note":1/' >$file
again 'a field of another name'
exchange 0 null '"stop"' 200 "\"$answered\"" | sed 's/0.7/0.70/' >$file
again 'a number that is not canonical'
exchange 0 null '"stop"' 200 "\"$answered\"" | sed 's/T03:04:05/T25:04:05/' >$file
again 'an hour that is none'
