# R-PRX-001 to 003: what cannot be listened at or recorded is said before anything is written.
. "$REPO/tests/cli/agents/common"
try() {
	local code=0

	"$PTXSEAL" record "$@" >out 2>err || code=$?
	echo "$code: $(head -n 1 err | sed 's/; .*//') $(cat out)"
}
into=(--into b --run run --task $task --model m)
upstream=(--upstream http://127.0.0.1:9/v1)
try
try --listen 127.0.0.1:0
try --listen 127.0.0.1:0 "${upstream[@]}" --into b --run run --task $task
try --listen 127.0.0.1:0 --frozen --run run --model m b
try --listen 127.0.0.1:0 "${upstream[@]}" "${into[@]}" more
try --listen 127.0.0.1:0 "${upstream[@]}" "${into[@]}" --trajectory 1
try --listen 127.0.0.1:0 "${upstream[@]}" "${into[@]}" --turns x
try --listen 127.0.0.1:0 "${upstream[@]}" "${into[@]}" --frozen
try --listen 127.0.0.1:0 --frozen --run none b
try --listen 127.0.0.1:0 "${upstream[@]}" --into b --run run --task nothing --model m
try --listen 127.0.0.1:0 "${upstream[@]}" --into b --run ../run --task $task --model m
try --listen 127.0.0.1:0 "${upstream[@]}" --into b --run run --task $task --model ''
try --listen 127.0.0.1:0 "${upstream[@]}" --into nowhere --run run --task $task --model m
ls b/artifact
for listen in localhost:80 127.0.0.1 127.0.0.1: 127.0.0.1:65536 0.0.0.0:0 10.1.2.3:0 '[::]:0' ::1:0 '[::1:0'; do
	try --listen "$listen" "${upstream[@]}" "${into[@]}"
done
try --listen 192.0.2.1:0 --anywhere "${upstream[@]}" "${into[@]}"
try --listen 127.0.0.1:0 --upstream ftp://x "${into[@]}"
try --listen 127.0.0.1:0 --upstream http://user:word@x/ "${into[@]}"
# A run is gone on with as it was begun.
try --listen 127.0.0.1:0 "${upstream[@]}" --into b --run run --task $task --model other
try --listen 127.0.0.1:0 "${upstream[@]}" "${into[@]}" --turns 9
cat b/artifact/runs/run/run.json
