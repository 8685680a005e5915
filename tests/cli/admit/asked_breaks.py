"""Ways to break a submission of a run that asked a model: asked_breaks.py WAY DIRECTORY. Hashes are redone by whoever does it: objects have the names of their bytes, records name them, and turns follow
from evaluations as far as the way says. What is left is what only the rules find."""
import glob
import hashlib
import json
import os
import shutil
import sys

RUN = "artifact/runs/r"


def load(name):
    with open(f"{RUN}/{name}", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def save(name, records):
    with open(f"{RUN}/{name}", "w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n")


def path(name):
    return f"artifact/objects/sha256/{name[:2]}/{name}"


def get(name):
    with open(path(name), "rb") as file:
        return file.read()


def put(data):
    name = hashlib.sha256(data).hexdigest()
    os.makedirs(os.path.dirname(path(name)), exist_ok=True)
    with open(path(name), "wb") as file:
        file.write(data)
    return name


def sweep():
    """Objects that nothing names any more go."""
    named = "".join(open(name, encoding="utf-8").read() for name in glob.glob("artifact/runs/*/*.jsonl"))
    for name in glob.glob("artifact/objects/sha256/*/*"):
        if os.path.basename(name) not in named:
            os.remove(name)
            if not os.listdir(os.path.dirname(name)):
                os.rmdir(os.path.dirname(name))


def one(records, trajectory, turn):
    return next(record for record in records if (record["trajectory"], record["turn"]) == (trajectory, turn))


def change(name, trajectory, turn, **members):
    records = load(name)
    one(records, trajectory, turn).update(members)
    save(name, records)


def last_of(trajectory):
    return max(record["turn"] for record in load("turns.jsonl") if record["trajectory"] == trajectory)


def as_it_is():
    pass


def exchange_dropped():
    save("exchanges.jsonl", [record for record in load("exchanges.jsonl") if (record["trajectory"], record["turn"]) != (0, 1)])
    sweep()


def trajectory_dropped():
    for name in ("exchanges.jsonl", "evaluations.jsonl", "turns.jsonl"):
        save(name, [record for record in load(name) if record["trajectory"] != 2])
    shutil.rmtree(glob.glob("artifact/candidates/*/r-002-00")[0])
    sweep()


def last_turn_dropped():
    """An answer that did not please, and all that came of it."""
    for name in ("exchanges.jsonl", "evaluations.jsonl", "turns.jsonl"):
        save(name, [record for record in load(name) if (record["trajectory"], record["turn"]) != (0, last_of(0))] if name != "turns.jsonl" else
             [record for record in load(name) if record != one(load(name), 0, last_of(0))])
    shutil.rmtree(glob.glob("artifact/candidates/*/r-000-03")[0])
    sweep()


def response_changed():
    exchange = one(load("exchanges.jsonl"), 2, 0)
    change("exchanges.jsonl", 2, 0, response=put(get(exchange["response"]).replace(b"bar.sync 0", b"bar.sync 1", 1)))
    sweep()


def request_changed():
    exchange = one(load("exchanges.jsonl"), 2, 0)
    change("exchanges.jsonl", 2, 0, request=put(get(exchange["request"]).replace(b"kernel", b"Kernel", 1)))
    sweep()


def prompt_replaced():
    """In exchange, request and turn alike."""
    exchange, turn = one(load("exchanges.jsonl"), 2, 0), one(load("turns.jsonl"), 2, 0)
    prompt = put(get(turn["prompt"]).replace(b"kernel", b"fast kernel", 1))
    change("exchanges.jsonl", 2, 0, prompt_sha256=prompt, request=put(get(exchange["request"]).replace(b"kernel", b"fast kernel", 1)))
    change("turns.jsonl", 2, 0, prompt=prompt)
    sweep()


def outcome_changed():
    change("evaluations.jsonl", 0, 1, outcome="unknown", evidence="static")


def outcome_of_a_measurement():
    """With the feedback that follows from it, and the turn's line: all that playing the record looks at."""
    change("evaluations.jsonl", 2, 0, outcome="correct", speedup="1.5", evidence="executed")
    change("turns.jsonl", 2, 0, outcome="correct", speedup="1.5", evidence="executed", feedback=put(b"The kernel is correct."))
    sweep()


def instructions_added():
    """A kernel without target instructions is said to have some: the evaluation's facts, its tag, the feedback."""
    evaluations = load("evaluations.jsonl")
    one(evaluations, 0, 2)["facts"]["code"]["instructions"] = one(evaluations, 0, 3)["facts"]["code"]["instructions"]
    one(evaluations, 0, 2)["arch_tag"] = "H"
    save("evaluations.jsonl", evaluations)


def candidate_not_extracted():
    """Of another turn, under the name of this one."""
    here, there = (glob.glob(f"artifact/candidates/*/r-00{n}")[0] for n in ("2-00", "1-03"))
    for name in ("kernel.ptx", "kernel.sm_90a.cubin"):
        shutil.copy(f"{there}/{name}", f"{here}/{name}")


def launches_changed():
    name = glob.glob("artifact/candidates/*/r-002-00/candidate.json")[0]
    text = open(name, encoding="utf-8").read()
    assert '"block":["128","1","1"]' in text
    with open(name, "w", encoding="utf-8") as file:
        file.write(text.replace('"block":["128","1","1"]', '"block":["64","1","1"]'))


def candidate_added():
    there = glob.glob("artifact/candidates/*/r-002-00")[0]
    shutil.copytree(there, there.replace("r-002-00", "r-002-01"))
    name = there.replace("r-002-00", "r-002-01/candidate.json")
    text = open(name, encoding="utf-8").read().replace("r-002-00", "r-002-01")
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def object_added():
    put(b"nobody names this")


def object_dropped():
    exchange = one(load("exchanges.jsonl"), 0, 0)
    os.remove(path(exchange["response"]))


def key_given_away():
    """In what the model was said to have reasoned: nothing else looks at that."""
    exchange = one(load("exchanges.jsonl"), 0, 0)
    body = json.loads(get(exchange["response"]))
    body["choices"][0]["message"]["reasoning"] = "The key is sk-" + "Abc123Def456Ghi789Jkl0 it seems"
    change("exchanges.jsonl", 0, 0, response=put(json.dumps(body).encode()))
    sweep()


def mark_of_a_key_that_is_none():
    """Which a model may write."""
    exchange = one(load("exchanges.jsonl"), 0, 0)
    body = json.loads(get(exchange["response"]))
    body["choices"][0]["message"]["reasoning"] = "So [key taken out] it says, and [key taken out] again."
    change("exchanges.jsonl", 0, 0, response=put(json.dumps(body).encode()), redacted=1)
    sweep()


KEY = "sk-" + "Abc123Def456Ghi789Jkl0"


def reason(text):
    """In what the model was said to have reasoned: nothing else looks at that. text: as JSON spells it."""
    exchange = one(load("exchanges.jsonl"), 0, 0)
    body = json.loads(get(exchange["response"]))
    body["choices"][0]["message"]["reasoning"] = "REASONED"
    change("exchanges.jsonl", 0, 0, response=put(json.dumps(body).replace("REASONED", text).encode()))
    sweep()


def key_after_escaped_newline():
    reason("The key is\\n" + KEY + " it seems")


def key_spelled_otherwise():
    reason("The key is " + KEY.replace("-", "\\u002d").replace("A", "\\u0041") + " it seems")


def key_in_json_in_a_text():
    reason(json.dumps(json.dumps({"key": "\n" + KEY + "\n"}))[1:-1])


def change_facts(function):
    name = "artifact/submission.json"
    with open(name, encoding="utf-8") as file:
        tree = json.load(file)
    function(tree)
    with open(name, "w", encoding="utf-8") as file:
        file.write(json.dumps(tree, sort_keys=True, separators=(",", ":")) + "\n")


def key_in_statement():
    change_facts(lambda facts: facts.update(statement="Bearer " + KEY + KEY))


def key_in_environment():
    change_facts(lambda facts: facts["environment"].update(other="key " + KEY))


def temperature_made_up_is_unchecked():
    """No request of this run states one."""
    change_facts(lambda facts: facts["sampling"].update(temperature="0"))


def sampling_denied():
    change_facts(lambda facts: facts["sampling"].update(max_tokens="none"))


def sampling_other_limit():
    change_facts(lambda facts: facts["sampling"].update(max_tokens="4"))


def sampling_other_seed():
    change_facts(lambda facts: facts["sampling"].update(seed="777"))


def sampling_one_more():
    change_facts(lambda facts: facts["sampling"].update(seed="0, 777"))


def sampling_of_requests_changed():
    change_json("query.json", lambda query: query["parameters"].update(max_tokens=901))


def other_workload_name():
    change_json("run.json", lambda run: run.update(workload_name="published"))


def workload_name_made_up():
    change_json("run.json", lambda run: run.update(workload_name="the hard one"))


def checklist_claimed():
    change_json("run.json", lambda run: run.update(checklist="patched"))


def retrieval_claimed():
    change_json("run.json", lambda run: run.update(retrieval="notes and kernel"))


def variant_claimed():
    change_json("run.json", lambda run: run.update(variant="executed on 8 GPUs"))


def change_candidate(members):
    name = glob.glob("artifact/candidates/*/r-002-00/candidate.json")[0]
    with open(name, encoding="utf-8") as file:
        tree = json.load(file)
    tree.update(members)
    with open(name, "w", encoding="utf-8") as file:
        file.write(json.dumps(tree, sort_keys=True, separators=(",", ":")) + "\n")


def label_claimed():
    change_candidate({"label": "executed, correct, 3x cuBLAS"})


def origin_claimed():
    change_candidate({"origin": "written by hand"})


def plan_of_fewer():
    change_json("run.json", lambda run: run.update(planned_trajectories=2))


def change_json(name, function):
    with open(f"{RUN}/{name}", encoding="utf-8") as file:
        tree = json.load(file)
    function(tree)
    with open(f"{RUN}/{name}", "w", encoding="utf-8") as file:
        file.write(json.dumps(tree, sort_keys=True, separators=(",", ":")) + "\n")


def called_measured():
    change_json("query.json", lambda query: query.update(evaluation="replay"))


def another_template():
    change_json("query.json", lambda query: query["template"].update(id="ptx-9"))


def training_set_denied():
    manifest = {"bytes": 9, "failed_without_fix": 0, "fixes": 2, "held_out": [], "left_out": {}, "pairs": 2, "program": "ptxseal", "schema": "ptxseal-repairs/1", "sha256": "0" * 64,
                "tasks": {"gemm_n7168_k5120": 2}}
    with open(f"{RUN}/training_set.json", "w", encoding="utf-8") as file:
        file.write(json.dumps(manifest, sort_keys=True, separators=(",", ":")) + "\n")


def training_set_that_is_none():
    training_set_denied()
    change_json("training_set.json", lambda manifest: manifest.update(pairs=3))


def every(**members):
    records = load("exchanges.jsonl")
    for record in records:
        record.update(members)
    save("exchanges.jsonl", records)


def asked_again(make):
    """An attempt 0 before that of trajectory 2, which becomes attempt 1: what make() makes of it."""
    records = []
    for record in load("exchanges.jsonl"):
        if (record["trajectory"], record["turn"]) == (2, 0):
            records.append(make(dict(record)))
            record = dict(record, attempt=1)
        records.append(record)
    save("exchanges.jsonl", records)


NOTHING = {"failure": "timeout", "fingerprint": None, "finish_reason": None, "first_byte_ms": None, "http_status": None, "model_answered": None, "response": None, "response_complete": False,
           "usage": {"completion": None, "prompt": None, "reasoning": None}}


def ended(record, failure, why):
    body = json.loads(get(record["response"]))
    body["choices"][0]["finish_reason"] = why
    record.update(failure=failure, finish_reason=why, response=put(json.dumps(body).encode()))
    return record


def emptied(record):
    body = json.loads(get(record["response"]))
    body["choices"][0]["message"]["content"] = ""
    record.update(failure="empty", response=put(json.dumps(body).encode()))
    return record


def said_too_long(record):
    text = json.dumps({"error": {"code": "context_length_exceeded", "message": "This model's maximum context length is 4096 tokens.", "type": "invalid_request_error"}})
    record.update(NOTHING, failure="prompt_too_long", http_status=400, first_byte_ms=0, response=put(text.encode()), response_complete=True)
    return record


def empty_then_answer():
    asked_again(emptied)


def truncated_then_answer():
    asked_again(lambda record: ended(record, "truncated", "length"))


def refused_then_answer():
    asked_again(lambda record: ended(record, "refused", "content_filter"))


def too_long_then_answer():
    asked_again(said_too_long)


def lost_then_answer():
    """Such a try may be made again: nothing is wrong."""
    asked_again(lambda record: dict(record, **NOTHING))


def earlier_interface():
    asked_again(lambda record: dict(record, **NOTHING, api="responses"))


def earlier_model():
    asked_again(lambda record: dict(record, **NOTHING, model_asked="another"))


def earlier_model_answered():
    asked_again(lambda record: dict(record, **dict(NOTHING, model_answered="another")))


def earlier_parameters():
    asked_again(lambda record: dict(record, **NOTHING, parameters={"temperature": 9}))


def earlier_prompt():
    asked_again(lambda record: dict(record, **NOTHING, prompt_sha256="0" * 64))


def earlier_sample():
    asked_again(lambda record: dict(record, **NOTHING, sample=4242))


def earlier_usage():
    asked_again(lambda record: dict(record, **dict(NOTHING, usage={"completion": 1, "prompt": 1, "reasoning": 1})))


def refused_and_not_kept():
    change("exchanges.jsonl", 0, 0, failure="refused", response=None, response_complete=False, model_answered=None, finish_reason=None, fingerprint=None, usage=NOTHING["usage"])
    sweep()


def interface_changed():
    every(api="responses")


def keys_said_to_be_taken_out():
    every(redacted=99)


def before_there_were_models():
    every(started="1999-12-31T23:59:59.000Z")


def before_the_run():
    every(started="2023-03-01T00:00:00.000Z")


def not_yet():
    every(started="2099-12-31T23:59:59.000Z")


def copy_of_the_run():
    """Under another name, as it would have been written under that."""
    shutil.copytree(RUN, "artifact/runs/rr")
    for name in ("run.json", "evaluations.jsonl"):
        with open(f"artifact/runs/rr/{name}", encoding="utf-8") as file:
            text = file.read().replace("/r-0", "/rr-0").replace('"run":"r"', '"run":"rr"').replace('"position":1', '"position":9')
        with open(f"artifact/runs/rr/{name}", "w", encoding="utf-8") as file:
            file.write(text)
    for there in glob.glob("artifact/candidates/*/r-*"):
        here = there.replace("/r-", "/rr-")
        shutil.copytree(there, here)
        with open(f"{here}/candidate.json", encoding="utf-8") as file:
            text = file.read().replace("r-0", "rr-0").replace("run r,", "run rr,")
        with open(f"{here}/candidate.json", "w", encoding="utf-8") as file:
            file.write(text)
    with open("artifact/submission.json", encoding="utf-8") as file:
        submission = json.load(file)
    submission["runs"] = sorted(submission["runs"] + ["rr"])
    with open("artifact/submission.json", "w", encoding="utf-8") as file:
        file.write(json.dumps(submission, sort_keys=True, separators=(",", ":")) + "\n")


def at_pace(gap, minute):
    """Every try so many milliseconds after the one before."""
    records = load("exchanges.jsonl")
    for number, record in enumerate(records):
        record["started"] = record["started"][:14] + f"{minute:02}:{number * gap // 1000:02}.{number * gap % 1000:03}Z"
    save("exchanges.jsonl", records)


def copy_at_other_times():
    """Which keep its pace."""
    at_pace(250, 10)
    copy_of_the_run()
    at_pace(250, 20)


def copy_at_another_pace():
    """Of an endpoint that names no reply, and to requests with a seed: may be that it was asked again. Its labels give it away."""
    at_pace(250, 10)
    copy_of_the_run()
    at_pace(310, 20)


def copy_that_took_as_long():
    at_pace(250, 10)
    every(first_byte_ms=1200, took_ms=3400)
    copy_of_the_run()
    at_pace(310, 20)


def copy_with_names():
    records = load("exchanges.jsonl")
    for number, record in enumerate(records):
        body = json.loads(get(record["response"]))
        record["response"] = put(json.dumps(dict(body, id=f"chatcmpl-{number}")).encode())
    save("exchanges.jsonl", records)
    sweep()
    copy_at_another_pace()


def copy_that_asked_for_no_seed():
    every(parameters={"max_tokens": 900})
    copy_at_another_pace()


def copy_of_most():
    """One answer is its own."""
    copy_at_another_pace()
    exchange = one(load("exchanges.jsonl"), 2, 0)
    change("exchanges.jsonl", 2, 0, response=put(get(exchange["response"]).replace(b"bar.sync 0", b"bar.sync 1", 1)))


def cut_by_too_long():
    """Trajectory 0 ends where a prompt is said to be too long, and longer ones were answered: told, and not refused."""
    records = []
    for record in load("exchanges.jsonl"):
        if (record["trajectory"], record["turn"]) == (0, 1):
            record = said_too_long(record)
        if record["trajectory"] != 0 or record["turn"] <= 1:
            records.append(record)
    save("exchanges.jsonl", records)
    for name in ("evaluations.jsonl", "turns.jsonl"):
        save(name, [record for record in load(name) if record["trajectory"] != 0 or record["turn"] < 1])
    for there in glob.glob("artifact/candidates/*/r-000-0[1-9]"):
        shutil.rmtree(there)
    sweep()


def ways_of(module, more=()):
    """The functions of a module that take nothing and are not for others to call."""
    return [value for value in list(vars(module).values()) if callable(value) and getattr(value, "__module__", "") == module.__name__ and value.__code__.co_argcount == 0
            and value.__name__ not in ("sweep", "every")] + list(more)


def run(ways):
    if sys.argv[1] == "list":
        print("\n".join(way.__name__ for way in ways))
    else:
        os.chdir(sys.argv[2])
        next(way for way in ways if way.__name__ == sys.argv[1])()


if __name__ == "__main__":
    run(ways_of(sys.modules[__name__]))
