# --json: canonical, with what the text has not: all opcodes, the work of one execution, null where it is not in the code.
"$PTXSEAL" inspect --json "$REPO/tests/kernel/tcgen05_mma.cubin" >report.json
python3 - <<'EOF'
import json
text = open("report.json").read()
report = json.loads(text)
assert text == json.dumps(report, sort_keys=True, separators=(",", ":")) + "\n"
image = report["images"][0]
print(report["schema"], image["arch"], image["instructions"], sum(o["count"] for o in image["opcodes"]))
for function in image["functions"]:
    for line in function["census"]:
        print(function["name"], line["instruction"], line["count"], line["operations_per_warp"])
EOF
