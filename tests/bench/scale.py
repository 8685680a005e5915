"""Make a bundle whose ledger is that of another one multiplied: every run K times, as if K sources had
the same runs: the copies are named <run>.copy002 and so on, their sources copy002 and so on.

usage: scale.py BUNDLE OUT K [TABLE...]
Tables, claims, facts, tasks and expected cells are the same files; with TABLE only those tables go along.
"""
import json
import os
import shutil
import sys

bundle, out, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
for part in ("artifact/tables", "artifact/claims", "artifact/facts", "artifact/sources", "artifact/expected", "tasks"):
    shutil.copytree(os.path.join(bundle, part), os.path.join(out, part))
for name in os.listdir(os.path.join(out, "artifact/tables")):
    if len(sys.argv) > 4 and name[: -len(".sql")] not in sys.argv[4:]:
        os.remove(os.path.join(out, "artifact/tables", name))
runs = os.path.join(bundle, "artifact/runs")
for name in sorted(os.listdir(runs)):
    with open(os.path.join(runs, name, "run.json")) as file:
        run = json.load(file)
    if run["source"] != "ptxbench":
        continue  # what was measured here has records of its own, which are not multiplied
    for k in range(times):
        run["source"] = "ptxbench" if k == 0 else "copy%03d" % (k + 1)
        run["run"] = name if k == 0 else "%s.copy%03d" % (name, k + 1)
        copy = os.path.join(out, "artifact/runs", run["run"])
        os.makedirs(copy)
        with open(os.path.join(copy, "run.json"), "w") as file:
            json.dump(run, file, sort_keys=True, separators=(",", ":"))
            file.write("\n")
        shutil.copyfile(os.path.join(runs, name, "turns.jsonl"), os.path.join(copy, "turns.jsonl"))
