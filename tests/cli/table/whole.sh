# Every table of the checkout fits the width, its lines end in no space, and all of its numbers and words are there, numbers unbroken; an empty one says so.
for name in $("$PTXSEAL" table --list --format json "$REPO" | python3 -c 'import json, sys; print(*[t["table"] for t in json.load(sys.stdin)])'); do
	"$PTXSEAL" table --format csv "$name" "$REPO" >csv
	for width in 40 80; do
		"$PTXSEAL" table --width $width "$name" "$REPO" >text
		awk -v width=$width -v name="$name" 'length($0) > width || / $/ {print name, width ": " $0}' text
		python3 - "$name" <<'PYTHON'
import csv
import re
import sys

with open("text", encoding="utf-8") as file:
    text = file.read()
with open("csv", encoding="utf-8", newline="") as file:
    rows = list(csv.reader(file))
if len(rows) == 1:  # no header stands above nothing
    sys.exit(0 if "\n0 rows;" in text else f"{sys.argv[1]} does not say that it is empty")
for cell in {cell for row in rows for cell in row}:
    number = re.fullmatch(r"-?[0-9.]+", cell)
    for part in [cell] if number else re.split(r"[-_ /,;]", cell):
        if part not in text and (number or len(part) < 12):
            print(sys.argv[1], "lacks", part, "of", cell)
PYTHON
	done
done
