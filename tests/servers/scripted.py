"""A model endpoint that misbehaves on request: one case a fault, named by the first part of the path
(http://127.0.0.1:PORT/CASE/v1/chat/completions). Bodies are fixed, so that what a client records of them is, too.

usage: scripted.py [--unix PATH | --tls CERTIFICATE KEY]

Prints the port (or the path) once it listens, and ends when its standard input does: with whoever started it.
"""
import gzip
import json
import os
import socket
import socketserver
import ssl
import struct
import sys
import threading
import time

FINGERPRINT = "fp_scripted"
MODEL = "scripted-1"
USAGE = {"completion_tokens": 7, "completion_tokens_details": {"reasoning_tokens": 3}, "prompt_tokens": 11, "total_tokens": 18}
STALL_S = 5  # longer than any test lets a try take


def completion(message, finish="stop", usage=USAGE, **more):
    whole = {"choices": [{"finish_reason": finish, "index": 0, "message": {"role": "assistant", **message}}],
             "id": "c1", "model": MODEL, "object": "chat.completion", "system_fingerprint": FINGERPRINT, **more}
    if usage is not None:
        whole["usage"] = usage
    return json.dumps(whole).encode()


def chunk(delta=None, finish=None, **more):
    choices = [] if delta is None else [{"delta": delta, "finish_reason": finish, "index": 0}]
    whole = {"choices": choices, "id": "c1", "model": MODEL, "object": "chat.completion.chunk",
             "system_fingerprint": FINGERPRINT, **more}
    return b"data: " + json.dumps(whole).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"
HELLO = [chunk({"role": "assistant", "content": ""}), chunk({"content": "Hello"}), chunk({"content": ", world"})]
GOOD_STREAM = b"".join(HELLO) + chunk({}, "stop") + chunk(None, usage=USAGE) + DONE


def reply(body, status="200 OK", headers=(), kind="application/json", length=None):
    """A whole reply with a Content-Length."""
    head = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body) if length is None else length}", *headers]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def chunked(pieces, kind="text/event-stream", end=True):
    """A whole reply in chunked transfer coding."""
    out = [f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()]
    out += [b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces]
    return b"".join(out) + (b"0\r\n\r\n" if end else b"")


def error(message, **more):
    return json.dumps({"error": {"message": message, "type": "scripted", **more}}).encode()


class Request:
    def __init__(self, path, headers, body, number):
        self.path, self.headers, self.body, self.number = path, headers, body, number
        self.key = headers.get("authorization", "").removeprefix("Bearer ")


CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def constant(name, data):
    CASES[name] = lambda request: data


# ---- replies as they should be, of every kind ----
constant("plain", reply(completion({"content": "Hello, world"})))
constant("stream", chunked([GOOD_STREAM]))
constant("stream_bytewise", chunked([GOOD_STREAM[i:i + 1] for i in range(len(GOOD_STREAM))]))
constant("stream_crlf", chunked([b": a comment\r\n\r\n" + GOOD_STREAM.replace(b"\n", b"\r\n")]))
constant("stream_events", chunked([b"\xef\xbb\xbfevent: message\nid: 1\nretry: 10\n" + GOOD_STREAM]))
constant("stream_to_close", b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n" + GOOD_STREAM)
constant("stream_without_done", chunked([b"".join(HELLO) + chunk({}, "stop") + chunk(None, usage=USAGE)]))
constant("stream_without_usage", chunked([b"".join(HELLO) + chunk({}, "stop") + DONE]))
constant("stream_without_choices", chunked([b"".join(HELLO) + chunk({}, "stop") + b'data: {"usage":{"prompt_tokens":11,"completion_tokens":7}}\n\n' + DONE]))
constant("without_usage", reply(completion({"content": "Hello, world"}, usage=None)))
constant("null_usage", reply(completion({"content": "Hello, world"}, usage={"prompt_tokens": None, "completion_tokens": -1})))
constant("parts", reply(completion({"content": [{"type": "text", "text": "Hello"}, {"type": "text", "text": ", world"}]})))
constant("reasoning", reply(completion({"content": "Hello", "reasoning": "I greet."})))
constant("reasoning_content", reply(completion({"content": "Hello", "reasoning_content": "I greet.", "reasoning": "I greet."})))
constant("think", reply(completion({"content": "<think>\n```c\nint no;\n```\n</think>\n```c\nint yes;\n```\n"})))
constant("think_prefilled", reply(completion({"content": "```c\nint no;\n```\n</think>\nHello"})))
constant("stream_reasoning", chunked([chunk({"reasoning_content": "I "}), chunk({"reasoning_content": "greet."})] + [GOOD_STREAM]))
constant("tool_calls", reply(completion({"content": None, "tool_calls": [{"id": "t", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}, "tool_calls")))
constant("wrong_type", reply(completion({"content": "Hello, world"}), kind="text/html"))
constant("json_for_stream", reply(completion({"content": "Hello, world"}), kind="text/event-stream"))


# ---- the Responses API ----
def response(output, status="completed", **more):
    return {"id": "r1", "model": MODEL, "object": "response", "output": output, "status": status,
            "usage": {"input_tokens": 11, "output_tokens": 7, "output_tokens_details": {"reasoning_tokens": 3}}, **more}


SAID = [{"type": "reasoning", "summary": [{"type": "summary_text", "text": "I greet."}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hello, world"}]}]


def event(kind, **more):
    return f"event: {kind}\ndata: ".encode() + json.dumps({"type": kind, **more}).encode() + b"\n\n"


constant("responses", reply(json.dumps(response(SAID)).encode()))
constant("responses_incomplete", reply(json.dumps(response(SAID[:1], "incomplete", incomplete_details={"reason": "max_output_tokens"})).encode()))
constant("responses_stream", chunked([event("response.created", response=response([], "in_progress")),
                                      event("response.output_text.delta", delta="Hello"),
                                      event("response.completed", response=response(SAID))]))
constant("responses_cut", chunked([event("response.created", response=response([], "in_progress")),
                                   event("response.output_text.delta", delta="Hello")]))

# ---- replies that are no answer ----
constant("empty_length", reply(completion({"content": None, "reasoning_content": "So much to think"}, "length")))
constant("empty_stop", reply(completion({"content": None, "reasoning": "So much to think"})))
constant("blank", reply(completion({"content": " \n\t"})))
constant("unclosed_think", reply(completion({"content": "<think>\n```c\nint no;\n```\n"})))
constant("truncated", reply(completion({"content": "```c\nint main("}, "length")))
constant("refusal", reply(completion({"content": None, "refusal": "I would rather not."})))
constant("filtered", reply(completion({"content": "Hel"}, "content_filter")))
constant("error_in_200", reply(error("Upstream is away", code=502)))
constant("error_in_stream", chunked([b"".join(HELLO), b'data: {"error":{"message":"out of memory"}}\n\n']))

# ---- what is not a reply of this interface ----
constant("invalid_json", reply(b'{"choices": [{"message": {"content": "Hello"}}'))
constant("duplicate_keys", reply(completion({"content": "Hello"})[:-1] + b', "choices": []}'))
constant("nul", reply(completion({"content": "Hel\0lo"})))
constant("not_utf8", reply(b'{"choices": [{"finish_reason": "stop", "message": {"content": "\xff"}}]}'))
constant("html", reply(b"<html>Sign in to the network</html>", kind="text/html"))
constant("empty_body", reply(b""))
constant("no_choices", reply(b'{"choices": []}'))
constant("no_finish", reply(completion({"content": "Hello"}, None)))
constant("second_choice", reply(b'{"choices":[{"finish_reason":"stop","index":1,"message":{"content":"Hello"}}]}'))
constant("number_content", reply(completion({"content": 7})))
constant("stream_garbage", chunked([HELLO[0], b"upstream connect error\n\n", GOOD_STREAM]))
constant("stream_bad_json", chunked([HELLO[0], b"data: {\"choices\": [\n\n", GOOD_STREAM]))
constant("gzip_bomb", reply(gzip.compress(b" " * 4_000_000, mtime=0), headers=["Content-Encoding: gzip"]))
constant("huge", reply(completion({"content": "x" * 300_000})))
constant("huge_stream", chunked([chunk({"content": "x" * 1000}) for _ in range(300)]))
constant("huge_headers", reply(completion({"content": "Hello"}), headers=[f"X-{i}: {'y' * 1000}" for i in range(400)]))

# ---- statuses ----
constant("bad_request", reply(error("no such parameter"), "400 Bad Request"))
constant("too_long", reply(error("Your input is too long.", code="context_length_exceeded", param="messages"), "400 Bad Request"))
constant("not_found", reply(b"no such page", "404 Not Found", kind="text/plain"))
constant("forbidden", reply(error("not yours"), "403 Forbidden"))
constant("error_401", reply(error("no such key", code=401)))
constant("always_500", reply(error("internal"), "500 Internal Server Error"))
constant("not_implemented", reply(error("no"), "501 Not Implemented"))
constant("redirect", reply(b"", "307 Temporary Redirect", ["Location: /redirected/v1/chat/completions"]))
constant("redirected", reply(completion({"content": "You should not have followed me"})))
constant("rate_forever", reply(error("quota"), "429 Too Many Requests", ["Retry-After: 86400"]))
constant("rate_nonsense", reply(error("quota"), "429 Too Many Requests", ["Retry-After: soon"]))


def after(failures, failure):
    """That many failures, then an answer."""
    return lambda request: failure if request.number < failures else CASES["plain"](request)


CASES["rate_seconds"] = after(1, reply(error("slow down"), "429 Too Many Requests", ["Retry-After: 7"]))
CASES["rate_date"] = after(1, reply(error("slow down"), "429 Too Many Requests", ["Retry-After: Fri, 02 Jan 2026 03:04:35 GMT"]))
CASES["unavailable"] = after(2, reply(b"busy", "503 Service Unavailable", kind="text/plain"))
CASES["reset_once"] = after(1, b"")
RESET = ("reset_once", "always_reset")  # the connection is not closed but reset
constant("always_reset", b"")

# ---- connections ----
constant("no_reply", b"")
constant("garbage", b"\x00\x01\x02 this is no HTTP\r\n\r\n")
constant("cut_body", reply(completion({"content": "Hello, world"})[:60], length=500))
constant("cut_stream", chunked(HELLO, end=False))
constant("cut_mid_event", chunked([HELLO[0], HELLO[1][:30]], end=False))
constant("ended_stream", chunked(HELLO))
constant("done_without_finish", chunked(HELLO + [DONE]))
constant("cut_after_finish", chunked([b"".join(HELLO) + chunk({}, "stop")], end=False))
constant("chunk_garbage", b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nHello\r\n")


@case
def silent(request):
    time.sleep(STALL_S)
    return b""


@case
def drip(request):
    """A byte now and then: never idle, never done."""
    yield b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    for _ in range(int(STALL_S / 0.05)):
        yield b"2\r\n:\n\r\n"
        time.sleep(0.05)


@case
def done_lingers(request):
    """All is said, and the body does not end."""
    yield chunked([GOOD_STREAM], end=False)
    time.sleep(STALL_S)


@case
def slow(request):
    """Fifty milliseconds, as measurements of clients want it."""
    time.sleep(0.05)
    return CASES["plain"](request)


@case
def asked(request):
    """How many requests have come to the case that the path ends with."""
    return reply(str(Handler.counts.get(request.path.split("/")[-1], 0)).encode(), kind="text/plain")


# ---- keys that come back ----
@case
def key_in_error(request):
    return reply(error(f"Incorrect API key provided: {request.key}. Bearer {request.key} is unknown."), "401 Unauthorized",
                 [f"X-Your-Key: {request.key}", f"WWW-Authenticate: Bearer {request.key}"])


@case
def key_in_answer(request):
    return reply(completion({"content": f"Your key is {request.key}."}), headers=[f"X-Your-Key: {request.key}"])


@case
def key_escaped(request):
    spelled = "".join("\\u%04x" % ord(c) for c in request.key).encode()
    return reply(completion({"content": "Your key is KEY."}).replace(b"KEY", spelled))


@case
def key_in_pieces(request):
    half = len(request.key) // 2
    return chunked([HELLO[0], chunk({"content": request.key[:half]}), chunk({"content": request.key[half:]}), chunk({}, "stop"), DONE])


@case
def echo(request):
    """What was asked, headers and all, but for the key: for tests of what is sent."""
    headers = {name: value for name, value in request.headers.items() if name not in ("authorization", "host")}
    return reply(completion({"content": json.dumps({"body": request.body.decode(), "headers": headers, "path": request.path}, sort_keys=True)}))


# ---- a model that writes kernels: what it says depends on the request alone, so that runs can be compared ----
PTX = """.version 8.0
.target sm_90a
.address_size 64
.visible .entry gemm_right(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 m, .param .u32 n, .param .u32 k)
{
	BODY
	ret;
}
"""
STORE = """.reg .b64 %d;
	.reg .b32 %r;
	mov.u64 %d, 0;
	mov.u32 %r, 0;
	cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%d, {%r}], [%r];"""
LAUNCHES = """{"launches":[{"function":"gemm_right","grid":["N/32","ceil(M,128)","1"],"block":["128","1","1"],"cluster":["1","1","1"],"shared":"0",
 "parameters":[{"tensor":"A"},{"tensor":"B"},{"tensor":"C"},{"u32":"M"},{"u32":"N"},{"u32":"K"}]}]}"""


def kernel(body):
    return f"Here it is.\r\n\r\n```ptx\r\n{PTX.replace('BODY', body)}```\r\nIts launches:\n```json\n{LAUNCHES}\n```\n"


@case
def talk(request):
    """No kernel, then one that does not assemble, then one without target instructions, then one with. A seed is 8 x trajectory + turn. Every third trajectory needs none of that; every fourth reasons and is
    cut off first."""
    asked = json.loads(request.body)
    trajectory, turn = divmod(asked["seed"], 8)
    barriers = "bar.sync 0;" * (trajectory + 1)
    if trajectory % 4 == 3 and turn == 0:
        content, finish = "<think>\n" + kernel("") + "</think>\nSo", "length"
    elif trajectory % 3 == 2 or turn >= 3:
        content, finish = kernel(barriers + STORE), "stop"
    elif turn == 2:
        content, finish = kernel(barriers), "stop"
    elif turn == 1:
        content, finish = kernel("this is no instruction;"), "stop"
    else:
        content, finish = "I would use wgmma.", "stop"
    usage = {"completion_tokens": len(content), "completion_tokens_details": {"reasoning_tokens": trajectory}, "prompt_tokens": len(request.body)}
    if asked.get("stream"):
        return chunked([chunk({"content": content[i:i + 40]}) for i in range(0, len(content), 40)] + [chunk({}, finish) + chunk(None, usage=usage) + DONE])
    return reply(completion({"content": content}, finish, usage))


@case
def talk_long(request):
    """A model of few tokens: what it is asked in the third turn does not fit any more; of the second trajectory not even in the first."""
    trajectory, turn = divmod(json.loads(request.body)["seed"], 8)
    return CASES["too_long"](request) if turn >= 2 or trajectory == 1 else talk(request)


@case
def talk_runs(request):
    """Kernels that a device is given: a wrong one, one that touches what it may not, a right one (by the names that the tests' stand-in for the driver knows)."""
    names = ["gemm_wrong", "illegal", "gemm_right"]
    name = names[min(json.loads(request.body)["seed"] % 8, 2)]
    return reply(completion({"content": kernel("").replace("gemm_right", name)}))


@case
def talk_cuda(request):
    """A kernel.cu that does not compile; then tests/candidates/host/light.cu."""
    with open(os.path.join(os.path.dirname(__file__), "../candidates/host/light.cu"), encoding="utf-8") as source:
        text = source.read()
    if json.loads(request.body)["seed"] % 8 == 0:
        text = text.replace("threadIdx.x] =", "threadIdx.x] = nonsense + and_more +")
    return reply(completion({"content": f"First a sketch:\n```cuda\n__global__ void f();\n```\nand the file:\n```cuda\n{text}```\n", "reasoning": f"```cuda\n{text}no```"}))


SEEN, SEEN_LOCK = {}, threading.Lock()


@case
def talk_flaky(request):
    """The same, but every request fails once or twice before: by status, by a cut, by silence of the line."""
    with SEEN_LOCK:
        times = SEEN.get(request.body, 0)
        SEEN[request.body] = times + 1
    failures = [reply(b"busy", "503 Service Unavailable", kind="text/plain"), chunked(HELLO, end=False), b""]
    number = sum(request.body)
    return failures[(number + times) % 3] if times <= number % 2 else talk(request)


def talk_until(answered):
    """That many answers, then none: whoever asks is in the middle of its run, for as long as it waits."""
    return lambda request: talk(request) if request.number < answered else CASES["silent"](request)


for answers in (1, 3, 4, 9, 14):
    CASES[f"talk_until_{answers}"] = talk_until(answers)


@case
def talk_down(request):
    """It goes away in the second turn, and says the key."""
    return talk(request) if json.loads(request.body)["seed"] % 8 < 1 else CASES["key_in_error"](request)


AGENT_COMMANDS = ["printf 'a kernel\\n' >kernel.cu; cat kernel.cu", "wc -c <kernel.cu; cat no-such-file", "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT; cat kernel.cu"]


@case
def agent(request):
    """What a model says to an agent that calls a tool `bash`: the next command, told from how many it was given."""
    said = sum(message["role"] == "assistant" for message in json.loads(request.body)["messages"])
    arguments = json.dumps({"command": AGENT_COMMANDS[said]})
    return reply(completion({"content": f"Step {said}.", "tool_calls": [{"id": f"call_{said}", "type": "function", "function": {"name": "bash", "arguments": arguments}}]}, "tool_calls"))


class Handler(socketserver.StreamRequestHandler):
    counts, lock = {}, threading.Lock()

    def one(self):
        """Serve one request; false at the end of the connection."""
        line = self.rfile.readline(65536).split()
        if len(line) != 3:
            return False
        headers = {}
        while (header := self.rfile.readline(65536)) not in (b"\r\n", b"\n", b""):
            name, _, value = header.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        body = self.rfile.read(int(headers.get("content-length", 0)))
        path = line[1].decode()
        if path.startswith("http://"):  # as a proxy is asked
            path = "/" + path.split("/", 3)[3]
        name = path.split("/")[1]
        with self.lock:
            number = self.counts.get(name, 0)
            self.counts[name] = number + 1
        answer = CASES.get(name, CASES["not_found"])(Request(path, headers, body, number))
        pieces = [answer] if isinstance(answer, bytes) else answer
        last = b""
        for piece in pieces:
            self.wfile.write(piece)
            last = piece or last
        if name in RESET and answer == b"":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        # Only what says where it ends leaves the connection usable.
        return b"Content-Length" in last and name not in ("cut_body",) or last.endswith(b"0\r\n\r\n")

    def handle(self):
        try:
            while self.one():
                pass
        except (ConnectionError, ssl.SSLError, TimeoutError):
            pass  # clients leave; that is what they are tested for


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 256
    context = None

    def get_request(self):
        connection, address = self.socket.accept()
        if self.context is not None:
            connection = self.context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
        else:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection, address

    def handle_error(self, request, client_address):
        pass


class UnixServer(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True


def main(arguments):
    if arguments[:1] == ["--unix"]:
        server = UnixServer(arguments[1], Handler)
        print(arguments[1], flush=True)
    else:
        server = Server(("127.0.0.1", 0), Handler)
        if arguments[:1] == ["--tls"]:
            server.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            server.context.load_cert_chain(arguments[1], arguments[2])
        print(server.server_address[1], flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1:])
