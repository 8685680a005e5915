#!/usr/bin/env python3
"""Every cell of every derived table, computed again from the records. Plain python3, no packages, nothing of ours.

Counts are integers, rates and times exact fractions, Wilson's interval is in its other form (centre and half width) with 50 digits;
a cell holds if it is that number rounded to its column's digits.
usage: check_tables.py CHECKOUT DERIVED (the directory of `ptxseal derive --out`). Exit 0 all agree, 1 not (each fault a line on stdout).
"""
import csv
import json
import re
import sys
from collections import Counter, defaultdict
from decimal import Decimal, localcontext
from fractions import Fraction
from math import comb
from pathlib import Path
from statistics import NormalDist, median
from typing import NamedTuple

ROOT, DERIVED = Path(sys.argv[1]), Path(sys.argv[2])
OUTCOMES = ["Correct", "Numerical error", "Compilation error", "Sanitize Timeout", "Profiling Service Timeout",
            "Kernel Execution Timeout", "Extraction error", "Runtime error", "Other error"]
LIMITS = [1, 4, 8]
Z = Decimal(repr(NormalDist().inv_cdf(0.975)))
BUCKETS = [(4096, "0 to 4095"), (8192, "4096 to 8191"), (16384, "8192 to 16383"), (32768, "16384 to 32767"),
           (65536, "32768 to 65535")]


class Fixed(NamedTuple):
    value: Fraction
    digits: int
    room: Fraction = Fraction(0)  # what the records' own rounding may shift it by


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


class Turn:
    def __init__(self, record, run):
        self.trajectory, self.turn, self.outcome = record["trajectory"], record["turn"], record["outcome"]
        self.tokens, self.tag = record["reasoning_tokens"], record["arch_tag"]
        self.correct = self.outcome in ("Correct", "correct")
        self.target = self.correct and run["required_tag"] in self.tag.split(", ")
        self.text = record["speedup"] if Fraction(record["speedup"]) else None
        self.speedup = Fraction(record["speedup"]) or None


class Run:
    def __init__(self, directory):
        fields = json.loads((directory / "run.json").read_text(encoding="utf-8"))
        records = [json.loads(line) for line in (directory / "turns.jsonl").read_text(encoding="utf-8").splitlines()]
        self.__dict__.update(fields)
        grades = {record["evidence"] for record in records}
        self.reported = grades == {"reported"}
        self.grade = next((grade for grade in ("reported", "executed", "static", "unknown", "refused") if grade in grades), "unknown")
        tuned = directory / "training_set.json"
        self.tuned = json.loads(tuned.read_text(encoding="utf-8")) if tuned.exists() else None
        self.turns = [Turn(record, fields) for record in records]
        self.planned = self.planned_trajectories * self.planned_turns

    def below(self, limit=max(LIMITS)):
        return [turn for turn in self.turns if turn.turn < limit]


ALL = [Run(path.parent) for path in sorted((ROOT / "artifact/runs").glob("*/run.json"))]
REPORTED = [run for run in ALL if run.reported]
RUNS = [run for run in REPORTED if run.source == "ptxbench"]
FACTS = {path.stem: lines(path) for path in (ROOT / "artifact/facts").glob("*.jsonl")}
TASKS = {path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "tasks").glob("*/facts.json")}
STATED = {(told["source"], item["task"]): item["trained"]
          for told in (json.loads(path.read_text(encoding="utf-8")) for path in (ROOT / "manifests/submissions").glob("*/artifact/submission.json")) for item in told["conflicts"]}
TRAINED = {(fact["model"], fact["task"]) for fact in FACTS["training_overlap"]}


def wilson(k, n):
    """(low, high) of the share k/n."""
    with localcontext() as context:
        context.prec = 50
        share, count = Decimal(k) / n, Decimal(n)
        shrink = 1 + Z * Z / count
        centre = (share + Z * Z / (2 * count)) / shrink
        half = Z / shrink * (share * (1 - share) / count + Z * Z / (4 * count * count)).sqrt()
        return (Fraction(0) if k == 0 else Fraction(centre - half), Fraction(1) if k == n else Fraction(centre + half))


def rate(k, n, digits, share="percent", ends=("wilson_low", "wilson_high")):
    """The share in percent and its interval, as columns of these names."""
    low, high = wilson(k, n)
    return {share: Fixed(Fraction(100 * k, n), digits), ends[0]: Fixed(100 * low, digits), ends[1]: Fixed(100 * high, digits)}


def fixed(value, digits):
    return None if value is None else Fixed(Fraction(value), digits)


def best(turns, which="correct"):
    return max((turn.speedup for turn in turns if getattr(turn, which)), default=None)


def count(turns, which):
    return sum(getattr(turn, which) for turn in turns)


def trajectories(turns):
    return len({turn.trajectory for turn in turns})


def grouped(runs, *keys):
    """Runs by each of the keys, functions of a run; a run may stand under several."""
    groups = defaultdict(list)
    for run in runs:
        for key in keys:
            groups[key(run)].append(run)
    return groups


def label(run):
    return run.model, run.arch, run.task


def all_turns(runs):
    return [turn for run in runs for turn in run.turns]


def favoured(runs, good):
    """Of the runs of a model, architecture and task the good ones; where there is none, all."""
    return [run for group in grouped(runs, label).values() for run in ([r for r in group if good(r)] or group)]


def by_limit(run, limit):
    return {"model": run.model, "arch": run.arch, "workload": run.workload, "workload_name": run.workload_name,
            "definition": run.task, "run": run.run, "date": run.date, "turn_limit": limit,
            "n_trajectories": trajectories(run.turns)}


def correctness():
    for run in RUNS:
        for limit in LIMITS:
            n, k = trajectories(run.turns), trajectories([turn for turn in run.below(limit) if turn.correct])
            low, high = wilson(k, n)
            yield {**by_limit(run, limit), "correct": k, "correctness_rate": fixed(Fraction(k, n), 6), "wilson_low": fixed(low, 6),
                   "wilson_high": fixed(high, 6)}


def best_speedup():
    for run in RUNS:
        for limit in LIMITS:
            speedups = [turn for turn in run.below(limit) if turn.speedup]
            text = max(speedups, key=lambda turn: turn.speedup).text if speedups else "0"
            yield {**by_limit(run, limit), "best_speedup": "%.9g" % float(text)}


def target_instruction():
    for run in RUNS:
        for limit in LIMITS:
            turns = run.below(limit)
            n, k = trajectories(run.turns), trajectories([turn for turn in turns if turn.target])
            low, high = wilson(k, n)
            correct = count(turns, "correct")
            yield {**by_limit(run, limit), "date": run.date[:7] + run.date[8:], "required_arch_sass_tag": run.required_tag,
                   "correct_with_arch": k, "correct_with_arch_rate": repr(k / n), "n_correct_turns": correct,
                   "n_unknown_correct_turns": None if correct else 0, "tag_evidence": None, "wilson_low": fixed(low, 6),
                   "wilson_high": fixed(high, 6)}


def accounting():
    for (model, arch), runs in grouped(RUNS, lambda r: (r.model, r.arch), lambda r: ("all", "all")).items():
        lengths = [(n, run.planned_turns) for run in runs for n in Counter(t.trajectory for t in run.turns).values()]
        turns = all_turns(runs)
        known = [turn.tokens for turn in turns if turn.tokens is not None]
        planned = sum(run.planned for run in runs)
        yield {"model": model, "arch": arch, "runs": len(runs), "planned_trajectories": sum(r.planned_trajectories for r in runs),
               "trajectories": len(lengths), "short_trajectories": sum(n < most for n, most in lengths), "planned_turns": planned,
               "turns": len(turns), "missing_turns": planned - len(turns), "correct_turns": count(turns, "correct"),
               "target_turns": count(turns, "target"),
               "mean_reasoning_tokens": fixed(Fraction(sum(known), len(known)), 1) if known else None}


def fates():
    """(model, arch, task), the runs, turns by outcome."""
    scopes = (label, lambda r: (r.model, r.arch, "all"), lambda r: ("all", "all", "all"))
    for key, runs in grouped(RUNS, *scopes).items():
        outcomes = Counter(turn.outcome for turn in all_turns(runs))
        outcomes["missing"] = sum(run.planned - len(run.turns) for run in runs)
        yield dict(zip(("model", "arch", "task"), key)), runs, outcomes


def failures():
    for key, runs, outcomes in fates():
        planned = sum(run.planned for run in runs)
        yield {**key, "runs": len(runs), "planned_turns": planned, "missing": outcomes["missing"],
               **{outcome.lower().replace(" ", "_"): outcomes[outcome] for outcome in OUTCOMES}, "accounted": planned,
               **rate(outcomes["Correct"], planned, 2, "percent_correct")}


def failure_shares():
    for key, runs, outcomes in fates():
        planned = sum(run.planned for run in runs)
        failed = sum(outcomes[outcome] for outcome in OUTCOMES[1:])
        for outcome in OUTCOMES + ["missing"]:
            share = failed and outcome not in ("Correct", "missing")
            yield {**key, "outcome": outcome, "turns": outcomes[outcome], "planned_turns": planned,
                   **rate(outcomes[outcome], planned, 2),
                   "percent_of_failures": fixed(Fraction(100 * outcomes[outcome], failed), 2) if share else None}


def fast_p():
    scopes = (label, lambda r: (r.model, r.arch, "all"), lambda r: (r.model, "all", "all"))
    for key, runs in grouped(favoured(RUNS, lambda r: r.planned_trajectories == 12), *scopes).items():
        turns = all_turns(runs)
        for tenths in range(11):
            fast = [turn for turn in turns if turn.correct and turn.speedup > Fraction(tenths, 10)]
            target = count(fast, "target")
            yield {**dict(zip(("model", "arch", "task"), key)), "p": fixed(Fraction(tenths, 10), 1), "turns": len(turns),
                   "fast": len(fast), **rate(len(fast), len(turns), 2), "fast_target": target,
                   **rate(target, len(turns), 2, "percent_target", ("wilson_low_target", "wilson_high_target"))}


def figure1():
    published = [run for run in RUNS if run.source == "ptxbench"]
    both = {run.model for run in published if run.arch == "blackwell"}
    chosen = [run for run in favoured(published, lambda r: r.planned_trajectories == 12)
              if run.retrieval == "none" and run.model in both and TASKS[run.task]["paper_set"] == "core"]
    for (model, arch, task), runs in grouped(chosen, label).items():
        turns = all_turns(runs)
        yield {"arch": arch, "task": task, "model": model, "runs": len(runs), "turns": len(turns), "any": fixed(best(turns), 3),
               "target": fixed(best(turns, "target"), 3)}


def figure2():
    model = "Qwen3.6-27B-s1"
    chosen = [run for run in RUNS if run.source == "ptxbench" and run.model == model and run.checklist != "nopatched"
              and run.planned_trajectories == 20]
    for task, runs in grouped(chosen, lambda r: r.task).items():
        kept = {number for plan in FACTS["prompt_plan"] if plan["kept"] and plan["op_family"] == TASKS[task]["op_family"]
                for number in range(plan["first_trajectory"], plan["last_trajectory"] + 1)}
        turns = [(run.run, turn) for run in runs for turn in run.turns if turn.trajectory in kept]
        only = [turn for _, turn in turns]
        if turns:
            yield {"task": task, "runs": len({run for run, _ in turns}), "trained": int((model, task) in TRAINED),
                   "trajectories": len({(run, turn.trajectory) for run, turn in turns}), "turns": len(turns),
                   "correct_turns": count(only, "correct"), **rate(count(only, "correct"), len(turns), 1, "percent_correct"),
                   "best_speedup": fixed(best(only), 2)}


def reasoning():
    for (model, arch), runs in grouped(RUNS, lambda r: (r.model, r.arch)).items():
        for outcome in {turn.outcome for turn in all_turns(runs)}:
            turns = [turn for turn in all_turns(runs) if turn.outcome == outcome]
            known = [turn.tokens for turn in turns if turn.tokens is not None]
            yield {"model": model, "arch": arch, "outcome": outcome, "turns": len(turns), "unknown": len(turns) - len(known),
                   "min": min(known, default=None), "median": fixed(median(map(Fraction, known)), 1) if known else None,
                   "max": max(known, default=None), "sum": sum(known) if known else None,
                   "mean": fixed(Fraction(sum(known), len(known)), 1) if known else None}


def bucket(tokens):
    if tokens is None:
        return "unknown"
    return next((name for end, name in BUCKETS if tokens < end), "65536 and more")


def reasoning_buckets():
    for (model, arch), runs in grouped(RUNS, lambda r: (r.model, r.arch)).items():
        spent = defaultdict(list)
        for turn in all_turns(runs):
            spent[bucket(turn.tokens)].append(turn)
        for name, turns in spent.items():
            correct = count(turns, "correct")
            yield {"model": model, "arch": arch, "bucket": name, "turns": len(turns), "correct_turns": correct,
                   **rate(correct, len(turns), 2), "best_speedup": fixed(best(turns), 3)}


def release():
    bests = {key: best(all_turns(runs)) for key, runs in grouped(RUNS, lambda r: (r.arch, r.task, r.date, r.model)).items()}
    for (arch, task, date, model), own in bests.items():
        so_far = max((value for (a, t, d, _), value in bests.items() if (a, t) == (arch, task) and d <= date and value),
                     default=None)
        yield {"arch": arch, "task": task, "date": date, "model": model, "best_speedup": fixed(own, 3),
               "best_so_far": fixed(so_far, 3), "leads": int(own is not None and own == so_far)}


def release_dates():
    for fact in FACTS["release_dates"]:
        yield {**{name: fact[name] for name in ("kind", "name", "arch", "published", "date")}, "is_a_day": int(fact["date"] is not None)}


def sft_series():
    tunes = {fact["model"]: fact for fact in FACTS["sft"]}
    series = set(tunes) | {fact["base_model"] for fact in tunes.values()}
    for run in favoured(RUNS, lambda r: r.checklist != "nopatched"):
        if run.arch != "hopper" or run.retrieval != "none" or run.model not in series:
            continue
        turns, fact = run.turns, tunes.get(run.model, {})
        yield {"model": run.model, "task": run.task, "run": run.run,
               **{name: fact.get(name) for name in ("internal_name", "template", "scope", "reasoning_writer", "rows")},
               "trained": int((run.model, run.task) in TRAINED), "trajectories": trajectories(turns),
               "trajectories_correct": trajectories([turn for turn in turns if turn.correct]), "turns": len(turns),
               "correct_turns": count(turns, "correct"), **rate(count(turns, "correct"), len(turns), 2),
               "target_turns": count(turns, "target"), "best_speedup": fixed(best(turns), 3)}


def contradictions():
    sources = {fact["run"] for fact in FACTS["training_overlap"]}
    for run in RUNS:
        turns, correct = run.turns, [turn for turn in run.turns if turn.correct]
        failed = [turn for turn in turns if not turn.correct]
        bar = best(turns, "target")
        bare = [turn for turn in correct if not turn.target]
        everything = len(turns)
        for finding, found, of in (
                ("faster without target", sum(bar is None or turn.speedup > bar for turn in bare), len(correct)),
                ("correct without target", len(bare), len(correct)),
                ("evaluated where trained", everything if (run.model, run.task) in TRAINED else 0, everything),
                ("evaluated and trained on", everything if run.run in sources else 0, everything),
                ("tag on a failed turn", sum(turn.tag != "" for turn in failed), len(failed)),
                ("no reasoning reported", sum(turn.tokens == 0 for turn in turns), everything),
                ("shown the answer", len(correct) if run.retrieval == "notes and kernel" else 0, everything)):
            if found:
                yield {"finding": finding, "run": run.run, "model": run.model, "arch": run.arch, "task": run.task, "found": found,
                       "of": of, "percent": fixed(Fraction(100 * found, of), 1), "best_speedup": fixed(best(turns), 3),
                       "best_target_speedup": fixed(bar, 3)}


def baselines():
    for fact in FACTS["baselines"]:
        task, latency, published = TASKS[fact["task"]], Fraction(fact["latency_ms"]), Fraction(fact["tflops"])
        tflops = task["flops"] / latency / 10**9
        yield {"arch": fact["arch"], "gpu": fact["gpu"], "task": fact["task"], "library": task["baseline_library"],
               "flops": task["flops"], "latency_ms": fixed(latency, 4), "tflops": fixed(tflops, 1),
               "tflops_published": fixed(published, 1),
               "agrees": int((tflops + Fraction(1, 2)) // 1 == (published + Fraction(1, 2)) // 1),
               "percent_off": fixed(100 * (tflops - published) / published, 2),
               "implied_latency_ms": fixed(task["flops"] / published / 10**9, 4)}


def by_source():
    for (source, *key), runs in grouped(REPORTED, lambda run: (run.source, *label(run))).items():
        turns = all_turns(runs)
        yield {"source": source, "evidence": "reported", **dict(zip(("model", "arch", "task"), key)), "runs": len(runs),
               "trajectories": sum(trajectories(run.turns) for run in runs), "turns": len(turns), "correct": count(turns, "correct"),
               **rate(count(turns, "correct"), len(turns), 2), "unknown": sum(turn.outcome == "unknown" for turn in turns),
               "best_speedup": fixed(best(turns), 3)}


def told_of(run):
    """Whether the model was tuned on the run's task, and who says so; not by the facts."""
    pairs, stated = (run.tuned or {"tasks": {}})["tasks"].get(run.task), STATED.get((run.source, run.task))
    if pairs:
        return "yes", "training set"
    if stated == "yes":
        return "yes", "submitter"
    if run.tuned:
        return "no", "training set"
    return ("no", "submitter") if stated == "no" else (None, None)


def trained():
    tuned = {fact["model"] for fact in FACTS["sft"]}
    for run in ALL:
        mark, who = told_of(run)
        if mark is None and run.source == "ptxbench" and run.model in tuned:
            mark, who = "yes" if (run.model, run.task) in TRAINED else "no", "facts"
        yield {"source": run.source, "model": run.model, "run": run.run, "arch": run.arch, "task": run.task, "trained": mark or "not said", "said_by": who or "-",
               "training_set": run.tuned["sha256"] if run.tuned else "-", "pairs": (run.tuned or {"tasks": {}})["tasks"].get(run.task, "-")}


def answered():
    for run in ALL:
        if run.grade != "static":
            continue
        of = Counter(turn.outcome for turn in run.turns)
        target = sum(turn.outcome == "unknown" and run.required_tag in turn.tag.split(", ") for turn in run.turns)
        yield {"source": run.source, "model": run.model, "evidence": "static", "run": run.run, "arch": run.arch, "task": run.task, "trained": told_of(run)[0] or "not said",
               "trajectories": trajectories(run.turns), "planned": run.planned, "turns": len(run.turns), "no_kernel": of["extraction_error"], "does_not_compile": of["compile_error"],
               "rejected": of["rejected"], "compiles": of["unknown"], "target": target, **rate(target, len(run.turns), 2, share="target_percent")}


def tasks():
    for name, facts in TASKS.items():
        if facts["paper_set"] == "other":
            continue
        definition = json.loads((ROOT / "tasks" / name / "task.json").read_text(encoding="utf-8"))
        tensors = {way: ", ".join(f"{key} {item['dtype']}" for key, item in definition[way].items()) for way in ("inputs", "outputs")}
        for record in lines(ROOT / "tasks" / name / "workloads.jsonl"):
            workload = record["workload"]
            if workload["uuid"] != facts["workload"]:
                continue
            yield {"task": name, "set": facts["paper_set"], "family": facts["op_family"], "causal": int(facts["causal"]),
                   "workload": workload["uuid"], "sizes": " ".join(f"{axis}={value}" for axis, value in workload["axes"].items()),
                   **tensors, "baseline": facts["baseline_library"], "inputs_from": facts["inputs_kind"],
                   **{key: facts[key] for key in ("flops", "flops_formula", "rtol", "atol", "trials", "input_seed")}}


def order_statistics(values):
    """Median and distribution-free 95 % interval: the greatest k with P(Binomial(n, 1/2) < k) <= 0.025, in integers."""
    values, n, k, below = sorted(values), len(values), 0, 0
    while 1000 * (below := below + comb(n, k)) <= 25 * 2**n:
        k += 1
    return median(values), values[max(k, 1) - 1], values[n - max(k, 1)]


def speed_of(timing, samples):
    """The cells that follow from the samples, which the record has in whole nanoseconds."""
    column = {name: i for i, name in enumerate(timing["columns"])}
    counted = samples[timing["warm_up_pairs"]:]
    throttled = [sample for sample in counted if sample[column["throttled"]]]
    if 2 * len(throttled) <= len(counted):
        counted = [sample for sample in counted if not sample[column["throttled"]]]
    ratios = [Fraction(sample[column["baseline_ns"]], sample[column["candidate_ns"]]) for sample in counted]
    names, room = ("speedup", "speedup_low", "speedup_high"), Fraction(1, 10**5)
    cells = {name: Fixed(value, 4, room) for name, value in zip(names, order_statistics(ratios))}
    for name, key in (("candidate_ms", "candidate_ns"), ("library_ms", "baseline_ns")):
        cells[name] = Fixed(Fraction(median(sample[column[key]] for sample in counted)) / 10**6, 4, room)
    cells["clock_mhz"] = Fixed(Fraction(median(sample[column["candidate_hz"]] for sample in counted)) / 10**6, 0, room)
    cells["library_mhz"] = Fixed(Fraction(median(sample[column["baseline_hz"]] for sample in counted)) / 10**6, 0, room)
    if timing.get("cycles"):
        cycles = [Fraction(sample[column["baseline_ns"]] * sample[column["baseline_hz"]], sample[column["candidate_ns"]] * sample[column["candidate_hz"]])
                  for sample in counted]
        cells["in_cycles"] = Fixed(median(cycles), 4, room)
    controls = [Fraction(sample[column["baseline_ns"]], sample[column["candidate_ns"]]) for sample in timing["control_samples"]]
    return {**cells, "control": Fixed(median(controls), 4, room) if controls else None, "pairs": len(samples), "suspect": "; ".join(timing["suspect"]) or None}


def measured():
    """From each record's trials, instruction counts and samples; only what cannot be counted again is taken as it says."""
    for path in sorted((ROOT / "artifact/replays").glob("*/*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        turns = lines(ROOT / "artifact/runs" / record["run"] / "turns.jsonl")
        if "executed" not in {turn["evidence"] for turn in turns}:
            continue
        trials, evidence, outcome = record["trials"], record["evidence"], record["outcome"]
        normal = [trial for trial in trials if trial["values"] == "normal"]
        failed, passed = record["accounting"]["failed"], record["accounting"]["passed"]
        has_library = any(output["library_error"] for trial in normal for output in trial["outputs"])
        library = sum(bool(trial["outputs"]) and all(output["library_error"]["published_bad"] + output["library_error"]["not_finite"] == 0
                                                     for output in trial["outputs"]) for trial in normal) if has_library else None
        share = {group: fixed(Fraction(sum(line["operations"] for line in evidence["lines"] if line["group"] == group), record["problem"]["flops"]), 4)
                 if evidence["complete"] else None for group in ("gmma", "warp")}
        speed = dict.fromkeys(("speedup", "speedup_low", "speedup_high", "in_cycles", "control", "pairs", "candidate_ms", "library_ms", "clock_mhz",
                               "library_mhz", "suspect"))
        if record["timing"]:
            speed |= speed_of(record["timing"], record["timing"]["samples"])
        nvml = record["device"]["nvml"]
        run = json.loads((ROOT / "artifact/runs" / record["run"] / "run.json").read_text(encoding="utf-8"))
        row = {"source": run["source"], "model": run["model"], "evidence": "executed", "run": record["run"], "task": record["problem"]["task"], "candidate": record["candidate"]["name"], "arch": record["candidate"]["arch"],
               "outcome": turns[record["trajectory"]]["outcome"], "strict": outcome["strict"], "published": outcome["published"],
               "published_trials": len(normal), "published_passed": sum(trial["published"] == "pass" for trial in normal), "library_passed": library,
               "trials": len(trials), "failed": failed, "bound": f"{3 / passed:.3g}" if not failed and passed >= 3 else "1" if not failed else None,
               "counted": evidence["state"], "wgmma_share": share["gmma"], "warp_share": share["warp"],
               "tma_gb_least": Fixed(Fraction(evidence["tma_bytes_least"], 10**9), 3), "tma_gb_most": Fixed(Fraction(evidence["tma_bytes_most"], 10**9), 3),
               "decoy": "yes" if evidence["decoy"] else "no", **speed, "memcheck": record.get("memcheck", {}).get("state"), "device": record["device"]["name"], "driver": nvml["driver_version"],
               "cubin": record["code"]["sha256"] if record["code"] else None}
        yield {column: "-" if value is None else value for column, value in row.items()}


KEYS = {"accounting": "model arch", "answered": "run", "trained": "run", "baselines": "arch task", "best_speedup": "run turn_limit", "by_source": "source model arch task", "contradictions": "finding run",
        "correctness": "run turn_limit", "failure_shares": "model arch task outcome", "failures": "model arch task",
        "fast_p": "model arch task p", "figure1": "arch task model", "figure2": "task", "reasoning": "model arch outcome",
        "reasoning_buckets": "model arch bucket", "release": "arch task model", "release_dates": "kind name", "measured": "run candidate",
        "sft_series": "model task run", "target_instruction": "run turn_limit", "tasks": "task workload"}


def written(value):
    """How a key is written; cells are compared by agrees."""
    return f"{float(value.value):.{value.digits}f}" if isinstance(value, Fixed) else str(value)


def agrees(cell, value):
    if value is None or not isinstance(value, Fixed):
        return cell == ("" if value is None else str(value))
    # Half a unit of the last digit, and what a computation in doubles may be off.
    room = Fraction(1, 2 * 10**value.digits) + value.room + max(abs(value.value), 1) / 10**12
    form = rf"-?[0-9]+\.[0-9]{{{value.digits}}}" if value.digits else "-?[0-9]+"
    return bool(re.fullmatch(form, cell)) and abs(Fraction(cell) - value.value) <= room


def compare(name):
    """Faults of the table, and how many cells it has."""
    keys = KEYS[name].split()
    rows = list(globals()[name]())
    wanted = {tuple(written(row[key]) for key in keys): row for row in rows}
    with open(DERIVED / f"{name}.csv", encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    given = {tuple(row[key] for key in keys): row for row in found}
    if len(wanted) != len(rows) or len(given) != len(found):
        yield f"{name}: two rows of one key"
    for key in sorted(wanted.keys() ^ given.keys()):
        yield f"{name} {'/'.join(key)}: the row is {'missing' if key in wanted else 'not one of the records'}"
    for key in sorted(wanted.keys() & given.keys()):
        row, cells = wanted[key], given[key]
        if row.keys() != cells.keys():
            yield f"{name}: columns {sorted(row.keys() ^ cells.keys())} are in one of the two only"
            return
        for column, value in row.items():
            if not agrees(cells[column], value):
                shown = f"{float(value.value):.{value.digits + 3}f}" if isinstance(value, Fixed) else repr(value)
                yield f"{name} {'/'.join(key)} {column}: derived {cells[column]!r}, computed {shown}"


names = sorted(path.stem for path in (ROOT / "artifact/tables").glob("*.sql"))
faults = [f"FAIL artifact/tables: {name} is there or here only" for name in sorted(set(names) ^ set(KEYS))]
for name in sorted(set(names) & set(KEYS)):
    faults += [f"FAIL {fault}" for fault in compare(name)]
print("\n".join(faults) if faults else f"{len(names)} tables agree, cell by cell")
sys.exit(1 if faults else 0)
