"""What admission spends on a submission follows from what an honest one of its size costs: bounded.py WAY PTXSEAL, with ./s a submission of an agent's session, lab.key its key and ./b0 an archive. Prints the
rules of the errors, and what was spent beyond it: more memory than unpacking and verifying keep to, or many times the CPU time of its harmless twin."""
import hashlib
import json
import os
import random
import resource
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import asked_breaks as breaks

WAY, PTXSEAL = sys.argv[1], sys.argv[2]
breaks.RUN = "artifact/runs/session"
MEBIBYTES, TIMES = 128, 4
random.seed(1)


def lost(record):
    """A try without an answer."""
    return dict(record, failure="connection", response=None, response_complete=False, http_status=None, finish_reason=None, model_answered=None, fingerprint=None, first_byte_ms=None,
                usage={"completion": None, "prompt": None, "reasoning": None})


def large_object(size):
    data = bytes(size)
    breaks.put(data)


def plan(trajectories, turns):
    breaks.change_json("run.json", lambda run: run.update(planned_trajectories=trajectories, planned_turns=turns))


def one_request(lines):
    """Of 6 MB, named by so many exchanges."""
    text = b"a" * 6000000
    messages = b'[{"content":"' + text + b'","role":"user"}]'
    request = breaks.put(b'{"messages":' + messages + b',"model":"scripted-1"}')
    record = lost(breaks.load("exchanges.jsonl")[0])
    record.update(request=request, prompt_sha256=hashlib.sha256(messages).hexdigest(), parameters={})
    breaks.save("exchanges.jsonl", [dict(record, attempt=attempt) for attempt in range(lines)])
    breaks.sweep()


def one_response(lines):
    first = breaks.load("exchanges.jsonl")[0]
    body = json.loads(breaks.get(first["response"]))
    body["padding"] = "a" * 6000000
    response = breaks.put(json.dumps(body).encode())
    breaks.save("exchanges.jsonl", [dict(first, response=response, turn=turn) for turn in range(lines)])
    breaks.sweep()


def numbers(count, colliding):
    """Colliding under a multiplier that anybody knows."""
    inverse = pow(0x9E3779B97F4A7C15, -1, 2**64)
    record = lost(breaks.load("exchanges.jsonl")[0])
    records = []
    for _ in range(count):
        number = random.getrandbits(64)
        if colliding:
            number = (number >> 42 << 42 | number & 0xFFFFF) * inverse % 2**64
        records.append(dict(record, trajectory=number >> 32, turn=number % 2**32))
    breaks.save("exchanges.jsonl", records)
    breaks.sweep()


def fill(name, head, unit, size, tail):
    """A file of head, so many bytes of units, tail."""
    os.makedirs(os.path.dirname(name), exist_ok=True)
    with open(name, "wb") as file:
        file.write(head + unit * (size // len(unit)) + tail)


def many(size):
    """A JSON array of as many values as such a size holds."""
    return b"[" + b"[]," * (size // 3) + b"[]]"


def response_of_many_values(size):
    first = breaks.load("exchanges.jsonl")[0]
    breaks.save("exchanges.jsonl", [dict(first, response=breaks.put(breaks.get(first["response"])[:-1] + b',"x":' + many(size) + b"}"))])
    breaks.sweep()


def request_of_many_values(size):
    first = breaks.load("exchanges.jsonl")[0]
    breaks.save("exchanges.jsonl", [dict(first, request=breaks.put(breaks.get(first["request"])[:-1] + b',"x":' + many(size) + b"}"))])
    breaks.sweep()


def many_exchanges(count):
    record = lost(breaks.load("exchanges.jsonl")[0])
    breaks.save("exchanges.jsonl", [dict(record, turn=turn) for turn in range(count)])
    breaks.sweep()


def many_turns(size):
    turn = breaks.load("turns.jsonl") or [{"arch_tag": "", "evidence": "unknown", "feedback": None, "outcome": "unknown", "prompt": None, "reasoning_source": "", "reasoning_tokens": None,
                                           "response": None, "source_line": None, "speedup": "0", "trajectory": 0, "turn": 0}]
    line = len(json.dumps(turn[0]))
    breaks.change_json("run.json", lambda run: run.update(planned_trajectories=10000, planned_turns=100))
    breaks.save("turns.jsonl", [dict(turn[0], trajectory=number // 100, turn=number % 100) for number in range(size // line)])


def many_keys(count):
    first = breaks.load("exchanges.jsonl")[0]
    members = ",".join(f'"{number:x}":1' for number in range(count))
    breaks.save("exchanges.jsonl", [dict(first, response=breaks.put(breaks.get(first["response"])[:-1] + b',"x":{' + members.encode() + b"}}"))])
    breaks.sweep()


def long_list(size):
    """Which is written after the seal is."""
    with open("t/checksums/SHA256SUMS", "w", encoding="utf-8") as file:
        file.writelines("0" * 64 + f"  artifact/runs/{number:07}/a\n" for number in range(size // 91))


WAYS = {
    "as it is": (lambda: None, None),
    "an object of 256 MiB": (lambda: large_object(256 << 20), None),
    "an object of 63 MiB of escapes": (lambda: breaks.put(b"\\" * (63 << 20)), None),
    "a response of many values": (lambda: response_of_many_values(31 << 20), None),
    "a request of many values": (lambda: request_of_many_values(31 << 20), None),
    "facts of many values": (lambda: fill("artifact/submission.json", b'{"runs":[', b"[],", 15 << 20, b"[]]}"), None),
    "a record of many values": (lambda: fill("artifact/replays/session/x.json", b"[", b"[],", 31 << 20, b"[]]"), None),
    "a source of many values": (lambda: fill("artifact/sources/lab/source.json", b"[", b"[],", 15 << 20, b"[]]"), None),
    "a statement of many values": (lambda: fill("manifests/session.dsse.json", b"[", b"[],", 63 << 20, b"[]]"), None),
    "a manifest of 65 MiB": (lambda: fill("manifests/other.dsse.json", b"", b"a", 65 << 20, b""), None),
    "a key of 65 MiB": (lambda: fill("manifests/keys/other.pem", b"", b"a", 65 << 20, b""), None),
    "a cubin of 65 MiB": (lambda: fill("artifact/candidates/t/n/kernel.sm_90a.cubin", b"\177ELF", b"a", 65 << 20, b""), None),
    "turns of 17 MiB": (lambda: fill("artifact/runs/session/turns.jsonl", b"", b"\n", 17 << 20, b""), None),
    "evaluations of 33 MiB": (lambda: fill("artifact/runs/session/evaluations.jsonl", b"", b"\n", 33 << 20, b""), None),
    "a list of 9 MiB": (lambda: None, None),
    "packed, 60,000 exchanges": (lambda: many_exchanges(60000), None),
    "turns of 15 MiB": (lambda: many_turns(15 << 20), None),
    "35,000 exchanges": (lambda: many_exchanges(35000), None),
    "a list of 7 MiB": (lambda: None, None),
    "keys as many as values": (lambda: many_keys((1 << 19) - 100), None),
    "a plan of 10,000,000,000 turns": (lambda: plan(1000000, 10000), None),
    "a plan of 1,000,001 turns": (lambda: plan(1, 1000001), None),
    "a plan of 10,000,000 turns": (lambda: plan(100000, 100), None),
    "a request that 200 exchanges name": (lambda: one_request(200), lambda: one_request(1)),
    "a response that 200 exchanges name": (lambda: one_response(200), lambda: one_response(1)),
    "numbers that collide": (lambda: numbers(40000, True), lambda: numbers(40000, False)),
}


def admit(spoil):
    """Its findings, CPU time and peak memory."""
    shutil.rmtree("t", ignore_errors=True)
    shutil.copytree("s", "t")
    os.chdir("t")
    spoil()
    os.chdir("..")
    for role in ("import", "root"):
        subprocess.run([PTXSEAL, "seal", "--role", role, "--key", "lab.key", "--name", "submitter", "t"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    if WAY.startswith("a list of "):
        long_list(int(WAY.split()[3]) << 20)
    if WAY.startswith("packed"):
        subprocess.run([PTXSEAL, "pack", "--output", "t.tar.zst", "t"], stdout=subprocess.DEVNULL, check=True)
    with open("admit.out", "w", encoding="utf-8") as out, open("admit.err", "w", encoding="utf-8") as err:
        child = subprocess.Popen([PTXSEAL, "admit", "--check", "--json", "--into", "b0", "t.tar.zst" if WAY.startswith("packed") else "t"], stdout=out, stderr=err, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30)))
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    shutil.rmtree("t")
    return child.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10


def rules():
    said = open("admit.out", encoding="utf-8").read()
    if not said:
        said = open("admit.err", encoding="utf-8").read()
        return sorted({word.strip("(:") for word in said.split() if word.startswith("(R-")})
    return sorted({finding["rule"] for finding in json.loads(said)["findings"] if finding.get("severity", "ERROR") == "ERROR"} - {"R-ADM-013"})


spoil, twin = WAYS[WAY]
code, took, peak = admit(spoil)
print(f"{WAY}: exit {code} {' '.join(rules())}")
if peak > MEBIBYTES:
    print(f"\tits peak memory was {peak} MiB, expected at most {MEBIBYTES}")
if twin is not None:
    least = admit(twin)[1]
    if took > TIMES * max(least, 0.05):
        print(f"\tit took {took:.2f} s of CPU time, its twin {least:.2f} s")
