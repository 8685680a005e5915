# R-PRX-004, 005: what is no request of the interface is refused, and nothing of it is kept; whatever clients do, the proxy goes on.
. "$REPO/tests/cli/agents/common"
endpoint
record plain run
at=${url#http://}
at=${at%/v1}
raw() { python3 "$REPO/tests/cli/agents/client.py" "$at" raw "$1"; }
body Greet >good
good=$(cat good)
json='Content-Type: application/json'
# tried PATH BODY-FILE [HEADER...]: of a POST.
tried() { python3 "$REPO/tests/cli/agents/client.py" "$at" POST "$@"; }
chat=/v1/chat/completions
python3 "$REPO/tests/cli/agents/client.py" "$at" GET $chat - "$json"
tried /v1/models good "$json"
tried /chat/completions good "$json"
tried $chat?api-version=1 good "$json"
tried $chat good "$json" 'Origin: http://example.org'
tried $chat good
refused() { printf '%s' "$1" >bad && tried $chat bad "$json"; }
refused '{"model": "scripted-1", "messages": ['
refused '{"model":"scripted-1","model":"scripted-1","messages":[]}'
refused '[]'
refused '{"messages":[]}'
refused '{"model":"another","messages":[]}'
head -c 34000000 /dev/zero | tr '\0' ' ' >large
tried $chat large "$json"
mapfile -t many < <(for i in $(seq 150); do echo "X-$i: y"; done)
tried $chat good "$json" "${many[@]}"
echo "== raw"
length=${#good}
head="POST /v1/chat/completions HTTP/1.1\\r\\nHost: x\\r\\nContent-Type: application/json\\r\\n"
raw "${head}Content-Length: $length\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\nGET / HTTP/1.1\\r\\n\\r\\n"
raw "${head}Content-Length: $length\\r\\nContent-Length: 3\\r\\n\\r\\n$(sed 's/"/\\"/g' <<<"$good")"
raw "${head}Content-Length: -1\\r\\n\\r\\n"
raw "${head}Content-Length: 99999999999999999999999\\r\\n\\r\\n"
raw "${head}Transfer-Encoding: chunked\\r\\n\\r\\nzz\\r\\n"
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
for cut in (10, len(head) - 9, len(head) + 5, len(head) + len(body)):
    with socket.create_connection((host, int(port))) as gone:
        gone.sendall((head + body)[:cut])
END
# It still serves.
ask "$good" | tail -c 25
# The reply to who had gone after a whole request may come later than that.
lines run 3
ended >ended.txt
grep -v '^said' ended.txt
records run | grep -oE '"(failure|sample|turn)":[^,]*' | paste -d' ' - - -
ls b/artifact/objects/sha256/*/* | wc -l
