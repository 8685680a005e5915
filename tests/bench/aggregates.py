"""The peer of the benchmark: the three published aggregates from the same turn records, as one would write it in pandas.

usage: aggregates.py BUNDLE OUT
Reads every artifact/runs/*/{run.json,turns.jsonl} and writes correctness.csv, best_speedup.csv and target_instruction.csv.
"""
import glob
import json
import os
import sys

import pandas as pd

bundle, out = sys.argv[1], sys.argv[2]
frames, runs = [], []
for path in sorted(glob.glob(os.path.join(bundle, "artifact/runs/*/run.json"))):
    with open(path) as file:
        run = json.load(file)
    runs.append(run)
    turns = pd.read_json(os.path.join(os.path.dirname(path), "turns.jsonl"), lines=True, dtype={"speedup": str, "arch_tag": str})
    turns["run"] = run["run"]
    turns["required_tag"] = run["required_tag"]
    frames.append(turns)
turns = pd.concat(frames, ignore_index=True)
turns["speedup"] = turns["speedup"].astype(float)
turns["correct"] = turns["outcome"] == "Correct"
tags = turns["arch_tag"].fillna("").str.split(", ")
turns["target"] = turns["correct"] & [need in have for need, have in zip(turns["required_tag"], tags)]
planned = turns.groupby("run")["trajectory"].nunique().rename("n_trajectories")

correctness, best, target = [], [], []
for limit in (1, 4, 8):
    within = turns[turns["turn"] < limit]
    hit = within[within["correct"]].groupby("run")["trajectory"].nunique().rename("correct")
    table = planned.to_frame().join(hit).fillna(0).reset_index()
    table["correctness_rate"] = table["correct"] / table["n_trajectories"]
    correctness.append(table.assign(turn_limit=limit))
    best.append(within.groupby("run")["speedup"].max().rename("best_speedup").reset_index().assign(turn_limit=limit))
    hit = within[within["target"]].groupby("run")["trajectory"].nunique().rename("correct_with_arch")
    n_correct = within.groupby("run")["correct"].sum().rename("n_correct_turns")
    table = planned.to_frame().join(hit).join(n_correct).fillna(0).reset_index()
    table["correct_with_arch_rate"] = table["correct_with_arch"] / table["n_trajectories"]
    target.append(table.assign(turn_limit=limit))
os.makedirs(out, exist_ok=True)
for name, parts in (("correctness", correctness), ("best_speedup", best), ("target_instruction", target)):
    pd.concat(parts).sort_values(["run", "turn_limit"]).to_csv(os.path.join(out, name + ".csv"), index=False)
