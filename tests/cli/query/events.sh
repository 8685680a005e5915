# The events of --json have the fields that docs/query.md names, and no others; the summary adds up.
. "$REPO/tests/cli/query/common"
echo '{"currency":"USD","date":"2026-01-31","models":[{"completion_per_million":"1000","model":"m","prompt_per_million":"1"}],"schema":"ptxseal-prices/1","source":"made up"}' >prices.json
query talk_flaky r --trajectories 3 --tries 8 --prices prices.json --json >events.jsonl
python3 - "$REPO/docs/query.md" <<'PYTHON'
import json, re, sys
section = open(sys.argv[1]).read().split("### What is said meanwhile\n")[1].split("\n### ")[0]
documented = {}
for row in section.splitlines():
    if row.startswith("| `"):
        cells = row.split(" | ")
        documented[cells[0].strip("| `")] = set(re.findall(r"`([a-z_]+)`", cells[2]))
seen = {name: set() for name in documented}
for event in map(json.loads, open("events.jsonl")):
    own = set(event) - {"event"} - (set() if event["event"] == "summary" else {"trajectory", "turn"})
    assert own <= documented[event["event"]], own - documented[event["event"]]
    seen[event["event"]] |= own
print({name: sorted(documented[name] - seen[name]) for name in documented})
turns = event["turns"]
print(turns["planned"] == turns["done"] + turns["not_wanted"] + turns["prompt_too_long"] + turns["missing"], sum(event["outcomes"].values()) == turns["done"], sum(event["trajectories"].values()))
PYTHON
