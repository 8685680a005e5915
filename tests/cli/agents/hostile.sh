# R-PRX-004, 005: what is no request of the interface is refused, and nothing of it is kept; whatever clients do, the proxy goes on.
. "$REPO/tests/cli/agents/common"
endpoint
record plain run
at=${url#http://}
at=${at%/v1}
# raw TEXT: as it is, on a connection of its own; the first line of what comes back, if any does.
raw() {
	python3 - "$at" "$1" <<'END'
import socket, sys
host, port = sys.argv[1].rsplit(":", 1)
with socket.create_connection((host, int(port)), timeout=20) as s:
    s.sendall(sys.argv[2].encode().decode("unicode_escape").encode("latin-1"))
    try:
        s.shutdown(socket.SHUT_WR)
        said = s.makefile("rb").read()
    except OSError:
        said = b""
    lines = [line for line in said.split(b"\r\n") if line.startswith(b"HTTP/")]
    print(b" | ".join(lines).decode() or "closed")
END
}
good=$(body Greet)
tried() { curl -sS -o reply.txt -w '%{http_code} ' "$@" || true; sed -n 's/.*"message":"\([^(]*\).*/\1/p' reply.txt; echo; : >reply.txt; }
json='Content-Type: application/json'
tried -H "$json" "$url/chat/completions"
tried -H "$json" -d "$good" "$url/models"
tried -H "$json" -d "$good" "http://$at/chat/completions"
tried -H "$json" -d "$good" "$url/chat/completions?api-version=1"
tried -H "$json" -H 'Origin: http://example.org' -d "$good" "$url/chat/completions"
tried -d "$good" "$url/chat/completions"
tried -H "$json" -d '{"model": "scripted-1", "messages": [' "$url/chat/completions"
tried -H "$json" -d '{"model":"scripted-1","model":"scripted-1","messages":[]}' "$url/chat/completions"
tried -H "$json" -d '[]' "$url/chat/completions"
tried -H "$json" -d '{"messages":[]}' "$url/chat/completions"
tried -H "$json" -d '{"model":"another","messages":[]}' "$url/chat/completions"
head -c 34000000 /dev/zero | tr '\0' ' ' >large
tried -H "$json" -H Expect: --data-binary @large "$url/chat/completions"
for i in $(seq 150); do echo "X-$i: y"; done >many
tried -H "$json" -H @many -d "$good" "$url/chat/completions"
echo "== raw"
length=${#good}
head="POST /v1/chat/completions HTTP/1.1\\r\\nHost: x\\r\\nContent-Type: application/json\\r\\n"
raw "${head}Content-Length: $length\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\nGET / HTTP/1.1\\r\\n\\r\\n"
raw "${head}Content-Length: $length\\r\\nContent-Length: 3\\r\\n\\r\\n$(sed 's/"/\\"/g' <<<"$good")"
raw "${head}Content-Length: -1\\r\\n\\r\\n"
raw "${head}Content-Length: 99999999999999999999999\\r\\n\\r\\n"
raw "${head}Transfer-Encoding: chunked\\r\\n\\r\\nzz\\r\\n"
raw "${head}Content-Length: $length\\r\\n\\r\\n{\"model\":"
raw "${head}Content-Length"
raw "POST /v1/chat/completions HTTP/1.1\\r\\nContent-Type: application/json\\r\\nContent-Length: 2\\r\\n\\r\\n{}"
raw "${head}X: $(head -c 70000 /dev/zero | tr '\0' y)\\r\\n\\r\\n"
raw '\x16\x03\x01 no HTTP at all\r\n\r\n'
echo "== slow, and gone before the reply"
python3 - "$at" "$good" <<'END'
import socket, sys, time
host, port = sys.argv[1].rsplit(":", 1)
body = sys.argv[2].encode()
head = b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)
with socket.create_connection((host, int(port))) as slow:
    for byte in (head + body)[:-1]:
        slow.sendall(bytes([byte]))
        time.sleep(0.001)
    slow.sendall(body[-1:])
    print(slow.makefile("rb").readline().decode().strip())
for cut in (10, len(head) + 5, len(head) + len(body)):
    with socket.create_connection((host, int(port))) as gone:
        gone.sendall((head + body)[:cut])
END
# It still serves.
ask "$good" | tail -c 25
sleep 0.3
ended >ended.txt
grep -v '^said' ended.txt
records run | grep -oE '"(failure|sample|turn)":[^,]*' | paste -d' ' - - -
ls b/artifact/objects/sha256/*/* | wc -l
