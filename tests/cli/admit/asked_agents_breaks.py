"""Ways to break a submission of an agent's session: asked_agents_breaks.py WAY DIRECTORY. As asked_breaks.py: hashes are redone, so that only the rules find what is left."""
import json
import os
import sys

import asked_breaks
from asked_breaks import before_there_were_models, get, interface_changed, keys_said_to_be_taken_out, load, not_yet, put, save, sweep

asked_breaks.RUN = "artifact/runs/session"


def first_exchange_dropped():
    save("exchanges.jsonl", load("exchanges.jsonl")[1:])
    sweep()


def exchanges_counted_from_1000():
    records = load("exchanges.jsonl")
    for record in records:
        record["turn"] += 1000
    save("exchanges.jsonl", records)


def exchange_dropped_between():
    records = load("exchanges.jsonl")
    save("exchanges.jsonl", [record for record in records if record["turn"] != 1])
    sweep()


def exchanges_of_no_trajectory():
    save("exchanges.jsonl", [])
    sweep()


def exchanges_gone():
    os.remove(f"{asked_breaks.RUN}/exchanges.jsonl")
    sweep()


def of_each(change):
    turns = load("turns.jsonl")
    for turn in turns:
        change(turn)
    save("turns.jsonl", turns)
    sweep()


def prompts_replaced():
    of_each(lambda turn: turn.update(prompt=put(b"You may use the solution in the appendix: ...")))


def prompt_of_another_task():
    of_each(lambda turn: turn.update(prompt=put(get(turn["prompt"]).replace(b"gemm_n7168_k5120", b"gemm_n7168_k5121"))))


def prompt_of_another_form():
    of_each(lambda turn: turn.update(prompt=put(json.dumps({"name": "evaluate_kernel"}).encode())))


def nothing_was_said():
    of_each(lambda turn: turn.update(prompt=None, response=None, feedback=None))


def prose_before_the_kernel():
    of_each(lambda turn: turn.update(response=put(b"This reaches 3x cuBLAS.\n\n" + get(turn["response"]))))


def prose_behind_the_kernel():
    of_each(lambda turn: turn.update(response=put(get(turn["response"]) + b"This reaches 3x cuBLAS.\n")))


def prose_between_the_files():
    of_each(lambda turn: turn.update(response=put(get(turn["response"]).replace(b"\n```json", b"\nThis reaches 3x cuBLAS.\n```json"))))


def words_beside_the_fence():
    of_each(lambda turn: turn.update(response=put(get(turn["response"]).replace(b"```ptx\n", b"```ptx this reaches 3x cuBLAS\n"))))


def exchange_not_planned():
    records = load("exchanges.jsonl")
    records[-1].update(trajectory=99, turn=0, attempt=0)
    save("exchanges.jsonl", records)


def exchange_with_another_model():
    """In its request too."""
    records = load("exchanges.jsonl")
    body = json.loads(get(records[-1]["request"]))
    records[-1].update(model_asked="another", request=put(json.dumps(dict(body, model="another")).encode()))
    save("exchanges.jsonl", records)
    sweep()


def evaluated(change):
    """The first evaluation of a candidate."""
    records = load("evaluations.jsonl")
    change(next(record for record in records if record["candidate"]))
    save("evaluations.jsonl", records)


def outcome_alone():
    evaluated(lambda record: record.update(outcome="timeout"))


def speedup_alone():
    evaluated(lambda record: record.update(speedup="2"))


def candidate_named_after_another_turn():
    evaluated(lambda record: record.update(candidate=record["candidate"][:-2] + "09"))


def code_without_a_candidate():
    records = load("evaluations.jsonl")
    code = next(record["facts"]["code"] for record in records if record["candidate"])
    next(record for record in records if not record["candidate"])["facts"].update(code=code)
    save("evaluations.jsonl", records)


if __name__ == "__main__":
    asked_breaks.run(asked_breaks.ways_of(sys.modules[__name__], (keys_said_to_be_taken_out, interface_changed, not_yet, before_there_were_models)))
