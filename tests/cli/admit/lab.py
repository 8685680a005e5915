"""A lab whose runs are made of the bundle's own replays: lab.py working REPO DIR [TASK...] writes a working bundle as `ptxseal replay --into` would have left it, of
the source `lab` and the model `Model L`, with samples and seeds of its own and every number that follows from them worked out again here."""
import json
import math
import os
import random
import shutil
import sys

SOURCE, MODEL = os.environ.get("LAB_SOURCE", "lab"), "Model L"


def canonical(tree):
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n"


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def save(path, tree):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(canonical(tree))


def number(value):
    return "%.9g" % value


def rank_of(count):
    """The greatest k with P(Binomial(n, 1/2) < k) <= 0.025."""
    below, k = 0, 0
    while True:
        below += math.comb(count, k) / 2**count
        if below > 0.025:
            return k
        k += 1


def interval(values):
    values, count = sorted(values), len(values)
    k = rank_of(count)
    return {
        "count": count,
        "high": number(values[count - k if k > 0 else count - 1]),
        "low": number(values[k - 1 if k > 0 else 0]),
        "median": number((values[(count - 1) // 2] + values[count // 2]) / 2),
        "rank": k,
    }


def median(values):
    values = sorted(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def rows(record, name="samples"):
    return [dict(zip(record["timing"]["columns"], row)) for row in record["timing"][name]]


def put_rows(record, new, name="samples"):
    record["timing"][name] = [[row[column] for column in record["timing"]["columns"]] for row in new]


def add_up(record):
    """What follows from the samples."""
    timing, all_rows = record["timing"], rows(record)
    counted = [row for row in all_rows[timing["warm_up_pairs"]:] if not row["throttled"]]
    timing["pairs"] = len(all_rows)
    timing["speedup"] = interval([row["baseline_ns"] / row["candidate_ns"] for row in counted])
    timing["candidate_ns"] = interval([row["candidate_ns"] for row in counted])
    timing["baseline_ns"] = interval([row["baseline_ns"] for row in counted])
    timing["candidate_hz"] = round(median([row["candidate_hz"] for row in counted]))
    timing["baseline_hz"] = round(median([row["baseline_hz"] for row in counted]))
    timing["hidden_ns"] = round(
        median([row["candidate_wall_ns"] - row["candidate_ns"] for row in counted])
        - median([row["baseline_wall_ns"] - row["baseline_ns"] for row in counted]))
    if timing.get("cycles"):
        timing["cycles"] = interval([row["baseline_ns"] * row["baseline_hz"] / (row["candidate_ns"] * row["candidate_hz"]) for row in counted])


def measure_again(record, draw):
    if record["timing"] is None:
        return
    new = rows(record)
    for row in new:
        row["seed"] = str(draw.getrandbits(63))
        for kind in ("candidate", "baseline"):
            more = 32 * draw.randrange(4)
            row[f"{kind}_ns"] += more
            row[f"{kind}_wall_ns"] += more + draw.randrange(997)
    put_rows(record, new)
    add_up(record)


def turn_of(record):
    correct = record["outcome"]["label"] == "correct"
    return {
        "arch_tag": record["evidence"]["arch_tag"], "evidence": record["evidence"]["evidence"], "outcome": record["outcome"]["label"],
        "reasoning_source": "", "reasoning_tokens": None, "source_line": None,
        "speedup": record["timing"]["speedup"]["median"] if correct and record["timing"] else "0",
        "trajectory": record["trajectory"], "turn": 0,
    }


def ledger(working, run, records):
    """turns.jsonl, from the records."""
    path = f"{working}/artifact/runs/{run}/turns.jsonl"
    with open(path, "w", encoding="utf-8") as file:
        for record in sorted(records, key=lambda one: one["trajectory"]):
            file.write(canonical(turn_of(record)))


def records_of(working, run):
    folder = f"{working}/artifact/replays/{run}"
    return {name: load(f"{folder}/{name}") for name in sorted(os.listdir(folder))}


def working_bundle(repo, working, tasks):
    draw = random.Random(SOURCE)
    position = 0
    for old in sorted(os.listdir(f"{repo}/artifact/replays")):
        run = load(f"{repo}/artifact/runs/{old}/run.json")
        if run["task"] not in tasks or run["source"] != "ptxseal" or run["workload_name"] != "published":
            continue
        if os.path.exists(f"{working}/artifact/runs/{SOURCE}-{run['task']}"):
            continue
        position += 1
        run.update(run=f"{SOURCE}-{run['task']}", source=SOURCE, model=MODEL, position=position)
        save(f"{working}/artifact/runs/{run['run']}/run.json", run)
        records = records_of(repo, old)
        for name, record in records.items():
            record["run"] = run["run"]
            measure_again(record, draw)
            save(f"{working}/artifact/replays/{run['run']}/{name}", record)
            for file in record["candidate"]["files"]:
                os.makedirs(os.path.dirname(f"{working}/{file['path']}"), exist_ok=True)
                shutil.copyfile(f"{repo}/{file['path']}", f"{working}/{file['path']}")
        ledger(working, run["run"], records.values())


def facts(tasks):
    return {
        "source": SOURCE, "submitter": "a lab", "contact": "lab@example.org", "model": MODEL, "statement": "",
        "sampling": {"temperature": "1.0", "top_p": "0.95", "max_tokens": "32768", "seed": "unknown", "other": "none"},
        "environment": {"endpoint": "local", "harness": "none", "tools": "none", "other": "none"},
        "conflicts": [{"task": task, "trained": "no", "statement": ""} for task in tasks],
    }


if __name__ == "__main__":
    command, repo, target, *names = sys.argv[1:]
    if command == "working":
        working_bundle(repo, target, names)
        save(f"{target}/facts.json", facts(names))
