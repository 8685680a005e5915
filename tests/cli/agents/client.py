"""A client that gets every byte the server sent: where a server refuses a request it closes while bytes of it are unread, and
then sending fails here, now or a moment later, depending on who is faster. What came before can be read all the same.

client.py HOST:PORT raw TEXT                           as it is (with escapes): the status lines that come back, or `closed`
client.py HOST:PORT METHOD TARGET FILE|- [HEADER...]   the status, and the message of the error
"""
import json
import socket
import sys


def talk(at, data):
    host, port = at.rsplit(":", 1)
    came = b""
    with socket.create_connection((host, int(port)), timeout=60) as s:
        try:
            s.sendall(data)
        except ConnectionError:
            pass
        while True:
            try:
                piece = s.recv(65536)
            except ConnectionError:
                break
            if not piece:
                break
            came += piece
    return came


def raw(at, text):
    lines = [line for line in talk(at, text.encode().decode("unicode_escape").encode("latin-1")).split(b"\r\n") if line.startswith(b"HTTP/")]
    return b" | ".join(lines).decode() or "closed"


def tried(at, method, target, file, *headers):
    body = None if file == "-" else open(file, "rb").read()
    head = [f"{method} {target} HTTP/1.1", f"Host: {at}", "Connection: close", *headers]
    if body is not None:
        head.append(f"Content-Length: {len(body)}")
    reply = talk(at, "\r\n".join(head).encode() + b"\r\n\r\n" + (body or b""))
    head, _, body = reply.partition(b"\r\n\r\n")
    if not head:
        return "closed"
    return head.split()[1].decode() + " " + json.loads(body)["error"]["message"].partition(" (")[0]


print((raw if sys.argv[2] == "raw" else tried)(sys.argv[1], *(sys.argv[3:] if sys.argv[2] == "raw" else sys.argv[2:])))
