# table --format csv, md and tex are the very bytes that derive writes, for every table of the checkout; json has its cells.
"$PTXSEAL" derive --out derived "$REPO" >log || exit 1
for file in derived/*.csv; do
	name=$(basename "$file" .csv)
	for form in csv md tex; do
		"$PTXSEAL" table --format $form "$name" "$REPO" | cmp - "derived/$name.$form" || echo "$name.$form differs"
	done
	"$PTXSEAL" table --format json "$name" "$REPO" >json
	python3 - "$file" <<'PYTHON'
import csv
import json
import sys

with open("json", encoding="utf-8") as file:
    table = json.load(file)
with open(sys.argv[1], encoding="utf-8", newline="") as file:
    rows = list(csv.reader(file))
if [column["name"] for column in table["columns"]] != rows[0]:
    print(sys.argv[1], "has other columns")
# What NULL is written as stands in the CSV.
if [[new if old is None else old for old, new in zip(*pair)] for pair in zip(table["rows"], rows[1:], strict=True)] != rows[1:]:
    print(sys.argv[1], "has other cells")
PYTHON
done
[ "$(ls derived/*.csv | wc -l)" -ge 19 ] || echo "too few tables"
