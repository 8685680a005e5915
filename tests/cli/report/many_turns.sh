# A run of which one trajectory has 10,000 turns and the others one each: the page has each turn, and no cell for each that the others have not.
. "$REPO/tests/cli/derive/bundle.inc"
python3 - <<'PYTHON' || exit 3
import json

def line(record):
    return json.dumps(record, separators=(",", ":"), sort_keys=True) + "\n"

run = "bundle/artifact/runs/one/"
with open(run + "run.json") as file:
    planned = json.load(file) | {"planned_trajectories": 100, "planned_turns": 10000}
with open(run + "run.json", "w") as file:
    file.write(line(planned))
with open(run + "turns.jsonl", "w") as file:
    for number, (trajectory, turn) in enumerate([(0, k) for k in range(10000)] + [(t, 0) for t in range(1, 100)]):
        file.write(line({"arch_tag": "A", "evidence": "reported", "outcome": "Correct", "reasoning_source": "usage", "reasoning_tokens": 7, "source_line": number + 2, "speedup": "0.5", "trajectory": trajectory,
                         "turn": turn}))
PYTHON
"$PTXSEAL" report --output out bundle >log
[ $? -eq 1 ] || exit 3 # nothing is sealed
python3 - <<'PYTHON'
import re
with open("out/report.html") as file:
    text = file.read()
rows = re.findall(r"<tr><th scope=row>\d+(?:<td.*)", text[text.index("<table class=turns>"):])
spans = [sum(int(span or 1) for span in re.findall(r"<td[^>]*?(?: colspan=(\d+))?>", row)) for row in rows]
print(len(rows), "trajectories;", len(re.findall("<td id=t[0-9]+", text)), "turns; columns of a row:", sorted(set(spans)), "; cells of the second row:", rows[1].count("<td"))
print("bytes of the page, in MiB:", len(text) >> 20)
PYTHON
