# What `compare` sets side by side are members that records have: one that none has would never differ.
cd -- "$REPO"
python3 - <<'END'
import glob, json, re
records = [json.load(open(path)) for path in glob.glob("artifact/replays/*/*.json")]
def has(record, path):
    for name in path.split("."):
        if not isinstance(record, dict) or name not in record:
            return False
        record = record[name]
    return True
members = re.findall(r'^\t\{"([a-z0-9_.]+)", (?:true|false), ', open("runner/bundle/likeness.c").read(), re.M)
assert len(members) > 30 and records
for member in members:
    if not any(has(record, member) for record in records):
        print(f"no record has {member}")
END
